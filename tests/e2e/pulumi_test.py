"""strake crd from-pulumi, and the same under the name pulumi-component-to-crd."""
import glob
import http.server
import json
import os
import shlex
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import server
import strake

GOLDENS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'testdata/pulumi')
CORPUS = os.path.join(strake.SOURCE, 'tests/corpus/pulumi')
VECTORS = os.path.join(os.environ.get('STRAKE_VECTORS', os.path.join(strake.SOURCE, '../shared/vectors')), 'pulumi')
if not os.path.isdir(VECTORS):
    VECTORS = CORPUS

THING = {'name': 'pkg', 'resources': {'pkg:index:Thing': {
    'isComponent': True, 'inputProperties': {'alpha': {'type': 'number', 'default': 1.5}}, 'requiredInputs': ['alpha']}}}


def from_pulumi(*args, **options):
    return strake.run('crd', 'from-pulumi', *args, **options)


class Goldens(unittest.TestCase):
    def test_cases_come_out_as_recorded(self):
        """want.yaml is what is printed, told what --verbose says; STRAKE_UPDATE_GOLDEN=1 writes both anew."""
        cases = sorted(os.listdir(GOLDENS))
        self.assertGreaterEqual(len(cases), 10)
        for case in cases:
            with self.subTest(case):
                folder = os.path.join(GOLDENS, case)
                schema = glob.glob(os.path.join(folder, 'schema.*'))[0]
                with open(os.path.join(folder, 'args')) as file:
                    args = shlex.split(file.read())
                got = from_pulumi('--in', schema, *args)
                self.assertEqual(got.returncode, strake.FINE, got.stderr)
                told = ''.join(line + '\n' for line in got.stderr.splitlines() if line.startswith('warn:'))
                for name, text in (('want.yaml', got.stdout), ('told', told)):
                    path = os.path.join(folder, name)
                    if os.environ.get('STRAKE_UPDATE_GOLDEN') and (text or os.path.exists(path)):
                        with open(path, 'w') as file:
                            file.write(text)
                    wanted = ''
                    if os.path.exists(path):
                        with open(path) as file:
                            wanted = file.read()
                    self.assertEqual(text, wanted)


class Alias(unittest.TestCase):
    def test_the_other_name_is_the_same_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, 'pulumi-component-to-crd')
            os.symlink(strake.BINARY, link)
            text = json.dumps(THING)
            got = strake.run('-in', '-', program=link, input=text)
            self.assertEqual((got.returncode, got.stderr), (strake.FINE, ''))
            self.assertEqual(got.stdout, from_pulumi('--in', '-', input=text).stdout)
            self.assertEqual(strake.run(program=link).stderr, 'error: missing required flag: --in\n')
            self.assertEqual(strake.run('--bad', '-h', program=link).returncode, strake.FINE)


class Output(unittest.TestCase):
    def test_full_disk_is_exit_4(self):
        with open('/dev/full', 'wb') as full:
            got = from_pulumi('--in', '-', input=json.dumps(THING), stdout=full)
        self.assertEqual(got.returncode, strake.OUTPUT_FAILED)
        self.assertRegex(got.stderr, r'\Aerror: write CRD output: [^\n]*No space left on device\n\Z')

    def test_closed_pipe_is_exit_4(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        got = from_pulumi('--in', '-', input=json.dumps(THING), stdout=write_end)
        os.close(write_end)
        self.assertEqual(got.returncode, strake.OUTPUT_FAILED)
        self.assertRegex(got.stderr, r'\Aerror: write CRD output: [^\n]*Broken pipe\n\Z')


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.split('?')[0]
        if path == '/slow':
            self.server.release.wait(strake.DEADLINE)
            return
        if path.startswith('/again'):
            self.send_response(302)
            count = int(path[len('/again'):] or 0)
            self.send_header('Location', f'/again{count + 1}' if count < 5 else '/schema.json')
            self.end_headers()
            return
        if path == '/loop':
            self.send_response(302)
            self.send_header('Location', '/loop')
            self.end_headers()
            return
        code = int(path[1:]) if path[1:].isdigit() else 200
        body = b'<html>' if path == '/html' else json.dumps(THING).encode()
        self.send_response(code)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Url(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Answers)
        cls.server.daemon_threads = True
        cls.server.release = threading.Event()
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.url = f'http://127.0.0.1:{cls.server.server_port}'
        cls.env = {k: v for k, v in os.environ.items() if not k.lower().endswith('_proxy')}

    @classmethod
    def tearDownClass(cls):
        cls.server.release.set()
        cls.server.shutdown()
        cls.server.server_close()

    def fetch(self, url, *args):
        return from_pulumi('--in', url, *args, env=self.env)

    def assert_refused(self, url, text, *args):
        got = self.fetch(url, *args)
        self.assertEqual((got.returncode, got.stdout), (strake.INPUT, ''), got.stderr)
        self.assertRegex(got.stderr, rf'\Aerror: fetch input schema URL: [^\n]*{text}[^\n]*\n\Z')
        self.assertNotIn('secret', got.stderr)

    def test_schema_is_fetched_also_through_redirects(self):
        wanted = from_pulumi('--in', '-', input=json.dumps(THING)).stdout
        self.assertEqual(self.fetch(self.url + '/schema.json').stdout, wanted)
        self.assertEqual(self.fetch(self.url.replace('http', 'HTTP') + '/schema.json?token=secret').stdout, wanted)
        self.assertEqual(self.fetch(self.url + '/again').stdout, wanted)

    def test_other_statuses_are_refused_without_the_query(self):
        for code in (201, 204, 400, 404, 500, 503):
            self.assert_refused(f'{self.url}/{code}?token=secret', f'unexpected status {code} for {self.url}/{code}$')

    def test_user_info_is_not_told(self):
        self.assert_refused(self.url.replace('://', '://me:secret@') + '/404', f'unexpected status 404 for {self.url}/404$')

    def test_endless_redirects_are_refused(self):
        self.assert_refused(self.url + '/loop', 'redirected more than ten times')

    def test_what_is_no_schema_is_refused(self):
        got = self.fetch(self.url + '/html')
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertRegex(got.stderr, r'\Aerror: parse input schema as [^\n]*\n\Z')

    def test_silence_is_not_waited_for(self):
        self.assert_refused(self.url + '/slow?token=secret', 'no answer within 200 ms', '--timeout', '200ms')

    def test_nobody_there(self):
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.assert_refused(f'http://127.0.0.1:{free.getsockname()[1]}/x?token=secret', 'cannot connect')


class Hostile(unittest.TestCase):
    """Each ends with one clear line, in time that does not grow out of hand."""

    def refuse(self, schema, code, text):
        text_in = schema if isinstance(schema, str) else json.dumps(schema)
        got = from_pulumi('--in', '-', input=text_in)
        self.assertEqual((got.returncode, got.stdout), (code, ''), got.stderr[:300])
        self.assertRegex(got.stderr, rf'\Aerror: [^\n]*{text}[^\n]*\n\Z')

    def component(self, inputs, types=None):
        return {'name': 'p', 'resources': {'p:m:C': {'isComponent': True, 'inputProperties': inputs}}, 'types': types or {}}

    def test_a_hundred_thousand_types(self):
        wide = {f'T{i}': {'type': 'object', 'properties': {'a': {'type': 'string'}}} for i in range(100_000)}
        got = from_pulumi('--in', '-', input=json.dumps(self.component({'a': {'$ref': '#/types/T99999'}}, wide)))
        self.assertEqual((got.returncode, got.stderr), (strake.FINE, ''))
        chain = {f'T{i}': {'type': 'object', 'properties': {'n': {'$ref': f'#/types/T{i + 1}'}}} for i in range(100_000)}
        chain['T100000'] = {'type': 'string'}
        self.refuse(self.component({'a': {'$ref': '#/types/T0'}}, chain), strake.UNSUPPORTED, 'schema too large')
        ring = {f'T{i}': {'$ref': f'#/types/T{(i + 1) % 100_000}'} for i in range(100_000)}
        self.refuse(self.component({'a': {'$ref': '#/types/T0'}}, ring), strake.UNSUPPORTED, 'schema too large')

    def test_a_hundred_thousand_properties(self):
        inputs = {f'p{i}': {'type': 'string'} for i in range(100_001)}
        self.refuse(self.component(inputs), strake.UNSUPPORTED, 'schema too large')

    def test_types_that_multiply(self):
        types = {f'T{i}': {'type': 'object', 'properties': {f'p{j}': {'$ref': f'#/types/T{i + 1}'} for j in range(8)}}
                 for i in range(30)}
        types['T30'] = {'type': 'object', 'properties': {'x': {'oneOf': []}}}
        self.refuse(self.component({'a': {'$ref': '#/types/T0'}}, types), strake.UNSUPPORTED, 'schema too large')

    def test_texts_that_multiply(self):
        types = {'T': {'type': 'string', 'description': 'x' * 1_000_000}}
        inputs = {f'p{i}': {'$ref': '#/types/T'} for i in range(200)}
        self.refuse(self.component(inputs, types), strake.UNSUPPORTED, 'schema too large')

    def test_deep_nesting(self):
        deep = '{"type":"array","items":' * 900 + '{"type":"string"}' + '}' * 900
        schema = json.dumps(self.component({'a': 0})).replace('"a": 0', '"a": ' + deep)
        self.refuse(schema, strake.UNSUPPORTED, 'schema too large')
        self.refuse('[' * 100_000, strake.INPUT, 'parse input schema as JSON')
        self.refuse('{"a":' * 1_000_000, strake.INPUT, 'parse input schema as JSON')

    def test_aliases_that_multiply(self):
        lines = ['name: p', 'a0: &a0 [x, x, x, x, x, x, x, x]']
        lines += [f'a{i}: &a{i} [{", ".join([f"*a{i - 1}"] * 8)}]' for i in range(1, 12)]
        self.refuse('\n'.join(lines) + '\n', strake.INPUT, 'parse input schema as YAML')

    def test_broken_documents(self):
        for text in ('', '{', '{}x', 'nonsense', '[1]', '{"resources": 3}', '\0', '{"a": "\udc80"}'.encode('utf-8', 'surrogateescape')):
            data = text if isinstance(text, bytes) else text.encode()
            got = subprocess.run([strake.BINARY, 'crd', 'from-pulumi', '--in', '-'], input=data, capture_output=True,
                                 timeout=strake.DEADLINE)
            self.assertEqual((got.returncode, got.stdout), (strake.INPUT, b''), text)
            self.assertRegex(got.stderr, rb'\Aerror: parse input schema as [^\n]*\n\Z')


class Recordings(unittest.TestCase):
    def files(self):
        return sorted(p for p in glob.glob(os.path.join(VECTORS, '*')) if not p.endswith('.md'))

    def tokens(self, path):
        got = from_pulumi('--in', path, '--component', 'no:such:One')
        self.assertEqual(got.returncode, strake.INPUT)
        if 'no component resources' in got.stderr:
            return []
        return got.stderr.split('available components: ')[1].strip().split(', ')

    def test_every_component_is_made_or_refused_as_documented_and_twice_the_same(self):
        count = made = 0
        for path in self.files():
            for token in self.tokens(path):
                count += 1
                got = from_pulumi('--in', path, '--component', token, '--gate', 'all')
                again = from_pulumi('--in', path, '--component', token, '--gate', 'all', '--verbose')
                self.assertIn(got.returncode, (strake.FINE, strake.INPUT, strake.UNSUPPORTED), token)
                self.assertEqual((got.returncode, got.stdout), (again.returncode, again.stdout), token)
                if got.returncode == strake.FINE:
                    made += 1
                    self.assertEqual(got.stderr, '')
                else:
                    self.assertRegex(got.stderr, r'\Aerror: [^\n]*\n\Z')
                    self.assertEqual(got.stdout, '')
        self.assertEqual(count, 3 if VECTORS == CORPUS else 122)
        self.assertGreater(made, 1 if VECTORS == CORPUS else 100)

    def test_package_without_components_is_refused(self):
        package, = glob.glob(os.path.join(VECTORS, '*.no-components.json'))
        got = from_pulumi('--in', package)
        self.assertEqual((got.returncode, got.stderr), (strake.INPUT, 'error: no component resources found in schema\n'))

    def test_server_takes_what_is_made_and_an_object_of_it(self):
        flags = ((), ('--status', '--unions=structural', '--list-types', '--rules', '--any-as=any'))
        with server.Server('--in-memory') as api:
            for number, path in enumerate(self.files()):
                for extra in flags:
                    # A group of its own for each: one component's plural may be another's singular.
                    for place, token in enumerate(self.tokens(path)):
                        group = f'g{number}-{place}{"x" if extra else ""}.example.com'
                        self.install(api, path, token, ('--group', group, *extra))

    def install(self, api, path, token, args):
        crd = from_pulumi('--in', path, '--component', token, *args)
        if crd.returncode != strake.FINE:
            return
        yaml = {'Content-Type': 'application/yaml'}
        code, _, answer = api.call('POST', server.CRDS, crd.stdout.encode(), yaml)
        self.assertEqual(code, 201, (path, token, answer))
        spec = answer['spec']
        version, plural = spec['versions'][0]['name'], spec['names']['plural']
        sample = from_pulumi('--in', path, '--component', token, '--sample', *args)
        self.assertEqual(sample.returncode, strake.FINE)
        place = f'/apis/{spec["group"]}/{version}/namespaces/default/{plural}'
        deadline = time.monotonic() + strake.DEADLINE
        while True:
            code, _, answer = api.call('POST', place + '?fieldValidation=Strict', sample.stdout.encode(), yaml)
            if code != 404 or time.monotonic() > deadline:
                break
        self.assertEqual(code, 201, (path, token, answer, sample.stdout))
        broken = sample.stdout.replace('name: "example"', 'name: "other"', 1) + 'spce: {}\n'
        code, _, answer = api.call('POST', place + '?fieldValidation=Strict', broken.encode(), yaml)
        self.assertEqual(code, 400, (path, token, answer))
        self.assertIn('unknown field \\"spce\\"', json.dumps(answer))


if __name__ == '__main__':
    unittest.main()
