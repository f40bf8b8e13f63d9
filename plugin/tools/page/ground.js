// SPDX-License-Identifier: BSD-3-Clause
// The ground: static planes, seen from above, and a grid in metres (or a power of ten of them) at the lowest, or under the lowest body.
'use strict';

class Ground {
    constructor(scene, world, box) { // box: centre, extent, up, bodyExtent
        this.material = new THREE.MeshBasicMaterial();
        this.planes = world.shapes.filter((shape) => shape.type === 'plane').map((shape) => {
            const mesh = new THREE.Mesh(new THREE.PlaneBufferGeometry(4 * box.extent, 4 * box.extent), this.material);
            mesh.position.set(shape.position_x, shape.position_y, shape.position_z);
            mesh.quaternion.set(shape.orientation_x, shape.orientation_y, shape.orientation_z, shape.orientation_w);
            // a plane goes on without end: the part of it that is below the scene
            const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(mesh.quaternion);
            mesh.position.add(box.centre.clone().sub(mesh.position).projectOnPlane(normal));
            scene.add(mesh);
            return mesh;
        });
        this.step = 10 ** Math.floor(Math.log10(box.extent / 2));
        const count = 2 * Math.ceil(box.extent / this.step);
        this.grid = new THREE.GridHelper(count * this.step, count);
        this.grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), box.up);
        const level = this.planes.find((mesh) => Math.abs(new THREE.Vector3(0, 0, 1).applyQuaternion(mesh.quaternion).dot(box.up)) > 0.999);
        const heights = world.bodies.filter((body) => body.p).map((body) => this.lowest(body, box));
        const height = level ? level.position.dot(box.up) : Math.min(...heights, box.centre.dot(box.up)) - 0.5 * box.bodyExtent;
        this.grid.position.copy(box.centre).addScaledVector(box.up, height - box.centre.dot(box.up));
        this.snap(box.up);
        if (level) this.grid.position.addScaledVector(box.up, 1e-3 * box.extent);
        scene.add(this.grid);
    }

    lowest(body, box) {
        let least = Infinity;
        for (let i = 0; i < body.p[0].length; i++)
            least = Math.min(least, body.p[0][i] * box.up.x + body.p[1][i] * box.up.y + body.p[2][i] * box.up.z);
        return Number.isFinite(least) ? Math.max(least, box.centre.dot(box.up) - box.extent) : 0;
    }

    // lines at whole metres: across `up`, the grid's middle is a multiple of its step
    snap(up) {
        const at = this.grid.position;
        for (const axis of ['x', 'y', 'z'])
            if (Math.abs(up[axis]) < 1e-6) at[axis] = Math.round(at[axis] / this.step) * this.step;
    }

    paint(dark) {
        this.material.color.set(dark ? 0x24292f : 0xe9e9e4);
        this.grid.material.vertexColors = THREE.NoColors;
        this.grid.material.color.set(dark ? 0x4a5058 : 0xc4c4bc);
        this.grid.material.needsUpdate = true;
    }

    place(show) {
        this.grid.visible = show.grid;
        for (const mesh of this.planes) mesh.visible = show.shapes;
    }
}
