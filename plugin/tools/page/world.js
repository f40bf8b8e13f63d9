// SPDX-License-Identifier: BSD-3-Clause
// The picture: bodies as they are shaped, joints as their kind, contacts, forces, gaps, trails, the ground, another run.
'use strict';

class World {
    constructor(canvas, world, changed) {
        this.canvas = canvas;
        this.world = world;
        const slow = World.drawnBySoftware();
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: !slow});
        this.sharpness = new Sharpness(this.renderer, slow, changed);
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
        this.camera.setHome(this.centre, 1.35 * this.extent);
        this.build();
        this.points = this.pointsOfBodies(this.box);
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
        this.largest = 0.5 * (sizes[sizes.length - 1] || 0);
        this.box = box;
    }

    // corners of the bodies' solids at some moments; where they leave the box, the nearest points in it
    pointsOfBodies(box) {
        const points = [], corner = new THREE.Vector3(), wide = box.clone().expandByScalar(this.largest);
        const corners = (solid) => {
            if (!solid.kind.geometry.boundingBox) solid.kind.geometry.computeBoundingBox();
            const {min, max} = solid.kind.geometry.boundingBox;
            return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).applyMatrix4(solid.local));
        };
        for (const {thing, solids} of this.bodies.list) {
            if (!thing.p) continue;
            const local = solids.flatMap(corners), n = thing.p[0].length;
            for (let i = 0; i < n; i += 1 + (n >> 4)) {
                if (!Data.pose(this.world, thing, this.world.time[thing.first + i], this.p, this.q)) continue;
                for (const at of local) points.push(wide.clampPoint(corner.copy(at).applyQuaternion(this.q).add(this.p), new THREE.Vector3()));
            }
        }
        const finite = points.filter((at) => Number.isFinite(at.x + at.y + at.z));
        return finite.length ? finite : [this.centre];
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

    arrowScale() { return 0.22 * this.extent / this.newtons * this.arrowFactor; }

    // ---- what is drawn --------------------------------------------------------------------------------------------

    static lit(color, more = {}) { return new THREE.MeshLambertMaterial({color, ...more}); }

    build() {
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0x777777, 0.95));
        const sun = new THREE.DirectionalLight(0xffffff, 0.55);
        sun.position.copy(this.up).add(new THREE.Vector3(0.4, -0.6, 0.3));
        this.scene.add(sun);
        this.solids = new Solids(this.scene, this.sharpness.slow);
        this.bodies = new Bodies(this.world, this.solids, this.extent);
        this.joints = new Joints(this.world, this.solids, this.mark);
        this.trails = new Trails(this.world);
        this.ground = new Ground(this.scene, this.world, this);
        this.contactMark = new Solid(new SolidKind(() => new THREE.TetrahedronBufferGeometry(1.4)), new THREE.Vector3(), new THREE.Quaternion(),
            new THREE.Vector3(1, 1, 1).multiplyScalar(0.25 * this.mark));
        this.contactMark.kind.number = Math.max(this.world.contacts.length, 1);
        this.contactMaterial = new THREE.MeshBasicMaterial({color: 0x009e73});
        this.arrows = new Arrows.Set(this.scene, this.sharpness.slow);
        this.scene.add(this.joints.gaps, this.trails.line);
    }

    paint() {
        const dark = matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches;
        this.scene.background = new THREE.Color(dark ? 0x1b1f24 : 0xf7f7f4);
        this.joints.material.color.set(dark ? 0xd0d4da : 0x3a3f46);
        this.ground.paint(dark);
    }

    // ---- one moment -----------------------------------------------------------------------------------------------

    resize() {
        const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
        if (!width || !height || (width === this.width && height === this.height)) return;
        [this.width, this.height] = [width, height];
        this.renderer.setSize(width, height, false);
        this.camera.eye.aspect = width / height;
        this.camera.eye.updateProjectionMatrix();
        this.camera.fit(this.points);
    }

    draw(t) {
        this.resize();
        const frame = Data.frameAt(this.world.time, t);
        this.solids.begin();
        this.bodies.place(t, frame, this.show, this.selected);
        this.joints.place(t, frame, this.show.joints, this.selected, this.gap);
        this.placeContacts(frame);
        this.solids.done();
        this.placeForces(frame);
        this.trails.place(frame, this.show.trails, this.selected);
        this.ground.place(this.show);
        this.follow(t);
        this.renderer.render(this.scene, this.camera.eye);
    }

    // the contacts of a frame: slot, and index within its columns
    * contactsAt(frame) {
        for (const slot of this.world.contacts)
            if (Data.there(slot, frame) && slot.there[0][frame - slot.first] > 0.5) yield [slot, frame - slot.first];
    }

    placeContacts(frame) {
        const matrix = new THREE.Matrix4();
        if (!this.show.contacts) return;
        for (const [slot, i] of this.contactsAt(frame))
            this.solids.put(this.contactMark, matrix.makeTranslation(slot.p[0][i], slot.p[1][i], slot.p[2][i]), this.contactMaterial);
    }

    placeForces(frame) {
        this.arrows.clear();
        if (this.show.forces) {
            const scale = this.arrowScale(), thickness = 0.35 * this.extent;
            const force = new THREE.Vector3(), point = new THREE.Vector3(), normal = new THREE.Vector3();
            for (const entry of this.joints.list) {
                const joint = entry.thing, i = frame - joint.first;
                if (!entry.there) continue;
                for (const cause of ['ideal', 'motor', 'stop', 'non_ideal'])
                    if (joint[cause])
                        this.arrows.add(cause, entry.point, force.set(joint[cause][0][i], joint[cause][1][i], joint[cause][2][i]), scale, thickness);
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

    follow(t) {
        if (this.followed && this.followed.p && Data.pose(this.world, this.followed, t, this.p, this.q)) this.camera.look(this.p);
    }

    // what is under a point of the canvas (pixels): a joint before a body
    pick(x, y) {
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2(2 * x / this.canvas.clientWidth - 1, 1 - 2 * y / this.canvas.clientHeight), this.camera.eye);
        for (const entries of [this.show.joints ? this.joints.list : [], this.bodies.list]) {
            let nearest = Infinity, thing = null;
            for (const entry of entries) {
                if (!entry.there) continue;
                for (const solid of entry.solids) {
                    const distance = this.solids.meets(ray, solid, entry.matrix);
                    if (distance < nearest) [nearest, thing] = [distance, entry.thing];
                }
            }
            if (thing) return thing;
        }
        return null;
    }

    dispose() { this.renderer.dispose(); }
}

World.still = new THREE.Matrix4(); // the frame of what does not move
