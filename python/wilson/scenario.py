"""Scenarios: text, keys and values, and their check by the program's own table of keys."""
from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .program import HERE, Error, call, program

SUFFIX = ".cfg"


def folders() -> list[Path]:
    """Where scenarios that come with the program are: in the package, in the source tree, where it was installed."""
    tree = HERE.parent.parent
    prefix = Path(program()).resolve().parent.parent
    return [f for f in (HERE / "scenarios", tree / "data" / "scenarios", tree / "scenarios",
                        prefix / "share" / "wilson" / "scenarios") if f.is_dir()]


def scenarios() -> dict[str, Path]:
    """Scenarios that come with the program: name -> file."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*" + SUFFIX)):
            found.setdefault(path.stem, path)
    return found


def keys() -> dict[str, str]:
    """All keys of scenarios: name -> its line of help (`wilson list keys`)."""
    pairs = (line.split(None, 1) for line in call(["list", "keys"])[0].splitlines() if line.strip())
    return {p[0]: p[1] if len(p) > 1 else "" for p in pairs}


def value_text(value: Any) -> str:
    """A value in the syntax of a scenario file (libconfig).

    Text, numbers, booleans, lists of these, mappings (groups); quantities with a unit (pint) become text, "10.0 kV/cm".
    """
    if hasattr(value, "magnitude") and hasattr(value, "units"):  # a quantity of pint
        return value_text(f"{value.magnitude!r} {value.units:~C}".replace("**", "").replace("*", " "))
    if hasattr(value, "tolist"):  # numpy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if -2 ** 31 <= value < 2 ** 31 else f"{value}L"
    if isinstance(value, float):
        text = repr(value)
        if text in ("nan", "inf", "-inf"):
            raise ValueError(f"a scenario has no value {text}")
        return text if re.search(r"[.e]", text) else text + ".0"
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'
    if isinstance(value, Mapping):
        return "{ " + group_text(value, " ") + "}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(value_text(v) for v in value)
        return f"( {inside} )" if any(v.startswith(("[", "(")) for v in map(value_text, value)) else f"[{inside}]"
    raise TypeError(f"a scenario has no values of type {type(value).__name__}: {value!r}")


def nested(pairs: Mapping[str, Any]) -> dict[str, Any]:
    """{"gas.pressure": p} as {"gas": {"pressure": p}}; groups given in both ways are joined."""
    out: dict[str, Any] = {}
    for name, value in pairs.items():
        *path, last = str(name).split(".")
        group = out
        for part in path:
            group = group.setdefault(part, {})
            if not isinstance(group, dict):
                raise ValueError(f"key {name}: {part} has a value and cannot be a group, too")
        if isinstance(value, Mapping):
            inner = group.setdefault(last, {})
            if not isinstance(inner, dict):
                raise ValueError(f"key {name}: it has a value and cannot be a group, too")
            for key, v in nested(value).items():
                inner[key] = {**inner[key], **v} if isinstance(inner.get(key), dict) and isinstance(v, dict) else v
        else:
            group[last] = value
    return out


def group_text(group: Mapping[str, Any], end: str = "\n") -> str:
    return "".join(f"{name} = {value_text(value)};{end}" for name, value in group.items())


def flat(group: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """("gas.pressure", value) of each value."""
    for name, value in group.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


class Scenario:
    """A scenario, and keys that replace its own.

    what: the path of a file, the name of one that comes with the program (`wilson.scenarios()`), the text of a scenario,
    a mapping of keys, or another Scenario.  keys: values that replace those of it; a group may be a mapping, and
    "gas.pressure" names a key in a group.  Values have their unit as text, "760 Torr", or as a quantity of pint.
    """

    def __init__(self, what: str | os.PathLike[str] | Mapping[str, Any] | Scenario, keys: Mapping[str, Any] | None = None,
                 **more: Any):
        self.keys = dict(flat(nested({**(keys or {}), **more})))
        self.path: Path | None = None
        self.text: str | None = None
        if isinstance(what, Scenario):
            self.path, self.text = what.path, what.text
            self.keys = {**what.keys, **self.keys}
        elif isinstance(what, Mapping):
            self.text = group_text(nested(what))
        elif isinstance(what, str) and ("=" in what or "\n" in what):
            self.text = what
        else:
            self.path = self._find(what)

    @staticmethod
    def _find(what: str | os.PathLike[str]) -> Path:
        path = Path(what)
        if path.is_file():
            return path
        known = scenarios()
        name = path.name[:-len(SUFFIX)] if path.name.endswith(SUFFIX) else path.name
        if name == str(what).removesuffix(SUFFIX) and name in known:
            return known[name]
        raise FileNotFoundError(f"{what}: neither a file nor a scenario that comes with Wilson; those are " +
                                ", ".join(known))

    def with_keys(self, keys: Mapping[str, Any] | None = None, **more: Any) -> Scenario:
        """The same scenario with other values."""
        return Scenario(self, keys, **more)

    @property
    def name(self) -> str:
        return self.path.stem if self.path else "scenario"

    def arguments(self) -> list[str]:
        """--set key=value for the command line."""
        return [a for name, value in self.keys.items() for a in ("--set", f"{name}={value_text(value)}")]

    @contextmanager
    def file(self) -> Iterator[str]:
        """Path of its file, without `keys`; of a text, a file that is there inside `with`."""
        if self.path:
            yield str(self.path)
            return
        with tempfile.TemporaryDirectory(prefix="wilson-") as folder:
            path = Path(folder, self.name + SUFFIX)
            path.write_text(self.text or "", encoding="utf-8")
            try:
                yield str(path)
            except Error as e:  # the folder is of no use to a reader
                e.messages = [m.replace(folder + os.sep, "") for m in e.messages]
                e.args = ("\n".join(e.messages),)
                raise

    def check(self, **options: Any) -> str:
        """What `wilson check` says: the forecast of memory and time.  Raises InputError with all errors of the scenario.

        options: device, scheduler, ranks, bandwidth, latency.
        """
        with self.file() as path:
            return call(["check", path, *self.arguments(), *option_words(options)])[0]

    def __repr__(self) -> str:
        more = "".join(f", {name}={value!r}" for name, value in self.keys.items())
        return f"<wilson.Scenario {self.path or 'of a text'}{more}>"


def option_words(options: Mapping[str, Any]) -> list[str]:
    """{"device": "cpu"} as --device cpu; None is left out, True is an option without a value."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(os.fspath(value) if isinstance(value, os.PathLike) else str(value))
    return words
