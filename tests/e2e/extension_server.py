"""An extension API server for tests, written apart from Strake: standard library only.

It terminates TLS itself, takes users from the headers of a front proxy whose certificate it has verified, and serves a
group with two kinds: Gadgets (namespaced, with status and a subresource of their own) and Planets (cluster-wide). It keeps
what it was sent, and breaks on demand.

    with Extension(folder, proxy_ca='pki/front-proxy-ca.crt') as extension:
        extension.break_with(r'^/apis/ext.example.com/v1/planets', 'hang')

By hand: extension_server.py --proxy-ca pki/front-proxy-ca.crt [--fault REGEX=FAULT ...] [--port N] [--control-port N].
"""
import argparse
import datetime
import http.server
import json
import os
import re
import socket
import ssl
import sys
import threading
import urllib.parse
import uuid
import weakref

from extension_certificates import make_authority, make_certificate
from extension_documents import GADGETS, PLANETS, Documents, Kind, digest

GROUP = 'ext.example.com'
DISCOVERY_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
FAULTS = ('slow', 'hang', 'close', 'cut', 'cut-chunks', 'garbage', 'huge', 'wrong-length', 'redirect', 'error', 'unauthorized',
          'bad-json', 'deep-json', 'control-characters', 'foreign')


# --- what is served

def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


class Refused(Exception):
    def __init__(self, code, reason, message):
        super().__init__(message)
        self.status = {'kind': 'Status', 'apiVersion': 'v1', 'metadata': {}, 'status': 'Failure', 'message': message,
                       'reason': reason, 'code': code}


def merge(target, patch):
    if not isinstance(patch, dict):
        return patch
    out = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = merge(out.get(key), value)
    return out


class Store:
    """Objects and their history, for lists and for watches that begin at any resource version that is kept."""

    def __init__(self):
        self.changed = threading.Condition()
        self.revision = 100
        self.oldest = 100
        self.objects = {}
        self.history = []  # (revision, type, plural, object)

    def write(self, plural, key, object_or_none):
        """Under `changed`."""
        self.revision += 1
        before = self.objects.pop(key, None)
        if object_or_none is None:
            gone = json.loads(json.dumps(before))
            gone['metadata']['resourceVersion'] = str(self.revision)
            event = ('DELETED', gone)
        else:
            object_or_none['metadata']['resourceVersion'] = str(self.revision)
            self.objects[key] = object_or_none
            event = ('ADDED' if before is None else 'MODIFIED', object_or_none)
        self.history.append((self.revision, event[0], plural, event[1]))
        self.changed.notify_all()
        return event[1]

    def compact(self):
        with self.changed:
            self.history.clear()
            self.oldest = self.revision


def selected(query, namespace, thing):
    metadata = thing['metadata']
    if namespace and metadata.get('namespace') != namespace:
        return False
    for term in filter(None, query.get('fieldSelector', [''])[0].split(',')):
        name, _, want = term.partition('=')
        have = {'metadata.name': metadata['name'], 'metadata.namespace': metadata.get('namespace', '')}.get(name)
        if have != want.lstrip('='):
            return False
    for term in filter(None, query.get('labelSelector', [''])[0].split(',')):
        name, _, want = term.partition('=')
        if metadata.get('labels', {}).get(name) != want.lstrip('='):
            return False
    return True


COLUMNS = [{'name': 'Name', 'type': 'string', 'format': 'name', 'description': '', 'priority': 0},
           {'name': 'Size', 'type': 'integer', 'format': '', 'description': '', 'priority': 0},
           {'name': 'Phase', 'type': 'string', 'format': '', 'description': '', 'priority': 0}]


def table(things, revision, with_columns=True):
    out = {'kind': 'Table', 'apiVersion': 'meta.k8s.io/v1', 'metadata': {'resourceVersion': str(revision)},
           'columnDefinitions': COLUMNS if with_columns else [], 'rows': []}
    for thing in things:
        out['rows'].append({
            'cells': [thing['metadata']['name'], thing.get('spec', {}).get('size', 0), thing.get('status', {}).get('phase', '')],
            'object': {'kind': 'PartialObjectMetadata', 'apiVersion': 'meta.k8s.io/v1', 'metadata': thing['metadata']}})
    return out


# --- one connection

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    wbufsize = 65536

    def log_message(self, *args):
        pass

    def handle(self):
        try:
            super().handle()
        except (OSError, ssl.SSLError):
            pass  # the other side is gone, or had no certificate that passes

    @property
    def extension(self):
        return self.server.extension

    def do(self):
        url = urllib.parse.urlsplit(self.path)
        self.url_path = url.path
        self.query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        self.body = self.read_body()
        self.user = None
        common_name = self.proxy_name()
        seen = {'method': self.command, 'path': self.path, 'headers': self.headers.items(), 'proxy': common_name, 'body': self.body}
        self.extension.record(seen)
        try:
            if common_name in self.extension.allowed_names and self.headers.get('X-Remote-User'):
                self.user = {'name': self.headers['X-Remote-User'], 'groups': self.headers.get_all('X-Remote-Group') or [],
                             'uid': self.headers.get('X-Remote-Uid', '')}
            if self.user is None:
                raise Refused(401, 'Unauthorized', 'Unauthorized')
            fault = self.extension.fault_for(self.path)
            if fault and self.misbehave(*fault):
                return
            self.answer()
        except Refused as refused:
            self.send(refused.status['code'], refused.status)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do

    def read_body(self):
        if 'chunked' in self.headers.get('Transfer-Encoding', ''):
            out = b''
            while (size := int(self.rfile.readline().split(b';')[0], 16)):
                out += self.rfile.read(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return out
        return self.rfile.read(int(self.headers.get('Content-Length', 0)))

    def proxy_name(self):
        certificate = self.connection.getpeercert() or {}
        names = [value for rdn in certificate.get('subject', ()) for key, value in rdn if key == 'commonName']
        return names[0] if names else None

    def send(self, code, document, content_type='application/json', etag=None):
        text = document if isinstance(document, bytes) else json.dumps(document).encode()
        if etag and self.headers.get('If-None-Match') == etag:
            code, text = 304, b''
        self.send_response(code)
        self.send_header('Content-Type', content_type)
        if etag:
            self.send_header('ETag', etag)
        if code != 304:
            self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(text)
        self.wfile.flush()

    def send_document(self, document, content_type='application/json'):
        self.send(200, document, content_type, etag=f'"{digest(document)}"')

    # --- faults

    def misbehave(self, fault, argument):
        """True when that was the answer."""
        self.close_connection = True
        if fault == 'slow':
            self.extension.released.wait(float(argument or 3))
            self.close_connection = False
            return False
        if fault == 'hang':
            self.extension.released.wait()
        elif fault == 'garbage':
            self.wfile.write(b'\x00\xffthis is not HTTP\r\n\r\n' * 100)
        elif fault == 'cut':
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"kind":"')
        elif fault == 'cut-chunks':
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"kind":"\r\n')
        elif fault == 'huge':
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10000000001\r\n\r\n"')
            piece = b'x' * (1 << 20)
            for _ in range(10_000_000_000 // len(piece)):
                self.wfile.write(piece)
                self.extension.sent_bytes += len(piece)
        elif fault == 'wrong-length':
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n{"a":1}')
        elif fault == 'redirect':
            self.wfile.write(f'HTTP/1.1 302 Found\r\nLocation: {argument}\r\nContent-Length: 0\r\n\r\n'.encode())
        elif fault == 'error':
            self.wfile.write(b'HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\noops\n')
        elif fault == 'unauthorized':
            raise Refused(401, 'Unauthorized', 'Unauthorized')
        elif fault == 'bad-json':
            self.send(200, b'{"kind": nonsense')
        elif fault == 'deep-json':
            self.send(200, b'[' * 500_000 + b']' * 500_000)
        elif fault == 'control-characters':
            self.send_document(json.loads(json.dumps(self.extension.documents.aggregated()).replace('gadgets', 'gad\\u001b[31mgets')))
        elif fault == 'foreign':
            foreign = Documents('coordination.k8s.io', {'v1': [Kind('leases', 'Evil', True, ['po'])]}).aggregated()
            mine = self.extension.documents.aggregated()
            mine['items'] = foreign['items'] + mine['items'] + mine['items']
            self.send_document(mine, DISCOVERY_TYPE)
        self.wfile.flush()
        return True

    # --- answers

    def answer(self):
        documents = self.extension.documents
        path = self.url_path.rstrip('/')
        accept = self.headers.get('Accept', '')
        if path == '/apis':
            if 'APIGroupDiscoveryList' in accept:
                if self.extension.aggregated_discovery:
                    return self.send_document(documents.aggregated(), DISCOVERY_TYPE)
                raise Refused(406, 'NotAcceptable', 'only application/json')
            return self.send_document(documents.group_list())
        if path == f'/apis/{documents.group}':
            return self.send_document(documents.group_document())
        if path == '/openapi/v2' and self.extension.openapi_v2:
            return self.send_document(documents.openapi_v2())
        if path == '/openapi/v3' and self.extension.openapi_v3:
            return self.send_document(documents.openapi_v3_index())
        for version in documents.versions:
            if path == f'/apis/{documents.group}/{version}':
                return self.send_document(documents.resource_list(version))
            if path == f'/openapi/v3/apis/{documents.group}/{version}':
                return self.send_document(documents.openapi_v3(version))
        match = re.fullmatch(r'/apis/([^/]+)/([^/]+)(?:/namespaces/([^/]+))?/([^/]+)(?:/([^/]+))?(?:/([^/]+))?', path)
        if match and match[1] == documents.group and match[2] in documents.versions:
            for kind in documents.versions[match[2]]:
                if kind.plural == match[4]:
                    return self.resource(kind, match[2], match[3], match[5], match[6])
        raise Refused(404, 'NotFound', 'the server could not find the requested resource')

    def resource(self, kind, version, namespace, name, subresource):
        if (self.user['name'], self.command) in self.extension.forbidden:
            raise Refused(403, 'Forbidden', f'{kind.plural}.{self.extension.documents.group} is forbidden: '
                          f'User "{self.user["name"]}" may not {self.command} here')
        if subresource and subresource not in kind.subresources:
            raise Refused(404, 'NotFound', 'the server could not find the requested resource')
        if name is None and self.command in ('GET', 'HEAD'):
            if self.query.get('watch', [''])[0] in ('1', 'true'):
                return self.watch(kind, version, namespace)
            return self.list(kind, version, namespace)
        if name is None and self.command == 'POST':
            return self.create(kind, version, namespace)
        return self.one(kind, version, namespace, name, subresource)

    def in_version(self, thing, kind, version):
        return {**thing, 'apiVersion': f'{self.extension.documents.group}/{version}', 'kind': kind.kind}

    def wants_table(self):
        return 'as=Table' in self.headers.get('Accept', '')

    def list(self, kind, version, namespace):
        store = self.extension.store
        with store.changed:
            revision = store.revision
            things = [self.in_version(thing, kind, version) for key, thing in sorted(store.objects.items())
                      if key[0] == kind.plural and selected(self.query, namespace, thing)]
        if self.wants_table():
            return self.send(200, table(things, revision))
        return self.send(200, {'kind': kind.kind + 'List', 'apiVersion': f'{self.extension.documents.group}/{version}',
                               'metadata': {'resourceVersion': str(revision)}, 'items': things})

    def watch(self, kind, version, namespace):
        store = self.extension.store
        begin = self.query.get('resourceVersion', [''])[0]
        bookmarks = self.query.get('allowWatchBookmarks', [''])[0] == 'true'
        ends = datetime.datetime.now() + datetime.timedelta(seconds=int(self.query.get('timeoutSeconds', ['300'])[0]))
        initial = self.query.get('sendInitialEvents', [''])[0] == 'true'
        with store.changed:
            at = int(begin) if begin not in ('', '0') else store.revision
            if begin not in ('', '0') and at < store.oldest:
                raise Refused(410, 'Expired', f'too old resource version: {at} ({store.oldest})')
            first = []
            if begin in ('', '0') or initial:
                first = [('ADDED', thing) for key, thing in sorted(store.objects.items()) if key[0] == kind.plural]
                at = store.revision
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Transfer-Encoding', 'chunked')
        self.end_headers()
        with_columns = [True]

        def send(event_type, thing, revision):
            shown = self.in_version(thing, kind, version)
            if self.wants_table():
                shown = table([shown], revision, with_columns[0])
                with_columns[0] = False
            line = json.dumps({'type': event_type, 'object': shown}).encode() + b'\n'
            self.wfile.write(b'%x\r\n%s\r\n' % (len(line), line))

        def bookmark(revision, annotations=None):
            metadata = {'resourceVersion': str(revision), 'creationTimestamp': None}
            if annotations:
                metadata['annotations'] = annotations
            send('BOOKMARK', {'metadata': metadata}, revision)

        for event_type, thing in first:
            if selected(self.query, namespace, thing):
                send(event_type, thing, at)
        if bookmarks:
            bookmark(at, {'k8s.io/initial-events-end': 'true'} if initial else None)
        self.wfile.flush()
        while (left := (ends - datetime.datetime.now()).total_seconds()) > 0 and not self.extension.stopping:
            with store.changed:
                news = [event for event in store.history if event[0] > at]
                if not news:
                    store.changed.wait(left)
                    continue
            for revision, event_type, plural, thing in news:
                at = revision
                if plural == kind.plural and selected(self.query, namespace, thing):
                    send(event_type, thing, revision)
            self.wfile.flush()
        if bookmarks:
            bookmark(at)
        self.wfile.write(b'0\r\n\r\n')
        self.wfile.flush()

    def decoded(self):
        try:
            out = json.loads(self.body)
        except ValueError as error:
            raise Refused(400, 'BadRequest', f'the body is no JSON: {error}')
        if not isinstance(out, dict):
            raise Refused(400, 'BadRequest', 'the body is no object')
        return out

    def create(self, kind, version, namespace):
        thing = self.decoded()
        if thing.get('kind') != kind.kind:
            raise Refused(400, 'BadRequest', f'no kind {thing.get("kind")} here')
        metadata = thing.setdefault('metadata', {})
        if 'name' not in metadata:
            if 'generateName' not in metadata:
                raise Refused(422, 'Invalid', 'metadata.name: Required value')
            metadata['name'] = metadata['generateName'] + uuid.uuid4().hex[:5]
        if namespace:
            metadata['namespace'] = namespace
        metadata.update(uid=str(uuid.uuid4()), creationTimestamp=now())
        thing['status'] = {'phase': 'New'}
        key = (kind.plural, namespace or '', metadata['name'])
        store = self.extension.store
        with store.changed:
            if key in store.objects:
                raise Refused(409, 'AlreadyExists', f'{kind.plural}.{self.extension.documents.group} "{key[2]}" already exists')
            if 'All' not in self.query.get('dryRun', []):
                thing = store.write(kind.plural, key, thing)
        self.send(201, self.in_version(thing, kind, version))

    def one(self, kind, version, namespace, name, subresource):
        key = (kind.plural, namespace or '', name)
        store = self.extension.store
        with store.changed:
            before = store.objects.get(key)
            if before is None:
                raise Refused(404, 'NotFound', f'{kind.plural}.{self.extension.documents.group} "{name}" not found')
            if self.command in ('GET', 'HEAD'):
                shown = self.in_version(before, kind, version)
                return self.send(200, table([shown], before['metadata']['resourceVersion']) if self.wants_table() else shown)
            if self.command == 'DELETE':
                store.write(kind.plural, key, None)
                return self.send(200, {'kind': 'Status', 'apiVersion': 'v1', 'metadata': {}, 'status': 'Success',
                                       'details': {'name': name, 'group': self.extension.documents.group, 'kind': kind.plural,
                                                   'uid': before['metadata']['uid']}})
            if subresource == 'polish' and self.command == 'POST':
                after = merge(before, {'status': {'phase': 'Polished'}})
            elif self.command == 'PATCH':
                if self.headers.get('Content-Type') not in ('application/merge-patch+json', 'application/apply-patch+yaml'):
                    raise Refused(415, 'UnsupportedMediaType', 'merge patches only')
                after = merge(before, self.decoded())
            elif self.command == 'PUT':
                after = self.decoded()
                sent = after.get('metadata', {}).get('resourceVersion')
                if sent and sent != before['metadata']['resourceVersion']:
                    raise Refused(409, 'Conflict', 'the object has been modified; please apply your changes to the latest version')
            else:
                raise Refused(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')
            if subresource == 'status':
                after = {**before, 'status': after.get('status', {})}
            elif subresource != 'polish':
                after = {**after, 'status': before.get('status', {})}
            for field in ('name', 'namespace', 'uid', 'creationTimestamp'):
                if field in before['metadata']:
                    after['metadata'] = {**after['metadata'], field: before['metadata'][field]}
            self.send(200, self.in_version(store.write(kind.plural, key, after), kind, version))


# --- the server

class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        pass

    def get_request(self):
        connection, address = super().get_request()
        # The handshake happens in the connection's own thread: whoever is slow at it delays nobody.
        connection = self.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        self.connections.add(connection)
        return connection, address

    def hang_up(self):
        """Ends the connections that are open: who has gone answers on none."""
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended by itself


class Extension:
    """Listens from the beginning; `with` ends it. Certificates are made in the folder; `proxy_ca` is whom proxies must be signed by."""

    def __init__(self, folder, proxy_ca, service='extension', namespace='default', group=GROUP, versions=None, port=0,
                 allowed_names=('front-proxy-client',), certificate_names=None, days=2):
        self.documents = Documents(group, versions or {'v1': [GADGETS, PLANETS], 'v1alpha1': [PLANETS]})
        self.store = Store()
        self.allowed_names = set(allowed_names)
        self.forbidden = set()  # (user, method)
        self.aggregated_discovery = self.openapi_v2 = self.openapi_v3 = True
        self.released = threading.Event()
        self.stopping = False
        self.sent_bytes = 0
        self.faults = []
        self.requests = []
        self.news = threading.Condition()
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        make_authority(folder, 'extension-ca')
        names = certificate_names or [f'{service}.{namespace}.svc']
        make_certificate(folder, 'extension', 'extension-ca', names[0], dns_names=names, days=days)
        with open(self.authority) as file:
            self.authority_pem = file.read()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(os.path.join(folder, 'extension.crt'), os.path.join(folder, 'extension.key'))
        tls.load_verify_locations(cafile=proxy_ca)
        tls.verify_mode = ssl.CERT_OPTIONAL
        self.tls = tls
        self.port = port
        self.listener = None
        self.start()

    def start(self):
        """On the same port as before."""
        self.stopping = False
        self.listener = Listener(('127.0.0.1', self.port), Handler)
        self.listener.tls = self.tls
        self.listener.connections = weakref.WeakSet()
        self.listener.extension = self
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, kwargs={'poll_interval': 0.05}, daemon=True).start()

    def stop(self):
        self.stopping = True
        self.released.set()
        with self.store.changed:
            self.store.changed.notify_all()
        self.listener.shutdown()
        self.listener.server_close()
        self.listener.hang_up()

    @property
    def authority(self):
        return os.path.join(self.folder, 'extension-ca.crt')

    def break_with(self, pattern, fault, argument=None):
        assert fault in FAULTS, fault
        self.released.clear()
        self.faults.append((re.compile(pattern), fault, argument))

    def mend(self):
        self.faults.clear()
        self.released.set()

    def fault_for(self, path):
        for pattern, fault, argument in list(self.faults):
            if pattern.search(path):
                return fault, argument
        return None

    def record(self, seen):
        with self.news:
            self.requests.append(seen)
            del self.requests[:-10_000]
            self.news.notify_all()

    def forget(self):
        with self.news:
            self.requests.clear()

    def asked(self, path_part, method='GET'):
        """What was asked of such a path so far."""
        with self.news:
            return [one for one in self.requests if path_part in one['path'] and one['method'] == method]

    def wait_for(self, path_part, method='GET', timeout=60):
        with self.news:
            found = self.news.wait_for(lambda: [one for one in self.requests if path_part in one['path'] and one['method'] == method],
                                       timeout)
        assert found, f'nobody asked {method} {path_part}'
        return found

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.stop()


class Control(http.server.BaseHTTPRequestHandler):
    """PUT /faults with [["REGEX", "FAULT", ARGUMENT], ...] replaces all faults; GET /requests tells what was sent."""

    def log_message(self, *args):
        pass

    def do_PUT(self):
        faults = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        self.server.extension.mend()
        for fault in faults:
            self.server.extension.break_with(*fault)
        self.reply([])

    def do_GET(self):
        self.reply([{**one, 'body': one['body'].decode(errors='replace')} for one in self.server.extension.requests])

    def reply(self, document):
        text = json.dumps(document).encode()
        self.send_response(200)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def main():
    parser = argparse.ArgumentParser(description='An extension API server for tests.')
    parser.add_argument('--folder', default='.', help='where certificates are made')
    parser.add_argument('--proxy-ca', required=True, help='who signs the certificates of front proxies')
    parser.add_argument('--allowed-name', action='append', help='common names of front proxies (default front-proxy-client)')
    parser.add_argument('--service', default='extension')
    parser.add_argument('--port', type=int, default=0)
    parser.add_argument('--control-port', type=int, default=0)
    parser.add_argument('--fault', action='append', default=[], metavar='REGEX=FAULT', help='one of ' + ', '.join(FAULTS))
    parser.add_argument('--legacy-discovery', action='store_true')
    args = parser.parse_args()
    extension = Extension(args.folder, args.proxy_ca, service=args.service, port=args.port,
                          allowed_names=args.allowed_name or ('front-proxy-client',))
    extension.aggregated_discovery = not args.legacy_discovery
    for fault in args.fault:
        extension.break_with(*fault.rsplit('=', 1))
    control = http.server.ThreadingHTTPServer(('127.0.0.1', args.control_port), Control)
    control.extension = extension
    print(f'https://127.0.0.1:{extension.port} http://127.0.0.1:{control.server_address[1]}', flush=True)
    try:
        control.serve_forever()
    except KeyboardInterrupt:
        extension.stop()


if __name__ == '__main__':
    sys.exit(main())
