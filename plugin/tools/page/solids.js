// SPDX-License-Identifier: BSD-3-Clause
// Many solids in few calls of the graphics library: one a kind and material, however many of them there are.
'use strict';

// A kind of solid, to be made once: `make` gives its geometry, of unit size where solids of the kind are scaled.
class SolidKind {
    constructor(make) {
        this.make = make;
        this.number = 0; // of solids of this kind
    }

    get geometry() { return this.made || (this.made = this.make()); }
}

// A solid: its kind, and where it is in the frame of what holds it, scaled.
class Solid {
    constructor(kind, position, quaternion, scale) {
        this.kind = kind;
        this.local = new THREE.Matrix4().compose(position, quaternion, scale);
        kind.number++;
    }
}

class Solids {
    constructor(scene) {
        this.scene = scene;
        this.meshes = new Map(); // by kind, then by material
        this.matrix = new THREE.Matrix4();
        this.probe = new THREE.Mesh();
    }

    meshOf(kind, material) {
        if (!this.meshes.has(kind)) this.meshes.set(kind, new Map());
        const ofKind = this.meshes.get(kind);
        if (!ofKind.has(material)) {
            // three.js 111: a geometry of its own
            const mesh = new THREE.InstancedMesh(kind.geometry.clone(), material, kind.number);
            mesh.count = 0; // nothing is put into it yet: its constructor sets the capacity
            mesh.frustumCulled = false;
            mesh.renderOrder = material.depthTest ? 0 : 1;
            ofKind.set(material, mesh);
            this.scene.add(mesh);
        }
        return ofKind.get(material);
    }

    forEach(act) { for (const ofKind of this.meshes.values()) ofKind.forEach(act); }

    // of a picture: nothing is there until it is put
    begin() { this.forEach((mesh) => { mesh.count = 0; }); }

    put(solid, frame, material) {
        const mesh = this.meshOf(solid.kind, material);
        this.matrix.multiplyMatrices(frame, solid.local).toArray(mesh.instanceMatrix.array, 16 * mesh.count++);
    }

    done() {
        this.forEach((mesh) => {
            mesh.visible = mesh.count > 0;
            mesh.instanceMatrix.updateRange.count = 16 * mesh.count; // to be sent
            mesh.instanceMatrix.needsUpdate = mesh.visible;
        });
    }

    // where a ray meets a solid: the distance; Infinity: nowhere
    meets(ray, solid, frame) {
        const hits = [];
        this.probe.geometry = solid.kind.geometry;
        this.probe.matrixWorld.multiplyMatrices(frame, solid.local);
        this.probe.raycast(ray, hits);
        return hits.reduce((least, hit) => Math.min(least, hit.distance), Infinity);
    }
}
