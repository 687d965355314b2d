"""Servers behind the server: requests for an APIService go on to another Strake, which believes the main one as a front proxy."""
import base64
import json
import os
import shutil
import ssl
import socket
import subprocess
import tempfile
import threading
import unittest

import server
import strake

SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
GROUP = 'e2e.example.com'
NAME = f'v1.{GROUP}'
WIDGETS = server.WIDGETS


def api_service(ca=None, group=GROUP, service='there'):
    spec = {'group': group, 'version': 'v1', 'groupPriorityMinimum': 1000, 'versionPriority': 15,
            'service': {'namespace': 'default', 'name': service}}
    spec.update({'caBundle': ca} if ca else {'insecureSkipTLSVerify': True})
    return {'apiVersion': 'apiregistration.k8s.io/v1', 'kind': 'APIService', 'metadata': {'name': f'v1.{group}'}, 'spec': spec}


def authority_of(running):
    with open(os.path.join(running.folder, 'pki', 'ca.crt'), 'rb') as file:
        return base64.b64encode(file.read()).decode()


class Aggregation(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.map = os.path.join(self.folder, 'services.yaml')
        self.write_map('')
        self.main = server.Server('--service-resolver-file', self.map)
        self.addCleanup(self.main.__exit__)

    def write_map(self, text):
        with open(self.map + '.new', 'w') as file:
            file.write(text)
        os.replace(self.map + '.new', self.map)

    def start_extension(self, *args):
        """A server that knows the front proxy of the main one, and serves widgets."""
        extension = server.Server('--in-memory', '--log-requests', '--tls-san', 'there.default.svc', '--requestheader-client-ca-file',
                                  os.path.join(self.main.folder, 'pki', 'front-proxy-ca.crt'), '--requestheader-allowed-names',
                                  'front-proxy-client', *args)
        self.addCleanup(extension.__exit__)
        self.assertEqual(extension.call('POST', server.CRDS, server.widget_crd())[0], 201)
        self.wait_until(extension, f'{server.CRDS}/widgets.{GROUP}', lambda crd: any(
            one['type'] == 'Established' and one['status'] == 'True' for one in crd.get('status', {}).get('conditions', [])))
        return extension

    def wait_until(self, running, path, right):
        """Watches one object until it is right, and gives it."""
        folder, _, name = path.rpartition('/')
        connection = running.connect()
        self.addCleanup(connection.close)
        connection.request('GET', f'{folder}?watch=1&fieldSelector=metadata.name%3D{name}')
        answer = connection.getresponse()
        while True:
            line = answer.readline()
            self.assertTrue(line, f'{path} never came to be so')
            seen = json.loads(line)['object']
            if right(seen):
                return seen

    def wait_for_reason(self, reason, name=NAME):
        def right(seen):
            return any(one['reason'] == reason for one in seen.get('status', {}).get('conditions', []))
        return self.wait_until(self.main, f'{SERVICES}/{name}', right)['status']['conditions'][0]

    def port_of(self, running):
        return running.address.rsplit(':', 1)[1]

    def test_requests_of_a_group_go_on_to_its_server(self):
        extension = self.start_extension()
        self.write_map(f'default/there: 127.0.0.1:{self.port_of(extension)}\n')
        self.assertEqual(self.main.call('POST', SERVICES, api_service(authority_of(extension)))[0], 201)
        self.assertEqual(self.wait_for_reason('Passed')['message'], 'all checks passed')

        code, headers, made = self.main.call('POST', WIDGETS, server.widget('a', size=3), {'Audit-ID': 'from-the-main-one'})
        self.assertEqual((code, made['spec']['colour']), (201, 'red'))
        self.assertEqual(headers.get_all('Audit-Id'), ['from-the-main-one'])
        self.assertEqual(extension.call('GET', f'{WIDGETS}/a')[2]['metadata']['uid'], made['metadata']['uid'])
        self.assertEqual(self.main.call('GET', f'/apis/{GROUP}/v1')[2]['kind'], 'APIResourceList')

        # A watch through both.
        connection = self.main.connect()
        self.addCleanup(connection.close)
        connection.request('GET', f'{WIDGETS}?watch=1')
        answer = connection.getresponse()
        self.assertEqual(json.loads(answer.readline())['object']['metadata']['name'], 'a')
        extension.call('POST', WIDGETS, server.widget('b'))
        self.assertEqual(json.loads(answer.readline())['object']['metadata']['name'], 'b')

        # The other server is told who asks, and decides itself.
        self.main.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles',
                       {'metadata': {'name': 'widgets'}, 'rules': [{'apiGroups': [GROUP], 'resources': ['*'], 'verbs': ['*']}]})
        self.main.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
                       {'metadata': {'name': 'widgets'}, 'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'ClusterRole', 'name': 'widgets'},
                        'subjects': [{'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'User', 'name': 'jane'}]})
        code, _, refused = self.main.call('GET', WIDGETS, headers={
            'Impersonate-User': 'jane', 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters', 'X_Remote_Group': 'system:masters'})
        self.assertEqual((code, refused['message']),
                         (403, f'widgets.{GROUP} is forbidden: User "jane" cannot list resource "widgets" in API group "{GROUP}" in the namespace "default"'))
        self.assertIn('"user":"jane"', extension.text())

    def test_both_audit_logs_tell_of_a_request(self):
        policy = os.path.join(self.folder, 'policy.yaml')
        with open(policy, 'w') as file:
            file.write('{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}')

        def audit(name):
            return ['--audit-policy-file', policy, '--audit-log-path', os.path.join(self.folder, name)]

        def events(name):
            with open(os.path.join(self.folder, name)) as file:
                return [event for event in map(json.loads, file) if event['auditID'] == 'the-one' and event['stage'] == 'ResponseComplete']
        extension = self.start_extension(*audit('extension.log'))
        pki = os.path.join(self.main.folder, 'pki')
        with server.Server('--in-memory', '--service-resolver-file', self.map, *audit('main.log'), '--proxy-client-cert-file',
                           os.path.join(pki, 'front-proxy-client.crt'), '--proxy-client-key-file', os.path.join(pki, 'front-proxy-client.key')) as front:
            self.write_map(f'default/there: 127.0.0.1:{self.port_of(extension)}\n')
            front.call('POST', SERVICES, api_service(authority_of(extension)))
            self.wait_until(front, f'{SERVICES}/{NAME}', lambda seen: seen.get('status', {}).get('conditions', [{}])[0].get('reason') == 'Passed')
            self.assertEqual(front.call('POST', WIDGETS, server.widget('a'), {'Audit-ID': 'the-one', 'Impersonate-User': 'jane', 'Impersonate-Group': 'system:masters'})[0], 201)
            front.stop()
        extension.stop()
        (here,), (there,) = events('main.log'), events('extension.log')
        self.assertEqual((here['user']['username'], here['impersonatedUser']['username'], here['verb'], here['responseStatus']['code']),
                         ('admin', 'jane', 'create', 201))
        self.assertEqual(here['objectRef']['resource'], 'widgets')
        self.assertEqual((there['user']['username'], there['user']['groups'], there['responseStatus']['code']),
                         ('jane', ['system:masters', 'system:authenticated'], 201))
        self.assertEqual(there['requestURI'], here['requestURI'])

    def test_a_server_that_goes_away_and_comes_back_elsewhere(self):
        extension = self.start_extension()
        self.write_map(f'default/there: 127.0.0.1:{self.port_of(extension)}\n')
        self.main.call('POST', SERVICES, api_service(authority_of(extension)))
        self.wait_for_reason('Passed')
        extension.kill()
        code, _, text = self.main.call('GET', WIDGETS)
        self.assertEqual(code, 503)
        self.assertRegex(text, r'^(service unavailable|error trying to reach service: .+)\n$')
        self.assertIn('connection refused', self.wait_for_reason('FailedDiscoveryCheck')['message'])
        self.assertEqual(self.main.call('GET', WIDGETS)[::2], (503, 'service unavailable\n'))
        self.assertEqual(self.main.call('GET', '/api/v1/namespaces/default')[0], 200)

        other = self.start_extension()
        self.assertEqual(self.main.call('PATCH', f'{SERVICES}/{NAME}', {'spec': {'caBundle': authority_of(other)}},
                                        {'Content-Type': 'application/merge-patch+json'})[0], 200)
        self.write_map(f'default/there:443: 127.0.0.1:{self.port_of(other)}\n')
        self.wait_for_reason('Passed')
        self.assertEqual(self.main.call('GET', WIDGETS)[2]['items'], [])

    def test_only_the_right_certificates_let_anyone_through(self):
        extension = self.start_extension()
        self.write_map(f'default/there: 127.0.0.1:{self.port_of(extension)}\ndefault/other: 127.0.0.1:{self.port_of(extension)}\n')
        self.main.call('POST', SERVICES, api_service(authority_of(self.main)))
        self.assertIn('x509: certificate signed by unknown authority', self.wait_for_reason('FailedDiscoveryCheck')['message'])
        self.main.call('DELETE', f'{SERVICES}/{NAME}')
        self.main.call('POST', SERVICES, api_service(authority_of(extension), service='other'))
        self.assertIn('not other.default.svc', self.wait_for_reason('FailedDiscoveryCheck')['message'])
        self.assertEqual(self.main.call('GET', WIDGETS)[0], 503)
        # An extension that does not know this proxy takes nobody's word.
        stranger = server.Server('--in-memory', '--tls-san', 'there.default.svc', '--anonymous-auth', 'false')
        self.addCleanup(stranger.__exit__)
        self.write_map(f'default/stranger: 127.0.0.1:{self.port_of(stranger)}\n')
        self.main.call('POST', SERVICES, api_service(group='stranger.example.com', service='stranger'))
        message = self.wait_for_reason('FailedDiscoveryCheck', 'v1.stranger.example.com')['message']
        self.assertRegex(message, r'bad status from https://127\.0\.0\.1:\d+/apis/stranger\.example\.com/v1: 401$|unknown ca|bad certificate|EOF')

    def test_servers_that_hang_or_talk_nonsense_hold_up_nobody(self):
        listeners = {}
        for name, answer in {'hangs': None, 'nonsense': b'SSH-2.0-x\r\n' * 1000}.items():
            listener = socket.create_server(('127.0.0.1', 0))
            self.addCleanup(listener.close)
            threading.Thread(target=serve_nonsense, args=(listener, answer), daemon=True).start()
            listeners[name] = listener.getsockname()[1]
        self.write_map(''.join(f'default/{name}: 127.0.0.1:{port}\n' for name, port in listeners.items()))
        for name in listeners:
            self.main.call('POST', SERVICES, api_service(group=f'{name}.example.com', service=name))
        self.assertEqual(self.main.call('GET', '/api/v1/namespaces/default')[0], 200)
        self.wait_for_reason('FailedDiscoveryCheck', 'v1.nonsense.example.com')
        self.assertEqual(self.main.call('POST', '/api/v1/namespaces/default/configmaps', {'metadata': {'name': 'a'}})[0], 201)
        hung = self.wait_for_reason('FailedDiscoveryCheck', 'v1.hangs.example.com')
        self.assertIn('context deadline exceeded', hung['message'])

    def test_what_kubectl_shows(self):
        if shutil.which('kubectl') is None:
            self.skipTest('there is no kubectl on PATH')
        env = {**os.environ, 'KUBECONFIG': self.main.kubeconfig, 'HOME': self.folder}

        def kubectl(*args, **options):
            return subprocess.run(['kubectl', *args], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env,
                                  timeout=strake.DEADLINE, **options).stdout
        extension = self.start_extension()
        self.write_map(f'default/there: 127.0.0.1:{self.port_of(extension)}\n')
        kubectl('apply', '-f', '-', input=json.dumps(api_service(authority_of(extension))))
        self.assertIn('condition met', kubectl('wait', '--for=condition=Available', '--timeout=60s', f'apiservice/{NAME}'))
        shown = kubectl('get', 'apiservices')
        self.assertRegex(shown, r'(?m)^v1\.coordination\.k8s\.io +Local +True')
        self.assertRegex(shown, rf'(?m)^v1\.{GROUP} +default/there +True')
        kubectl('create', '--raw', WIDGETS, '-f', '-', input=json.dumps(server.widget('k')))
        self.assertEqual(json.loads(kubectl('get', '--raw', f'{WIDGETS}/k'))['metadata']['name'], 'k')

    def test_the_proxys_certificate_is_given_by_files(self):
        code = subprocess.run([strake.BINARY, 'serve', '--in-memory', '--data-dir', os.path.join(self.folder, 'd'), '--proxy-client-cert-file', self.map],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=strake.DEADLINE)
        self.assertNotEqual(code.returncode, 0)
        self.assertIn(b'must be given together', code.stderr)
        pki = os.path.join(self.main.folder, 'pki')
        files = ['--proxy-client-cert-file', os.path.join(pki, 'front-proxy-client.crt'), '--proxy-client-key-file', os.path.join(pki, 'front-proxy-client.key')]
        extension = self.start_extension()
        with server.Server('--in-memory', '--enable-aggregator-routing', '--service-resolver-file', self.map, *files) as front:
            self.write_map(f'default/there: 127.0.0.1:{self.port_of(extension)}\n')
            front.call('POST', SERVICES, api_service(authority_of(extension)))
            self.wait_until(front, f'{SERVICES}/{NAME}', lambda seen: seen.get('status', {}).get('conditions', [{}])[0].get('reason') == 'Passed')
            self.assertEqual(front.call('GET', WIDGETS)[2]['kind'], 'WidgetList')


def serve_nonsense(listener, answer):
    kept = []
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        kept.append(connection)
        if answer is None:
            continue
        try:
            connection.sendall(answer)
            connection.close()
        except (OSError, ssl.SSLError):
            pass


if __name__ == '__main__':
    unittest.main()
