# SPDX-License-Identifier: BSD-3-Clause
# The picture of docs/accuracy.md; see accuracy_table.sh, which calls this with curves='DIRECTORY'
set terminal svg size 900,640 font 'sans,13' background 'white'
set multiplot layout 2,2
set logscale y
set format y '%.0e'
set ytics 1e3
unset mytics
set grid ytics lc rgb '#dddddd'
set xlabel 'time [s]'
set key off
array way[4] = ['ukode RK4', 'ukode Euler', 'dWorldStep', 'dWorldQuickStep (20)']
array colour[4] = ['#1b7837', '#2166ac', '#b2182b', '#ef8a62']
array dash[4] = [1, 1, 2, 3]
do for [panel = 1:4] {
    file = curves . (panel % 2 == 1 ? '/four_bar' : '/bricard')
    column = panel <= 2 ? 3 : 4
    set title (panel % 2 == 1 ? 'Four-bar (A02), h = 5 ms' : 'Bricard (A04), h = 10 ms') . (panel <= 2 ? ': energy error [J]' : ': largest gap [m]')
    if (panel <= 2) { set yrange [1e-10:1e3] } else { set yrange [1e-17:1] }
    if (panel == 3) { set key center right } else { set key off }
    plot for [i = 1:4] file index i - 1 using 1:(column(column) > 0 ? column(column) : 1e-17) with lines lw (i > 2 ? 3 : 2) lc rgb colour[i] dt dash[i] title way[i]
}
unset multiplot
