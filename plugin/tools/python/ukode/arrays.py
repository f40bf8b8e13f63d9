# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the library as NumPy's arrays, or as lists where NumPy is not installed."""
from typing import Any

try:
    import numpy
except ImportError:
    numpy = None


def array(pointer: Any, *shape: int) -> Any:
    """A copy of the doubles at `pointer`, row-major."""
    size = 1
    for extent in shape:
        size *= extent
    if numpy:
        return numpy.array(pointer[:size] if size else [], dtype=float).reshape(shape)
    flat = list(pointer[:size]) if size else []
    if len(shape) == 1:
        return flat
    return [flat[i * shape[1]:(i + 1) * shape[1]] for i in range(shape[0])]


def flatten(numbers: Any) -> list:
    """The numbers of an array, of nested sequences, or of one number, in a list, row by row."""
    if numpy and isinstance(numbers, numpy.ndarray):
        return numbers.ravel().tolist()
    if not hasattr(numbers, "__iter__"):
        return [float(numbers)]
    return [x for part in numbers for x in flatten(part)]


def exactly(numbers: Any, size: int, what: str) -> list:
    """The same of `size` numbers; anything else is a ValueError that names `what`."""
    flat = flatten(numbers)
    if len(flat) != size:
        raise ValueError(f"{what}: length {len(flat)}, expected {size}")
    return flat


def store(pointer: Any, numbers: Any, size: int, what: str) -> None:
    """Writes `size` numbers to `pointer`, as exactly() returns them."""
    for i, x in enumerate(exactly(numbers, size, what)):
        pointer[i] = x
