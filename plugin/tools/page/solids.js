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
    constructor(scene, software) {
        this.scene = scene;
        this.software = software;
        this.copies = new Map(); // by kind, then by material
        this.matrix = new THREE.Matrix4();
        this.probe = new THREE.Mesh();
    }

    copiesOf(kind, material) {
        if (!this.copies.has(kind)) this.copies.set(kind, new Map());
        const ofKind = this.copies.get(kind);
        if (!ofKind.has(material)) {
            const copies = Copies.make(kind.geometry, material, kind.number, this.software);
            copies.mesh.renderOrder = material.depthTest ? 0 : 1;
            ofKind.set(material, copies);
            this.scene.add(copies.mesh);
        }
        return ofKind.get(material);
    }

    forEach(act) { for (const ofKind of this.copies.values()) ofKind.forEach(act); }

    // of a picture: nothing is there until it is put
    begin() { this.forEach((copies) => copies.begin()); }

    put(solid, frame, material) { this.copiesOf(solid.kind, material).put(this.matrix.multiplyMatrices(frame, solid.local)); }

    done() { this.forEach((copies) => copies.done()); }

    // where a ray meets a solid: the distance; Infinity: nowhere
    meets(ray, solid, frame) {
        const hits = [];
        this.probe.geometry = solid.kind.geometry;
        this.probe.matrixWorld.multiplyMatrices(frame, solid.local);
        this.probe.raycast(ray, hits);
        return hits.reduce((least, hit) => Math.min(least, hit.distance), Infinity);
    }
}
