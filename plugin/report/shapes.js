// SPDX-License-Identifier: BSD-3-Clause
// Geometry: of a recorded shape, of a body without one (the box of its mass and inertia), of joints by their kind.
'use strict';

const Shapes = (() => {
    const turned = (geometry) => geometry.rotateX(Math.PI / 2); // three.js has axes along y, ODE along z

    function capsule(radius, length) {
        const points = [];
        for (let i = 0; i <= 5; i++) {
            const angle = (i / 5) * Math.PI / 2;
            points.push(new THREE.Vector2(Math.max(radius * Math.sin(angle), 1e-9), -length / 2 - radius * Math.cos(angle)));
        }
        for (let i = 0; i <= 5; i++) {
            const angle = (i / 5) * Math.PI / 2;
            points.push(new THREE.Vector2(Math.max(radius * Math.cos(angle), 1e-9), length / 2 + radius * Math.sin(angle)));
        }
        return turned(new THREE.LatheBufferGeometry(points, 14));
    }

    function mesh(id) {
        const stored = Data.all.meshes[id];
        if (!stored) return null;
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.Float32BufferAttribute(stored.vertices, 3));
        geometry.setIndex(stored.faces);
        const flat = geometry.toNonIndexed();
        flat.computeVertexNormals();
        return flat;
    }

    // null: it has none that could be drawn (planes are the grid's business)
    function geometry(shape, extent) {
        const [a, b, c] = [shape.size_1, shape.size_2, shape.size_3];
        switch (shape.type) {
        case 'box': return new THREE.BoxBufferGeometry(a, b, c);
        case 'sphere': return new THREE.SphereBufferGeometry(a, 18, 12);
        case 'capsule': return capsule(a, b);
        case 'cylinder': return turned(new THREE.CylinderBufferGeometry(a, a, b, 18));
        case 'plane': return new THREE.PlaneBufferGeometry(4 * extent, 4 * extent);
        default: return shape.mesh ? mesh(shape.mesh) : null;
        }
    }

    // Eigenvectors (columns of `turn`) and values of a symmetric 3 x 3 matrix, by Jacobi's rotations.
    function principal(matrix) {
        const a = matrix.map((row) => row.slice()), turn = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        for (let sweep = 0; sweep < 12; sweep++) {
            for (const [i, j] of [[0, 1], [0, 2], [1, 2]]) {
                if (Math.abs(a[i][j]) < 1e-300) continue;
                const angle = 0.5 * Math.atan2(2 * a[i][j], a[j][j] - a[i][i]);
                const c = Math.cos(angle), s = Math.sin(angle);
                for (let k = 0; k < 3; k++) [a[k][i], a[k][j]] = [c * a[k][i] - s * a[k][j], s * a[k][i] + c * a[k][j]];
                for (let k = 0; k < 3; k++) [a[i][k], a[j][k]] = [c * a[i][k] - s * a[j][k], s * a[i][k] + c * a[j][k]];
                for (let k = 0; k < 3; k++)
                    [turn[k][i], turn[k][j]] = [c * turn[k][i] - s * turn[k][j], s * turn[k][i] + c * turn[k][j]];
            }
        }
        return {turn, value: [a[0][0], a[1][1], a[2][2]]};
    }

    // the solid box that has a body's mass and moments of inertia
    function standIn(body, extent) {
        const {turn, value} = principal([
            [body.inertia_xx, body.inertia_xy, body.inertia_xz], [body.inertia_xy, body.inertia_yy, body.inertia_yz],
            [body.inertia_xz, body.inertia_yz, body.inertia_zz]]);
        const sum = value[0] + value[1] + value[2];
        const edge = value.map((x) => {
            const square = 6 * (sum - 2 * x) / body.mass;
            return square > 0 && Number.isFinite(square) ? Math.min(Math.sqrt(square), extent) : 0;
        });
        const least = Math.max(0.02 * Math.max(...edge), 0.005 * extent);
        const box = new THREE.BoxBufferGeometry(...edge.map((x) => Math.max(x, least)));
        const sign = new THREE.Matrix4().set(turn[0][0], turn[0][1], turn[0][2], 0, turn[1][0], turn[1][1], turn[1][2], 0,
            turn[2][0], turn[2][1], turn[2][2], 0, 0, 0, 0, 1);
        if (sign.determinant() < 0) sign.scale(new THREE.Vector3(1, 1, -1));
        return box.applyMatrix(sign);
    }

    // Marks of joints: `size` [m]; axes lie along z, to be turned.
    function ofJoint(type, size) {
        const rod = () => turned(new THREE.CylinderBufferGeometry(0.22 * size, 0.22 * size, 2 * size, 8));
        const cross = () => [rod(), turned(new THREE.CylinderBufferGeometry(0.16 * size, 0.16 * size, 2 * size, 8))];
        switch (type) {
        case 'ball': case 'dball': return [new THREE.SphereBufferGeometry(0.45 * size, 8, 6)];
        case 'hinge': case 'dhinge': return [rod()];
        case 'slider': return [new THREE.BoxBufferGeometry(0.35 * size, 0.35 * size, 3 * size)];
        case 'piston': return [turned(new THREE.CylinderBufferGeometry(0.25 * size, 0.25 * size, 3 * size, 8))];
        case 'universal': case 'hinge2': case 'pu': case 'pr': return cross();
        case 'fixed': return [new THREE.BoxBufferGeometry(0.6 * size, 0.6 * size, 0.6 * size)];
        default: return [new THREE.OctahedronBufferGeometry(0.4 * size)];
        }
    }

    return {geometry, standIn, ofJoint};
})();
