// SPDX-License-Identifier: BSD-3-Clause
// The picture: bodies as they are shaped, joints as their kind, contacts, forces, gaps, trails, the ground, another run.
'use strict';

class World {
    constructor(canvas, world, changed) {
        this.canvas = canvas;
        this.world = world;
        this.changed = changed;
        this.slow = World.drawnBySoftware();
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: !this.slow});
        this.scene = new THREE.Scene();
        this.show = {shapes: true, joints: true, contacts: true, forces: true, trails: false, grid: true, ghost: true};
        this.gap = 0;         // magnification of gaps; 0: as they are
        this.arrowFactor = 1; // of the automatic length of arrows
        this.selected = null;
        this.followed = null;
        this.p = new THREE.Vector3();
        this.q = new THREE.Quaternion();
        this.measure();
        this.camera = new Camera(canvas, this.up, changed);
        this.camera.setHome(this.centre, 1.6 * this.extent);
        this.build();
        this.paint();
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { this.paint(); changed(); });
    }

    // no graphics processor here: edges stay rough, so that the motion is smooth
    static drawnBySoftware() {
        const context = document.createElement('canvas').getContext('webgl');
        const named = context && context.getExtension('WEBGL_debug_renderer_info');
        return Boolean(named) && /swiftshader|llvmpipe|software/i.test(context.getParameter(named.UNMASKED_RENDERER_WEBGL));
    }

    // ---- size of things: the box in which the bodies are nine tenths of the time, their sizes, the largest force ----

    measure() {
        const w = this.world, gravity = new THREE.Vector3(w.gravity_x, w.gravity_y, w.gravity_z);
        this.up = gravity.length() > 0 ? gravity.normalize().negate() : new THREE.Vector3(0, 0, 1);
        const box = new THREE.Box3(), axes = [[], [], []];
        for (const body of w.bodies)
            if (body.p) body.p.forEach((c, k) => { for (let i = 0; i < c.length; i += 1 + (c.length >> 6)) axes[k].push(c[i]); });
        const ends = axes.map((a) => {
            const sorted = a.filter(Number.isFinite).sort((x, y) => x - y), n = sorted.length;
            return n ? [sorted[Math.floor(0.05 * (n - 1))], sorted[Math.ceil(0.95 * (n - 1))]] : [0, 0];
        });
        box.set(new THREE.Vector3(...ends.map((e) => e[0])), new THREE.Vector3(...ends.map((e) => e[1])));
        for (const joint of w.joints)
            if (joint.anchor_x !== null) box.expandByPoint(new THREE.Vector3(joint.anchor_x, joint.anchor_y, joint.anchor_z));
        const sizes = w.bodies.map((body) => this.bodySize(body)).sort((x, y) => x - y);
        this.bodyExtent = sizes.length ? sizes[sizes.length >> 1] : 1;
        this.centre = box.getCenter(new THREE.Vector3());
        this.extent = Math.max(box.getSize(new THREE.Vector3()).length() + 0.8 * (sizes[sizes.length - 1] || 0), 1e-6);
        this.mark = 0.12 * Math.min(this.bodyExtent, 0.5 * this.extent);
        this.newtons = this.usualForce();
    }

    bodySize(body) {
        const shape = this.world.shapes.find((s) => s.body === body.body);
        if (shape && shape.size_1) return Math.max(shape.size_1, shape.size_2 || 0, shape.size_3 || 0);
        const sum = body.inertia_xx + body.inertia_yy + body.inertia_zz;
        return Math.sqrt(6 * sum / body.mass) || 0.1;
    }

    // a large force of those that occur: its arrow is a quarter of the scene
    usualForce() {
        const sizes = [];
        const collect = (c) => {
            if (!c) return;
            for (let i = 0; i < c[0].length; i += 1 + (c[0].length >> 5)) {
                const size = Data.norm(c[0][i], c[1][i], c[2][i]);
                if (size > 1e-9) sizes.push(size);
            }
        };
        for (const joint of this.world.joints) for (const cause of ['ideal', 'motor', 'stop', 'non_ideal']) collect(joint[cause]);
        for (const slot of this.world.contacts) collect(slot.f);
        sizes.sort((x, y) => x - y);
        return sizes.length ? sizes[Math.floor(0.9 * (sizes.length - 1))] : 1;
    }

    arrowScale() { return 0.16 * this.extent / this.newtons * this.arrowFactor; }

    // ---- what is drawn --------------------------------------------------------------------------------------------

    build() {
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0x777777, 0.95));
        const sun = new THREE.DirectionalLight(0xffffff, 0.55);
        sun.position.copy(this.up).add(new THREE.Vector3(0.4, -0.6, 0.3));
        this.scene.add(sun);
        this.material = {
            body: new THREE.MeshLambertMaterial({color: 0x9db4c8}), still: new THREE.MeshLambertMaterial({color: 0x8a8a80}),
            asleep: new THREE.MeshLambertMaterial({color: 0x5d6670, transparent: true, opacity: 0.55}),
            selected: new THREE.MeshLambertMaterial({color: 0xf0e442}),
            // joints are within bodies: drawn over them
            joint: new THREE.MeshLambertMaterial({color: 0x3a3f46, depthTest: false, transparent: true, opacity: 0.8}),
            jointSelected: new THREE.MeshLambertMaterial({color: 0xf0e442, depthTest: false, transparent: true}),
            ghost: new THREE.MeshLambertMaterial({color: 0xcc79a7, transparent: true, opacity: 0.35, depthWrite: false}),
            ground: new THREE.MeshBasicMaterial({color: 0x808080, transparent: true, opacity: 0.12, side: THREE.DoubleSide, depthWrite: false}),
            gap: new THREE.LineBasicMaterial({color: 0xd55e00}), trail: new THREE.LineBasicMaterial({color: 0x0072b2}),
        };
        this.bodies = this.world.bodies.map((body) => this.buildBody(body, this.material.body));
        this.ghosts = (this.world.ghost ? this.world.ghost.bodies : [])
            .map((ghost, i) => (this.world.bodies[i] ? this.buildGhost(ghost, this.world.bodies[i]) : null)).filter(Boolean);
        this.buildStatic();
        this.joints = this.world.joints.map((joint) => this.buildJoint(joint)).filter(Boolean);
        this.buildContacts();
        this.arrows = new Arrows.Set(this.scene);
        this.trails = this.bodies.map((entry) => this.buildTrail(entry.thing));
        this.buildGrid();
    }

    shapesOf(body) {
        const parts = [];
        for (const shape of this.world.shapes) {
            if (shape.body !== body) continue;
            const geometry = Shapes.geometry(shape, this.extent);
            if (!geometry) continue;
            const mesh = new THREE.Mesh(geometry, shape.type === 'plane' ? this.material.ground : this.material.still);
            mesh.position.set(shape.position_x, shape.position_y, shape.position_z);
            mesh.quaternion.set(shape.orientation_x, shape.orientation_y, shape.orientation_z, shape.orientation_w);
            mesh.userData.plane = shape.type === 'plane';
            parts.push(mesh);
        }
        return parts;
    }

    buildBody(body, material) {
        const group = new THREE.Group(), parts = this.shapesOf(body.body);
        if (!parts.length) parts.push(new THREE.Mesh(Shapes.standIn(body, this.extent)));
        for (const mesh of parts) {
            mesh.material = material;
            mesh.userData.thing = body;
            group.add(mesh);
        }
        this.scene.add(group);
        return {thing: body, group, parts};
    }

    buildGhost(ghost, body) {
        const entry = this.buildBody(body, this.material.ghost);
        for (const mesh of entry.parts) mesh.userData.thing = null;
        return {...entry, thing: ghost};
    }

    buildStatic() {
        this.still = new THREE.Group();
        for (const mesh of this.shapesOf(null)) this.still.add(mesh);
        this.scene.add(this.still);
    }

    // anchors and axes in the frames of the joint's bodies, from the pose in which they were recorded
    buildJoint(joint) {
        if (joint.first === undefined || joint.type === 'contact') return null;
        const bodies = [this.world.bodyOf.get(joint.body_1), this.world.bodyOf.get(joint.body_2)];
        const holder = bodies[0] || bodies[1];
        if (!holder || !holder.p) return null;
        const anchor = joint.anchor_x === null ? null : new THREE.Vector3(joint.anchor_x, joint.anchor_y, joint.anchor_z);
        const t = this.world.time[joint.first], group = new THREE.Group();
        const local = (body, point) => {
            if (!body || !Data.pose(this.world, body, t, this.p, this.q)) return point.clone();
            return point.clone().sub(this.p).applyQuaternion(this.q.clone().conjugate());
        };
        const entry = {thing: joint, group, bodies, holder, parts: []};
        entry.anchors = anchor ? bodies.map((body) => local(body, anchor)) : [new THREE.Vector3(), new THREE.Vector3()];
        Data.pose(this.world, holder, t, this.p, this.q);
        const back = this.q.clone().conjugate();
        const axes = ['axis_1', 'axis_2'].map((a) => (joint[`${a}_x`] === null ? null
            : new THREE.Vector3(joint[`${a}_x`], joint[`${a}_y`], joint[`${a}_z`]).applyQuaternion(back)));
        Shapes.ofJoint(joint.type, this.mark).forEach((geometry, i) => {
            const mesh = new THREE.Mesh(geometry, this.material.joint);
            const axis = axes[i] || axes[0];
            if (axis && axis.lengthSq() > 0) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis.normalize());
            mesh.renderOrder = 1;
            mesh.userData.thing = joint;
            entry.parts.push(mesh);
            group.add(mesh);
        });
        entry.line = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute('position',
            new THREE.Float32BufferAttribute(new Float32Array(6), 3)), this.material.gap);
        entry.line.frustumCulled = false;
        this.scene.add(group, entry.line);
        return entry;
    }

    buildContacts() {
        this.contactMarks = new THREE.InstancedMesh(new THREE.SphereBufferGeometry(0.25 * this.mark, 6, 4),
            new THREE.MeshBasicMaterial({color: 0x009e73}), Math.max(this.world.contacts.length, 1));
        this.contactMarks.frustumCulled = false;
        this.contactMarks.count = 0;
        this.scene.add(this.contactMarks);
    }

    buildTrail(body) {
        const count = body.p ? body.p[0].length : 0, points = new Float32Array(3 * count);
        for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) points[3 * i + k] = body.p[k][i];
        const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
        const line = new THREE.Line(geometry, this.material.trail);
        line.frustumCulled = false;
        line.visible = false;
        this.scene.add(line);
        return line;
    }

    // lines a metre apart (or a power of ten of it), at the lowest plane, or under the lowest body
    buildGrid() {
        const step = 10 ** Math.floor(Math.log10(this.extent / 2)), count = 2 * Math.ceil(2 * this.extent / step / 2);
        this.gridStep = step;
        this.grid = new THREE.GridHelper(count * step, count);
        this.grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up);
        const plane = this.still.children.find((mesh) => mesh.userData.plane);
        const heights = this.world.bodies.filter((body) => body.p).map((body) => this.lowest(body));
        const height = plane ? plane.position.dot(this.up) : Math.min(...heights, this.centre.dot(this.up)) - 0.5 * this.bodyExtent;
        this.grid.position.copy(this.centre).addScaledVector(this.up, height - this.centre.dot(this.up));
        if (plane) this.grid.position.addScaledVector(this.up, 1e-3 * this.extent);
        this.scene.add(this.grid);
    }

    lowest(body) {
        let least = Infinity;
        for (let i = 0; i < body.p[0].length; i++)
            least = Math.min(least, body.p[0][i] * this.up.x + body.p[1][i] * this.up.y + body.p[2][i] * this.up.z);
        return Number.isFinite(least) ? Math.max(least, this.centre.dot(this.up) - this.extent) : 0;
    }

    paint() {
        const dark = matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches;
        this.scene.background = new THREE.Color(dark ? 0x1b1f24 : 0xf7f7f4);
        this.material.joint.color.set(dark ? 0xd0d4da : 0x3a3f46);
        this.grid.material.vertexColors = THREE.NoColors;
        this.grid.material.color.set(dark ? 0x4a5058 : 0xc4c4bc);
        this.grid.material.needsUpdate = true;
    }

    // ---- one moment -----------------------------------------------------------------------------------------------

    resize() {
        const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
        if (!width || !height || (width === this.width && height === this.height)) return;
        [this.width, this.height] = [width, height];
        this.renderer.setPixelRatio(this.slow ? (this.bodies.length > 100 ? 0.7 : 1) : Math.min(devicePixelRatio || 1, 2));
        this.renderer.setSize(width, height, false);
        this.camera.eye.aspect = width / height;
        this.camera.eye.updateProjectionMatrix();
    }

    draw(t) {
        this.resize();
        const frame = Data.frameAt(this.world.time, t);
        this.placeBodies(t, frame);
        this.placeJoints(t, frame);
        this.placeContacts(frame);
        this.placeForces(frame);
        this.trails.forEach((line, i) => this.placeTrail(line, this.bodies[i].thing, frame));
        this.grid.visible = this.show.grid;
        this.still.visible = this.show.shapes;
        this.follow(t);
        this.renderer.render(this.scene, this.camera.eye);
    }

    place(entry, run, t, visible) {
        entry.group.visible = visible && Boolean(entry.thing.p) && Data.pose(run, entry.thing, t, this.p, this.q);
        if (!entry.group.visible) return;
        entry.group.position.copy(this.p);
        entry.group.quaternion.copy(this.q);
    }

    placeBodies(t, frame) {
        for (const entry of this.bodies) {
            this.place(entry, this.world, t, this.show.shapes);
            const body = entry.thing, asleep = entry.group.visible && body.awake && body.awake[0][frame - body.first] < 0.5;
            const material = body === this.selected ? this.material.selected : asleep ? this.material.asleep : this.material.body;
            for (const mesh of entry.parts) mesh.material = material;
        }
        for (const entry of this.ghosts) this.place(entry, this.world.ghost, t, this.show.ghost);
    }

    // a point of a body's frame (of the world's, without a body), at a time
    pointOf(body, local, t) {
        if (!body) return local.clone();
        if (!body.p || !Data.pose(this.world, body, t, this.p, this.q)) return null;
        return local.clone().applyQuaternion(this.q).add(this.p);
    }

    placeJoints(t, frame) {
        for (const entry of this.joints) {
            const visible = this.show.joints && Data.there(entry.thing, frame);
            const holderSide = entry.bodies[0] ? 0 : 1;
            const point = visible && this.pointOf(entry.holder, entry.anchors[holderSide], t);
            entry.group.visible = entry.line.visible = Boolean(point);
            if (!point) continue;
            Data.pose(this.world, entry.holder, t, this.p, this.q);
            entry.group.position.copy(point);
            entry.group.quaternion.copy(this.q);
            for (const mesh of entry.parts)
                mesh.material = entry.thing === this.selected ? this.material.jointSelected : this.material.joint;
            const other = this.pointOf(entry.bodies[1 - holderSide], entry.anchors[1 - holderSide], t);
            entry.line.visible = this.gap > 0 && Boolean(other);
            if (entry.line.visible) this.placeGap(entry.line, point, other);
        }
    }

    placeGap(line, point, other) {
        const end = other.sub(point).multiplyScalar(this.gap).add(point), at = line.geometry.attributes.position;
        at.setXYZ(0, point.x, point.y, point.z);
        at.setXYZ(1, end.x, end.y, end.z);
        at.needsUpdate = true;
    }

    // the contacts of a frame: slot, and index within its columns
    * contactsAt(frame) {
        for (const slot of this.world.contacts)
            if (Data.there(slot, frame) && slot.there[0][frame - slot.first] > 0.5) yield [slot, frame - slot.first];
    }

    placeContacts(frame) {
        let count = 0;
        const matrix = new THREE.Matrix4();
        if (this.show.contacts)
            for (const [slot, i] of this.contactsAt(frame))
                this.contactMarks.setMatrixAt(count++, matrix.makeTranslation(slot.p[0][i], slot.p[1][i], slot.p[2][i]));
        this.contactMarks.count = count;
        this.contactMarks.visible = count > 0;
        this.contactMarks.instanceMatrix.needsUpdate = true;
    }

    placeForces(frame) {
        this.arrows.clear();
        if (this.show.forces) {
            const scale = this.arrowScale(), thickness = 0.35 * this.extent;
            const force = new THREE.Vector3(), point = new THREE.Vector3(), normal = new THREE.Vector3();
            for (const entry of this.joints) {
                const joint = entry.thing, i = frame - joint.first;
                if (!Data.there(joint, frame)) continue;
                const at = entry.group.visible ? entry.group.position : this.pointOf(entry.holder,
                    entry.anchors[entry.bodies[0] ? 0 : 1], this.world.time[frame]);
                for (const cause of ['ideal', 'motor', 'stop', 'non_ideal'])
                    if (joint[cause] && at)
                        this.arrows.add(cause, at, force.set(joint[cause][0][i], joint[cause][1][i], joint[cause][2][i]), scale, thickness);
            }
            for (const [slot, i] of this.contactsAt(frame)) {
                point.set(slot.p[0][i], slot.p[1][i], slot.p[2][i]);
                normal.set(slot.n[0][i], slot.n[1][i], slot.n[2][i]).normalize();
                force.set(slot.f[0][i], slot.f[1][i], slot.f[2][i]);
                normal.multiplyScalar(force.dot(normal));
                this.arrows.add('contact', point, normal, scale, thickness);
                this.arrows.add('friction', point, force.sub(normal), scale, thickness);
            }
        }
        this.arrows.done();
    }

    placeTrail(line, body, frame) {
        line.visible = this.show.trails && Boolean(body.p) && frame >= body.first && (!this.selected || this.selected.kind !== 'body' ||
            this.selected === body);
        if (line.visible) line.geometry.setDrawRange(0, Math.min(frame - body.first + 1, body.p[0].length));
    }

    follow(t) {
        if (this.followed && this.followed.p && Data.pose(this.world, this.followed, t, this.p, this.q)) this.camera.look(this.p);
    }

    // what is under a point of the canvas (pixels): a joint before a body
    pick(x, y) {
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2(2 * x / this.canvas.clientWidth - 1, 1 - 2 * y / this.canvas.clientHeight), this.camera.eye);
        for (const entries of [this.joints, this.bodies]) {
            const meshes = entries.filter((entry) => entry.group.visible).flatMap((entry) => entry.parts);
            const hit = ray.intersectObjects(meshes).find((h) => h.object.userData.thing);
            if (hit) return hit.object.userData.thing;
        }
        return null;
    }

    dispose() { this.renderer.dispose(); }
}
