# SPDX-License-Identifier: BSD-3-Clause
"""Recordings as tables: an SQLite file, read by the standard library."""
import os
import shutil
import sqlite3
import subprocess
from typing import Any, Dict, List, Sequence

from .arrays import numpy


class Recording:
    """A recording that was opened with ukode.open; read only.

        run = ukode.open("run.ukode")
        run.tables                                  names of the tables
        run["step"]["kinetic_energy"]               a column, as an array
        run.frame("joint_step")                     a table as a pandas data frame
        run.sql("select max(depth) from contact_step")
    """

    __slots__ = ("path", "tables", "_database", "__weakref__")

    def __init__(self, path: str):
        self.path = os.fspath(path)
        if not os.path.isfile(self.path):
            raise FileNotFoundError(self.path)
        # the file's name as a URI: read only, nothing is left beside it
        self._database = sqlite3.connect(f"file:{_quoted(self.path)}?mode=ro", uri=True)
        try:
            names = self._database.execute("select name from sqlite_master where type = 'table' order by name")
            self.tables = [name for name, in names if not name.startswith("sqlite_")]
            if "step" not in self.tables or "run" not in self.tables:
                raise ValueError(f"{self.path}: an SQLite file, but not a recording of ukode")
        except sqlite3.DatabaseError as reason:
            self._database.close()
            raise ValueError(f"{self.path}: not a recording ({reason})") from reason

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def sql(self, query: str, parameters: Sequence[Any] = ()) -> List[tuple]:
        """The rows of a query."""
        return self._database.execute(query, parameters).fetchall()

    def __getitem__(self, table: str) -> Dict[str, Any]:
        """A table's columns by name: arrays where NumPy is there (objects where a column is not of numbers), or lists."""
        if table not in self.tables:
            raise KeyError(table)
        cursor = self._database.execute(f'select * from "{table}"')
        names = [column[0] for column in cursor.description]
        columns = list(zip(*cursor.fetchall())) or [()] * len(names)
        return {name: _column(values) for name, values in zip(names, columns)}

    def frame(self, table: str) -> Any:
        """A table as a pandas data frame."""
        import pandas
        return pandas.DataFrame(self[table])

    def units(self, table: str) -> Dict[str, str]:
        """The units of a table's columns."""
        return dict(self.sql("select column_name, unit from unit where table_name = ?", [table]))


def _quoted(path: str) -> str:
    from urllib.parse import quote
    return quote(os.path.abspath(path))


def _column(values: Sequence[Any]) -> Any:
    if not numpy:
        return list(values)
    if all(isinstance(v, (int, float)) for v in values):
        return numpy.array(values)
    if all(v is None or isinstance(v, (int, float)) for v in values):
        return numpy.array([float("nan") if v is None else v for v in values], dtype=float)
    column = numpy.empty(len(values), dtype=object)
    column[:] = values
    return column


def open(path: str) -> Recording:
    """A recording, read only."""
    return Recording(path)


def replay(path: str, *options: str) -> str:
    """Steps a recording again, without its program: what `ukode replay OPTIONS PATH` prints.

    options   as on the command line, "--integrator", "rk4", say
    Raises subprocess.CalledProcessError where it fails or differs.
    """
    command = os.environ.get("UKODE_COMMAND") or shutil.which("ukode")
    if not command:
        raise FileNotFoundError("the command ukode was not found (package ukode, or set UKODE_COMMAND)")
    done = subprocess.run([command, "replay", *options, os.fspath(path)], check=True, capture_output=True, text=True)
    return done.stdout
