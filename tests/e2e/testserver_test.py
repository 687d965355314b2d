"""`strake testserver` as test suites use it: a command with KUBECONFIG, or a server that ends with whoever started it."""
import base64
import http.server
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

import strake
from server import widget_crd

WIDGET = {'apiVersion': 'e2e.example.com/v1', 'kind': 'Widget', 'metadata': {'name': 'w', 'namespace': 'team'}, 'spec': {'colour': 'blue'}}
NAMESPACE = {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'team'}}
CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
# Asks the server for a path, as the administrator of KUBECONFIG's folder.
ASK = '''
import os, ssl, sys, urllib.request
folder = os.path.dirname(os.environ['KUBECONFIG'])
url = next(line.split()[1] for line in open(os.environ['KUBECONFIG']) if 'server:' in line)
context = ssl.create_default_context(cafile=folder + '/ca.crt')
context.load_cert_chain(folder + '/client.crt', folder + '/client.key')
print(urllib.request.urlopen(url + sys.argv[1], context=context).read().decode())
'''

# The same for any call: METHOD PATH [BODY [AGENT]], several of them divided by --.
CALL = '''
import http.client, os, ssl, sys
folder = os.path.dirname(os.environ['KUBECONFIG'])
url = next(line.split()[1] for line in open(os.environ['KUBECONFIG']) if 'server:' in line)
context = ssl.create_default_context(cafile=folder + '/ca.crt')
context.load_cert_chain(folder + '/client.crt', folder + '/client.key')
connections = {}
for call in '\\0'.join(sys.argv[1:]).split('\\0--\\0'):
    words = call.split('\\0')
    method, path, body, agent = words + ['', 'tester'][len(words) - 2:]
    if agent not in connections:
        connections[agent] = http.client.HTTPSConnection(url.removeprefix('https://'), context=context)
    connections[agent].request(method, path, body or None, {'Content-Type': 'application/json', 'User-Agent': agent})
    answer = connections[agent].getresponse()
    print(answer.status, answer.read().decode())
'''


class Judge(http.server.BaseHTTPRequestHandler):
    """A webhook that takes no widget named `bad`."""
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        request = review['request']
        answer = {'uid': request['uid'], 'allowed': request['name'] != 'bad', 'status': {'message': f'{self.path.split("?")[0]} says no'}}
        body = json.dumps({'apiVersion': review['apiVersion'], 'kind': review['kind'], 'response': answer}).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class TestServer(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='strake-testserver-test-')
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.temporary = os.path.join(self.folder, 'tmp')
        os.mkdir(self.temporary)
        self.env = {**os.environ, 'TMPDIR': self.temporary, 'XDG_RUNTIME_DIR': self.temporary, 'no_proxy': '127.0.0.1'}

    def write(self, name, *documents):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write('\n---\n'.join(json.dumps(one) for one in documents))
        return path

    def run_tests(self, *args):
        return subprocess.run([strake.BINARY, 'testserver', *args], env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=strake.DEADLINE)

    def calls(self, *calls, flags=()):
        """What each of them is answered, as (status, text)."""
        words = []
        for call in calls:
            words += ['--', *(one if isinstance(one, str) else json.dumps(one) for one in call)]
        done = self.run_tests(*flags, '--', sys.executable, '-c', CALL, *words[1:])
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        return [(int(line.split(' ', 1)[0]), line.split(' ', 1)[1]) for line in done.stdout.splitlines() if line[:3].isdigit()]

    def file(self, name):
        return os.path.join(self.folder, name)

    def start(self, *flags, **options):
        process = subprocess.Popen([strake.BINARY, 'testserver', *flags], env=self.env, stdout=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        return process, json.loads(process.stdout.readline())

    def assert_nothing_is_left(self):
        self.assertEqual(os.listdir(self.temporary), [])

    def test_runs_a_command_and_passes_on_its_exit_code(self):
        done = self.run_tests('--', sys.executable, '-c', ASK, '/api/v1/namespaces/default')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(json.loads(done.stdout)['metadata']['name'], 'default')
        self.assertEqual(self.run_tests('--', 'sh', '-c', 'exit 42').returncode, 42)
        self.assertEqual(self.run_tests('--', 'sh', '-c', 'kill -9 $$').returncode, 128 + signal.SIGKILL)
        self.assert_nothing_is_left()

    def test_applies_what_is_needed_first_and_all_of_it(self):
        # In the order of their names, what is needed comes last.
        self.write('objects/a.json', WIDGET)
        self.write('objects/b.yaml', NAMESPACE, widget_crd())
        done = self.run_tests('--apply', os.path.join(self.folder, 'objects'), '--', sys.executable, '-c', ASK,
                              '/apis/e2e.example.com/v1/namespaces/team/widgets/w')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(json.loads(done.stdout)['spec']['colour'], 'blue')

    def test_says_which_object_of_which_file_is_refused_and_runs_nothing(self):
        path = self.write('bad.yaml', NAMESPACE, {**WIDGET, 'metadata': {'name': 'w'}})
        done = self.run_tests('--apply', path, '--', 'echo', 'ran')
        self.assertEqual((done.returncode, done.stdout), (strake.REMOTE_FAILED, ''))
        self.assertIn(f'{path}: Widget w: the cluster has no kind "Widget" in version "e2e.example.com/v1"', done.stderr)
        self.assert_nothing_is_left()

    def test_says_when_there_is_no_such_command(self):
        done = self.run_tests('--', 'no-such-command')
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('cannot run no-such-command: No such file or directory', done.stderr)
        self.assert_nothing_is_left()

    def test_sends_a_signal_on_and_waits_for_the_command(self):
        ready = os.path.join(self.folder, 'ready')
        script = f"trap 'echo told; exit 7' TERM; touch {ready}; while :; do sleep 0.05; done"
        process = subprocess.Popen([strake.BINARY, 'testserver', '--', 'sh', '-c', script], env=self.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, text=True)
        strake.wait_for(lambda: os.path.exists(ready))
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=strake.DEADLINE)
        self.assertEqual((process.returncode, out), (7, 'told\n'))
        self.assert_nothing_is_left()

    def test_tells_a_program_how_to_reach_it_and_ends_with_its_standard_input(self):
        process, told = self.start(stdin=subprocess.PIPE)
        context = ssl.create_default_context(cafile=told['certificateAuthority'])
        context.load_cert_chain(told['clientCertificate'], told['clientKey'])
        pods = json.load(urllib.request.urlopen(told['url'] + '/api/v1/pods', context=context))
        self.assertEqual(pods['kind'], 'PodList')
        self.assertTrue(os.path.exists(told['kubeconfig']))
        process.stdin.close()
        self.assertEqual(process.wait(strake.DEADLINE), 0)
        self.assert_nothing_is_left()

    def test_ends_with_its_parent(self):
        # A parent that is killed closes nothing by itself: standard input is a file.
        script = ('import json, os, subprocess, sys\n'
                  'child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)\n'
                  'child.stdout.readline()\n'
                  'print(child.pid, flush=True)\n'
                  'os.kill(os.getpid(), 9)\n')
        parent = subprocess.run([sys.executable, '-c', script, strake.BINARY, 'testserver'], env=self.env, capture_output=True, text=True,
                                timeout=strake.DEADLINE)
        self.assertTrue(parent.stdout.strip().isdigit(), parent)
        strake.wait_for(lambda: not os.listdir(self.temporary))

    def test_many_run_at_once(self):
        servers = [self.start(stdin=subprocess.PIPE) for _ in range(8)]
        self.assertEqual(len({told['url'] for _, told in servers}), 8)
        for process, _ in servers:
            process.stdin.close()
        self.assertEqual([process.wait(strake.DEADLINE) for process, _ in servers], [0] * 8)
        self.assert_nothing_is_left()

    def test_shares_keys_of_one_user_when_told_to(self):
        self.env['XDG_CACHE_HOME'] = self.file('cache')

        def authority(*flags):
            process, told = self.start(*flags, stdin=subprocess.PIPE)
            with open(told['certificateAuthority']) as file:
                text = file.read()
            process.stdin.close()
            self.assertEqual(process.wait(strake.DEADLINE), 0)
            return text

        first = authority('--fast')
        self.assertEqual(authority('--fast'), first)
        self.assertNotEqual(authority(), first)
        self.assertEqual(os.stat(self.file('cache/strake/testserver-keys')).st_mode & 0o777, 0o700)
        (_, text), = self.calls(('GET', '/api/v1/namespaces/default'), flags=['--fast'])
        self.assertEqual(json.loads(text)['kind'], 'Namespace')
        self.assertEqual([name for name in os.listdir(self.temporary) if not name.startswith('strake-testserver')], [])

    def test_users_who_need_roles_wait_for_them(self):
        # At once after the start, when the roles may still be in the making.
        for _ in range(5):
            review = {'kind': 'SubjectAccessReview', 'apiVersion': 'authorization.k8s.io/v1', 'spec': {
                'user': 'system:kube-scheduler', 'resourceAttributes': {'verb': 'list', 'resource': 'nodes'}}}
            answers = self.calls(('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review),
                                 ('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/admin'), ('GET', '/readyz'))
            self.assertEqual([status for status, _ in answers], [201, 200, 200])
            self.assertTrue(json.loads(answers[0][1])['status']['allowed'], answers[0])
            self.assertGreater(len(json.loads(answers[1][1])['rules']), 10, 'the sum of the roles that add to it')

    def record(self, name, *calls):
        answers = self.calls(*calls, flags=['--record', self.file(name)])
        return self.file(name), answers

    def diff(self, *args):
        return subprocess.run([strake.BINARY, 'testserver', 'diff', *args], env=self.env, capture_output=True, text=True, timeout=strake.DEADLINE)

    def test_records_what_clients_say_and_says_it_again(self):
        config_map = {'metadata': {'generateName': 'c-'}, 'data': {'k': 'v'}}
        secret = {'kind': 'Secret', 'apiVersion': 'v1', 'metadata': {'name': 's'}, 'stringData': {'p': 'hush-hush'}}
        path, answers = self.record('a.jsonl', ('POST', CONFIG_MAPS, config_map), ('POST', '/api/v1/namespaces/default/secrets', secret),
                                    ('GET', CONFIG_MAPS), ('GET', CONFIG_MAPS + '/none'), ('GET', CONFIG_MAPS + '?watch=1&timeoutSeconds=1'))
        self.assertEqual([status for status, _ in answers], [201, 201, 200, 404, 200])
        with open(path) as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual(lines[0]['recording'], 'strake/v1')
        self.assertEqual([line['path'] for line in lines if 'request' in line][0], CONFIG_MAPS)
        self.assertNotIn('hush', json.dumps(lines))
        again = self.run_tests('--replay', path)
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, '5 of 5 requests were sent again, and answered as they were\n', ''))
        # Another server, another answer.
        other = self.write('other.json', {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'none', 'namespace': 'default'}})
        again = self.run_tests('--apply', other, '--replay', path)
        self.assertEqual(again.returncode, 1)
        self.assertIn('5 of 5 requests were sent again; 2 were answered differently. The first:', again.stdout)
        self.assertIn('.items[2]: nothing then, {"metadata":{"creationTimestamp":"<time>","name":"none"', again.stdout)
        self.assert_nothing_is_left()

    def test_shows_where_two_recordings_part(self):
        create = ('POST', CONFIG_MAPS, {'metadata': {'name': 'c'}, 'data': {'k': 'v'}}, 'operator/1')
        read = ('GET', CONFIG_MAPS + '/c', '', 'operator/1')
        other = ('PUT', CONFIG_MAPS + '/c', {'metadata': {'name': 'c'}, 'data': {'k': 'w'}}, 'kubectl/1')
        nodes = ('GET', '/api/v1/nodes', '', 'kubectl/1')
        a, _ = self.record('a.jsonl', create, nodes, read, other)
        same, _ = self.record('same.jsonl', create, read, nodes, other)
        b, _ = self.record('b.jsonl', create, nodes, other, read)
        done = self.diff(a, same)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertIn('they agree: the requests of each client in one order, with the same answers', done.stdout)
        self.assertEqual(self.diff('--order', 'arrival', a, same).returncode, 1)
        done = self.diff(a, b)
        self.assertEqual((done.returncode, done.stderr), (1, ''))
        self.assertIn('they part at another answer to the same request:', done.stdout)
        self.assertIn('.data.k: "v" in A, "w" in B', done.stdout)
        self.assertRegex(done.stdout, r'came before it in one of them only:\n  B: +3 .* kubectl/1 \(connection 2\)  PUT')
        done = self.diff(a, self.write('bad.jsonl', {'a': 1}))
        self.assertEqual(done.returncode, 2)
        self.assertIn('bad.jsonl:1: must be a request', done.stderr)

    def test_a_frozen_clock_is_moved_by_tests(self):
        lease = {'metadata': {'name': 'e', 'namespace': 'default'}, 'involvedObject': {'namespace': 'default', 'name': 'x'}}
        events = '/api/v1/namespaces/default/events'
        answers = self.calls(('POST', CONFIG_MAPS, {'metadata': {'name': 'a'}}), ('POST', events, lease), ('PUT', '/testserver/clock', {'advance': '59m'}),
                             ('GET', events + '/e'), ('PUT', '/testserver/clock', {'advance': '2m'}), ('GET', events + '/e'),
                             ('POST', CONFIG_MAPS, {'metadata': {'name': 'b'}}), ('PUT', '/testserver/clock', {'time': '2020-01-01T00:00:00Z'}),
                             ('GET', '/testserver/clock'), flags=['--clock', 'frozen', '--clock-start', '2031-01-01T00:00:00Z'])
        self.assertEqual([status for status, _ in answers], [201, 201, 200, 200, 200, 404, 201, 400, 200])
        self.assertEqual(json.loads(answers[0][1])['metadata']['creationTimestamp'], '2031-01-01T00:00:00Z')
        self.assertEqual(json.loads(answers[6][1])['metadata']['creationTimestamp'], '2031-01-01T01:01:00Z')
        self.assertEqual(json.loads(answers[8][1]), {'time': '2031-01-01T01:01:00Z', 'speed': 0})
        # A server with the machine's clock has no such page.
        self.assertEqual([status for status, _ in self.calls(('GET', '/testserver/clock'))], [404])

    def test_tokens_expire_by_the_clock_of_the_tests(self):
        account = '/api/v1/namespaces/default/serviceaccounts'
        # A minute is allowed for clocks that differ, as kube-apiserver allows it.
        script = CALL + '''
import json
def call(method, path, body=None):
    connections['tester'].request(method, path, body and json.dumps(body), {'Content-Type': 'application/json', 'User-Agent': 'tester'})
    return json.load(connections['tester'].getresponse())
token = call('POST', '/api/v1/namespaces/default/serviceaccounts/r/token', {'spec': {'expirationSeconds': 600}})['status']
def known():
    return call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {'spec': {'token': token['token']}})['status'].get('authenticated', False)
print(token['expirationTimestamp'], known(), call('PUT', '/testserver/clock', {'advance': '661s'})['time'], known())
'''
        done = self.run_tests('--clock', 'frozen', '--clock-start', '2031-01-01T00:00:00Z', '--', sys.executable, '-c', script, 'POST', account,
                              '{"metadata":{"name":"r"}}')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(done.stdout.splitlines()[-1], '2031-01-01T00:10:00Z True 2031-01-01T00:11:01Z False')

    def test_a_clock_runs_as_fast_as_it_is_told(self):
        process, told = self.start('--clock', '1000000x', '--clock-start', '2031-01-01T00:00:00Z', stdin=subprocess.PIPE)
        context = ssl.create_default_context(cafile=told['certificateAuthority'])
        context.load_cert_chain(told['clientCertificate'], told['clientKey'])

        def later():
            clock = json.load(urllib.request.urlopen(told['url'] + '/testserver/clock', context=context))
            return clock['speed'] == 1000000 and clock['time'] > '2031-01-02'

        strake.wait_for(later)
        process.stdin.close()
        process.wait(strake.DEADLINE)

    def webhook(self):
        """The port of one, and who vouches for it."""
        for args in (['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'hook.key', '-out', 'hook.crt',
                      '-days', '2', '-subj', '/CN=hook', '-addext', 'subjectAltName=IP:127.0.0.1'],):
            subprocess.run(['openssl', *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.file('hook.crt'), self.file('hook.key'))
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Judge)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address[1], self.file('hook.crt')

    def judged(self, client_config, *flags):
        """Which widgets a webhook with this configuration lets be created, by the very first requests."""
        configuration = {'apiVersion': 'admissionregistration.k8s.io/v1', 'kind': 'ValidatingWebhookConfiguration', 'metadata': {'name': 'judge'},
                         'webhooks': [{'name': 'judge.example.com', 'sideEffects': 'None', 'admissionReviewVersions': ['v1'], 'clientConfig': client_config,
                                       'rules': [{'apiGroups': ['e2e.example.com'], 'apiVersions': ['v1'], 'operations': ['CREATE'],
                                                  'resources': ['widgets']}]}]}
        objects = self.write('objects.yaml', configuration, widget_crd())
        widgets = '/apis/e2e.example.com/v1/namespaces/default/widgets'
        return self.calls(*(('POST', widgets, {**WIDGET, 'metadata': {'name': name}}) for name in ('bad', 'good')), flags=['--apply', objects, *flags])

    def test_webhooks_with_a_url_judge_from_the_first_request_on(self):
        port, authority = self.webhook()
        with open(authority, 'rb') as file:
            bundle = base64.b64encode(file.read()).decode()
        bad, good = self.judged({'url': f'https://127.0.0.1:{port}/judge', 'caBundle': bundle})
        self.assertEqual((bad[0], good[0]), (400, 201))
        self.assertIn('/judge says no', bad[1])

    def test_webhooks_of_services_run_where_the_flags_say(self):
        port, authority = self.webhook()
        bad, good = self.judged({'service': {'name': 'judge', 'namespace': 'default', 'path': '/from-a-service'}}, '--webhook-address',
                                f'127.0.0.1:{port}', '--webhook-ca', authority)
        self.assertEqual((bad[0], good[0]), (400, 201))
        self.assertIn('/from-a-service says no', bad[1])

    def test_says_which_definition_is_not_served(self):
        other = widget_crd()
        other['spec']['names']['plural'] = 'gadgets'
        other['metadata']['name'] = 'gadgets.e2e.example.com'
        path = self.write('crds.yaml', widget_crd(), other)
        done = self.run_tests('--apply', path, '--', 'echo', 'ran')
        self.assertEqual((done.returncode, done.stdout), (strake.REMOTE_FAILED, ''))
        self.assertIn(f'{path}: CustomResourceDefinition gadgets.e2e.example.com: is not served: ', done.stderr)

    def test_flags_that_make_no_sense_are_refused(self):
        cases = [
            (['--clock', 'fast'], '--clock must be real, frozen, or a factor up to 1000000x such as 60x, got fast'),
            (['--clock-start', 'now'], '--clock-start must be a time such as 2026-01-01T00:00:00Z, got now'),
            (['--webhook-address', 'here'], '--webhook-address wants HOST:PORT, got "here"'),
            (['--webhook-ca', 'ca.crt'], '--webhook-ca needs a --webhook-address'),
            (['--replay', 'r.jsonl', '--', 'true'], '--replay takes the place of a command'),
            (['--replay', self.file('none')], 'none'),
            (['--record', self.file('no/such')], 'cannot write the recording'),
        ]
        for flags, message in cases:
            done = self.run_tests(*flags)
            self.assertEqual((done.returncode, done.stdout), (2, ''), flags)
            self.assertIn(message, done.stderr)


if __name__ == '__main__':
    unittest.main()
