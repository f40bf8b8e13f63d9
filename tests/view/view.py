#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ukode view` driven by viewers without a browser: connect, pause, step, reconnect, two viewers, changes, normal end,
crash, a viewer that vanishes; the run has the same hash with and without a passive viewer.

Skipped (77) without libmicrohttpd or libjs-three.
Usage: view.py BUILD [TEST...]"""
import json, os, random, re, shlex, socket, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Run, Viewer, await_true

build = os.path.abspath(sys.argv[1])
ukode, swing = os.path.join(build, "ukode"), os.path.join(build, "tests", "view", "swing")
work = tempfile.TemporaryDirectory()
os.environ["TMPDIR"] = work.name


def hash_of(text):
    return re.search(r"hash of the final state ([0-9a-f]{32})", text).group(1)


def pausing_and_stepping():
    run = Run(ukode, "--paused", "--", swing, "100000")
    viewer = Viewer(run)
    assert viewer.await_frame("paused before the first step", lambda f: f["paused"] == 1)["bodies"] == 0
    run_steps = 5
    run.order(f"step {run_steps}")
    frame = viewer.await_frame("five steps", lambda f: f["number"] == run_steps)
    assert frame["paused"] == 1 and frame["bodies"] == 2 and frame["joints"] == 1, frame
    assert abs(frame["time"] - 0.005) < 1e-12
    time.sleep(0.1)
    assert viewer.last()["number"] == run_steps, "it went on while it was paused"
    for k in range(3):
        run.order("step 1")
        viewer.await_frame("a single step", lambda f: f["number"] == run_steps + 1 + k)
    assert [f["number"] for f in viewer.frames if f["number"] > run_steps] == sorted(
        f["number"] for f in viewer.frames if f["number"] > run_steps)
    # a second viewer, who comes later, sees the same
    second = Viewer(run)
    assert second.await_frame("the present frame", lambda f: True)["number"] == run_steps + 3
    # the first one vanishes, and comes back
    viewer.vanish()
    run.order("step 10")
    second.await_frame("ten steps", lambda f: f["number"] == run_steps + 13)
    back = Viewer(run)
    back.await_frame("the present frame, again", lambda f: f["number"] == run_steps + 13)
    # the model is that of the recording so far
    model = await_true("a model", lambda: run.ask("model")[0] == 200 and json.loads(run.ask("model")[1]))
    world = model["worlds"][0]
    assert {b["body"] for b in world["bodies"]} == {1, 2} and world["joints"][0]["type"] == "hinge", world
    # slow motion: a tenth of real time
    run.order("pace 0.1")
    run.order("run")
    back.await_frame("it runs", lambda f: f["paused"] == 0)
    begin, first = time.monotonic(), back.last()["time"]
    time.sleep(0.5)
    pace = (back.last()["time"] - first) / (time.monotonic() - begin)
    assert pace < 0.2, pace
    changes(run, back)
    run.process.terminate()
    assert run.join()[0] == 128 + 15


def changes(run, viewer):
    """Gravity, a motor, a body that is dragged, states: while the program is paused, step by step."""
    run.order("pause")
    number = viewer.await_frame("paused", lambda f: f["paused"] == 1)["number"]
    run.order("save 1")
    kept = {b[0]: b[1:4] for b in viewer.last()["body"]}
    run.order("drag 2 0 0 0 -1 0 1")
    run.order("step 300")
    frame = viewer.await_frame("dragged", lambda f: f["number"] == number + 300)
    assert frame["dragged"] == 2
    assert next(b for b in frame["body"] if b[0] == 2)[3] > 0.5, "the box was not lifted by the spring"
    run.order("release 2")
    run.order("gravity 1 0")
    run.order("motor 1 1 -3 1000")
    run.order("step 300")
    frame = viewer.await_frame("without gravity", lambda f: f["number"] == number + 600)
    height = next(b for b in frame["body"] if b[0] == 2)[3]
    assert frame["dragged"] == 0 and height > 0.5, "the box fell without gravity"
    run.order("restart 1")
    frame = viewer.await_frame("restarted", lambda f: next(b for b in f["body"] if b[0] == 2)[3] < 0.2)
    again = {b[0]: b[1:4] for b in frame["body"]}
    assert again == kept, (again, kept)
    # a state kept while a body is dragged and gravity is off
    number = frame["number"]
    run.order("gravity 1 0")
    run.order("drag 2 0 0 0 -1 0 1")
    run.order("step 300")
    kept = viewer.await_frame("dragged again", lambda f: f["number"] == number + 300 and f["dragged"] == 2)
    run.order("save 1")
    run.order("motor 1 1 3 1000")
    run.order("step 100")
    viewer.await_frame("went on", lambda f: f["number"] == number + 400 and f["dragged"] == 0)
    run.order("restart 1")
    viewer.await_frame("restarted from there", lambda f: f["body"] == kept["body"])
    run.order("gravity 1 1")
    run.order("step 300")
    frame = viewer.await_frame("with gravity", lambda f: f["number"] == number + 700)
    assert frame["body"][1][3] < kept["body"][1][3] - 0.2, "gravity did not come back"
    for wrong in ("drag 1", "motor 1 4 0 0", "pace x", "step", "jump", "", "drag 2 0 0 0 0 0 1e400", "run 1"):
        run.order(wrong, 400)


def passive_viewers():
    """The hash is that of a run without viewers; its end, and its report."""
    words = ["--hash", "--", swing, "400", "500", "spawn"]
    alone = subprocess.run([ukode, "run", *words], capture_output=True, text=True)
    run = Run(ukode, "--paused", *words)
    viewers = [Viewer(run) for _ in range(2)]
    for viewer in viewers:
        viewer.await_frame("paused", lambda f: f["paused"] == 1)
    run.order("run")
    await_true("both see the end", lambda: all("end" in v.events for v in viewers))
    assert all(len(v.frames) > 3 for v in viewers), [len(v.frames) for v in viewers]
    status, report = run.ask("report")
    assert status == 200 and b"<title>ukode report</title>" in report
    assert run.ask("ending") == (200, b"the program has ended with status 0")
    run.order("pause", 409)
    status, page = run.ask("")
    assert status == 200 and b"@data@" not in page and b"connect-src 'self'" in page
    status, output = run.end()
    assert status == 0 and output == alone.stdout
    assert hash_of("".join(run.lines)) == hash_of(alone.stderr), "a passive viewer changed the run"


def crash():
    run = Run(ukode, "--", swing, "800", "1000", "crash")
    viewer = Viewer(run)
    await_true("the end", lambda: "end" in viewer.events)
    assert b"ended by signal 6" in run.ask("ending")[1]
    assert run.ask("report")[0] == 200
    assert json.loads(run.ask("model")[1])["worlds"][0]["steps"] > 0
    assert run.end()[0] == 128 + 6
    run = Run(ukode, "--", swing, "100")  # an interrupt while the report is made
    await_true("the program has ended", lambda: any("steps" in line for line in run.lines))
    assert run.end()[0] == 0


def programs_at_once():
    """The first that steps is viewed and paused; the others run, unseen."""
    run = Run(ukode, "--paused", "--close", "--", "sh", "-c", " & ".join([f"{shlex.quote(swing)} 20"] * 4) + " & wait")
    viewer = Viewer(run)
    viewer.await_frame("paused", lambda f: f["paused"] == 1)
    run.order("run")
    status, output = run.join()
    assert status == 0 and len(output.split("\n")) == 5, output


def vanishing_viewer():
    """The last viewer goes, and the program goes on to its end."""
    run = Run(ukode, "--paused", "--close", "--", swing, "300", "500")
    viewer = Viewer(run)
    viewer.await_frame("paused", lambda f: f["paused"] == 1)
    run.order("run")
    viewer.await_frame("a frame", lambda f: f["number"] > 0)
    viewer.vanish()
    status, output = run.join()
    assert status == 0 and output.count(" ") == 1


def locked():
    run = Run(ukode, "--no-touch", "--paused", "--close", "--", swing, "20")
    viewer = Viewer(run)
    viewer.await_frame("paused", lambda f: f["paused"] == 1)
    run.order("step 1")
    viewer.await_frame("a step", lambda f: f["number"] == 1)
    for text in ("drag 2 0 0 0 -1 0 1", "motor 1 1 0 0", "gravity 1 0", "restart 1", "release 2"):
        run.order(text, 403)
    run.order("run")
    assert run.join()[0] == 0


def findings_in_the_terminal():
    paused = subprocess.run([ukode, "view", "--text", "--paused", "--", swing, "10", "0"], capture_output=True, text=True)
    assert paused.returncode == 2 and "--paused needs the page" in paused.stderr, paused
    text = subprocess.run([ukode, "view", "--text", "--", swing, "1500", "1000", "strong"], capture_output=True, text=True)
    assert re.search(r"^ukode: [0-9.]+ s: (note|warning|error), hinge 1: ", text.stderr, re.M), text.stderr


def recorded_and_replayed():
    """What a viewer changes is in the recording: a replay has the same states, and the steps are verified."""
    for integrator in ("euler", "rattle"):
        file = os.path.join(work.name, f"{integrator}.ukode")
        run = Run(ukode, "--paused", "--close", "--inputs", "--certificates", "--every-step", "--integrator", integrator,
                  "-o", file, "--", swing, "500")
        viewer = Viewer(run)
        viewer.await_frame("paused", lambda f: f["paused"] == 1)
        number = 0

        def after(steps, *orders):
            nonlocal number
            number += steps
            for text in (*orders, f"step {steps}"):
                run.order(text)
            viewer.await_frame(f"{number} steps", lambda f: f["number"] == number)

        after(50)
        after(100, "save 1", "drag 2 0.05 0 0 -1 0 1")
        after(50, "release 2", "gravity 1 0", "motor 1 1 -3 50")
        after(100, "restart 1", "drag 1 0 0 0 1 0 1.5")
        run.order("run")
        assert run.join()[0] == 0
        replay = subprocess.run([ukode, "replay", file], capture_output=True, text=True)
        assert "500 of 500 steps have the states of the recording" in replay.stdout, replay.stdout + replay.stderr
        verify = subprocess.run([ukode, "verify", "--all", file], capture_output=True, text=True)
        assert "500 of 500 steps are verified" in verify.stdout, verify.stdout + verify.stderr
        with sqlite3.connect(file) as recording:
            events = [row[0] for row in recording.execute("SELECT text FROM event WHERE kind = 'viewer' ORDER BY event")]
            work_done = recording.execute("SELECT max(abs(work)) FROM ledger_step WHERE cause = 'applied'").fetchone()[0]
        assert events == ["dragged", "released", "gravity off", "motor", "restarted", "dragged"], events
        assert work_done > 1, f"the spring's work is not in the ledger: {work_done} J"


def states_of_the_program():
    """The program saves and restores its state while a viewer drags a body: the viewer's force is not in the way."""
    run = Run(ukode, "--paused", "--close", "--", swing, "60", "0", "keep")
    viewer = Viewer(run)
    viewer.await_frame("paused", lambda f: f["paused"] == 1)
    number = 0
    for steps, dragged in ((10, 0), (9, 2), (2, 0), (8, 2), (2, 0), (13, 2), (2, 0)):
        number += steps
        if dragged: run.order("drag 2 0 0 0 -1 0 1")
        run.order(f"step {steps}")
        frame = viewer.await_frame(f"{number} steps", lambda f: f["number"] == number)
        assert frame["dragged"] == dragged, (number, frame["dragged"])
    run.order("run")
    status, output = run.join()
    assert status == 0 and output.count("restored: 0\n") == 2, output


def hostile_requests():
    """Mutated requests, fixed seed: without the token nothing but refusals, and the server goes on."""
    run = Run(ukode, "--paused", "--", swing, "1000")
    viewer = Viewer(run)
    viewer.await_frame("paused", lambda f: f["paused"] == 1)
    for token, host, headers in (("", None, {}), ("0" * 32, None, {}), (run.token[:-1], None, {}),
                                 (None, "evil.example", {}), (None, f"evil.example:{run.port}", {}),
                                 (None, None, {"Origin": "http://evil.example"}),
                                 (None, None, {"Origin": "null"}), (None, None, {"Sec_Fetch_Site": "cross-site"})):
        for what, method in (("model", "GET"), ("events", "GET"), ("order", "POST")):
            assert run.ask(what, method, "run" if method == "POST" else None, token, host, **headers)[0] == 403
    run.order("x" * 513, 413)
    run.order("x" * 100000, 413)
    chance = random.Random(1)
    base = (f"POST /{run.token}/order HTTP/1.1\r\nHost: {run.host}:{run.port}\r\nContent-Length: 7\r\n"
            "Connection: close\r\n\r\npace 00").encode()
    for _ in range(150):
        data = bytearray(base)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(data))
            data[at:at + chance.randint(0, 3)] = chance.choice((b"", b"\r\n", b"\0", b"%00", b"9" * 30, b"/..", b":", b"\xff" * 40,
                                                             bytes([chance.randrange(256)])))
        with socket.create_connection((run.host, run.port)) as connection:
            connection.settimeout(20)
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                answer = connection.recv(4096)
            except ConnectionError:
                continue
            if run.token.encode() not in data:
                assert not answer.startswith(b"HTTP/1.1 2"), (bytes(data), answer)
    with socket.create_connection((run.host, run.port)) as connection: # headers without an end
        connection.settimeout(20)
        try:
            connection.sendall(b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 60000)
            assert not connection.recv(4096).startswith(b"HTTP/1.1 2")
        except ConnectionError:
            pass
    run.order("step 1")
    viewer.await_frame("a step", lambda f: f["number"] == 1)
    run.process.terminate()
    run.join()


def opens_a_browser():
    """xdg-open gets a file that leads to the address, and no other user sees the token."""
    folder = os.path.join(work.name, "bin")
    os.mkdir(folder)
    opened = os.path.join(work.name, "opened")
    with open(os.path.join(folder, "xdg-open"), "w", encoding="utf-8") as script:
        script.write(f'#!/bin/sh\nstat -c %a "$1" >{opened}.mode; echo "$@" >{opened}.words; cp "$1" {opened}\n')
    os.chmod(os.path.join(folder, "xdg-open"), 0o755)
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", DISPLAY=":7")
    run = Run(ukode, "--", swing, "10", environment=environment, browser=True)
    await_true("the browser is opened", lambda: os.path.exists(opened) and os.path.getsize(opened))
    with open(f"{opened}.words", encoding="utf-8") as words, open(f"{opened}.mode", encoding="utf-8") as mode:
        assert run.token not in words.read() and mode.read() == "600\n"
    with open(opened, encoding="utf-8") as page:
        assert f"http://{run.host}:{run.port}/{run.token}/" in page.read()
    await_true("the program has ended", lambda: any("remains" in line for line in run.lines))
    assert run.end()[0] == 0


def listens_where_told():
    """At one address, never at all of a machine's; its Host is the one that is expected."""
    for wrong in ("0.0.0.0", "::", "localhost", ""):
        refused = subprocess.run([ukode, "view", "--no-browser", "--listen", wrong, "--", swing, "1"], capture_output=True, text=True)
        assert refused.returncode and "http://" not in refused.stderr and not refused.stdout, refused
    run = Run(ukode, "--listen", "127.0.0.2", "--", swing, "200")
    assert run.host == "127.0.0.2" and run.ask("events", host=f"localhost:{run.port}")[0] == 403
    assert run.ask("")[0] == 200
    await_true("the program has ended", lambda: any("remains" in line for line in run.lines))
    assert run.end()[0] == 0


def nothing_stays():
    assert not [name for name in os.listdir(work.name) if name.startswith("ukode-")], os.listdir(work.name)


refused = subprocess.run([ukode, "view", "--no-browser", "--close", "--", "/bin/true"], capture_output=True, text=True).stderr
if "Debian: lib" in refused:
    print(f"view: skipped: {refused}")
    sys.exit(77)
for test in (pausing_and_stepping, passive_viewers, crash, programs_at_once, vanishing_viewer, locked, findings_in_the_terminal,
             recorded_and_replayed, states_of_the_program, hostile_requests, opens_a_browser, listens_where_told, nothing_stays):
    if len(sys.argv) > 2 and test.__name__ not in sys.argv[2:]:
        continue
    start = time.monotonic()
    test()
    print(f"{test.__name__}: {time.monotonic() - start:.2f} s")
