// SPDX-License-Identifier: BSD-3-Clause
// Time: play and stop, frame by frame, slider, speed; the keys.
'use strict';

class Player {
    constructor(world, changed) {
        this.world = world;
        this.changed = changed;
        this.time = world.time[0] || 0;
        this.playing = false;
        this.slider = document.getElementById('slider');
        this.slider.max = String(Math.max(world.frames - 1, 0));
        this.slider.value = '0';
        this.slider.oninput = () => this.goToFrame(Number(this.slider.value));
        this.loop = false;
        document.getElementById('play').onclick = () => this.toggle();
        document.getElementById('first').onclick = () => this.goToFrame(0);
        document.getElementById('last').onclick = () => this.goToFrame(world.frames - 1);
        document.getElementById('loop').onclick = () => this.setLoop(!this.loop);
        this.setLoop(document.getElementById('loop').getAttribute('aria-pressed') === 'true');
        document.getElementById('back').onclick = () => this.step(-1);
        document.getElementById('forth').onclick = () => this.step(1);
    }

    get frame() { return Data.frameAt(this.world.time, this.time); }
    get end() { return this.world.time[this.world.frames - 1] || 0; }

    go(t) {
        this.time = Math.min(Math.max(t, this.world.time[0] || 0), this.end);
        const frame = this.frame;
        this.slider.value = String(frame);
        const number = this.world.number[frame];
        document.getElementById('clock').textContent = `${this.time.toFixed(3)} s of ${this.end.toFixed(2)} s, step ${Math.round(number)}`;
        this.slider.setAttribute('aria-valuetext', `${this.time.toFixed(3)} seconds`);
        this.changed(this.time, frame);
    }

    goToFrame(frame) { this.go(this.world.time[Math.min(Math.max(frame, 0), this.world.frames - 1)]); }

    step(frames) {
        this.stop();
        this.goToFrame(this.frame + frames);
    }

    setLoop(loop) {
        this.loop = loop;
        document.getElementById('loop').setAttribute('aria-pressed', String(loop));
    }

    stop() { if (this.playing) this.toggle(); }

    toggle() {
        this.playing = !this.playing;
        const button = document.getElementById('play');
        button.textContent = this.playing ? '❚❚' : '▶';
        button.setAttribute('aria-label', this.playing ? 'Stop' : 'Play');
        if (!this.playing) return this.go(this.time);
        if (this.time >= this.end) this.go(0);
        let last = performance.now();
        const tick = (now) => {
            if (!this.playing) return undefined;
            this.go(this.time + (now - last) / 1000 * Number(document.getElementById('speed').value));
            last = now;
            if (this.time < this.end) return requestAnimationFrame(tick);
            if (!this.loop) return this.toggle();
            this.go(0);
            return requestAnimationFrame(tick);
        };
        return requestAnimationFrame(tick);
    }
}
