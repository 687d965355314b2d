"""A server behind another one: two processes, each with an audit log. A main server knows users and what they may do, an
extension server has definitions and objects."""
import base64
import http.client
import json
import os
import resource
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import unittest

import server
import strake
from server import CRDS, WIDGETS, widget, widget_crd

RBAC = '/apis/rbac.authorization.k8s.io/v1'
SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
POLICY = '''apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
'''
TOKENS = 'ext-token,extension,1\nann-token,ann,2,"painters"\nbob-token,bob,3\n'
AGGREGATES = '--service-resolver-file' in strake.run('help', 'serve').stdout


def eventually(condition, within=60):
    """What the condition gives when it holds; what it gave last when it does not."""
    end = time.monotonic() + within
    while True:
        found = condition()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.05)


class Two(unittest.TestCase):
    """A main server and the files that it takes to put another one behind it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='strake-extension-')
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write('policy', POLICY)
        self.write('tokens', TOKENS)
        more = ['--service-resolver-file', self.write('services', '{}\n')] if AGGREGATES else []
        self.main = server.Server('--token-file', self.path('tokens'), *self.audit('main'), *more)
        self.addCleanup(self.main.__exit__)
        self.bind_roles()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), 'w') as file:
            file.write(text)
        return self.path(name)

    def audit(self, name):
        return ['--audit-policy-file', self.path('policy'), '--audit-log-path', self.path(f'{name}.audit')]

    def events(self, name, **wanted):
        """Audit events whose fields, written with double underscores, have these values."""
        out = []
        with open(self.path(f'{name}.audit')) as log:
            for line in log:
                event = json.loads(line)
                for field, value in wanted.items():
                    found = event
                    for step in field.split('__'):
                        found = (found or {}).get(step)
                    if found != value:
                        break
                else:
                    out.append(event)
        return out

    def create(self, path, body):
        code, _, answer = self.main.call('POST', path, body)
        self.assertEqual(code, 201, answer)

    def bind(self, path, name, kind, role, user):
        self.create(RBAC + path, {
            'metadata': {'name': name}, 'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': kind, 'name': role},
            'subjects': [{'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'User', 'name': user}]})

    def bind_roles(self):
        """What docs/extension-server.md says that an administrator does."""
        self.bind('/namespaces/kube-system/rolebindings', 'ext', 'Role', 'extension-apiserver-authentication-reader',
                  'extension')
        self.bind('/clusterrolebindings', 'ext-delegator', 'ClusterRole', 'system:auth-delegator', 'extension')
        self.create(RBAC + '/clusterroles', {'metadata': {'name': 'strake-extension'}, 'rules': [
            {'apiGroups': [''], 'resources': ['namespaces'], 'verbs': ['get', 'list', 'watch']},
            {'apiGroups': ['apiregistration.k8s.io'], 'resources': ['apiservices'],
             'verbs': ['get', 'list', 'watch', 'create', 'patch', 'delete']},
            {'apiGroups': [''], 'resources': ['services'], 'verbs': ['get', 'list', 'watch', 'create', 'patch', 'delete']},
            {'apiGroups': ['discovery.k8s.io'], 'resources': ['endpointslices'],
             'verbs': ['get', 'list', 'watch', 'create', 'patch', 'delete']}]})
        self.bind('/clusterrolebindings', 'ext', 'ClusterRole', 'strake-extension', 'extension')
        self.create(RBAC + '/clusterroles', {'metadata': {'name': 'painter'}, 'rules': [
            {'apiGroups': ['e2e.example.com'], 'resources': ['widgets'], 'verbs': ['*']}]})
        self.bind('/clusterrolebindings', 'painter', 'ClusterRole', 'painter', 'ann')

    def kubeconfig(self, name, token):
        with open(os.path.join(self.main.folder, 'pki', 'ca.crt'), 'rb') as file:
            ca = base64.b64encode(file.read()).decode()
        return self.write(name, json.dumps({
            'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'x',
            'clusters': [{'name': 'c', 'cluster': {'server': self.main.url, 'certificate-authority-data': ca}}],
            'users': [{'name': 'u', 'user': {'token': token}}],
            'contexts': [{'name': 'x', 'context': {'cluster': 'c', 'user': 'u'}}]}))

    def start_extension(self, *more, define=True):
        ext = server.Server('--delegated', '--main-kubeconfig', self.kubeconfig('ext.kubeconfig', 'ext-token'),
                            *self.audit('ext'), *more)
        self.addCleanup(ext.__exit__)
        if define:
            self.assertEqual(ext.call('POST', CRDS, widget_crd())[0], 201)
        return ext

    def proxied(self, ext, method, path, body=None, user='ann', groups=(), certificate='front-proxy-client'):
        """A request as the main server's proxy sends it."""
        context = ssl.create_default_context(cafile=os.path.join(ext.folder, 'pki', 'ca.crt'))
        pki = os.path.join(self.main.folder, 'pki', certificate)
        context.load_cert_chain(pki + '.crt', pki + '.key')
        connection = http.client.HTTPSConnection(ext.address, context=context, timeout=strake.DEADLINE)
        try:
            connection.putrequest(method, path)
            data = b'' if body is None else json.dumps(body).encode()
            for name, value in [('Content-Type', 'application/json'), ('Content-Length', str(len(data))),
                                ('X-Remote-User', user), *(('X-Remote-Group', one) for one in groups)]:
                connection.putheader(name, value)
            connection.endheaders(data)
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, json.loads(text) if text.startswith('{') else text
        finally:
            connection.close()


class Delegated(Two):
    """The extension server alone, called as the main server calls it."""

    def test_both_audit_logs_tell_the_same_story(self):
        ext = self.start_extension()
        self.assertEqual(self.proxied(ext, 'POST', WIDGETS, widget('a', size=1))[0], 201)
        code, answer = self.proxied(ext, 'GET', WIDGETS, user='bob')
        self.assertEqual(code, 403)
        self.assertEqual(answer['message'], 'widgets.e2e.example.com is forbidden: User "bob" cannot list resource '
                         '"widgets" in API group "e2e.example.com" in the namespace "default"')
        made, = self.events('ext', verb='create', user__username='ann', objectRef__resource='widgets')
        self.assertEqual(made['annotations']['authorization.k8s.io/decision'], 'allow')
        self.assertEqual(made['responseStatus']['code'], 201)
        refused, = self.events('ext', verb='list', user__username='bob')
        self.assertEqual(refused['annotations']['authorization.k8s.io/decision'], 'forbid')
        asked = self.events('main', user__username='extension', objectRef__resource='subjectaccessreviews')
        self.assertEqual({event['responseStatus']['code'] for event in asked}, {201})
        self.assertGreaterEqual(len(asked), 2)
        self.assertEqual(len(self.events('main', user__username='extension', objectRef__resource='configmaps', verb='list')), 1)

    def test_a_direct_caller_is_known_by_the_token(self):
        ext = self.start_extension()
        for token, code in (('ann-token', 200), ('bob-token', 403), ('nobody', 401)):
            self.assertEqual(ext.call('GET', WIDGETS, headers={'Authorization': 'Bearer ' + token}, credentials=False)[0],
                             code, token)
        reviews = self.events('main', user__username='extension', objectRef__resource='tokenreviews')
        self.assertEqual(len(reviews), 3)
        # Both answers are kept for a while.
        ext.call('GET', WIDGETS, headers={'Authorization': 'Bearer nobody'}, credentials=False)
        ext.call('GET', WIDGETS, headers={'Authorization': 'Bearer ann-token'}, credentials=False)
        self.assertEqual(len(self.events('main', user__username='extension', objectRef__resource='tokenreviews')), 3)

    def test_nobody_gets_in_while_the_main_server_is_away(self):
        ext = self.start_extension('--authorization-webhook-cache-authorized-ttl', '0s')
        self.assertEqual(self.proxied(ext, 'GET', WIDGETS)[0], 200)
        self.main.kill()
        code, answer = self.proxied(ext, 'GET', WIDGETS)
        self.assertEqual(code, 500)
        self.assertIn('connection refused', answer)
        self.assertEqual(ext.call('GET', '/readyz', credentials=False)[0], 200)
        self.assertEqual(ext.call('GET', WIDGETS)[0], 200)
        with self.subTest('and back again'):
            port = self.main.address.rsplit(':', 1)[1]
            self.main.args = (*self.main.args, '--listen', f'127.0.0.1:{port}')
            self.main.start()
            self.assertEqual(eventually(lambda: self.proxied(ext, 'GET', WIDGETS)[0] == 200), True)

    def test_a_main_server_that_hangs_is_not_waited_for_without_end(self):
        ext = self.start_extension('--authorization-webhook-cache-authorized-ttl', '0s')
        self.main.process.send_signal(signal.SIGSTOP)
        try:
            begun = time.monotonic()
            code, answer = self.proxied(ext, 'GET', WIDGETS)
            self.assertEqual(code, 500)
            self.assertIn('context deadline exceeded', answer)
            self.assertLess(time.monotonic() - begun, 60)
            # The others are as fast as ever.
            self.assertEqual(ext.call('GET', WIDGETS)[0], 200)
        finally:
            self.main.process.send_signal(signal.SIGCONT)
        self.assertEqual(self.proxied(ext, 'GET', WIDGETS)[0], 200)

    def test_it_says_what_is_missing_when_it_cannot_start(self):
        done = strake.run('serve', '--in-memory', '--listen', '127.0.0.1:0', '--delegated', '--main-kubeconfig',
                          self.kubeconfig('bob.kubeconfig', 'bob-token'))
        self.assertEqual(done.returncode, strake.INPUT)
        self.assertIn('bind the role extension-apiserver-authentication-reader in kube-system', done.stderr)
        for flags, text in ((['--delegated'], '--delegated needs --main-kubeconfig'),
                            (['--group', 'a'], '--group needs --delegated'),
                            (['--delegated', '--main-kubeconfig', 'x', '--authorization-mode', 'RBAC'],
                             '--authorization-mode cannot be given with --delegated'),
                            (['--delegated', '--main-kubeconfig', 'x', '--register'], '--register needs --data-dir')):
            done = strake.run('serve', '--in-memory', *flags)
            self.assertEqual(done.returncode, strake.INPUT, flags)
            self.assertIn(text, done.stderr)

    def test_it_registers_and_unregisters_itself(self):
        services = self.path('services')
        ext = self.start_extension('--register', '--register-resolver-file', services)
        name = f'{SERVICES}/v1.e2e.example.com'
        self.assertTrue(eventually(lambda: self.main.call('GET', name)[0] == 200))
        with open(services) as file:
            self.assertEqual(json.load(file), {'default/strake-extension': ext.address})
        ext.stop()
        self.assertEqual(self.main.call('GET', name)[0], 200)
        done = strake.run('serve', '--data-dir', ext.folder, '--delegated', '--main-kubeconfig',
                          self.path('ext.kubeconfig'), '--unregister', '--register-resolver-file', services)
        self.assertEqual(done.returncode, strake.FINE, done.stderr)
        self.assertEqual(self.main.call('GET', name)[0], 404)
        with open(services) as file:
            self.assertEqual(json.load(file), {})


@unittest.skipUnless(AGGREGATES, 'needs a server that passes requests on')
class Aggregated(Two):
    """Clients see one server."""

    def setUp(self):
        super().setUp()
        self.ext = self.start_extension('--register', '--register-resolver-file', self.path('services'))
        self.assertTrue(eventually(self.is_available), self.main.call('GET', f'{SERVICES}/v1.e2e.example.com')[2])

    def is_available(self):
        code, _, service = self.main.call('GET', f'{SERVICES}/v1.e2e.example.com')
        conditions = service.get('status', {}).get('conditions', []) if code == 200 else []
        return any(one['type'] == 'Available' and one['status'] == 'True' for one in conditions)

    def as_user(self, token, method, path, body=None, **headers):
        return self.main.call(method, path, body, {'Authorization': 'Bearer ' + token, **headers}, credentials=False)

    def test_the_five_steps(self):
        code, _, made = self.as_user('ann-token', 'POST', WIDGETS, widget('a', size=1))
        self.assertEqual(code, 201, made)
        # 1: the main server knows the user, and lets the request pass. 2: it passes it on.
        passed, = self.events('main', user__username='ann', verb='create', objectRef__resource='widgets')
        self.assertEqual(passed['annotations']['authorization.k8s.io/decision'], 'allow')
        # 3: the extension server believes the proxy who the user is. 5: it runs the request.
        ran, = self.events('ext', user__username='ann', verb='create', objectRef__resource='widgets')
        self.assertIn('painters', ran['user']['groups'])
        self.assertEqual(ran['auditID'], passed['auditID'])
        self.assertEqual(ran['responseStatus']['code'], 201)
        # 4: it has asked whether the user may.
        self.assertTrue(self.events('main', user__username='extension', verb='create',
                                    objectRef__resource='subjectaccessreviews'))
        # Nobody else has it.
        self.assertEqual(self.ext.call('GET', WIDGETS + '/a')[2]['spec']['size'], 1)

    def test_headers_of_clients_are_not_passed_on(self):
        for headers in ({'X-Remote-User': 'ann'}, {'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters'}):
            self.assertEqual(self.as_user('bob-token', 'GET', WIDGETS, **headers)[0], 403)
            self.assertEqual(self.main.call('GET', WIDGETS, headers=headers, credentials=False)[0], 403)

    def test_a_thousand_watches_pass_in_flat_memory(self):
        """Each hears of every change, and what has passed leaves nothing behind."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self.assertEqual(self.as_user('ann-token', 'POST', WIDGETS, widget('a', size=0))[0], 201)
        before = self.main.resident(), self.ext.resident()
        context = self.main.context()
        watches = []
        for _ in range(1000):
            connection = http.client.HTTPSConnection(self.main.address, context=context, timeout=strake.DEADLINE)
            self.addCleanup(connection.close)
            connection.request('GET', WIDGETS + '?watch=1&resourceVersion=0')
            watches.append(connection.getresponse())
            self.assertEqual(watches[-1].status, 200)
            self.assertEqual(json.loads(watches[-1].readline())['type'], 'ADDED')
        changes = 0

        def change(times):
            nonlocal changes
            for _ in range(times):
                changes += 1
                code, _, answer = self.as_user('ann-token', 'PATCH', WIDGETS + '/a', {'metadata': {'annotations': {'n': f'{changes}'}}},
                                               **{'Content-Type': 'application/merge-patch+json'})
                self.assertEqual(code, 200, answer)
            for watch in watches:
                for expected in range(changes - times + 1, changes + 1):
                    event = json.loads(watch.readline())
                    self.assertEqual((event['type'], event['object']['metadata']['annotations']['n']), ('MODIFIED', f'{expected}'))
        change(10)
        warm = self.main.resident(), self.ext.resident()
        for _ in range(5):
            change(10)
        after = self.main.resident(), self.ext.resident()
        print(f'a watch through the main server: {(warm[0] - before[0]) // 1000} bytes there, {(warm[1] - before[1]) // 1000} behind it; '
              f'50,000 events later {after[0] - warm[0]:+} and {after[1] - warm[1]:+} bytes in all')
        if not strake.SANITIZED:
            self.assertLess(after[0] - warm[0], 16 << 20)
            self.assertLess(after[1] - warm[1], 16 << 20)

    def test_kubectl_sees_one_server(self):
        if shutil.which('kubectl') is None:
            self.skipTest('there is no kubectl on PATH')
        home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, home, ignore_errors=True)

        def kubectl(*args, data=None):
            done = subprocess.run(['kubectl', *args], text=True, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**os.environ, 'KUBECONFIG': self.main.kubeconfig, 'HOME': home}, timeout=strake.DEADLINE)
            self.assertEqual(done.returncode, 0, (args, done.stdout, done.stderr))
            return done.stdout
        self.assertIn('"name":"raw"', kubectl('create', '--raw', WIDGETS, '-f', '-', data=json.dumps(widget('raw', size=1))))
        self.assertIn('"name":"raw"', kubectl('get', '--raw', WIDGETS))
        if not eventually(lambda: 'e2e.example.com' in json.dumps(self.main.call('GET', '/apis')[2]), within=5):
            self.skipTest('this server does not show the groups of others in its own discovery')
        self.assertIn('widgets', kubectl('api-resources'))
        self.assertIn('created', kubectl('create', '-f', '-', data=json.dumps(widget('k', size=2))))
        self.assertIn('k', kubectl('get', 'widgets'))
        self.assertIn('deleted', kubectl('delete', 'widget', 'k'))


@unittest.skipUnless(AGGREGATES, 'needs a server that passes requests on')
class Members(Two):
    """Many stores behind one address."""

    def test_one_that_dies_does_not_touch_the_others(self):
        members = {}
        for name in ('a', 'b'):
            ext = server.Server('--delegated', '--main-kubeconfig', self.kubeconfig('ext.kubeconfig', 'ext-token'))
            self.addCleanup(ext.__exit__)
            self.assertEqual(ext.call('POST', CRDS, widget_crd(group=f'{name}.example.com'))[0], 201)
            members[name] = ext
        file = self.write('members.yaml', json.dumps({'members': [
            {'name': name, 'kubeconfig': ext.kubeconfig} for name, ext in members.items()]}))
        front = server.Server('--aggregate', file)
        self.addCleanup(front.__exit__)
        # They take the users of the main server, not those of this front: nobody gets in through it.
        path = '/apis/{}.example.com/v1/namespaces/default/widgets'.format
        self.assertTrue(eventually(lambda: front.call('GET', f'{SERVICES}/v1.a.example.com')[0] == 200))
        self.assertNotEqual(front.call('GET', path('a'))[0], 200)
        # Behind their own main server they are served.
        file = self.write('more.yaml', json.dumps({'members': [
            {'name': name, 'kubeconfig': ext.kubeconfig} for name, ext in members.items()]}))
        self.main.stop()
        port = self.main.address.rsplit(':', 1)[1]
        self.main.args = (*self.main.args, '--listen', f'127.0.0.1:{port}', '--aggregate', file)
        self.main.start()
        for name in members:
            self.assertTrue(eventually(lambda: self.main.call('GET', path(name))[0] == 200), name)
        members['a'].kill()
        self.assertTrue(eventually(lambda: self.main.call('GET', path('a'))[0] == 503))
        self.assertEqual(self.main.call('GET', path('b'))[0], 200)
        self.assertEqual(self.main.call('POST', path('b'), widget('w', group='b.example.com'))[0], 201)


if __name__ == '__main__':
    unittest.main()
