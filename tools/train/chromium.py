"""A headless Chromium, driven over the DevTools protocol. It reaches nothing but 127.0.0.1."""

import base64
import json
import re
import shutil
import subprocess
import tempfile

import websocket

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --mute-audio --remote-debugging-port=0 "
    "--remote-allow-origins=*"
).split()
WIDTH = 1280
HEIGHT = 800  # of the window; pictures show the whole page
TALLEST = 16384  # rows of a picture; what is below is left out, in Go too
PATIENCE = 60  # seconds for an answer

# Pages see a fixed clock and fixed randomness, and nothing moves.
STILL = """
(() => { let seed = 1; Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647; })();
addEventListener('DOMContentLoaded', () => { const s = document.createElement('style');
  s.textContent = '*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important;' +
    'scroll-behavior:auto!important}'; document.documentElement.appendChild(s); });
"""


class Chromium:
    """One browser with one page. Use it in a with statement: the process and its profile go at the end."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.mkdtemp(prefix="varve-train-")
        command = [program, *FLAGS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={self.profile}",
                   "about:blank"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.number = 0
        self.events = []
        self._connect()

    def _connect(self):
        for line in self.process.stderr:
            if found := re.search(r"ws://(127\.0\.0\.1:\d+)/", line):
                break
        else:
            raise RuntimeError("Chromium ended before it listened")
        self.socket = websocket.create_connection(found.string[found.start():].strip(), timeout=PATIENCE,
                                                  skip_utf8_validation=True)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=STILL)
        self.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **params):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer.get("method"))

    def load(self, url):
        """Loads a page and waits for its load event, or for as long as PATIENCE has it."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        try:
            while "Page.loadEventFired" not in self.events:
                self.events.append(json.loads(self.socket.recv()).get("method"))
        except websocket.WebSocketTimeoutException:
            self.call("Page.stopLoading")

    def evaluate(self, script):
        """The value of a script, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"].get("exception", {}).get("description"))[:500])
        return answer["result"].get("value")

    def picture(self):
        """The whole page as PNG, at most TALLEST rows."""
        height = self.evaluate("Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0)")
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": max(1, min(TALLEST, int(height))), "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip, optimizeForSpeed=True)
        return base64.b64decode(shot["data"])
