// The set-up page's words.

const pieces = { en: {}, de: { white: "weiß", blue: "blau", green: "grün", yellow: "gelb", red: "rot", grey: "grau", black: "schwarz", brown: "braun", disc: "Scheibe", block: "Block", figure: "Figur", trilith: "Trilith", pillar: "Säule", capstone: "Deckstein", druid: "Druidenstein", megalith: "Megalith", card: "Karte" } };

export const words = {
  en: {
    ...pieces.en,
    title: "Your own board, your own pieces, your own camera", home: "To the tables", steps: "Steps", next: "Next", busy: (what) => `${what} …`, offline: "Henge cannot be reached: is it still running?",
    "step.start": "Name", "step.camera": "Camera", "step.lens": "Lens", "step.board": "Board", "step.pieces": "Pieces", "step.done": "Done",
    name: "Name of the profile", "name.usual": "My table", board: "Board", edition: "Printed by", "edition.kit": "Henge's kit", "edition.other": "another edition", game: "Game", "game.any": "any", start: "Begin",
    photo: "Choose a photo", "camera.choose": "use a camera", camera: "Camera", "camera.on": "Switch the camera on", "camera.again": "Camera is on: try again", "camera.which": "Which camera", "camera.none": "This browser gives no camera to this page (it needs localhost or HTTPS). Photos work everywhere.",
    "camera.how": "Put the camera where it will stand while you play, looking at the whole board from above at a slant.", "camera.phone": "A phone as camera: pair it, open this page on it and choose photos there; they appear here.", "camera.phones": "let a phone in",
    "lens.how": "Optional: hold or lay the kit's chessboard sheet into the picture, 8 to 12 times, tilted, also at the edges. Without it Henge guesses the lens from the board.", "lens.take": "Take the sheet", "lens.covered": "picture covered",
    "board.how": "Clear the board and take one picture of it, whole.", "board.take": "Take the empty board", "board.fits": "Do the yellow outlines lie on the printed fields?", "board.yes": "Fits", "board.corners": "Not quite? Drag the four points onto the board's corners, or step with the arrow keys (Shift: 20 pixels) and press Enter.", "board.send": "Use these corners",
    "corner.tl": "top left", "corner.tr": "top right", "corner.br": "bottom right", "corner.bl": "bottom left",
    "teach.size": "Board's width x height (mm)", "teach.field": "Field to point at", "teach.add": "Add this field", "teach.fit": "Work out the rest",
    "pieces.how": "Put some pieces of each colour onto fields of the board, apart from each other, and take a picture.", "pieces.take": "Take the pieces",
    "done.how": "Keep what Henge has learnt. Tables use it with --profile and remember it.", save: "Keep the profile", saved: (name) => `The profile ${name} is kept.`, prove: "Try it", "prove.take": "Read this table", "prove.nothing": "The board is empty.",
    kept: "Kept profiles", export: "Export", import: "Import a profile", rename: "Rename", "rename.to": "New name", delete: "Delete", "delete.sure": (name) => `Delete ${name}?`,
  },
  de: {
    ...pieces.de,
    title: "Eigenes Brett, eigene Figuren, eigene Kamera", home: "Zu den Tischen", steps: "Schritte", next: "Weiter", busy: (what) => `${what} …`, offline: "Henge ist nicht zu erreichen: läuft es noch?",
    "step.start": "Name", "step.camera": "Kamera", "step.lens": "Objektiv", "step.board": "Brett", "step.pieces": "Figuren", "step.done": "Fertig",
    name: "Name des Profils", "name.usual": "Mein Tisch", board: "Brett", edition: "Gedruckt von", "edition.kit": "Henges Bausatz", "edition.other": "andere Ausgabe", game: "Spiel", "game.any": "beliebig", start: "Anfangen",
    photo: "Foto wählen", "camera.choose": "Kamera benutzen", camera: "Kamera", "camera.on": "Kamera einschalten", "camera.again": "Kamera läuft: noch einmal", "camera.which": "Welche Kamera", "camera.none": "Dieser Browser gibt der Seite keine Kamera (dafür braucht es localhost oder HTTPS). Fotos gehen überall.",
    "camera.how": "Die Kamera dorthin stellen, wo sie beim Spielen steht: schräg von oben auf das ganze Brett.", "camera.phone": "Ein Telefon als Kamera: einlassen, diese Seite dort öffnen und Fotos wählen; sie erscheinen hier.", "camera.phones": "Telefon einlassen",
    "lens.how": "Freiwillig: das Schachbrett-Blatt des Bausatzes 8- bis 12-mal ins Bild halten oder legen, geneigt, auch an den Rändern. Ohne es schätzt Henge das Objektiv am Brett.", "lens.take": "Blatt aufnehmen", "lens.covered": "vom Bild bedeckt",
    "board.how": "Das Brett leer räumen und einmal ganz aufnehmen.", "board.take": "Leeres Brett aufnehmen", "board.fits": "Liegen die gelben Umrisse auf den gedruckten Feldern?", "board.yes": "Passt", "board.corners": "Nicht ganz? Die vier Punkte auf die Brettecken ziehen, oder mit den Pfeiltasten rücken (Umschalt: 20 Pixel) und Enter drücken.", "board.send": "Diese Ecken nehmen",
    "corner.tl": "oben links", "corner.tr": "oben rechts", "corner.br": "unten rechts", "corner.bl": "unten links",
    "teach.size": "Breite x Höhe des Bretts (mm)", "teach.field": "Feld zum Zeigen", "teach.add": "Dieses Feld zeigen", "teach.fit": "Den Rest ausrechnen",
    "pieces.how": "Einige Figuren jeder Farbe mit Abstand auf Felder des Bretts legen und aufnehmen.", "pieces.take": "Figuren aufnehmen",
    "done.how": "Behalten, was Henge gelernt hat. Tische benutzen es mit --profile und merken es sich.", save: "Profil behalten", saved: (name) => `Das Profil ${name} ist gespeichert.`, prove: "Ausprobieren", "prove.take": "Diesen Tisch lesen", "prove.nothing": "Das Brett ist leer.",
    kept: "Gespeicherte Profile", export: "Exportieren", import: "Profil importieren", rename: "Umbenennen", "rename.to": "Neuer Name", delete: "Löschen", "delete.sure": (name) => `${name} löschen?`,
  },
};
