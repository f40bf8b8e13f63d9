// SPDX-License-Identifier: BSD-3-Clause
// Many copies of one geometry and material in one call of the graphics library. A graphics processor takes their matrices.
// Software draws each instance as if by a call of its own (some 25 microseconds each): there, the copies of a geometry of
// few points are transformed here, and drawn as one mesh.
'use strict';

class Instances {
    constructor(geometry, material, room) {
        this.mesh = new THREE.InstancedMesh(geometry.clone(), material, room); // three.js 111: a geometry of its own
        this.room = room;
        this.begin();
    }

    begin() { this.mesh.count = 0; }

    put(matrix) {
        if (this.mesh.count < this.room) matrix.toArray(this.mesh.instanceMatrix.array, 16 * this.mesh.count++);
    }

    get count() { return this.mesh.count; }

    done() {
        this.mesh.visible = this.mesh.count > 0;
        this.mesh.instanceMatrix.updateRange.count = 16 * this.mesh.count; // to be sent
        this.mesh.instanceMatrix.needsUpdate = this.mesh.visible;
    }
}

class Merged {
    constructor(geometry, material, room) {
        this.of = geometry;
        this.points = geometry.attributes.position.array;
        this.normals = material.isMeshBasicMaterial ? null : geometry.attributes.normal.array; // it is not lit
        this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
        this.room = room;
        this.space = 0; // for copies, until now
        this.begin();
    }

    // doubled when it is used up: few of a kind may be of this material
    grow() {
        const space = Math.min(Math.max(2 * this.space, 16), this.room), faces = this.of.index ? this.of.index.array : null;
        const n = this.points.length / 3, corners = faces ? faces.length : n, index = new Uint32Array(space * corners);
        for (let copy = 0, at = 0; copy < space; copy++)
            for (let k = 0; k < corners; k++) index[at++] = copy * n + (faces ? faces[k] : k);
        const geometry = new THREE.BufferGeometry();
        for (const name of this.normals ? ['position', 'normal'] : ['position']) {
            const attribute = new THREE.BufferAttribute(new Float32Array(space * 3 * n), 3).setUsage(THREE.DynamicDrawUsage);
            if (this.space) attribute.array.set(this.mesh.geometry.attributes[name].array);
            geometry.setAttribute(name, attribute);
        }
        geometry.setIndex(new THREE.BufferAttribute(index, 1));
        this.mesh.geometry.dispose();
        this.mesh.geometry = geometry;
        [this.space, this.corners] = [space, corners];
    }

    begin() { this.count = 0; }

    put(matrix) {
        if (this.count >= this.room) return;
        if (this.count >= this.space) this.grow();
        const to = this.mesh.geometry.attributes, m = matrix.elements, start = this.count++ * this.points.length;
        Merged.transform(this.points, to.position.array, start, m, 1);
        if (this.normals) Merged.transform(this.normals, to.normal.array, start, m, 0); // as the shader of instances does
    }

    // `moved`: 1 for points, 0 for directions
    static transform(from, to, start, m, moved) {
        const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = m;
        for (let k = 0; k < from.length; k += 3) {
            const u = from[k], v = from[k + 1], w = from[k + 2];
            to[start + k] = a * u + d * v + g * w + moved * x;
            to[start + k + 1] = b * u + e * v + h * w + moved * y;
            to[start + k + 2] = c * u + f * v + i * w + moved * z;
        }
    }

    done() {
        const {geometry} = this.mesh;
        this.mesh.visible = this.count > 0;
        if (!this.count) return;
        geometry.setDrawRange(0, this.count * this.corners);
        for (const attribute of Object.values(geometry.attributes)) {
            attribute.updateRange.count = this.count * this.points.length;
            attribute.needsUpdate = true;
        }
    }
}

const Copies = {
    most: 400, // points of a geometry whose copies are merged: beyond, their transformation costs as much as a call

    twins: new WeakMap(),

    // The same material for instances: three.js 111 compiles the shader of a material once, for instances or for a mesh.
    twin(material) {
        if (!Copies.twins.has(material)) Copies.twins.set(material, Object.assign(material.clone(), {color: material.color}));
        return Copies.twins.get(material);
    },

    // at most `room` of them; `software`: there is no graphics processor
    make(geometry, material, room, software) {
        const copies = software && geometry.attributes.position.count <= Copies.most ? new Merged(geometry, material, room)
            : new Instances(geometry, software ? Copies.twin(material) : material, room);
        copies.mesh.frustumCulled = false;
        return copies;
    },
};
