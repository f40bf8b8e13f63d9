// SPDX-License-Identifier: BSD-3-Clause
// The eye: turned about a point by drag or keys, nearer and farther by wheel or keys, moved by Shift and drag.
'use strict';

class Camera {
    constructor(canvas, up, changed) {
        this.eye = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
        this.target = new THREE.Vector3();
        this.changed = changed;
        this.turnUp = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up); // z to up
        this.eye.up.copy(up);
        this.home = {azimuth: -1.1, height: 0.35, distance: 5, target: this.target.clone()};
        this.reset();
        this.listen(canvas);
    }

    setHome(target, distance) {
        this.home = {...this.home, target: target.clone(), distance};
        this.eye.near = distance / 500;
        this.eye.far = distance * 100;
        this.reset();
    }

    away(azimuth, height) { // from the target to the eye
        const c = Math.cos(height);
        return new THREE.Vector3(c * Math.cos(azimuth), c * Math.sin(azimuth), Math.sin(height)).applyQuaternion(this.turnUp);
    }

    // The home view: as near as all `points` are within the window, seen from the same side.
    fit(points) {
        const away = this.away(this.home.azimuth, this.home.height), right = new THREE.Vector3().crossVectors(this.eye.up, away).normalize();
        const axes = [right, new THREE.Vector3().crossVectors(away, right), away], atHome = this.atHome();
        const middle = axes.map((axis) => {
            const along = points.map((at) => at.dot(axis));
            return (along.reduce((a, b) => Math.min(a, b)) + along.reduce((a, b) => Math.max(a, b))) / 2;
        });
        const target = axes.reduce((sum, axis, k) => sum.addScaledVector(axis, middle[k]), new THREE.Vector3());
        const tall = Math.tan(this.eye.fov * Math.PI / 360), wide = tall * this.eye.aspect;
        const distance = points.reduce((most, at) => {
            const [x, y, z] = axes.map((axis, k) => at.dot(axis) - middle[k]);
            return Math.max(most, z + Math.max(Math.abs(x) / wide, Math.abs(y) / tall));
        }, 0);
        this.home = {...this.home, target, distance: 1.08 * distance || this.home.distance};
        if (atHome) this.reset();
    }

    atHome() {
        return this.azimuth === this.home.azimuth && this.height === this.home.height && this.distance === this.home.distance &&
            this.target.equals(this.home.target);
    }

    reset() {
        this.azimuth = this.home.azimuth;
        this.height = this.home.height;
        this.distance = this.home.distance;
        this.target.copy(this.home.target);
        this.place();
    }

    place() {
        this.eye.position.copy(this.target).addScaledVector(this.away(this.azimuth, this.height), this.distance);
        this.eye.lookAt(this.target);
        this.eye.updateProjectionMatrix();
        this.changed();
    }

    turn(right, up) {
        this.azimuth -= right;
        this.height = Math.min(Math.max(this.height + up, -1.55), 1.55);
        this.place();
    }

    zoom(factor) {
        this.distance = Math.min(Math.max(this.distance * factor, this.home.distance / 200), this.home.distance * 20);
        this.place();
    }

    move(right, up) {
        const x = new THREE.Vector3().setFromMatrixColumn(this.eye.matrixWorld, 0);
        const y = new THREE.Vector3().setFromMatrixColumn(this.eye.matrixWorld, 1);
        this.target.addScaledVector(x, -right * this.distance).addScaledVector(y, up * this.distance);
        this.place();
    }

    look(point) { // keeps direction and distance
        if (this.target.distanceToSquared(point) < 1e-16) return;
        this.target.copy(point);
        this.place();
    }

    listen(canvas) {
        let from = null;
        canvas.addEventListener('pointerdown', (event) => {
            from = [event.clientX, event.clientY];
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener('pointermove', (event) => {
            if (!from) return;
            const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
            from = [event.clientX, event.clientY];
            if (event.shiftKey) this.move(dx / canvas.clientHeight, dy / canvas.clientHeight);
            else this.turn(dx * 0.007, dy * 0.007);
        });
        for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { from = null; });
        canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            this.zoom(Math.exp(Math.sign(event.deltaY) * 0.12));
        }, {passive: false});
    }
}
