# SPDX-License-Identifier: BSD-3-Clause
"""Which of the library's handles an object of PyODE stands for.

PyODE keeps its handles to itself. What an object stands for is seen by changing a value through it, looking which
handle shows the change, and taking the change back: nothing of the state is different afterwards, to the last bit. The
order of creation says where to search first. Objects that are handles already (integers, ctypes pointers) are themselves.
"""
import ctypes
from typing import Any, Callable, Iterable, Optional

from .library import lib

_MARK = 1.2345678901234567e+87  # a value that no program has


def handle_of(thing: Any) -> Optional[int]:
    """The address that an integer, a ctypes pointer, or an object with a `handle` is; None: another object."""
    if isinstance(thing, int):
        return thing
    if isinstance(thing, ctypes.c_void_p):
        return thing.value
    if hasattr(thing, "handle") and isinstance(thing.handle, int):
        return thing.handle
    return None


def _find(candidates: Iterable[int], shows: Callable[[int], bool], thing: Any) -> int:
    found = [handle for handle in candidates if shows(handle)]
    if len(found) != 1:
        raise ValueError(f"no object of ODE with a record in ukode was found for {thing!r}")
    return found[0]


def world(thing: Any) -> int:
    """The handle of a PyODE world: its surface layer is changed temporarily."""
    if (handle := handle_of(thing)) is not None:
        return handle
    known = [lib.ukGetWorld(i) for i in range(lib.ukGetWorldCount())]
    before = thing.getContactSurfaceLayer()
    thing.setContactSurfaceLayer(_MARK)
    try:
        return _find(known, lambda h: lib.dWorldGetContactSurfaceLayer(h) == _MARK, thing)
    finally:
        thing.setContactSurfaceLayer(before)


def body(thing: Any, owner: int) -> int:
    """The handle of a PyODE body of the world `owner`: its force is changed temporarily."""
    if (handle := handle_of(thing)) is not None:
        return handle
    known = [lib.ukWorldGetBody(owner, i) for i in range(lib.ukWorldGetBodyCount(owner))]
    before = thing.getForce()
    thing.setForce((_MARK, 0, 0))
    try:
        return _find(known, lambda h: lib.dBodyGetForce(h)[0] == _MARK, thing)
    finally:
        thing.setForce(before)


def joint(thing: Any, owner: int) -> int:
    """The handle of a PyODE joint of the world `owner`: its feedback is switched temporarily."""
    if (handle := handle_of(thing)) is not None:
        return handle
    known = [lib.ukWorldGetJoint(owner, i) for i in range(lib.ukWorldGetJointCount(owner))]
    had = {h: lib.dJointGetFeedback(h) for h in known}
    on = thing.getFeedback() is not None
    size = 4 * 4 * ctypes.sizeof(ctypes.c_double)  # dJointFeedback: four dVector3
    kept = {h: ctypes.string_at(at, size) for h, at in had.items() if at}
    thing.setFeedback(not on)
    try:
        return _find(known, lambda h: bool(lib.dJointGetFeedback(h)) != bool(had[h]), thing)
    finally:
        thing.setFeedback(on)
        for h in known:
            at = lib.dJointGetFeedback(h)
            if at and h in kept:
                ctypes.memmove(at, kept[h], size)
