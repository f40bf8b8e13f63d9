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
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.Float32BufferAttribute(stored.vertices, 3));
        geometry.setIndex(stored.faces);
        const flat = geometry.toNonIndexed();
        flat.computeVertexNormals();
        return flat;
    }

    // kinds of solids of this world, each once: boxes, spheres and cylinders are scaled, the others are made to size
    const kinds = new Map();
    function kind(key, make) {
        if (!kinds.has(key)) kinds.set(key, new SolidKind(make));
        return kinds.get(key);
    }
    const box = () => kind('box', () => new THREE.BoxBufferGeometry(1, 1, 1));
    const ball = () => kind('ball', () => new THREE.SphereBufferGeometry(1, 14, 10));
    const rod = () => kind('rod', () => turned(new THREE.CylinderBufferGeometry(1, 1, 1, 16)));

    const thin = () => kind('thin rod', () => turned(new THREE.CylinderBufferGeometry(1, 1, 1, 6)));
    const small = () => kind('small ball', () => new THREE.SphereBufferGeometry(1, 6, 4));
    const unit = new THREE.Quaternion(), origin = new THREE.Vector3();
    const size = (x, y, z) => new THREE.Vector3(x, y, z);

    // null: it has none that could be drawn (planes are the ground's business)
    function solid(shape) {
        const [a, b, c] = [shape.size_1, shape.size_2, shape.size_3];
        const at = size(shape.position_x, shape.position_y, shape.position_z);
        const q = new THREE.Quaternion(shape.orientation_x, shape.orientation_y, shape.orientation_z, shape.orientation_w);
        switch (shape.type) {
        case 'box': return new Solid(box(), at, q, size(a, b, c));
        case 'sphere': return new Solid(ball(), at, q, size(a, a, a));
        case 'capsule': return new Solid(kind(`capsule ${a} ${b}`, () => capsule(a, b)), at, q, size(1, 1, 1));
        case 'cylinder': return new Solid(rod(), at, q, size(a, a, b));
        default: return Data.all.meshes[shape.mesh] ? new Solid(kind(`mesh ${shape.mesh}`, () => mesh(shape.mesh)), at, q, size(1, 1, 1)) : null;
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
        const axes = new THREE.Matrix4().set(turn[0][0], turn[0][1], turn[0][2], 0, turn[1][0], turn[1][1], turn[1][2], 0,
            turn[2][0], turn[2][1], turn[2][2], 0, 0, 0, 0, 1);
        if (axes.determinant() < 0) axes.scale(size(1, 1, -1));
        return new Solid(box(), origin, new THREE.Quaternion().setFromRotationMatrix(axes), size(...edge.map((x) => Math.max(x, least))));
    }

    // The mark of a joint, of `length` [m], about its axes in the frame of the body that holds it (null: it has none),
    // the anchor in the origin: a hinge is a rod along its axis, a slider a bar, two axes a cross.
    function ofJoint(type, length, axes) {
        const z = size(0, 0, 1);
        const along = (axis) => (axis && axis.lengthSq() > 0 ? new THREE.Quaternion().setFromUnitVectors(z, axis.clone().normalize()) : unit);
        const make = (what, axis, x, y, w) => new Solid(what, origin, along(axis), size(x, y, w).multiplyScalar(length));
        const [first, second] = axes;
        switch (type) {
        case 'ball': case 'dball': return [make(small(), null, 0.45, 0.45, 0.45)];
        case 'hinge': case 'dhinge': return [make(thin(), first, 0.22, 0.22, 2)];
        case 'slider': return [make(box(), first, 0.35, 0.35, 3)];
        case 'piston': return [make(thin(), first, 0.25, 0.25, 3)];
        case 'universal': case 'hinge2': case 'PU': case 'PR': return [make(thin(), first, 0.22, 0.22, 2), make(thin(), second || first, 0.16, 0.16, 2)];
        case 'fixed': return [make(box(), null, 0.6, 0.6, 0.6)];
        default: return [make(kind('octahedron', () => new THREE.OctahedronBufferGeometry(1)), null, 0.4, 0.4, 0.4)];
        }
    }

    // the next picture is of another model: the numbers of its kinds are counted from 0
    const forget = () => kinds.clear();

    return {solid, standIn, ofJoint, forget};
})();
