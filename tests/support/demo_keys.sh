# SPDX-License-Identifier: BSD-3-Clause
# To be read in by a script. demo_keys NAME: sets DS_KEYS for ODE's demo of that name, built without graphics: these
# begin empty, objects are dropped by keys.
demo_keys() {
    case $1 in
    *motion | *boxstack | *heightfield | *moving_convex | *moving_trimesh) export DS_KEYS=1:b,20:b,40:s,60:c,80:b ;;
    *) unset DS_KEYS ;;
    esac
}
