"""What attackers tried, against the real binary: each attack ends in a clear answer, in bounded memory (an address space limit), while
another client is served. STRAKE_READY_MILLISECONDS makes the longest wait for /readyz a failure (`make soak`: 250); otherwise it is
only reported, since a slow machine must not fail a test."""
import concurrent.futures
import http.client
import multiprocessing
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import server  # noqa: E402
import strake  # noqa: E402
from server import CRDS, WIDGETS, widget, widget_crd  # noqa: E402

MEMORY = 2 * 1024 ** 3
CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
READY_LIMIT = os.environ.get('STRAKE_READY_MILLISECONDS')
http.client._MAXHEADERS = 1000  # warnings are headers, and Python takes a hundred


class Prober:
    """Asks /readyz again and again; remembers the longest wait and every failure. It is a process of its own: what the attacker
    does with an answer, such as parsing one of many megabytes, would stop a thread beside it."""

    def __init__(self, running):
        self.longest = 0.0
        self.failures = []
        self.pipe, other_end = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=self.ask, args=(running, other_end), daemon=True)
        self.process.start()
        other_end.close()

    def ask(self, running, pipe):
        connection = running.connect()
        while not pipe.poll(0.01):
            begin = time.monotonic()
            try:
                connection.request('GET', '/readyz')
                answer = connection.getresponse()
                if answer.read() != b'ok':
                    self.failures.append(answer.status)
            except (OSError, http.client.HTTPException) as failure:
                self.failures.append(repr(failure))
                connection.close()
                time.sleep(0.01)
            self.longest = max(self.longest, time.monotonic() - begin)
        connection.close()
        pipe.send((self.longest, self.failures[:10]))

    def stop(self):
        self.pipe.send('stop')
        self.longest, self.failures = self.pipe.recv()
        self.process.join()


class Attack(unittest.TestCase):
    longest = (0.0, '')  # wait for /readyz, and during which attack

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
        print(f'the longest wait for /readyz: {cls.longest[0] * 1000:.0f} ms, {cls.longest[1]}', file=sys.stderr)

    def setUp(self):
        self.prober = Prober(self.server)

    def tearDown(self):
        self.prober.stop()
        self.assertIsNone(self.server.process.poll(), 'the server died: ' + self.server.text()[-2000:])
        self.assertEqual(self.prober.failures, [])
        Attack.longest = max(Attack.longest, (self.prober.longest, self.id().split('.')[-1]))
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
        for method in ('DELETE', 'POST', 'PUT', 'PATCH'):
            for path in (CONFIG_MAPS, CONFIG_MAPS + '/stays'):
                status, _, answer = self.call(method, path.replace('/v1/', '/v1/watch/'), {'metadata': {'name': 'stays'}})
                self.assertEqual(status, 405, (method, path, answer))
        self.assertEqual(self.call('GET', CONFIG_MAPS + '/stays')[0], 200)
        self.assertEqual(self.call('OPTIONS', CONFIG_MAPS)[0], 405)

    def test_a_resource_named_like_a_review_of_oneself_is_closed_to_others(self):
        self.assertEqual(self.call('POST', CRDS, widget_crd('evil.dev', 'selfsubjectpets', 'SelfSubjectPet'))[0], 201)
        path = '/apis/evil.dev/v1/namespaces/default/selfsubjectpets'
        self.assertEqual(self.eve('POST', path, widget('pet', 'evil.dev', 'SelfSubjectPet'))[0], 403)
        self.assertEqual(self.eve('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews',
                                  {'apiVersion': 'authentication.k8s.io/v1', 'kind': 'SelfSubjectReview'})[0], 201)

    # ---- Time

    def test_thousands_of_faults_are_told_in_a_bounded_answer(self):
        lists = widget_crd('lists.example.com', 'lists', 'List', {
            'type': 'object', 'properties': {'spec': {'type': 'object', 'properties': {
                'numbers': {'type': 'array', 'items': {'type': 'integer'}}}}}})
        self.assertEqual(self.call('POST', CRDS, lists)[0], 201)
        path = '/apis/lists.example.com/v1/namespaces/default/lists'
        review = {'apiVersion': 'authorization.k8s.io/v1', 'kind': 'SelfSubjectAccessReview', 'spec': {'resourceAttributes': {
            'verb': 'list', 'resource': 'pods', 'fieldSelector': {'requirements': [{}] * 80_000}}}}

        def owners(count, **more):
            return {'metadata': {'name': 'owned', 'ownerReferences': [
                {'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': f'o{i}', 'uid': f'u{i}', **more} for i in range(count)]}}

        for name, ask, codes in (
                ('80,000 empty requirements of a plain user',
                 lambda: self.eve('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review), (422,)),
                ('16,000 wrong items', lambda: self.call('POST', path, widget('wrong', 'lists.example.com', 'List', numbers=['x'] * 16_000)),
                 (422,)),
                ('40,000 unknown keys', lambda: self.call('POST', path + '?fieldValidation=Strict', widget(
                    'unknown', 'lists.example.com', 'List', **{f'k{i}': 1 for i in range(40_000)})), (400,)),
                ('40,000 unknown keys with a warning', lambda: self.call('POST', path + '?dryRun=All', widget(
                    'unknown', 'lists.example.com', 'List', **{f'k{i}': 1 for i in range(40_000)})), (201,)),
                ('20,000 owners', lambda: self.call('POST', CONFIG_MAPS + '?dryRun=All', owners(20_000)), (201, 413, 422)),
                ('20,000 times the same owner',
                 lambda: self.call('POST', CONFIG_MAPS + '?dryRun=All', owners(20_000, uid='one', name='one')), (201, 413, 422)),
                ('1,000 owners that control', lambda: self.call('POST', CONFIG_MAPS, owners(1_000, controller=True)), (422,)),
                ('a merge patch to 40,000 labels that are wrong', lambda: self.call(
                    'PATCH', CONFIG_MAPS + '/kube-root-ca.crt', {'metadata': {'labels': {f'-{i}': '-' for i in range(40_000)}}},
                    {'Content-Type': 'application/merge-patch+json'}), (404, 422))):
            with self.subTest(name):
                before = self.server.resident()
                status, headers, answer = ask()
                self.assertIn(status, codes, str(answer)[:300])
                self.assertLess(len(str(answer)), 4 * 1024 ** 2)
                self.assertLess(sum(len(value) for value in headers.values()), 64 * 1024)
                self.assertLess(self.server.resident() - before, 300 * 1024 ** 2)

    def test_a_definition_with_thousands_of_versions_is_described(self):
        crd = widget_crd('versions.example.com', 'olds', 'Old')
        crd['spec']['versions'] = [
            {'name': f'v{i}', 'served': True, 'storage': i == 1, 'schema': {'openAPIV3Schema': {'type': 'object'}}}
            for i in range(1, 3_001)]
        status, _, answer = self.call('POST', CRDS, crd)
        self.assertIn(status, (201, 422), str(answer)[:300])
        for path in ('/openapi/v3/apis/versions.example.com/v7', '/openapi/v3', '/apis/versions.example.com', '/openapi/v2'):
            self.assertEqual(self.call('GET', path)[0], 200 if status == 201 or not path.endswith(('v7', '.com')) else 404, path)
        if status == 201:
            self.assertEqual(self.call('DELETE', CRDS + '/olds.versions.example.com')[0], 200)

    # ---- Memory

    def test_an_object_with_tens_of_thousands_of_finalizers_is_deleted(self):
        before = self.server.resident()
        held = {'metadata': {'name': 'held', 'finalizers': [f'example.com/f{i}' for i in range(15_000)]}}
        status, _, answer = self.call('POST', CONFIG_MAPS, held)
        self.assertIn(status, (201, 413, 422), str(answer)[:300])
        if status == 201:
            self.assertEqual(self.call('DELETE', CONFIG_MAPS + '/held')[0], 200)
            self.assertEqual(self.call('PATCH', CONFIG_MAPS + '/held', {'metadata': {'finalizers': None}},
                                       {'Content-Type': 'application/merge-patch+json'})[0], 200)
            self.assertEqual(self.call('GET', CONFIG_MAPS + '/held')[0], 404)
        self.assertLess(self.server.resident() - before, 150 * 1024 ** 2)

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

    def stall(self, count, path, accept):
        """So many clients that ask, wait for the first bytes of the answer and read no more."""
        host, port = self.server.address.split(':')
        context = self.server.context()

        def ask(_):
            raw = socket.socket()
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.settimeout(60)
            raw.connect((host, int(port)))
            connection = context.wrap_socket(raw, server_hostname='localhost')
            connection.sendall(f'GET {path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n'.encode())
            connection.recv(1)
            return connection

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            return list(pool.map(ask, range(count)))

    def settled_memory(self):
        """What the server holds once it has stopped growing."""
        last, now = 0, self.server.resident()
        while now > last:
            time.sleep(0.3)
            last, now = now, max(now, self.server.resident())
        return now

    def test_clients_that_do_not_read_a_long_list_hold_little(self):
        path = '/api/v1/namespaces/lists/configmaps'
        self.call('POST', '/api/v1/namespaces', {'metadata': {'name': 'lists'}})
        for i in range(100):
            self.assertEqual(self.call('POST', path, {'metadata': {'name': f'm{i}'}, 'data': {'text': 'a' * 100_000}})[0], 201)
        for accept in ('application/yaml', 'application/json;as=Table;v=v1;g=meta.k8s.io'):
            with self.subTest(accept=accept):
                before = self.server.resident()
                readers = self.stall(60, path + '?includeObject=Object', accept)
                # Whole, the lists would be 600 MB.
                self.assertLess(self.settled_memory() - before, 150 * 1024 ** 2)
                self.assertEqual(self.call('POST', path, {'metadata': {'generateName': 'other'}})[0], 201)
                for one in readers:
                    one.close()
        status, _, text = self.call('GET', path, headers={'Accept': 'application/yaml'})
        self.assertEqual((status, text.count('\n    name: m')), (200, 100))

    def test_watches_that_nobody_reads_hold_little(self):
        path = '/api/v1/namespaces/watches/configmaps'
        self.call('POST', '/api/v1/namespaces', {'metadata': {'name': 'watches'}})
        self.assertEqual(self.call('POST', path, {'metadata': {'name': 'm'}, 'data': {'text': 'a' * 900_000}})[0], 201)
        before = self.server.resident()
        watches = self.stall(300, path + '?watch=1&includeObject=Object', 'application/json;as=Table;v=v1;g=meta.k8s.io')
        # Each would hold 0.9 MB.
        self.assertLess(self.settled_memory() - before, 170 * 1024 ** 2)
        self.assertEqual(self.call('POST', path, {'metadata': {'name': 'another'}})[0], 201)
        for one in watches:
            one.close()


class FewFiles(server.Server):
    """A server that may open no more than 200 files, connections included."""

    def limit_memory(self):
        super().limit_memory()
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))


class Connections(unittest.TestCase):
    def test_strangers_cannot_take_all_of_them(self):
        with FewFiles(memory=MEMORY) as running:
            self.assertEqual(running.call('GET', '/readyz')[0], 200)
            known = running.connect()
            known.request('GET', '/api/v1/namespaces')
            self.assertEqual(known.getresponse().read()[:1], b'{')
            host, port = running.address.split(':')
            strangers = []
            for _ in range(400):
                strangers.append(socket.create_connection((host, int(port)), 60))
            # One who comes later gets in, and one who was there stays.
            self.assertEqual(running.call('GET', '/readyz')[0], 200)
            known.request('GET', '/api/v1/namespaces')
            self.assertEqual(known.getresponse().status, 200)
            known.close()
            for one in strangers:
                one.close()
            self.assertEqual(running.stop(), 0)
            told = [line for line in running.text().splitlines() if 'connection' in line]
            self.assertLess(len(told), 10, told)


class Restart(unittest.TestCase):
    def test_a_bad_definition_stops_neither_a_start_nor_others(self):
        with server.Server(memory=MEMORY) as running:
            bad = widget_crd('bad.example.com', 'bads', 'Bad')
            bad['spec']['names']['shortNames'] = [f'n{i}' for i in range(30_000)]
            running.call('POST', CRDS, bad)
            self.assertEqual(running.call('POST', CRDS, widget_crd())[0], 201)
            self.assertEqual(running.call('POST', WIDGETS, widget('a'))[0], 201)
            self.assertEqual(running.stop(), 0)
            running.start()
            self.assertEqual(running.call('GET', '/readyz')[0], 200)
            self.assertEqual(running.call('GET', WIDGETS + '/a')[0], 200)
            self.assertEqual(running.call('POST', CRDS, widget_crd('new.example.com', 'news', 'New'))[0], 201)
            self.assertEqual(running.stop(), 0)


class Data(unittest.TestCase):
    """Whatever is done to the files, wrong data is never served. serve_test.py has the full disk and the salvage by name."""
    TRIALS = 24

    def test_flipped_bytes_are_found_or_harmless(self):
        with tempfile.TemporaryDirectory() as above:
            good = os.path.join(above, 'good')
            with server.Server(data_dir=good, log=os.devnull) as running:
                for i in range(20):
                    running.call('POST', CONFIG_MAPS, {'metadata': {'name': f'm{i}'}, 'data': {'text': f'value-{i}-' + 'x' * 300}})
                right = running.call('GET', CONFIG_MAPS)[2]['items']
            dice = random.Random(13)
            size = os.path.getsize(os.path.join(good, 'strake.db'))
            served = 0
            for trial in range(self.TRIALS):
                folder = os.path.join(above, f'trial{trial}')
                shutil.copytree(good, folder)
                with open(os.path.join(folder, 'strake.db'), 'r+b') as file:
                    at = dice.randrange(size)
                    file.seek(at)
                    byte = file.read(1)[0]
                    file.seek(at)
                    file.write(bytes([byte ^ (1 << dice.randrange(8))]))
                checked = strake.run('store', 'check', '--data-dir', folder)
                self.assertIn(checked.returncode, (strake.FINE, strake.FINDINGS, strake.INPUT), checked.stderr)
                if checked.returncode == strake.FINE and served < 4:  # starting takes longest
                    with server.Server(data_dir=folder, log=os.devnull) as running:
                        self.assertEqual(running.call('GET', CONFIG_MAPS)[2]['items'], right, f'byte {at}')
                    served += 1
                elif checked.returncode != strake.FINE:
                    self.assertNotEqual(checked.stderr.strip(), '')
                shutil.rmtree(folder)

    def test_links_in_the_folder_are_not_followed(self):
        with tempfile.TemporaryDirectory() as above:
            victim = os.path.join(above, 'victim')
            with open(victim, 'w') as file:
                file.write('precious')
            for name in ('strake.db', 'admin.kubeconfig', 'strake.db.mark', 'strake.db-wal'):
                with self.subTest(name):
                    folder = os.path.join(above, name + '-folder')
                    os.mkdir(folder, 0o700)
                    os.symlink(victim, os.path.join(folder, name))
                    try:
                        with server.Server(data_dir=folder, log=os.path.join(above, name + '.log')):
                            pass
                    except AssertionError:
                        pass  # refused
                    with open(victim) as file:
                        self.assertEqual(file.read(), 'precious')

    def test_a_folder_of_another_user_is_refused(self):
        with tempfile.TemporaryDirectory() as above:
            folder = os.path.join(above, 'data')
            os.mkdir(folder, 0o700)
            if os.getuid() == 0:
                os.chown(folder, 65534, 65534)
            else:
                os.chmod(folder, 0o777)
            refused = strake.run('serve', '--data-dir', folder, '--listen', '127.0.0.1:0')
            self.assertEqual(refused.returncode, strake.INPUT, refused.stderr)
            self.assertEqual(os.listdir(folder), [])


def costly_crd():
    """Each object takes about all that rules may cost."""
    return widget_crd('slow.example.com', 'slows', 'Slow', {
        'type': 'object', 'properties': {'spec': {'type': 'object', 'properties': {'rows': {
            'type': 'array', 'maxItems': 100, 'items': {
                'type': 'array', 'maxItems': 60, 'items': {'type': 'string', 'maxLength': 10},
                'x-kubernetes-validations': [
                    {'rule': 'self.all(a, self.all(b, a.contains("x") || b.size() < 10))'}]}}}}}})


class Ending(unittest.TestCase):
    """SIGTERM ends the process in time, whatever it does."""
    DRAIN = 1
    # The drain, the moment after it in which work notices that it is cancelled, and a slow machine.
    LONGEST = DRAIN + 2 + 5

    def end(self, running):
        begin = time.monotonic()
        code = running.stop()
        return code, time.monotonic() - begin

    def test_in_the_middle_of_costly_requests(self):
        with server.Server('--drain-seconds', str(self.DRAIN)) as running:
            status, _, answer = running.call('POST', CRDS, costly_crd())
            self.assertEqual(status, 201, answer)
            body = widget('s', 'slow.example.com', 'Slow', rows=[['a' * 9] * 55] * 100)
            path = '/apis/slow.example.com/v1/namespaces/default/slows?dryRun=All'
            begin = time.monotonic()
            status, _, answer = running.call('POST', path, body)
            once = time.monotonic() - begin
            self.assertIn(status, (201, 422), str(answer)[:300])

            def ask(_):
                try:
                    running.call('POST', path, body)
                except (OSError, http.client.HTTPException):
                    pass  # cut off by the end

            # Enough to be busy for a minute on two cores.
            with concurrent.futures.ThreadPoolExecutor(64) as pool:
                for i in range(min(2000, int(120 / once) + 1)):
                    pool.submit(ask, i)
                time.sleep(1)
                _, took = self.end(running)
                pool.shutdown(cancel_futures=True)
            self.assertLess(took, self.LONGEST)

    def test_while_clients_do_not_read_their_lists(self):
        with server.Server('--drain-seconds', str(self.DRAIN)) as running:
            for i in range(20):
                running.call('POST', CONFIG_MAPS, {'metadata': {'name': f'm{i}'}, 'data': {'text': 'a' * 500_000}})
            connections = []
            for _ in range(8):
                connections.append(running.connect())
                connections[-1].request('GET', CONFIG_MAPS, headers={'Accept': 'application/yaml'})
            code, took = self.end(running)
            self.assertEqual(code, 0, running.text()[-2000:])
            self.assertLess(took, self.LONGEST)
            for one in connections:
                one.close()

    def test_while_it_starts(self):
        with server.Server() as running:
            for i in range(20):
                running.call('POST', CRDS, widget_crd('start.example.com', f'kind{i}s', f'Kind{i}'))
            running.stop()
            for delay in (0, 0.02, 0.05, 0.1, 0.2):
                with self.subTest(delay=delay):
                    process = subprocess.Popen(
                        [os.environ['STRAKE_BINARY'], 'serve', '--data-dir', running.folder, '--listen', '127.0.0.1:0'],
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    time.sleep(delay)
                    process.terminate()
                    # Before it looks for signals, the system ends it.
                    self.assertIn(process.wait(timeout=self.LONGEST), (0, -signal.SIGTERM))
            running.start()


if __name__ == '__main__':
    unittest.main()
