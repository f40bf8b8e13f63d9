// SPDX-License-Identifier: BSD-3-Clause
// Joints as their kind, with their axes; and how far their two anchors have come apart.
'use strict';

class Joints {
    constructor(world, solids, mark) {
        this.world = world;
        this.solids = solids;
        this.mark = mark;
        this.p = new THREE.Vector3();
        this.q = new THREE.Quaternion();
        this.one = new THREE.Vector3(1, 1, 1);
        this.list = world.joints.map((joint) => this.build(joint)).filter(Boolean);
        // joints are within bodies: drawn over them
        this.material = World.lit(0x3a3f46, {depthTest: false, transparent: true, opacity: 0.8});
        this.selectedMaterial = World.lit(0xf0e442, {depthTest: false, transparent: true});
        this.gaps = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute('position',
            new THREE.Float32BufferAttribute(new Float32Array(6 * this.list.length), 3)), new THREE.LineBasicMaterial({color: 0xd55e00}));
        this.gaps.frustumCulled = false;
    }

    // anchors and axes in the frames of the joint's bodies, from the pose in which they were recorded
    build(joint) {
        if (joint.first === undefined || joint.type === 'contact') return null;
        const bodies = [this.world.bodyOf.get(joint.body_1), this.world.bodyOf.get(joint.body_2)];
        const side = bodies[0] ? 0 : 1, holder = bodies[side], t = this.world.time[joint.first];
        if (!holder || !holder.p) return null;
        const anchor = joint.anchor_x === null ? null : new THREE.Vector3(joint.anchor_x, joint.anchor_y, joint.anchor_z);
        const second = joint.anchor_2_x === null ? anchor : new THREE.Vector3(joint.anchor_2_x, joint.anchor_2_y, joint.anchor_2_z);
        const anchors = bodies.map((body, i) => (anchor ? this.local(body, i ? second : anchor, t) : new THREE.Vector3()));
        Data.pose(this.world, holder, t, this.p, this.q);
        const back = this.q.clone().conjugate();
        const axes = ['axis_1', 'axis_2'].map((a) => (joint[`${a}_x`] === null ? null
            : new THREE.Vector3(joint[`${a}_x`], joint[`${a}_y`], joint[`${a}_z`]).applyQuaternion(back)));
        return {thing: joint, bodies, holder, side, anchors, solids: Shapes.ofJoint(joint.type, this.mark, axes), there: false,
            point: new THREE.Vector3(), matrix: new THREE.Matrix4()};
    }

    local(body, point, t) {
        if (!body || !Data.pose(this.world, body, t, this.p, this.q)) return point.clone();
        return point.clone().sub(this.p).applyQuaternion(this.q.clone().conjugate());
    }

    // a point of a body's frame (of the world's, without a body), at a time; null: it is not there
    pointOf(body, local, t) {
        if (!body) return local.clone();
        if (!body.p || !Data.pose(this.world, body, t, this.p, this.q)) return null;
        return local.clone().applyQuaternion(this.q).add(this.p);
    }

    // `gap`: magnification of gaps; 0: none are shown
    place(t, frame, shown, selected, gap) {
        const at = this.gaps.geometry.attributes.position;
        let lines = 0;
        for (const entry of this.list) {
            entry.there = Data.there(entry.thing, frame) && Data.pose(this.world, entry.holder, t, this.p, this.q);
            if (!entry.there) continue;
            entry.point.copy(entry.anchors[entry.side]).applyQuaternion(this.q).add(this.p);
            if (!shown) continue;
            entry.matrix.compose(entry.point, this.q, this.one);
            const material = entry.thing === selected ? this.selectedMaterial : this.material;
            for (const solid of entry.solids) this.solids.put(solid, entry.matrix, material);
            const other = gap > 0 && entry.thing.anchor_2_x !== null && this.pointOf(entry.bodies[1 - entry.side], entry.anchors[1 - entry.side], t);
            if (!other) continue;
            const end = other.sub(entry.point).multiplyScalar(gap).add(entry.point);
            at.setXYZ(2 * lines, entry.point.x, entry.point.y, entry.point.z);
            at.setXYZ(2 * lines++ + 1, end.x, end.y, end.z);
        }
        this.gaps.geometry.setDrawRange(0, 2 * lines);
        this.gaps.visible = lines > 0;
        at.needsUpdate = lines > 0;
    }
}
