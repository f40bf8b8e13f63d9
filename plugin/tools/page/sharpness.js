// SPDX-License-Identifier: BSD-3-Clause
// Pixels of the picture a pixel of the page. Without a graphics processor, what moves is drawn coarser until it is smooth,
// or until every frame of a running program is drawn, and sharp again when it stands.
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
        this.kept = this.skipped = 0; // frames of a running program since the last change: drawn, not drawn
        this.patience = 150;          // frames that are drawn before a sharper picture is tried
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

    // A frame of a running program has come; `skipped`: the one before it was not drawn. The intervals between such frames
    // do not show whether drawing them takes too long. What was tried in vain is tried again later, and later each time.
    received(skipped) {
        if (skipped) this.skipped++;
        else this.kept++;
        if (this.skipped > 2 && 10 * this.skipped > this.kept) {
            if (this.raised) this.patience = Math.min(2 * this.patience, 3000);
            this.change(0.8, false);
        } else if (this.skipped + this.kept > this.patience) {
            if (this.skipped === 0 && this.moving < this.full) this.change(1.25, true);
            else this.kept = this.skipped = 0;
        }
    }

    change(factor, raised) {
        this.moving = Math.min(Math.max(factor * this.moving, 0.35), this.full);
        this.raised = raised;
        this.kept = this.skipped = 0;
    }

    // before a frame is drawn; `running`: by a program's frames
    frame(now, running = false) {
        const apart = now - (this.last || 0), stood = 300;
        this.last = now;
        if (!this.slow) return;
        clearTimeout(this.rest);
        if (this.sharpens) { // the picture that stands
            this.sharpens = false;
            return;
        }
        this.rest = setTimeout(() => this.sharpen(), stood);
        if (running) {
            this.set(this.moving);
            return;
        }
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
