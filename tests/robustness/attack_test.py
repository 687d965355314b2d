"""What attackers tried, against the real binary: each attack ends in a clear answer, in bounded memory (an address space limit), while
another client is served. STRAKE_READY_MILLISECONDS makes the longest wait for /readyz a failure (`make soak`: 250); otherwise it is
only reported, since a slow machine must not fail a test."""
import concurrent.futures
import http.client
import os
import socket
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import server  # noqa: E402
from server import CRDS, WIDGETS, widget, widget_crd  # noqa: E402

MEMORY = 2 * 1024 ** 3
CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
READY_LIMIT = os.environ.get('STRAKE_READY_MILLISECONDS')


class Prober(threading.Thread):
    """Asks /readyz again and again on a connection of its own; remembers the longest wait and every failure."""

    def __init__(self, running):
        super().__init__(daemon=True)
        self.running = running
        self.done = threading.Event()
        self.longest = 0.0
        self.failures = []

    def run(self):
        connection = self.running.connect()
        while not self.done.wait(0.01):
            begin = time.monotonic()
            try:
                connection.request('GET', '/readyz')
                answer = connection.getresponse()
                if answer.read() != b'ok':
                    self.failures.append(answer.status)
            except (OSError, http.client.HTTPException) as failure:
                self.failures.append(repr(failure))
                connection.close()
                if self.running.process.poll() is not None:
                    return
            self.longest = max(self.longest, time.monotonic() - begin)
        connection.close()


class Attack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tokens = os.path.join(os.path.dirname(os.environ['STRAKE_BINARY']), 'attack_tokens.csv')
        with open(tokens, 'w') as file:
            file.write('plain-user-token,eve,7\n')
        cls.server = server.Server('--token-file', tokens, memory=MEMORY)
        cls.server.call('POST', CRDS, widget_crd())

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def setUp(self):
        self.prober = Prober(self.server)
        self.prober.start()

    def tearDown(self):
        self.prober.done.set()
        self.prober.join(60)
        self.assertIsNone(self.server.process.poll(), 'the server died: ' + self.server.text()[-2000:])
        self.assertEqual(self.prober.failures, [])
        if READY_LIMIT:
            self.assertLess(self.prober.longest * 1000, float(READY_LIMIT), '/readyz had to wait')

    def call(self, *args, **options):
        return self.server.call(*args, **options)

    def eve(self, method, path, body=None):
        """As an authenticated user without rights."""
        return self.call(method, path, body, {'Authorization': 'Bearer plain-user-token'}, credentials=False)

    # ---- Crashes and wrong writes

    def test_a_patch_cannot_take_the_type_from_a_built_in_object(self):
        self.call('POST', CONFIG_MAPS, {'metadata': {'name': 'typed'}, 'data': {'a': '1'}})
        path = CONFIG_MAPS + '/typed'
        undeterminable = 'the name of the object (typed based on URL) was undeterminable: name must be provided'
        unknown = 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'
        unregistered = 'no kind "Other" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"'
        merge, strategic, operations = ('application/merge-patch+json', 'application/strategic-merge-patch+json',
                                        'application/json-patch+json')
        for kind, patch, code, message in (
                (merge, {'apiVersion': None}, 400, undeterminable),
                (merge, {'apiVersion': ''}, 400, undeterminable),
                (operations, [{'op': 'remove', 'path': '/apiVersion'}], 400, undeterminable),
                (operations, [{'op': 'replace', 'path': '/apiVersion', 'value': ''}], 400, undeterminable),
                (merge, {'kind': 'Secret'}, 422, unknown),
                (operations, [{'op': 'replace', 'path': '/kind', 'value': 'Other'}], 422, unregistered),
                (merge, {'kind': 7}, 422, 'json: cannot unmarshal number into Go struct field .kind of type string'),
                (merge, {'kind': None}, 200, ''),
                (strategic, {'apiVersion': None}, 200, ''),
                (strategic, {'kind': 'Secret'}, 200, '')):
            with self.subTest(patch=patch, kind=kind):
                status, _, answer = self.call('PATCH', path, patch, {'Content-Type': kind})
                self.assertEqual(status, code, answer)
                self.assertIn(message, answer.get('message', ''))
                _, _, stored = self.call('GET', path)
                self.assertEqual((stored['apiVersion'], stored['kind'], stored['data']), ('v1', 'ConfigMap', {'a': '1'}))

    def test_names_of_verbs_are_no_methods(self):
        self.call('POST', CONFIG_MAPS, {'metadata': {'name': 'stays'}})
        for method in ('DELETECOLLECTION', 'LIST', 'WATCH', 'CREATE', 'get', 'delete', 'Patch', 'FROB'):
            for path in (CONFIG_MAPS, CONFIG_MAPS + '/stays', WIDGETS, '/readyz', '/version'):
                status, _, answer = self.call(method, path)
                self.assertEqual(status, 405, (method, path, answer))
        self.assertEqual(self.call('GET', CONFIG_MAPS + '/stays')[0], 200)
        self.assertEqual(self.call('OPTIONS', CONFIG_MAPS)[0], 405)

    def test_a_resource_named_like_a_review_of_oneself_is_closed_to_others(self):
        self.assertEqual(self.call('POST', CRDS, widget_crd('evil.dev', 'selfsubjectpets', 'SelfSubjectPet'))[0], 201)
        path = '/apis/evil.dev/v1/namespaces/default/selfsubjectpets'
        self.assertEqual(self.eve('POST', path, widget('pet', 'evil.dev', 'SelfSubjectPet'))[0], 403)
        self.assertEqual(self.eve('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews',
                                  {'apiVersion': 'authentication.k8s.io/v1', 'kind': 'SelfSubjectReview'})[0], 201)

    # ---- Memory

    def test_unauthenticated_bodies_and_headers_hold_little(self):
        host, port = self.server.address.split(':')
        before = self.server.resident()

        def half_a_request(number):
            context = self.server.context(credentials=False)
            connection = context.wrap_socket(socket.create_connection((host, int(port)), 60), server_hostname='localhost')
            if number % 2:
                connection.sendall(f'POST {CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n'.encode())
                try:
                    connection.sendall(b'a' * 2_900_000)
                except OSError:
                    pass  # refused before it was read
            else:
                try:
                    connection.sendall(b'GET / HTTP/1.1\r\nHost: x\r\nA: ' + b'a' * 900_000)
                except OSError:
                    pass
            return connection

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            open_ones = list(pool.map(half_a_request, range(200)))
        self.assertLess(self.server.resident() - before, 150 * 1024 ** 2)
        for one in open_ones:
            one.close()

    def test_a_definition_with_tens_of_thousands_of_names_stops_nobody(self):
        bad = widget_crd('bad.example.com', 'bads', 'Bad')
        bad['spec']['names']['shortNames'] = [f'n{i}' for i in range(30_000)]
        status, _, answer = self.call('POST', CRDS, bad)
        self.assertIn(status, (201, 413, 422), str(answer)[:300])
        self.assertEqual(self.call('POST', CRDS, widget_crd('good.example.com', 'goods', 'Good'))[0], 201)
        self.assertEqual(self.call('GET', '/apis/good.example.com/v1/namespaces/default/goods')[0], 200)


if __name__ == '__main__':
    unittest.main()
