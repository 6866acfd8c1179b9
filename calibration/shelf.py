"""Where profiles are kept: a folder with one zip file each, and a note which table uses which."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from calibration.profile import Profile, ProfileError, checked_name, load_profile, profile_from_bytes

SUFFIX = ".zip"
TABLES = "tables.json"


def profiles_folder() -> Path:
    """The user's profiles: beside the games that `henge serve` keeps."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get("HENGE_FOLDER") or Path(data) / "henge") / "profiles"


class Shelf:
    """The profiles in one folder, by name."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder) if folder is not None else profiles_folder()

    def names(self) -> tuple[str, ...]:
        """All profiles' names in alphabetical order."""
        if not self.folder.is_dir():
            return ()
        return tuple(sorted((path.stem for path in self.folder.glob("*" + SUFFIX)), key=str.casefold))

    def path(self, name: str) -> Path:
        """Where the profile of that name is kept. Raises ProfileError if there is none."""
        if name not in self.names():
            known = (
                f"expected one of {', '.join(self.names())}" if self.names() else "none is kept yet: make one"
            )
            raise ProfileError(f"no profile {name}: {known}, or give the path of a profile's zip file")
        return self.folder / (name + SUFFIX)

    def load(self, name_or_path: str) -> Profile:
        """A profile of this shelf, or of the file at that path. Raises ProfileError."""
        if name_or_path not in self.names() and name_or_path.lower().endswith(SUFFIX):
            return load_profile(name_or_path)
        return load_profile(self.path(name_or_path))

    def keep(self, profile: Profile) -> Path:
        """Keep a profile under its name; one of that name is replaced. Raises ProfileError."""
        path = self.folder / (checked_name(profile.name) + SUFFIX)
        _write(path, profile.to_bytes())
        return path

    def rename(self, old: str, new: str) -> None:
        path, name = self.path(old), checked_name(new)
        if name in self.names():
            raise ProfileError(f"there is a profile {name} already: delete it first, or choose another name")
        self.keep(replace(load_profile(path), name=name))
        path.unlink()
        tables = self._tables()
        self._note({table: name if used == old else used for table, used in tables.items()})

    def delete(self, name: str) -> None:
        self.path(name).unlink()
        self._note({table: used for table, used in self._tables().items() if used != name})

    def export(self, name: str, path: str | os.PathLike[str]) -> None:
        """Write the profile to a file that can be carried elsewhere."""
        _write(Path(path), self.path(name).read_bytes())

    def take_in(self, data: bytes, where: str, name: str | None = None, replacing: bool = False) -> Profile:
        """Keep a profile that came from elsewhere (a zip file's bytes). Raises ProfileError."""
        profile = profile_from_bytes(data, where)
        profile = replace(profile, name=checked_name(name or profile.name))
        if profile.name in self.names() and not replacing:
            raise ProfileError(
                f"there is a profile {profile.name} already: delete it first, or import under another name"
            )
        self.keep(profile)
        return profile

    def of_table(self, table_id: str) -> str | None:
        """The profile that a table was last played with."""
        name = self._tables().get(table_id)
        return name if name in self.names() else None

    def remember(self, table_id: str, name: str) -> None:
        """Note that a table is played with this profile."""
        self.path(name)
        self._note({**self._tables(), table_id: name})

    def _tables(self) -> dict[str, str]:
        try:
            data = json.loads((self.folder / TABLES).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(table): str(name) for table, name in data.items()} if isinstance(data, dict) else {}

    def _note(self, tables: dict[str, str]) -> None:
        if tables or (self.folder / TABLES).exists():
            _write(self.folder / TABLES, json.dumps(tables, indent=1, ensure_ascii=False).encode())


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all: written beside and renamed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            file.write(data)
        Path(file.name).chmod(0o644)
        Path(file.name).replace(path)
    except OSError as error:
        raise ProfileError(f"cannot write {path}: {error.strerror or error}") from None
