// SPDX-License-Identifier: BSD-3-Clause
// Forces by cause: their colours (Okabe and Ito), and arrows, all of one cause in one call of the graphics library.
'use strict';

const Arrows = (() => {
    const causes = {
        ideal: {colour: '#0072b2', text: 'ideal'},
        motor: {colour: '#e69f00', text: 'motor'},
        stop: {colour: '#d55e00', text: 'stop'},
        contact: {colour: '#009e73', text: 'contact, normal'},
        friction: {colour: '#cc79a7', text: 'contact, friction'},
        non_ideal: {colour: '#56b4e9', text: 'non-ideal'},
    };
    const Room = 2048;

    // along y, from 0 to 1, three-sided: there may be a thousand, and no graphics processor
    function unitArrow() {
        const point = [], ring = (radius, y) => {
            for (let i = 0; i < 3; i++) point.push(radius * Math.cos(2 * Math.PI * i / 3), y, -radius * Math.sin(2 * Math.PI * i / 3));
        };
        ring(0.035, 0);
        ring(0.035, 0.78);
        ring(0.1, 0.74);
        point.push(0, 1, 0);
        const face = [6, 8, 7];
        for (let i = 0; i < 3; i++) {
            const k = (i + 1) % 3;
            face.push(i, k, 3 + i, k, 3 + k, 3 + i, 6 + i, 6 + k, 9);
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.Float32BufferAttribute(point, 3));
        geometry.setIndex(face);
        return geometry;
    }

    class Set {
        constructor(scene, software) {
            this.copies = {};
            for (const cause of Object.keys(causes)) {
                const material = new THREE.MeshBasicMaterial({color: causes[cause].colour, depthTest: false}); // within bodies, too
                const copies = Copies.make(unitArrow(), material, Room, software);
                copies.mesh.renderOrder = 2;
                scene.add(copies.mesh);
                this.copies[cause] = copies;
            }
            this.matrix = new THREE.Matrix4();
            this.turn = new THREE.Quaternion();
            this.up = new THREE.Vector3(0, 1, 0);
            this.size = new THREE.Vector3();
        }

        clear() {
            for (const copies of Object.values(this.copies)) copies.begin();
        }

        // `force` [N] acts at `point`; `scale` [m/N], `thickness` [m] of a long one
        add(cause, point, force, scale, thickness) {
            const newtons = force.length(), length = newtons * scale;
            if (!(length > 0.035 * thickness)) return;
            this.turn.setFromUnitVectors(this.up, force.clone().divideScalar(newtons));
            const width = Math.min(thickness, length);
            this.matrix.compose(point, this.turn, this.size.set(width, length, width));
            this.copies[cause].put(this.matrix);
        }

        done() {
            for (const copies of Object.values(this.copies)) copies.done();
        }
    }

    // causes of the ledger: those that arrows have, too, in the same colours
    const works = {
        ideal: causes.ideal.colour, motors: causes.motor.colour, stops: causes.stop.colour, contact_normal: causes.contact.colour,
        contact_friction: causes.friction.colour, nonideal: causes.non_ideal.colour, applied: '#f0e442', integration: '#000000',
        stabilization: '#999999', gyroscopic: '#8c6d31', damping: '#637939', sleeping: '#5254a3', outside: '#bcbd22',
        unsampled: '#5f7a8a', residual: '#a65628',
    };

    // what the work of a cause is, for a reader of the curves
    const meanings = {
        ideal: 'ideal constraint forces; zero unless a constraint depends on time',
        motors: 'joint motors', stops: 'joint stops: impacts and springs at a limit',
        contact_normal: 'normal forces of contacts: impacts, soft contacts', contact_friction: 'friction of contacts',
        nonideal: 'friction, damping and laws of joints and constraints',
        applied: 'forces and torques that the program applied, springs of soft joints',
        gyroscopic: 'the discrete form of the gyroscopic torque: an error of the time step',
        damping: 'damping that the program set for bodies',
        stabilization: 'correction of position errors (ERP, projection)',
        integration: 'error of the time step', sleeping: 'bodies that were put to sleep',
        outside: 'energy changes caused by the program between steps',
        unsampled: 'of steps whose work was not recorded', residual: 'not explained by any cause: rounding error',
    };

    return {causes, works, meanings, Set};
})();
