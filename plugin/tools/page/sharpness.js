// SPDX-License-Identifier: BSD-3-Clause
// Pixels of the picture a pixel of the page. Without a graphics processor, what moves is drawn coarser until it is smooth,
// and sharp again when it stands.
'use strict';

class Sharpness {
    constructor(renderer, slow, changed) {
        this.renderer = renderer;
        this.slow = slow;
        this.changed = changed;
        this.full = slow ? 1 : Math.min(devicePixelRatio || 1, 2);
        this.moving = this.full;
        this.apart = 0; // frames, on average [ms]
        this.sharpens = false;
        this.set(this.full);
    }

    set(ratio) {
        if (ratio === this.ratio) return;
        this.ratio = ratio;
        this.renderer.setPixelRatio(ratio);
    }

    sharpen() {
        if (this.ratio === this.full) return;
        this.set(this.full);
        this.sharpens = true;
        this.changed();
    }

    // before a frame is drawn
    frame(now) {
        const apart = now - (this.last || 0), stood = 300;
        this.last = now;
        if (!this.slow) return;
        clearTimeout(this.rest);
        if (this.sharpens) { // the picture that stands
            this.sharpens = false;
            return;
        }
        this.rest = setTimeout(() => this.sharpen(), stood);
        if (apart > stood) { // it begins to move
            this.moving = Math.min(1.2 * this.moving, this.full);
            this.apart = 17;
            return;
        }
        this.apart += (apart > 33 ? 0.45 : 0.15) * (apart - this.apart); // a frame that is seen to be late counts thrice
        if (this.apart > 27) {
            this.moving = Math.max(0.8 * this.moving, 0.35);
            this.apart = 17;
        }
        this.set(this.moving);
    }
}
