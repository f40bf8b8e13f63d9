/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/gltf_box.h: the box that represents a body without a shape. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_GLTF_BOX_H
#define UKODE_PLUGIN_TOOLS_EXPORT_GLTF_BOX_H

/* Edges and orientation (w, x, y, z) of the box that has this mass and these moments of inertia (xx, yy, zz, xy, xz,
 * yz); without a mass 0.1 m. */
void gltfBox(double mass, const double inertia[6], double size[3], double orientation[4]);

#endif
