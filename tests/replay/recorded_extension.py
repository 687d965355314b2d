"""The extension server of a recorded conversation: it gives the recorded answers, so that what the client sees shows what the main
server in between has done with them.

Each step carries its name in a header. What arrives must be what the client sent, or the answer is a 500 that says so.
"""
import copy
import http.server
import json
import os
import ssl
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
from extension_certificates import make_authority, make_certificate  # noqa: E402

STEP = 'X-Recorded-Step'
# Recordings hold these in place of what a server makes.
MADE = {'<rv>': '7', '<uid>': '6f1b6c1e-0000-4000-8000-000000000001', '<time>': '2026-01-01T00:00:00Z', '<hash>': 'hash='}


def filled(value):
    if isinstance(value, dict):
        return {key: filled(one) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one) for one in value]
    if isinstance(value, str):
        for mark, made in MADE.items():
            value = value.replace(mark, made)
    return value


def put(into, path, value):
    """Sets `0.object.kind` and the like; lists grow as they need."""
    first, _, rest = path.partition('.')
    key = int(first) if isinstance(into, list) else first
    if isinstance(into, list):
        into.extend({} for _ in range(key + 1 - len(into)))
    if not rest:
        into[key] = value
        return
    inner = into[key] if isinstance(into, list) else into.get(key)
    if not isinstance(inner, (dict, list)) or not inner:
        inner = [] if rest.split('.')[0].isdigit() else {}
    into[key] = inner
    put(inner, rest, value)


def whole_body(step):
    """Of a step that only compares some fields: an answer with those."""
    body = step['expect']['body']
    if 'only' not in step:
        return filled(body)
    out = [] if 'watch=' in step['path'] else {}
    for path, value in body.items():
        if value is not None:
            put(out, path, filled(value))
    return out


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):
        pass

    def handle(self):
        try:
            super().handle()
        except (OSError, ssl.SSLError):
            pass  # the other side is gone

    def do(self):
        extension = self.server.extension
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        step = extension.steps.get(self.headers.get(STEP))
        if step is None:
            return self.send_document(extension.documents.get(self.path.split('?')[0]))
        extension.reached.add(step['id'])
        wrong = self.differences(step, body)
        if wrong:
            return self.send(500, 'text/plain', [], wrong.encode())
        expected = step['expect'] if 'expect' in step else {'code': 200, 'type': 'application/json', 'warnings': [], 'body': {}}
        answer = whole_body(step) if 'expect' in step else {}
        if isinstance(answer, list):
            text = b''.join(json.dumps(event).encode() + b'\n' for event in answer)
        else:
            text = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        return self.send(expected['code'], expected['type'], expected['warnings'], text)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do

    def differences(self, step, body):
        """From what the client sent."""
        sent = step['raw'].encode() if 'raw' in step else json.dumps(step['body']).encode() if 'body' in step else b''
        path = step['path']
        for name in ('rv', 'uid'):
            while (begin := path.find('${')) >= 0 and (end := path.find(f':{name}}}', begin)) > 0:
                path = path[:begin] + MADE[f'<{name}>'] + path[end + len(name) + 2:]
        if b'${' in sent:
            sent = body  # filled in by the player
        problems = [f'{what}: {got!r} and not {want!r}' for what, got, want in
                    (('method', self.command, step['method']), ('path', self.path, path), ('body', body, sent),
                     ('user', bool(self.headers.get('X-Remote-User')), True), ('credentials', self.headers.get('Authorization'), None)) if got != want]
        problems += [f'{name}: {self.headers.get(name)!r} and not {value!r}' for name, value in step.get('headers', {}).items()
                     if not name.startswith('Impersonate-') and self.headers.get(name) != value]
        return '; '.join(problems)

    def send_document(self, document):
        if document is None:
            return self.send(404, 'text/plain', [], b'404 page not found\n')
        return self.send(200, 'application/json', [], json.dumps(document).encode())

    def send(self, code, content_type, warnings, text):
        self.send_response(code)
        self.send_header('Content-Type', content_type)
        self.send_header('Content-Length', str(len(text)))
        for warning in warnings:
            self.send_header('Warning', warning)
        self.end_headers()
        self.wfile.write(text)


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def get_request(self):
        connection, address = super().get_request()
        return self.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address


class RecordedExtension:
    """Of one conversation and its group; `with` ends it. `reached` has the steps that came here."""

    def __init__(self, conversation, group, folder, address):
        self.conversation = copy.deepcopy(conversation)
        self.steps, self.reached = {}, set()
        for step in self.conversation['steps']:
            if urllib.parse.urlsplit(step['path']).path.startswith(f'/apis/{group}/'):
                self.steps[step['id']] = copy.deepcopy(step)
                step.setdefault('headers', {})[STEP] = step['id']
        self.documents = self.made_documents(group)
        make_authority(folder, 'extension-ca')
        make_certificate(folder, 'extension', 'extension-ca', 'recorded')
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(os.path.join(folder, 'extension.crt'), os.path.join(folder, 'extension.key'))
        self.listener = Listener((address, 0), Handler)
        self.listener.tls, self.listener.extension = tls, self
        self.settings = ['--set', f'extensionIP={address}', '--set', f'extensionPort={self.listener.server_address[1]}']
        threading.Thread(target=self.listener.serve_forever, kwargs={'poll_interval': 0.05}, daemon=True).start()

    def made_documents(self, group):
        """What the main server asks on its own: the recorded discovery, and OpenAPI for the versions in it."""
        documents, versions = {}, {}
        for step in self.conversation['steps']:
            if step['path'].startswith(f'/apis/{group}/') and 'body' in step.get('expect', {}) and step['path'].count('/') == 3:
                documents[step['path']] = filled(step['expect']['body'])
        for step in self.conversation['steps']:
            if step['path'].startswith('/openapi/v3/apis/'):
                documents[step['path']] = {**whole_body(step), 'paths': {}}
                versions[step['path'].removeprefix('/openapi/v3/')] = {'serverRelativeURL': step['path'] + '?hash=1'}
        documents['/openapi/v3'] = {'paths': versions}
        return documents

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()
