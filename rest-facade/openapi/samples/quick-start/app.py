# Connects an account to your app. Start it with `{{secretVariable}}python3 app.py`, then open {{startUrl}}
# {{origin}} must pass its requests to {{listen}}, where this program listens. {{remote}}
import base64, hashlib, http.cookies, http.server, json, os, secrets, socket, urllib.parse, urllib.request

SERVICE = '{{authUrl}}'
CLIENT_ID = '{{clientId}}'
REDIRECT_URI = '{{redirectUri}}'
SCOPE = '{{scope}}'
SECRET = base64.b64encode(f"{CLIENT_ID}:{os.environ['CLIENT_SECRET']}".encode()).decode()  # {{confidential}}


def read_json(url, form=None, headers=None):
    data = urllib.parse.urlencode(form).encode() if form else None
    with urllib.request.urlopen(urllib.request.Request(url, data, headers or {})) as response:
        return json.load(response)


class App(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path != '{{callbackPath}}' or 'state' not in query:
            return self.connect() if url.path == '/' else self.send_error(404)
        try:
            account = self.callback(query)
        except Exception as error:
            return self.send_error(400, str(error))
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.end_headers()
        self.wfile.write(json.dumps(account, indent=2).encode())

    def connect(self):
        """Sends the browser to the sign-in. The cookie ties the response to this browser."""
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip('=')
        parameters = {
            'response_type': 'code',
            'client_id': CLIENT_ID,
            'redirect_uri': REDIRECT_URI,
            'scope': SCOPE,
            'state': state,
            'code_challenge': challenge,
            'code_challenge_method': 'S256',
        }
        self.send_response(302)
        self.send_header('Location', f'{SERVICE}/login/oauth/authorize?{urllib.parse.urlencode(parameters)}')
        self.send_header('Set-Cookie', f'connect={state}.{verifier}; HttpOnly; SameSite=Lax; Path=/')
        self.end_headers()

    def callback(self, query):
        """Exchanges the code for tokens, and reads the account."""
        cookie = http.cookies.SimpleCookie(self.headers['Cookie'])
        state, _, verifier = cookie['connect'].value.partition('.')
        if 'error' in query:
            raise Exception(query.get('error_description', query['error']))
        if query.get('state') != state or query.get('iss') != SERVICE:
            raise Exception('Start again.')
        form = {
            'grant_type': 'authorization_code',
            'client_id': CLIENT_ID,
            'code': query['code'],
            'redirect_uri': REDIRECT_URI,
            'code_verifier': verifier,
        }
        headers = {}
        headers['Authorization'] = f'Basic {SECRET}'  # {{confidential}}
        tokens = read_json(f'{SERVICE}/api/oauth/token', form, headers)
        return read_json(f'{SERVICE}/api/v1/user', headers={'Authorization': f"Bearer {tokens['access_token']}"})


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.{{addressFamily}}


print('Open {{startUrl}}')
Server(('{{host}}', {{port}}), App).serve_forever()
