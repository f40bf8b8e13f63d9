# SPDX-License-Identifier: BSD-3-Clause
"""A viewer of `ukode view` without a browser: starts the command, reads its stream of events, sends orders."""
import base64, http.client, json, os, re, signal, struct, subprocess, threading, time

PATIENCE = float(os.environ.get("UKODE_PATIENCE", 60))  # [s] for what takes a fraction of a second


def await_true(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.005)
    raise AssertionError(what)


def decode(data):
    """A frame: its head, and bodies, joints and contacts as lists of numbers (plugin/view/protocol.h)."""
    raw = base64.b64decode(data)
    names = ("time", "number", "world", "bodies", "joints", "contacts", "paused", "dragged")
    frame = dict(zip(names, struct.unpack_from("=dd6i", raw)))
    at, parts = 40, {"body": "=i7fi", "joint": "=i6f", "contact": "=9f"}
    for part, count in (("body", "bodies"), ("joint", "joints"), ("contact", "contacts")):
        size = struct.calcsize(parts[part])
        frame[part] = [struct.unpack_from(parts[part], raw, at + size * k) for k in range(frame[count])]
        at += size * frame[count]
    assert at == len(raw), "a frame of another size than its counts say"
    return frame


class Run:
    """`ukode view` with a program."""

    def __init__(self, ukode, *words, environment=None, browser=False):
        self.process = subprocess.Popen([ukode, "view", *([] if browser else ["--no-browser"]), *words], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment)
        self.lines = []
        threading.Thread(target=self.listen, daemon=True).start()
        found = await_true("the command prints an address", self.address)
        self.host, self.port, self.token = found.group(1), int(found.group(2)), found.group(3)

    def listen(self):
        for line in self.process.stderr:
            self.lines.append(line)

    def address(self):
        assert self.process.poll() is None or self.lines, "the command ended"
        return re.search(r"http://([0-9.]+):(\d+)/([0-9a-f]{32})/", "".join(self.lines))

    def ask(self, what, method="GET", body=None, token=None, host=None, **headers):
        """(status, body) of one request."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        connection.putrequest(method, f"/{self.token if token is None else token}/{what}", skip_host=True)
        connection.putheader("Host", f"{self.host}:{self.port}" if host is None else host)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body.encode() if body is not None else None)
        answer = connection.getresponse()
        result = answer.status, answer.read()
        connection.close()
        return result

    def order(self, text, expected=204):
        status, _ = self.ask("order", "POST", text)
        assert status == expected, f"'{text}': {status}, not {expected}"

    def end(self, how=signal.SIGINT):
        """The command is interrupted where it has not ended: its exit status and standard output."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        output = self.process.stdout.read()
        return self.process.wait(PATIENCE), output

    def join(self):
        """Its exit status and output where it ends by itself."""
        output = self.process.stdout.read()
        return self.process.wait(PATIENCE), output


class Viewer:
    """One viewer's stream."""

    def __init__(self, run):
        self.connection = http.client.HTTPConnection(run.host, run.port, timeout=PATIENCE)
        self.connection.request("GET", f"/{run.token}/events")
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        self.frames, self.events = [], []
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        name = None
        try:
            for line in self.answer:
                line = line.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: ") and name == "frame":
                    self.frames.append(decode(line[6:]))
                elif line.startswith("data: "):
                    self.events.append(name)
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass  # the connection was closed, here or there

    def vanish(self):
        """Without a farewell."""
        self.connection.sock and self.connection.sock.close()
        self.answer.close()

    def last(self):
        return self.frames[-1] if self.frames else None

    def await_frame(self, what, condition):
        return await_true(what, lambda: self.frames and condition(self.frames[-1]) and self.frames[-1])
