"""What the API speaks of, as JSON schemas: tables, moments, moves, readings. A test holds that real answers
are as described."""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]


def ref(name: str) -> Json:
    """One of SCHEMAS."""
    return {"$ref": f"#/components/schemas/{name}"}


def an_object(required: str = "", /, **properties: Json) -> Json:
    """`required`: names with spaces between."""
    schema: Json = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required.split()
    return schema


def a_list(items: Json) -> Json:
    return {"type": "array", "items": items}


def or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


TEXT: Final = {"type": "string", "maxLength": 2000, "pattern": r"^[^\u0000]*$"}
WORDS: Final = TEXT | {"minLength": 1}
STRING: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
NUMBER: Final = {"type": "number"}
YES_NO: Final = {"type": "boolean"}
SHARE: Final = {"type": "number", "minimum": 0, "maximum": 1}

SCHEMAS: Final[Json] = {
    "Text": an_object("en de", en=STRING, de=STRING) | {"description": "one sentence in English and German"},
    # reason: the rule, where one forbids it; else the same line, in both languages
    "Error": an_object("error", error=STRING, reason=ref("Text")),
    "Thing": an_object(
        "kind",
        kind=TEXT,
        colour=TEXT,
        value=WHOLE,
        facing=TEXT,
        lying=YES_NO,
        count=WHOLE,
        number=WHOLE,
        phase=TEXT,
        face=TEXT,
        words=ref("Text"),
    ),
    "Piece": an_object(
        "kind",
        kind=STRING,
        colour=or_null(STRING),
        field=STRING,
        fields=a_list(STRING),
        on=STRING,
        value=or_null(WHOLE),
        count=or_null(WHOLE),
        x_mm=NUMBER,
        y_mm=NUMBER,
        angle_deg=NUMBER,
        confidence=SHARE,
    ),
    "Position": an_object(
        "board pieces", board=STRING, game=STRING, pieces=a_list(ref("Piece")), occluded=a_list(STRING)
    ),
    "Change": an_object("gone come", gone=a_list(ref("Piece")), come=a_list(ref("Piece")), words=ref("Text")),
    "Score": an_object(
        "total unit parts",
        total=WHOLE,
        unit=ref("Text"),
        parts=a_list(
            an_object(
                "key label points places", key=STRING, label=ref("Text"), points=WHOLE, places=a_list(STRING)
            )
        ),
    ),
    "Move": an_object(
        "kind text words title places",
        kind=STRING,
        text=STRING,
        words=ref("Text"),
        title=ref("Text"),
        places=a_list(STRING),
        change=ref("Change"),
        probability=SHARE,
    ),
    "Moves": an_object(
        "event to_move moves", event=WHOLE, to_move=or_null(STRING), moves=a_list(ref("Move"))
    ),
    "Moment": an_object(
        "number to_move prompt is_over position scores winners insights state",
        number=WHOLE,
        to_move=or_null(STRING),
        prompt=ref("Text"),
        is_over=YES_NO,
        position=ref("Position"),
        scores={"type": "object", "additionalProperties": ref("Score")},
        winners=a_list(STRING),
        insights={"type": "object"},
        state={"type": "object"},
    ),
    "Entry": an_object(
        "number kind words change",
        number=WHOLE,
        kind=STRING,
        text=STRING,
        words=ref("Text"),
        change=ref("Change"),
        who=STRING,
        by=STRING,
        at=STRING,
        photo=STRING,
        confidence=SHARE,
    ),
    "Status": an_object(
        "name message answers alarm places",
        message=ref("Text"),
        places=a_list(STRING),
        name={"enum": ["in_step", "looking", "asking", "out_of_step", "blind"]},
        answers=a_list({"type": "object"}),
        alarm=or_null({"type": "object"}),
    ),
    "Table": an_object(
        "id name game title board players event status moment entries curve can_undo can_redo",
        id=STRING,
        name=STRING,
        game=STRING,
        title=ref("Text"),
        board=STRING,
        players=a_list(STRING),
        variant={"type": "object"},
        created=STRING,
        closed=or_null(STRING),
        event=WHOLE,
        can_undo=YES_NO,
        can_redo=YES_NO,
        can_teach=YES_NO,
        status=ref("Status"),
        moment=ref("Moment"),
        view=or_null(an_object("number at picture", number=WHOLE, at=STRING, picture=YES_NO)),
        entries=a_list(ref("Entry")),
        replayed=YES_NO,
        dealt=YES_NO,
        curve=a_list({"type": "object", "additionalProperties": WHOLE}),
    ),
    "Summary": an_object(
        "id name game players title",
        id=STRING,
        name=STRING,
        game=STRING,
        players=a_list(STRING),
        title=ref("Text"),
        result=STRING,
        closed=or_null(STRING),
        replayed=YES_NO,
        unreadable=STRING,
    ),
    "Camera": an_object(
        "present table",
        present=YES_NO,
        table=or_null(
            an_object(
                "id name title closed", id=STRING, name=STRING, title=ref("Text"), closed=or_null(STRING)
            )
        ),
    ),
    "Hall": an_object("tables shelf", tables=a_list(ref("Summary")), shelf=a_list(ref("Summary"))),
    "Record": an_object(
        "id name closed players gates wheels course",
        id=STRING,
        name=STRING,
        closed=STRING,
        players=a_list(STRING),
        gates=WHOLE,
        wheels=WHOLE,
        course=ref("Text"),
    ),
    "Health": an_object(
        "number grade advice measures",
        number=WHOLE,
        grade={"enum": ["good", "fair", "poor"]},
        advice=ref("Text"),
        measures=a_list({"type": "object"}),
    ),
    "Observation": an_object(
        "number at board pieces places corners_px",
        number=WHOLE,
        at=STRING,
        board=STRING,
        pieces=a_list(ref("Piece")),
        unseen={"type": "object", "additionalProperties": STRING},
        corners_px=a_list(a_list(NUMBER)),
        quality={"type": "object"},
        places={
            "type": "object",
            "additionalProperties": a_list(
                an_object("thing probability", thing=or_null(ref("Thing")), probability=SHARE)
            ),
        },
    ),
    "Game": an_object(
        "id title board player_counts colours suggested_players variants",
        id=STRING,
        title=ref("Text"),
        board=STRING,
        player_counts=a_list(WHOLE),
        colours=a_list(STRING),
        suggested_players=a_list(STRING),
        variants=a_list(
            an_object(
                "key choices label house_rule",
                key=STRING,
                choices={"type": "array"},
                label=ref("Text"),
                house_rule=YES_NO,
            )
        ),
    ),
    "Board": an_object(
        "id size_mm fields pieces",
        id=STRING,
        size_mm=a_list(NUMBER),
        fields=a_list({"type": "object"}),
        pieces={"type": "object"},
    ),
    "Player": an_object(
        "source playing step count seconds",
        source={"enum": ["photographs", "log"]},
        playing=YES_NO,
        step=WHOLE,
        count=WHOLE,
        seconds=NUMBER,
    ),
    "Me": an_object(
        "may seats lan",
        may={"enum": ["nothing", "look", "play", "all"]},
        seats=a_list(an_object("table player", table=STRING, player=STRING)),
        lan=YES_NO,
    ),
    "Seat": an_object("player taken mine", player=STRING, taken=YES_NO, mine=YES_NO),
    "Hand": an_object(
        "player event dealt cards moment moves",
        player=STRING,
        event=WHOLE,
        dealt=YES_NO,
        cards=a_list(STRING),
        moment=ref("Moment"),
        moves=ref("Moves"),
    ),
    "Checked": an_object(
        "legal", legal=YES_NO, text=STRING, error=STRING, reason=ref("Text"), change=ref("Change")
    ),
}
