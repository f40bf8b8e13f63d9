# SPDX-License-Identifier: BSD-3-Clause
# See work_precision.sh, which calls this with curves='DIRECTORY'
set terminal svg size 1240,640 font 'sans,12' background 'white'
set multiplot layout 2,4
set logscale xy
set format x '%.0e'
set format y '%.0e'
set xtics 1e2
set ytics 1e3
unset mxtics
unset mytics
set grid lc rgb '#dddddd'
set xlabel 'µs a second of motion'
set key off
array way[6] = ['RK4', 'adaptive', 'RATTLE', 'Euler', 'dWorldStep', 'QuickStep (20)']
array colour[6] = ['#1b7837', '#762a83', '#e08214', '#2166ac', '#b2182b', '#999999']
array name[7] = ['pendulum', 'four-bar', 'Bricard', 'Andrews', 'heavy top', 'stiff governor', 'chain of 100']
do for [panel = 1:7] {
    file = curves . '/' . panel
    set title name[panel] . (panel == 7 ? ': energy error' : ': error')
    plot for [i = 1:6] file index i - 1 using 2:1 with linespoints pt 7 ps 0.4 lw 2 lc rgb colour[i] title way[i]
}
unset title
unset xlabel
unset border
unset tics
set key center
set yrange [1:2]
plot for [i = 1:6] NaN with lines lw 2 lc rgb colour[i] title way[i]
unset multiplot
