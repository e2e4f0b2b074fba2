# WEBHOOK_SECRET=whsec_… python3 receiver.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
if not KEY:
    raise SystemExit("Set WEBHOOK_SECRET.")
TOLERANCE_SECONDS = 300


def verify(headers, body):
    """Whether a delivery is signed with the secret and recent. `body` is as it was received."""
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    mac = hmac.new(KEY, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(mac.digest())
    # After a rotation, there is a signature for each of the two secrets.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected) for each in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        is_valid = verify(self.headers, body)
        if is_valid:
            event = json.loads(body)
            # An event can be delivered twice: ignore an id that you know.
            print(event["id"], event["type"], flush=True)
        self.send_response(204 if is_valid else 400)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", 4000))), Receiver).serve_forever()
