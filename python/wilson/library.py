"""The library `libwilson`: where it is, and its calls, as wilson.h declares them."""
from __future__ import annotations

import ctypes
import os
import sysconfig
from collections.abc import Iterator
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from pathlib import Path

from .program import HERE, Error, InputError, LimitReached, RunError, program

ABI = 1  # of wilson.h
NAME = f"libwilson.so.{ABI}"
OK, ENOMEM, EINPUT, ELIMIT = 0, 1, 2, 7  # of enum wilson_status; the others are of runs that failed
ERRORS: dict[int, type[Error]] = {EINPUT: InputError, ELIMIT: LimitReached}


class Setup(Structure):
    """struct wilson_setup"""
    _fields_ = [("file", c_char_p), ("n_keys", c_size_t), ("keys", POINTER(c_char_p)), ("output", c_char_p),
                ("restart", c_char_p)]


class State(Structure):
    """struct wilson_state"""
    _fields_ = [("time", c_double), ("n_steps", c_uint64), ("i_case", c_size_t), ("case_is_over", c_int),
                ("is_finished", c_int)]


class Sums(Structure):
    """struct wilson_sums"""
    _fields_ = [("macroparticles", c_double), ("particles", c_double), ("energy", c_double), ("momentum", c_double * 3)]


_RUN = c_void_p
_CALLS = {  # name: (what it returns, its arguments)
    "wilson_abi": (c_int, []),
    "wilson_version": (c_char_p, []),
    "wilson_open": (c_int, [POINTER(Setup), POINTER(_RUN)]),
    "wilson_open_text": (c_int, [c_char_p, POINTER(Setup), POINTER(_RUN)]),
    "wilson_message": (c_char_p, [_RUN]),
    "wilson_step": (c_int, [_RUN, c_uint64]),
    "wilson_advance": (c_int, [_RUN, c_double]),
    "wilson_finish": (c_int, [_RUN]),
    "wilson_end": (None, [_RUN]),
    "wilson_state": (None, [_RUN, POINTER(State)]),
    "wilson_n_species": (c_size_t, [_RUN]),
    "wilson_species_name": (c_char_p, [_RUN, c_size_t]),
    "wilson_sums": (c_int, [_RUN, c_size_t, POINTER(Sums)]),
    "wilson_nodes": (None, [_RUN, POINTER(c_size_t)]),
    "wilson_potential": (c_int, [_RUN, POINTER(c_double), c_size_t]),
    "wilson_density": (c_int, [_RUN, c_size_t, POINTER(c_double), c_size_t]),
    "wilson_set_field": (c_int, [_RUN, c_double]),
    "wilson_set_voltage": (c_int, [_RUN, c_char_p, c_double]),
}

_loaded: ctypes.CDLL | None = None


def _places() -> Iterator[Path]:
    tree = HERE.parent.parent  # in the source; share/wilson of an installation
    prefixes = [tree.parent.parent]
    yield HERE / "lib" / NAME
    try:
        beside = Path(program()).resolve().parent
        yield beside / NAME
        prefixes.append(beside.parent)
    except FileNotFoundError:
        pass
    yield tree / "build" / NAME
    yield tree / NAME
    multiarch = sysconfig.get_config_var("MULTIARCH")
    for prefix in prefixes:
        for folder in ("lib", "lib64", *([f"lib/{multiarch}"] if multiarch else [])):
            yield prefix / folder / NAME


def library() -> str:
    """Path of the library: $WILSON_LIBRARY, the one in the package, one beside the program or built in the source tree, or that
    of the prefix where the package or the program is installed; else its bare name, which the system looks up.

    Raises FileNotFoundError if $WILSON_LIBRARY names no file.
    """
    named = os.environ.get("WILSON_LIBRARY")
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"$WILSON_LIBRARY is {named}, which is no file")
        return named
    return next((str(place) for place in _places() if place.is_file()), NAME)


def load() -> ctypes.CDLL:
    """The library, with the types of its calls.  Raises RunError if there is none, or one of another ABI."""
    global _loaded
    if _loaded is None:
        path = library()
        try:
            lib = ctypes.CDLL(path)
        except OSError as e:
            raise RunError([f"{path}: the library cannot be loaded: {e}; `make` builds it, and $WILSON_LIBRARY may name it"]) from e
        for name, (result, arguments) in _CALLS.items():
            call = getattr(lib, name, None)
            if call is None or (name == "wilson_abi" and lib.wilson_abi() != ABI):
                raise RunError([f"{path}: is not {NAME}: a library of another version of Wilson"])
            call.restype, call.argtypes = result, arguments
        _loaded = lib
    return _loaded
