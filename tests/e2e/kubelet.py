"""A kubelet that runs nothing: it answers on /containerLogs, /exec, /attach and /portForward as a virtual one does in tests."""
import base64
import hashlib
import json
import socket
import socketserver
import ssl
import struct
import threading
import urllib.parse

import spdy
import strake

SPDY_PROTOCOL = 'v4.channel.k8s.io'


def websocket_accept(key):
    return base64.b64encode(hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()).decode()


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            self.answer()
        except OSError:
            pass

    def answer(self):
        self.request.do_handshake()
        line = self.rfile.readline().decode().split()
        if not line:
            return
        self.headers = {}
        while (header := self.rfile.readline().decode().strip()):
            name, _, text = header.partition(':')
            self.headers.setdefault(name.lower(), []).append(text.strip())
        kubelet = self.server
        url = urllib.parse.urlsplit(line[1])
        self.query = urllib.parse.parse_qs(url.query)
        kubelet.seen.append((line[0], line[1], self.headers, self.request.getpeercert()))
        kind = url.path.split('/')[1]
        if kubelet.refuses:
            self.respond(*kubelet.refuses)
        elif kind == 'containerLogs':
            self.logs()
        elif self.headers.get('upgrade', [''])[0].lower() == 'websocket':
            self.websocket()
        elif kind in ('exec', 'attach'):
            self.run_command(self.open_spdy(SPDY_PROTOCOL), self.query.get('command', ['cat']))
        elif kind == 'portForward':
            self.forward(self.open_spdy('portforward.k8s.io'))
        else:
            self.respond('404 Not Found', 'nothing here')

    def respond(self, status, text, more=''):
        self.wfile.write(f'HTTP/1.1 {status}\r\nContent-Length: {len(text)}\r\nConnection: close\r\n{more}\r\n{text}'.encode())

    def logs(self):
        self.wfile.write(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')

        def write(text):
            self.wfile.write(b'%x\r\n%s\r\n' % (len(text), text))
        write(b'first\n')
        if 'follow' in self.query:
            self.request.settimeout(0.05)
            while not self.server.go_on.is_set():
                try:
                    if not self.request.recv(1):
                        self.server.left.set()
                        return
                except TimeoutError:
                    pass
            write(b'second\n')
        if self.server.breaks_off:
            return
        self.wfile.write(b'0\r\n\r\n')

    def open_spdy(self, protocol):
        offered = self.headers.get('x-stream-protocol-version', [])
        offered = [one.strip() for header in offered for one in header.split(',')]
        if protocol not in offered:
            self.respond('403 Forbidden', f'unable to upgrade: none of {offered} is spoken here')
            raise ConnectionError(protocol)
        self.wfile.write((f'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n'
                          f'X-Stream-Protocol-Version: {protocol}\r\n\r\n').encode())
        return spdy.Connection(self.request)

    def run_command(self, connection, command):
        wanted = {'error'} | {name for name, flag in (('stdin', 'input'), ('stdout', 'output'), ('stderr', 'error'))
                              if flag in self.query and not (name == 'stderr' and 'tty' in self.query)}
        streams = connection.wait_for_streams(wanted | ({'resize'} if 'tty' in self.query else set()))
        code = 0
        if command[0] == 'cat':
            while 'stdin' in streams and (data := streams['stdin'].read()):
                streams['stdout'].write(data)
        elif command[0] == 'fail':
            streams['stderr'].write(b'it failed\n')
            code = int(command[1])
        elif command[0] == 'die':
            streams['stdout'].write(b'so far\n')
            self.request.shutdown(socket.SHUT_RDWR)
            return
        elif command[0] == 'size':
            streams['stdout'].write(streams['resize'].read())
        elif command[0] == 'wait':
            streams['stdout'].write(b'waiting\n')
            with connection.changed:
                connection.changed.wait_for(lambda: connection.closed)
            self.server.left.set()
            return
        else:
            streams['stdout'].write((' '.join(command) + '\n').encode())
        for name in wanted - {'error', 'stdin'}:
            streams[name].close()
        status = {'metadata': {}, 'status': 'Success'} if code == 0 else {
            'metadata': {}, 'status': 'Failure', 'reason': 'NonZeroExitCode',
            'message': f'command terminated with non-zero exit code: exit status {code}',
            'details': {'causes': [{'reason': 'ExitCode', 'message': str(code)}]}}
        streams['error'].write(json.dumps(status).encode(), end=True)
        # The other side hangs up.
        with connection.changed:
            connection.changed.wait_for(lambda: connection.closed, strake.DEADLINE)

    def forward(self, connection):
        """Every port answers in capitals."""
        served = set()
        while not connection.closed:
            with connection.changed:
                connection.changed.wait_for(lambda: connection.closed or set(connection.streams) - served)
                fresh = [connection.streams[number] for number in set(connection.streams) - served]
            for stream in fresh:
                served.add(stream.number)
                if stream.headers['streamtype'] == 'error':
                    stream.close()
                else:
                    threading.Thread(target=self.shout, args=[stream], daemon=True).start()

    @staticmethod
    def shout(stream):
        try:
            while (data := stream.read()):
                stream.write(stream.headers['port'].encode() + b' ' + data.upper())
            stream.close()
        except OSError:
            pass  # the client is gone

    def websocket(self):
        """An echo of the messages of whoever speaks an old version, or any where the node says that its kubelet knows them."""
        offered = [one.strip() for one in self.headers['sec-websocket-protocol'][0].split(',')]
        self.wfile.write(('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
                          f'Sec-WebSocket-Accept: {websocket_accept(self.headers["sec-websocket-key"][0])}\r\n'
                          f'Sec-WebSocket-Protocol: {offered[0]}\r\n\r\n').encode())
        while (data := self.request.recv(65536)):
            self.wfile.write(data)


class Kubelet(socketserver.ThreadingTCPServer):
    """Listens on loopback; shows a certificate, and asks for one of `client_ca`."""
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, certificate, key, client_ca):
        super().__init__(('127.0.0.1', 0), Handler)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.context.load_verify_locations(client_ca)
        self.context.verify_mode = ssl.CERT_REQUIRED
        self.seen = []  # (method, target, headers, certificate) of each request
        self.go_on = threading.Event()
        self.left = threading.Event()
        self.breaks_off = False
        self.refuses = None  # (status, text, further header lines)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        raw, address = super().get_request()
        return self.context.wrap_socket(raw, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, request, address):
        pass

    @property
    def port(self):
        return self.server_address[1]

    def stop(self):
        self.go_on.set()
        self.shutdown()
        self.server_close()


class WebSocket:
    """A client of WebSocket, on a connection of its own."""

    def __init__(self, running, path, protocol):
        self.raw = running.context().wrap_socket(
            socket.create_connection(running.address.rsplit(':', 1), timeout=strake.DEADLINE), server_hostname='127.0.0.1')
        self.raw.sendall((f'GET {path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
                          f'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: {protocol}\r\n\r\n').encode())
        self.file = self.raw.makefile('rb')
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while (header := self.file.readline().decode().strip()):
            name, _, text = header.partition(':')
            self.headers[name.lower()] = text.strip()

    def send(self, data, opcode=2):
        mask = b'\x11\x22\x33\x44'
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b'\xfe' + struct.pack('>H', len(data))
        self.raw.sendall(bytes([0x80 | opcode]) + size + mask + bytes(c ^ mask[i % 4] for i, c in enumerate(data)))

    def receive(self):
        """(opcode, data) of the next message."""
        first, size = self.file.read(2)
        if size & 0x7f == 126:
            size = int.from_bytes(self.file.read(2), 'big')
        elif size & 0x7f == 127:
            size = int.from_bytes(self.file.read(8), 'big')
        return first & 0xf, self.file.read(size)

    def close(self):
        self.file.close()
        self.raw.close()
