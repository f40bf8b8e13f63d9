// SPDX-License-Identifier: BSD-3-Clause
// The paths of bodies until now: of all, or of the selected one. One line, its pieces in the order of time.
'use strict';

class Trails {
    constructor(world) {
        this.world = world;
        this.line = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: 0x0072b2}));
        this.line.frustumCulled = false;
        this.of = undefined;
    }

    build(body) {
        const bodies = body ? [body] : this.world.bodies.filter((b) => b.p), points = [];
        this.pieces = new Uint32Array(this.world.frames); // until a frame
        for (let frame = 0; frame < this.world.frames; frame++) {
            for (const b of bodies) {
                if (!Data.there(b, frame) || frame === b.first) continue;
                const i = frame - b.first;
                for (const k of [i - 1, i]) points.push(b.p[0][k], b.p[1][k], b.p[2][k]);
            }
            this.pieces[frame] = points.length / 6;
        }
        this.line.geometry.dispose();
        this.line.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
        this.of = body;
    }

    place(frame, shown, selected) {
        this.line.visible = shown;
        if (!shown) return;
        const body = selected && selected.kind === 'body' && selected.p ? selected : null;
        if (this.of !== body) this.build(body);
        this.line.geometry.setDrawRange(0, 2 * this.pieces[frame]);
    }
}
