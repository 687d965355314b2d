"""Logs, commands and ports of pods, through a kubelet that a test serves, with kubectl and without."""
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest

import kubelet
import server
import spdy
import strake
from extension_certificates import make_authority, openssl

PODS = '/api/v1/namespaces/default/pods'
KUBECTL = shutil.which('kubectl')
STREAM_FLAGS = 'stdin=true&stdout=true&stderr=true'


class Pods(unittest.TestCase):
    ARGS = ()

    def prepare(self):
        self.folder = tempfile.mkdtemp(prefix='strake-kubelet-')
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        return self.folder

    def setUp(self):
        if not hasattr(self, 'folder'):
            self.prepare()
        make_authority(self.folder, 'kubelets')
        self.certify('kubelet', 'IP:127.0.0.1')
        self.running = server.Server('--in-memory', *server.HARNESS, *(one.format(folder=self.folder) for one in self.ARGS))
        self.addCleanup(self.running.__exit__)
        self.kubelet = kubelet.Kubelet(self.file('kubelet.crt'), self.file('kubelet.key'), os.path.join(self.running.folder, 'pki', 'ca.crt'))
        self.addCleanup(self.kubelet.stop)
        self.make('/api/v1/nodes', {'metadata': {'name': 'n1'}})
        self.set_node_status(addresses=[{'type': 'InternalIP', 'address': '127.0.0.1'}],
                             daemonEndpoints={'kubeletEndpoint': {'Port': self.kubelet.port}})
        self.make(PODS, {'metadata': {'name': 'a'}, 'spec': {'nodeName': 'n1', 'containers': [{'name': 'c', 'image': 'i'}]}})
        self.patch(PODS + '/a/status', {'status': {'phase': 'Running'}})

    def certify(self, name, subject_name):
        openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-keyout', name + '.key',
                '-out', name + '.crt', '-subj', '/CN=' + name, '-CA', 'kubelets.crt', '-CAkey', 'kubelets.key',
                '-addext', 'basicConstraints=CA:FALSE', '-addext', 'subjectAltName=' + subject_name, folder=self.folder)

    def file(self, name):
        return os.path.join(self.folder, name)

    def make(self, path, body):
        code, _, answer = self.running.call('POST', path, body)
        self.assertEqual(code, 201, answer)

    def patch(self, path, body):
        code, _, answer = self.running.call('PATCH', path, body, {'Content-Type': 'application/merge-patch+json'})
        self.assertEqual(code, 200, answer)

    def set_node_status(self, **status):
        self.patch('/api/v1/nodes/n1/status', {'status': status})

    def refused(self, path, code, message, **options):
        got, _, answer = self.running.call('GET', path, **options)
        self.assertEqual((got, answer['message']), (code, message))


class Logs(Pods):
    def test_logs_come_as_they_are_written(self):
        connection = self.running.connect()
        self.addCleanup(connection.close)
        connection.request('GET', PODS + '/a/log?follow=true&tailLines=7')
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers['Content-Type']), (200, 'text/plain'))
        self.assertEqual(answer.readline(), b'first\n')
        self.kubelet.go_on.set()
        self.assertEqual(answer.read(), b'second\n')
        method, target, _, certificate = self.kubelet.seen[0]
        self.assertEqual((method, target), ('GET', '/containerLogs/default/a/c?follow=true&tailLines=7'))
        subject = dict(pair for part in certificate['subject'] for pair in part)
        self.assertEqual(subject, {'organizationName': 'system:masters', 'commonName': 'kube-apiserver'})

    def test_a_log_that_breaks_off_is_not_taken_for_the_whole(self):
        self.kubelet.breaks_off = True
        connection = self.running.connect()
        self.addCleanup(connection.close)
        connection.request('GET', PODS + '/a/log')
        answer = connection.getresponse()
        with self.assertRaises(Exception):
            while answer.read(10):
                pass

    def test_a_kubelet_that_is_down_is_named(self):
        self.kubelet.stop()
        url = f'https://127.0.0.1:{self.kubelet.port}/containerLogs/default/a/c'
        refusal = f'dial tcp 127.0.0.1:{self.kubelet.port}: connect: connection refused'
        self.refused(PODS + '/a/log', 500, f'Get "{url}": {refusal}')
        self.refused(PODS + '/a/exec?command=x', 500, f'error dialing backend: {refusal}',
                     headers={'Connection': 'Upgrade', 'Upgrade': 'SPDY/3.1'})

    def test_redirects_are_not_followed(self):
        self.kubelet.refuses = ('302 Found', '', 'Location: https://192.0.2.1/\r\n')
        url = f'https://127.0.0.1:{self.kubelet.port}/containerLogs/default/a/c'
        self.refused(PODS + '/a/log', 500, f'Get "{url}": redirects forbidden')
        self.refused(PODS + '/a/attach', 500, 'invalid upgrade response: status code 302',
                     headers={'Connection': 'Upgrade', 'Upgrade': 'SPDY/3.1'})

    def test_a_client_that_leaves_ends_the_log(self):
        connection = self.running.connect()
        connection.request('GET', PODS + '/a/log?follow=true')
        answer = connection.getresponse()
        self.assertEqual(answer.readline(), b'first\n')
        answer.close()
        connection.close()
        self.assertTrue(self.kubelet.left.wait(strake.DEADLINE))

    def test_a_node_is_proxied_to_only_where_it_is_no_part_of_this_machine(self):
        self.refused('/api/v1/nodes/n1/proxy/healthz', 400, 'address not allowed')


class VerifiedKubelet(Pods):
    ARGS = ('--kubelet-certificate-authority', '{folder}/kubelets.crt', '--kubelet-preferred-address-types', 'InternalIP')

    def test_its_certificate_must_name_it_and_be_signed(self):
        code, _, text = self.running.call('GET', PODS + '/a/log')
        self.assertEqual((code, text), (200, 'first\n'))
        self.certify('other', 'IP:192.0.2.1')
        self.kubelet.context.load_cert_chain(self.file('other.crt'), self.file('other.key'))
        url = f'https://127.0.0.1:{self.kubelet.port}/containerLogs/default/a/c'
        self.refused(PODS + '/a/log?sinceSeconds=1', 500, f'Get "{url}?sinceSeconds=1": tls: failed to verify certificate: '
                     'x509: certificate is valid for 192.0.2.1, not 127.0.0.1')
        # Who asks for it reads the log of a kubelet that nobody can vouch for.
        code, _, text = self.running.call('GET', PODS + '/a/log?insecureSkipTLSVerifyBackend=true')
        self.assertEqual((code, text), (200, 'first\n'))

    def test_the_authority_is_read_again_when_it_changes(self):
        self.assertEqual(self.running.call('GET', PODS + '/a/log')[0], 200)
        make_authority(self.folder, 'others')
        os.replace(self.file('others.crt'), self.file('kubelets.crt'))
        strake.wait_for(lambda: self.running.call('GET', PODS + '/a/log')[0] == 500)
        self.assertIn('certificate signed by unknown authority', self.running.call('GET', PODS + '/a/log')[2]['message'])


class Watched(Pods):
    ARGS = ('--audit-policy-file', '{folder}/policy', '--audit-log-path', '{folder}/audit.log')

    def setUp(self):
        with open(os.path.join(self.prepare(), 'policy'), 'w') as file:
            file.write('{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata, resources: [{group: "", resources: ["pods/*"]}]}]}')
        super().setUp()

    def events(self):
        with open(self.file('audit.log')) as file:
            return [(event['stage'], event['verb'], event['objectRef']['subresource'], event.get('responseStatus', {}).get('code'))
                    for event in map(json.loads, file) if event['objectRef'].get('subresource') in ('log', 'exec')]

    def test_the_audit_log_tells_of_them(self):
        self.assertEqual(self.running.call('GET', PODS + '/a/log')[0], 200)
        opened = kubelet.WebSocket(self.running, PODS + '/a/exec?command=echo&stdout=true', 'v5.channel.k8s.io')
        self.addCleanup(opened.close)
        while opened.receive()[0] != 8:
            pass
        strake.wait_for(lambda: ('ResponseComplete', 'get', 'exec', 101) in self.events())
        self.assertEqual(self.events()[-2:], [('ResponseStarted', 'get', 'exec', 101), ('ResponseComplete', 'get', 'exec', 101)])
        self.assertIn(('ResponseStarted', 'get', 'log', 200), self.events())

    def test_the_audit_log_tells_when_they_begin(self):
        opened = kubelet.WebSocket(self.running, PODS + '/a/exec?command=wait&stdout=true', 'v5.channel.k8s.io')
        while opened.receive()[1] != b'\x01waiting\n':
            pass
        self.assertEqual(self.events()[-1][0], 'ResponseStarted')
        opened.close()
        strake.wait_for(lambda: self.events()[-1][0] == 'ResponseComplete')

    def test_policies_see_what_is_to_be_run(self):
        admission = '/apis/admissionregistration.k8s.io/v1/'
        self.make(admission + 'validatingadmissionpolicies', {'metadata': {'name': 'exec'}, 'spec': {
            'matchConstraints': {'resourceRules': [{'apiGroups': [''], 'apiVersions': ['v1'], 'operations': ['CONNECT'], 'resources': ['pods/exec']}]},
            'validations': [{'expression': 'object.command[0] != "rm"', 'message': 'not that'}]}})
        self.make(admission + 'validatingadmissionpolicybindings', {'metadata': {'name': 'exec'}, 'spec': {
            'policyName': 'exec', 'validationActions': ['Deny']}})
        strake.wait_for(lambda: 'not that' in self.running.call('GET', PODS + '/a/exec?command=rm')[2]['message'])
        self.refused(PODS + '/a/exec?command=ls', 400, 'Upgrade request required')


class WrongFlags(unittest.TestCase):
    def test_a_certificate_without_its_key_is_refused(self):
        done = strake.run('serve', '--in-memory', '--workloads', '--listen', '127.0.0.1:0', '--kubelet-client-certificate', '/none.crt')
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('the certificate and the key that are shown to kubelets must be given together', done.stderr)


class WebSockets(Pods):
    def open(self, rest, protocol='v5.channel.k8s.io'):
        opened = kubelet.WebSocket(self.running, f'{PODS}/a/{rest}', protocol)
        self.addCleanup(opened.close)
        self.assertEqual(opened.status, 101)
        self.assertEqual(opened.headers['sec-websocket-protocol'], protocol.split(',')[0])
        return opened

    def run_to_end(self, opened):
        """What came on each channel until the connection was closed in good order."""
        out = {}
        while True:
            opcode, data = opened.receive()
            if opcode == 8:
                self.assertEqual(data, b'\x03\xe8')
                return out
            self.assertEqual(opcode, 2)
            out[data[0]] = out.get(data[0], b'') + data[1:]

    def test_a_command_reads_and_writes(self):
        opened = self.open(f'exec?command=cat&{STREAM_FLAGS}')
        self.assertEqual(opened.receive(), (2, b'\x01'))  # it is connected
        opened.send(b'\x00hello ')
        self.assertEqual(opened.receive(), (2, b'\x01hello '))
        opened.send(b'ping', opcode=9)
        self.assertEqual(opened.receive(), (10, b'ping'))
        opened.send(b'\x00' + b'x' * 50_000)
        opened.send(b'\xff\x00')
        out = self.run_to_end(opened)
        self.assertEqual(out[1], b'x' * 50_000)
        self.assertEqual(json.loads(out[3]), {'metadata': {}, 'status': 'Success'})
        method, target, headers, _ = self.kubelet.seen[0]
        self.assertEqual((method, target), ('POST', '/exec/default/a/c?command=cat&error=1&input=1&output=1'))
        self.assertEqual(headers['x-stream-protocol-version'][:2], ['v5.channel.k8s.io', 'v4.channel.k8s.io'])

    def test_the_exit_code_is_told(self):
        out = self.run_to_end(self.open('exec?command=fail&command=7&stderr=true'))
        self.assertEqual(out[2], b'it failed\n')
        status = json.loads(out[3])
        self.assertEqual((status['reason'], status['details']['causes']), ('NonZeroExitCode', [{'reason': 'ExitCode', 'message': '7'}]))
        self.assertEqual(status['message'], 'command terminated with non-zero exit code: command terminated with exit code 7')

    def test_the_size_of_a_terminal_arrives(self):
        opened = self.open('exec?command=size&stdout=true&stderr=true&tty=true')
        opened.send(b'\x04{"Width":80,"Height":24}')
        self.assertEqual(self.run_to_end(opened)[1], b'{"Width":80,"Height":24}')

    def test_a_kubelet_that_goes_in_the_middle_is_no_success(self):
        out = self.run_to_end(self.open('exec?command=die&stdout=true'))
        self.assertEqual(out[1], b'so far\n')
        self.assertEqual(json.loads(out[3])['message'],
                         'Internal error occurred: the kubelet closed the connection before the command ended')

    def test_a_client_that_goes_ends_the_command(self):
        opened = self.open('exec?command=wait&stdout=true')
        while opened.receive()[1] != b'\x01waiting\n':
            pass
        opened.close()
        self.assertTrue(self.kubelet.left.wait(strake.DEADLINE))

    def test_why_a_kubelet_does_not_run_it_is_told(self):
        self.kubelet.refuses = ('500 Internal Server Error', '{"message":"no such container"}')
        out = self.run_to_end(self.open('attach?stdout=true'))
        self.assertEqual(json.loads(out[3])['message'],
                         'Internal error occurred: unable to upgrade connection: no such container')
        self.kubelet.stop()
        out = self.run_to_end(self.open('exec?command=x&stdout=true'))
        self.assertEqual(json.loads(out[3])['message'],
                         f'Internal error occurred: error sending request: Post "https://127.0.0.1:{self.kubelet.port}/exec/default/a/c?'
                         f'command=x&output=1": dial tcp 127.0.0.1:{self.kubelet.port}: connect: connection refused')

    def test_logs_come_in_messages(self):
        opened = self.open('log?follow=true', 'base64.binary.k8s.io')
        self.assertEqual([opened.receive() for _ in range(2)], [(1, b''), (1, base64.b64encode(b'first\n'))])
        self.kubelet.go_on.set()
        self.assertEqual([opened.receive() for _ in range(2)], [(1, base64.b64encode(b'second\n')), (8, b'\x03\xe8')])
        self.assertEqual([self.open('log', 'binary.k8s.io').receive() for _ in range(1)], [(2, b'')])
        refused = kubelet.WebSocket(self.running, PODS + '/a/log', 'other')
        self.addCleanup(refused.close)
        self.assertEqual(refused.status, 400)

    def test_a_client_that_goes_ends_the_log(self):
        opened = self.open('log?follow=true', 'binary.k8s.io')
        self.assertEqual([opened.receive() for _ in range(2)], [(2, b''), (2, b'first\n')])
        opened.close()
        self.assertTrue(self.kubelet.left.wait(strake.DEADLINE))

    def test_older_protocols_are_the_business_of_the_kubelet(self):
        opened = self.open('exec?command=cat&stdin=true', 'v4.channel.k8s.io')
        opened.send(b'\x00abc')
        first, size = opened.file.read(2)
        self.assertEqual((first, size), (0x82, 0x84))  # masked as it was sent
        self.assertEqual(self.kubelet.seen[0][0], 'GET')

    def test_a_node_that_takes_websockets_is_sent_them_as_they_are(self):
        self.set_node_status(declaredFeatures=['ExtendWebSocketsToKubelet'])
        opened = self.open('exec?command=cat&stdin=true')
        opened.send(b'\x00abc')
        self.assertEqual(opened.file.read(2), b'\x82\x84')
        self.assertEqual(self.kubelet.seen[0][:2], ('GET', '/exec/default/a/c?command=cat&input=1'))

    def test_a_handshake_that_is_none_is_refused(self):
        upgrade = {'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Protocol': 'v5.channel.k8s.io'}
        self.refused(PODS + '/a/exec?command=x', 400, 'only version 13 of WebSocket is spoken here', headers=upgrade)

    def test_a_tunnel_carries_spdy(self):
        opened = self.open('portforward', 'SPDY/3.1+portforward.k8s.io, other')
        for number, kind in ((1, 'error'), (3, 'data')):
            headers = [('streamtype', kind), ('port', '80'), ('requestid', '0')]
            block = len(headers).to_bytes(4, 'big') + b''.join(
                len(one).to_bytes(4, 'big') + one.encode() for pair in headers for one in pair)
            if number == 1:
                deflate = spdy.zlib.compressobj(zdict=spdy.DICTIONARY)
            payload = number.to_bytes(4, 'big') + bytes(6) + deflate.compress(block) + deflate.flush(spdy.zlib.Z_SYNC_FLUSH)
            opened.send(b'\x80\x03\x00\x01' + len(payload).to_bytes(4, 'big') + payload)
        opened.send(b'\x00\x00\x00\x03\x01\x00\x00\x05hello')
        came = b''
        while b'80 HELLO' not in came:
            opcode, data = opened.receive()
            self.assertEqual(opcode, 2)
            came += data
        self.assertEqual(self.kubelet.seen[0][:2], ('POST', '/portForward/default/a'))

    def test_the_server_stops_in_the_middle(self):
        opened = self.open('exec?command=wait&stdout=true')
        while opened.receive()[1] != b'\x01waiting\n':
            pass
        self.assertEqual(self.running.stop(), 0)
        self.assertTrue(self.kubelet.left.wait(strake.DEADLINE))


@unittest.skipUnless(KUBECTL, 'there is no kubectl on PATH')
class Kubectl(Pods):
    def kubectl(self, *args, websockets=True, **options):
        options.setdefault('stdin', None if 'input' in options else subprocess.DEVNULL)
        if options['stdin'] is None:
            del options['stdin']
        return subprocess.run([KUBECTL, '--kubeconfig', self.running.kubeconfig, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=strake.DEADLINE, env=self.environment(websockets), **options)

    @staticmethod
    def environment(websockets):
        value = 'true' if websockets else 'false'
        return {**os.environ, 'KUBECTL_REMOTE_COMMAND_WEBSOCKETS': value, 'KUBECTL_PORT_FORWARD_WEBSOCKETS': value}

    def with_both(self, check):
        """WebSocket, which new versions try first, and SPDY, which old ones speak."""
        for websockets in (True, False):
            with self.subTest(websockets=websockets):
                self.kubelet.seen.clear()
                check(websockets)
                # What is translated is a request of the server's own, and no client's.
                self.assertEqual('user-agent' not in self.kubelet.seen[0][2], websockets)

    def test_logs_are_followed(self):
        process = subprocess.Popen([KUBECTL, '--kubeconfig', self.running.kubeconfig, 'logs', '-f', 'a'], stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.stdout.readline(), b'first\n')
        self.kubelet.go_on.set()
        self.assertEqual(process.stdout.read(), b'second\n')
        self.assertEqual(process.wait(strake.DEADLINE), 0)

    def test_commands_are_run(self):
        def check(websockets):
            done = self.kubectl('exec', 'a', '--', 'echo', 'hello', websockets=websockets)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b'echo hello\n', b''))
        self.with_both(check)

    def test_commands_read_until_the_end_of_their_input(self):
        def check(websockets):
            much = os.urandom(1_500_000)
            done = self.kubectl('exec', '-i', 'a', '--', 'cat', websockets=websockets, input=much)
            self.assertEqual((done.returncode, done.stderr), (0, b''))
            self.assertTrue(done.stdout == much)
        self.with_both(check)

    def test_commands_fail(self):
        def check(websockets):
            done = self.kubectl('exec', 'a', '--', 'fail', '3', websockets=websockets)
            self.assertEqual((done.returncode, done.stderr), (3, b'it failed\ncommand terminated with exit code 3\n'))
        self.with_both(check)

    def test_pods_are_attached_to(self):
        def check(websockets):
            done = self.kubectl('attach', '-i', 'a', websockets=websockets, input=b'some text')
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.endswith(b'some text'), done.stdout)
        self.with_both(check)

    def test_ports_are_forwarded(self):
        for websockets in (True, False):
            with self.subTest(websockets=websockets):
                process = subprocess.Popen([KUBECTL, '--kubeconfig', self.running.kubeconfig, 'port-forward', 'pod/a', ':8080'],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(websockets))
                try:
                    port = int(re.search(rb'127\.0\.0\.1:(\d+) ->', process.stdout.readline())[1])
                    for word in (b'hello', b'again'):
                        with socket.create_connection(('127.0.0.1', port), timeout=strake.DEADLINE) as connection:
                            connection.sendall(word)
                            self.assertEqual(connection.recv(100), b'8080 ' + word.upper())
                finally:
                    process.kill()
                    process.communicate()

    def test_a_kubelet_that_is_down_is_named(self):
        self.kubelet.stop()
        for websockets in (True, False):
            done = self.kubectl('exec', 'a', '--', 'echo', websockets=websockets)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'connect: connection refused', done.stderr)

    def test_a_role_that_may_only_read_runs_nothing(self):
        role = {'metadata': {'name': 'reader'}, 'rules': [{'apiGroups': [''], 'resources': ['*'], 'verbs': ['get', 'list', 'watch']}]}
        self.make('/apis/rbac.authorization.k8s.io/v1/clusterroles', role)
        self.make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
                  {'metadata': {'name': 'reader'}, 'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'ClusterRole', 'name': 'reader'},
                   'subjects': [{'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'User', 'name': 'jane'}]})
        self.assertEqual(self.kubectl('logs', 'a', '--as', 'jane').stdout, b'first\n')
        for websockets in (True, False):
            done = self.kubectl('exec', 'a', '--as', 'jane', '--', 'echo', websockets=websockets)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(b'forbidden', done.stderr)
        self.assertEqual([seen[1].split('?')[0] for seen in self.kubelet.seen], ['/containerLogs/default/a/c'])


if __name__ == '__main__':
    unittest.main()
