# SPDX-License-Identifier: BSD-3-Clause
"""Curves as an SVG picture, by gnuplot where it is installed."""
import shutil
import subprocess


def lines(arguments, rows, x, y, curves, logarithmic=False):
    """Draws columns of `rows` into the file that the first argument of the program names, if there is one.

    curves   {title: (column of x, column of y)}, columns from 1
    """
    if len(arguments) < 2 or not shutil.which("gnuplot"):
        return
    data = "\n".join(" ".join(repr(float(value)) for value in row) for row in rows)
    plots = ", ".join(f"$data using {a}:{b} with linespoints pointtype 7 pointsize 0.2 linewidth 2 title '{title}'"
                      for title, (a, b) in curves.items())
    script = f"""set terminal svg size 640,300 background 'white' font 'sans,12'
set output '{arguments[1]}'
set xlabel '{x}'
set ylabel '{y}'
{"set logscale y" if logarithmic else ""}
set key outside right top
set grid
$data << end
{data}
end
plot {plots}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
