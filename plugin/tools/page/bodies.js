// SPDX-License-Identifier: BSD-3-Clause
// Bodies as they are shaped, those of another run as ghosts, and what stands still.
'use strict';

class Bodies {
    constructor(world, solids, extent) {
        this.world = world;
        this.solids = solids;
        this.p = new THREE.Vector3();
        this.q = new THREE.Quaternion();
        this.one = new THREE.Vector3(1, 1, 1);
        this.upon = new Map(); // solids by body; null: the static ones
        for (const shape of world.shapes) {
            const solid = Shapes.solid(shape);
            if (!solid) continue;
            if (!this.upon.has(shape.body)) this.upon.set(shape.body, []);
            this.upon.get(shape.body).push(solid);
        }
        this.list = world.bodies.map((body) => this.entry(body, this.upon.get(body.body) || [Shapes.standIn(body, extent)]));
        this.ghosts = (world.ghost ? world.ghost.bodies : []).slice(0, this.list.length).map((body, i) => this.entry(body, this.list[i].solids));
        this.ghostMaterial = World.lit(0xcc79a7, {transparent: true, opacity: 0.35, depthWrite: false});
        this.awake = Bodies.colours.map((colour) => World.lit(colour));
        this.asleep = Bodies.colours.map((colour) => World.lit(new THREE.Color(colour).multiplyScalar(Bodies.asleep)));
        this.selected = World.lit(0xf0e442);
        this.stillMaterial = World.lit(0x8a8a80);
    }

    // awake or asleep, each body keeps one of the colours that `ukode export` gives it
    materialOf(body, frame, selected) {
        if (body === selected) return this.selected;
        const sleeps = body.awake && body.awake[0][frame - body.first] < 0.5;
        return (sleeps ? this.asleep : this.awake)[body.body % Bodies.colours.length];
    }

    entry(body, solids) { return {thing: body, solids, matrix: new THREE.Matrix4(), there: false}; }

    // of a run at a time
    pose(run, entry, t, shown) {
        entry.there = shown && Boolean(entry.thing.p) && Data.pose(run, entry.thing, t, this.p, this.q);
        if (entry.there) entry.matrix.compose(this.p, this.q, this.one);
        return entry.there;
    }

    put(entry, material) { for (const solid of entry.solids) this.solids.put(solid, entry.matrix, material); }

    place(t, frame, show, selected) {
        for (const entry of this.list) {
            if (!this.pose(this.world, entry, t, show.shapes)) continue;
            this.put(entry, this.materialOf(entry.thing, frame, selected));
        }
        for (const entry of this.ghosts)
            if (this.pose(this.world.ghost, entry, t, show.ghost)) this.put(entry, this.ghostMaterial);
        if (show.shapes) for (const solid of this.upon.get(null) || []) this.solids.put(solid, World.still, this.stillMaterial);
    }
}

Bodies.colours = [0xe7a07c, 0x7cb3e1, 0x95cb95, 0xedd37c, 0xbca0d3, 0x89d3d3]; // of plugin/tools/export/gltf.c, as a screen shows them
Bodies.asleep = 0.45; // brightness of a body that sleeps
