// SPDX-License-Identifier: BSD-3-Clause
// tests/cli/sdformat.cc: loads files of `ukode export --sdf` with libsdformat (Debian: libsdformat-dev), which builds the graphs of frames
// and poses; prints its errors and the counts of links and joints. Usage: sdformat FILE...
#include <iostream>
#include <sdf/sdf.hh>

int main(int argc, char **argv)
{
    int bad = 0;
    for (int i = 1; i < argc; i++) {
        sdf::Root root;
        for (const auto &error : root.Load(argv[i])) {
            std::cout << argv[i] << ": " << error.Message() << "\n";
            bad = 1;
        }
        if (!root.WorldCount()) continue;
        const sdf::World *world = root.WorldByIndex(0);
        const sdf::Model *model = world->ModelByName("bodies");
        std::cout << argv[i] << ": " << model->LinkCount() << " links, " << model->JointCount() << " joints\n";
    }
    return bad;
}
