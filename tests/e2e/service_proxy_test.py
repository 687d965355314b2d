"""services/proxy: requests go on to a service on this machine, reached at an address that is not its loopback."""
import socket
import socketserver
import threading
import unittest

import server
import strake

SERVICES = '/api/v1/namespaces/default/services'
SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'


def own_address():
    """An IPv4 address of this machine that is neither loopback nor link-local; none where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(('192.0.2.1', 9))  # sends nothing
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith(('127.', '169.254.', '0.')) else address


ADDRESS = own_address()


class Web(socketserver.ThreadingTCPServer):
    """Answers with what it was sent; /stream answers bit by bit, and an upgrade is an echo."""
    allow_reuse_address = True
    daemon_threads = True

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            line = self.rfile.readline().decode()
            headers = {}
            while (header := self.rfile.readline().decode().strip()):
                name, _, text = header.partition(':')
                headers[name.lower()] = text.strip()
            self.server.headers = headers
            if headers.get('upgrade') == 'echo':
                self.wfile.write(b'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
                while (data := self.connection.recv(65536)):
                    self.wfile.write(data.upper())
                return
            if ' /stream' in line:
                self.wfile.write(b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
                self.server.streaming.set()
                self.wfile.write(b'first\n')
                self.server.go_on.wait(strake.DEADLINE)
                self.wfile.write(b'second\n')
                return
            size = 0
            if headers.get('transfer-encoding') == 'chunked':
                while (chunk := int(self.rfile.readline(), 16)):
                    size += len(self.rfile.read(chunk))
                    self.rfile.readline()
                self.rfile.readline()
            else:
                size = len(self.rfile.read(int(headers.get('content-length', 0))))
            text = f'{line.strip()} {size} {"authorization" in headers}'.encode()
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n' % len(text) + text)

    def __init__(self):
        super().__init__((ADDRESS, 0), self.Handler)
        self.streaming = threading.Event()
        self.go_on = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]


@unittest.skipUnless(ADDRESS, 'this machine has no address but its loopback')
class Proxy(unittest.TestCase):
    def setUp(self):
        self.web = Web()
        self.addCleanup(self.web.server_close)
        self.addCleanup(self.web.shutdown)
        self.running = server.Server('--in-memory')
        self.addCleanup(self.running.__exit__)
        self.assertEqual(self.running.call('POST', SERVICES, {'metadata': {'name': 'web'}, 'spec': {'ports': [{'port': 80}]}})[0], 201)
        slice_of = {'metadata': {'name': 'web-1', 'labels': {'kubernetes.io/service-name': 'web'}}, 'addressType': 'IPv4',
                    'endpoints': [{'addresses': [ADDRESS]}], 'ports': [{'port': self.web.port}]}
        self.assertEqual(self.running.call('POST', SLICES, slice_of)[0], 201)

    def test_bodies_pass_whatever_their_size(self):
        path = SERVICES + '/web:80/proxy/a%20b?c=d'
        self.assertEqual(self.running.call('GET', path)[2], 'GET /a%20b?c=d HTTP/1.1 0 False')
        size = 20_000_000  # more than the server takes of an object
        code, _, text = self.running.call('PUT', path, b'x' * size)
        self.assertEqual((code, text), (200, f'PUT /a%20b?c=d HTTP/1.1 {size} False'))

    def test_an_answer_comes_as_it_is_made(self):
        connection = self.running.connect()
        connection.request('GET', SERVICES + '/web/proxy/stream')
        answer = connection.getresponse()
        self.assertEqual(answer.readline(), b'first\n')
        self.assertTrue(self.web.streaming.is_set())
        self.web.go_on.set()
        self.assertEqual(answer.readline(), b'second\n')
        connection.close()

    def test_a_connection_changes_its_protocol(self):
        raw = self.running.context().wrap_socket(
            socket.create_connection(self.running.address.rsplit(':', 1), timeout=strake.DEADLINE), server_hostname='127.0.0.1')
        self.addCleanup(raw.close)
        raw.sendall(f'GET {SERVICES}/web/proxy/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n'.encode())
        head = b''
        while not head.endswith(b'\r\n\r\n'):
            head += raw.recv(1)
        self.assertTrue(head.startswith(b'HTTP/1.1 101 '), head)
        for word in (b'hello', b'again'):
            raw.sendall(word)
            self.assertEqual(raw.recv(100), word.upper())

    def test_a_request_without_a_body_is_sent_without_one(self):
        for method in ('GET', 'DELETE', 'POST'):
            connection = self.running.connect()
            connection.putrequest(method, SERVICES + '/web/proxy/a')
            connection.endheaders()
            self.assertEqual(connection.getresponse().read().decode(), f'{method} /a HTTP/1.1 0 False')
            self.assertNotIn('transfer-encoding', self.web.headers)
            connection.close()


class Ranges(unittest.TestCase):
    def test_addresses_come_from_the_ranges_that_were_given(self):
        with server.Server('--in-memory', '--service-cluster-ip-range', '10.96.0.0/12,fd00:1::/112', '--service-node-port-range', '31000-31001') as running:
            spec = {'type': 'NodePort', 'ipFamilyPolicy': 'RequireDualStack', 'ports': [{'port': 80}]}
            _, _, made = running.call('POST', SERVICES, {'metadata': {'name': 'a'}, 'spec': spec})
            self.assertEqual(made['spec']['clusterIPs'], ['10.96.1.1', 'fd00:1::101'])
            self.assertEqual(made['spec']['ports'][0]['nodePort'], 31000)
            running.call('POST', SERVICES, {'metadata': {'name': 'b'}, 'spec': spec})
            code, _, refused = running.call('POST', SERVICES, {'metadata': {'name': 'c'}, 'spec': spec})
            self.assertEqual((code, refused['message']), (500, 'Internal error occurred: failed to allocate a nodePort: range is full'))


if __name__ == '__main__':
    unittest.main()
