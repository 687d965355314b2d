"""The programs kube-apiserver and etcd as envtest of controller-runtime starts them: the same flags, files, health checks and signals."""
import base64
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

import strake
from server import CRDS, widget_crd


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


class Envtest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='strake-envtest-')
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        done = strake.run('testserver', 'assets', '--dir', self.file('assets'))
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assets = done.stdout.strip()

    def file(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *args):
        subprocess.run(['openssl', *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)

    def make_authority(self, certificate, key):
        self.openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', certificate,
                     '-days', '2', '-subj', '/CN=envtest-environment/O=envtest')

    def certify(self, authority, name, subject, *extensions):
        self.openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', f'{name}.key', '-out', f'{name}.csr',
                     '-subj', subject)
        with open(self.file(f'{name}.ext'), 'w') as file:
            file.write('\n'.join(extensions))
        self.openssl('x509', '-req', '-in', f'{name}.csr', '-CA', f'{authority}.crt', '-CAkey', f'{authority}.key', '-CAcreateserial', '-out',
                     f'{name}.crt', '-days', '2', '-extfile', f'{name}.ext')

    def start(self, program, *args):
        process = subprocess.Popen([os.path.join(self.assets, program), *args], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def wait_until_healthy(self, process, url, context=None):
        def healthy():
            self.assertIsNone(process.poll())
            try:
                return urllib.request.urlopen(url, context=context).status == 200
            except urllib.error.URLError:
                return False

        strake.wait_for(healthy)

    def has_flag(self, program, flag):
        done = strake.run('--help', program=os.path.join(self.assets, program))
        self.assertEqual(done.returncode, 0)
        return f'\n      --{flag}' in done.stdout

    def test_a_suite_starts_uses_and_stops_them(self):
        self.assertEqual((self.has_flag('kube-apiserver', 'insecure-port'), self.has_flag('etcd', 'unsafe-no-fsync')), (False, True))
        etcd_url = f'http://127.0.0.1:{free_port()}'
        etcd = self.start('etcd', f'--advertise-client-urls={etcd_url}', f'--data-dir={self.file("etcd")}', f'--listen-client-urls={etcd_url}',
                          f'--listen-peer-urls=http://127.0.0.1:{free_port()}', '--unsafe-no-fsync=true')
        self.wait_until_healthy(etcd, etcd_url + '/health')
        self.assertEqual(json.load(urllib.request.urlopen(etcd_url + '/health'))['health'], 'true')

        for authority in ('ca', 'client-cert-auth-ca'):
            self.make_authority(f'{authority}.crt', f'{authority}.key')
        self.make_authority('sa-signer.crt', 'sa-signer.key')
        self.certify('ca', 'apiserver', '/CN=localhost', 'subjectAltName=DNS:localhost,IP:127.0.0.1')
        self.certify('client-cert-auth-ca', 'admin', '/O=system:masters/CN=admin', 'extendedKeyUsage=clientAuth')
        port = free_port()
        server = self.start(
            'kube-apiserver', '--allow-privileged=true', '--authorization-mode=RBAC', '--bind-address=127.0.0.1', f'--cert-dir={self.folder}',
            f'--client-ca-file={self.file("client-cert-auth-ca.crt")}', '--disable-admission-plugins=ServiceAccount', f'--etcd-servers={etcd_url}',
            f'--secure-port={port}', f'--service-account-issuer=https://127.0.0.1:{port}/',
            f'--service-account-key-file={self.file("sa-signer.crt")}',
            f'--service-account-signing-key-file={self.file("sa-signer.key")}', '--service-cluster-ip-range=10.0.0.0/24')
        url = f'https://127.0.0.1:{port}'
        self.wait_until_healthy(server, url + '/healthz', ssl._create_unverified_context())

        context = ssl.create_default_context(cafile=self.file('ca.crt'))
        context.load_cert_chain(self.file('admin.crt'), self.file('admin.key'))

        def call(method, path, body=None):
            request = urllib.request.Request(url + path, json.dumps(body).encode() if body else None, {'Content-Type': 'application/json'},
                                             method=method)
            return json.load(urllib.request.urlopen(request, context=context))

        call('POST', CRDS, widget_crd())
        widget = {'apiVersion': 'e2e.example.com/v1', 'kind': 'Widget', 'metadata': {'name': 'w'}, 'spec': {'size': 3}}
        self.assertEqual(call('POST', '/apis/e2e.example.com/v1/namespaces/default/widgets', widget)['spec']['colour'], 'red')
        # As with kube-apiserver alone, nobody empties namespaces.
        call('POST', '/api/v1/namespaces', {'metadata': {'name': 'gone'}})
        call('DELETE', '/api/v1/namespaces/gone')
        self.assertEqual(call('GET', '/api/v1/namespaces/gone')['status']['phase'], 'Terminating')
        # Tokens are signed by the harness' key.
        call('POST', '/api/v1/namespaces/default/serviceaccounts', {'metadata': {'name': 'robot'}})
        token = call('POST', '/api/v1/namespaces/default/serviceaccounts/robot/token',
                     {'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest', 'spec': {}})['status']['token']
        review = call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {'spec': {'token': token}})
        self.assertEqual(review['status']['user']['username'], 'system:serviceaccount:default:robot')

        for process in (server, etcd):
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(strake.DEADLINE), 0)
            self.assertEqual(process.stderr.read(), '')

    def test_etcd_keeps_keys_for_etcdctl_and_for_its_json_gateway(self):
        url = f'http://127.0.0.1:{free_port()}'
        etcd = self.start('etcd', f'--advertise-client-urls={url}', f'--data-dir={self.file("etcd")}', f'--listen-client-urls={url}', '--name=one')
        self.wait_until_healthy(etcd, url + '/health')

        def ctl(*args, stdin=None, code=0, at=url):
            env = {**os.environ, 'ETCDCTL_API': '3'}
            done = subprocess.run(['etcdctl', '--endpoints', at, *args], env=env, input=stdin, capture_output=True, text=True, timeout=strake.DEADLINE)
            self.assertEqual(done.returncode, code, done.stderr)
            return done.stdout if code == 0 else done.stderr

        def post(path, body):
            return json.load(urllib.request.urlopen(urllib.request.Request(url + path, json.dumps(body).encode())))

        self.assertIs(json.loads(ctl('endpoint', 'health', '--write-out=json'))[0]['health'], True)
        self.assertEqual(ctl('put', '/registry/a', 'one'), 'OK\n')
        self.assertEqual(ctl('put', '/registry/b', 'x' * 100_000), 'OK\n')
        self.assertEqual(ctl('put', '--prev-kv', '/registry/a', 'two'), 'OK\n/registry/a\none\n')
        self.assertEqual(ctl('get', '/registry/a'), '/registry/a\ntwo\n')
        self.assertEqual(ctl('get', '--rev=2', '/registry/a'), '/registry/a\none\n')
        self.assertEqual(ctl('get', '--prefix', '--keys-only', '--sort-by=KEY', '--order=DESCEND', '/registry/'), '/registry/b\n\n/registry/a\n\n')
        self.assertEqual(ctl('txn', stdin='value("/registry/a") = "two"\n\nput /registry/a three\n\nget /registry/b\n\n'), 'SUCCESS\n\nOK\n')
        self.assertEqual(ctl('txn', stdin='mod("/registry/a") = "1"\n\n\nget /registry/a\n\n'), 'FAILURE\n\n/registry/a\nthree\n')
        self.assertEqual(ctl('del', '--prefix', '/registry/'), '2\n')
        self.assertEqual(ctl('compact', '5'), 'compacted revision 5\n')
        self.assertIn('mvcc: required revision has been compacted', ctl('get', '--rev=2', '/registry/a', code=1))
        self.assertIn('key is not provided', ctl('put', '', 'x', code=1))
        self.assertIn(f'one, , {url}', ctl('member', 'list'))
        # With http:// in front, etcdctl 3.4 would name all of it as the authority of the request, which is refused.
        status = ctl('endpoint', 'status', '--write-out=json', at=url.removeprefix('http://'))
        self.assertEqual(json.loads(status)[0]['Status']['version'], '3.6.0')

        def b64(text):
            return base64.b64encode(text.encode()).decode()

        self.assertEqual(post('/v3/kv/put', {'key': b64('k'), 'value': b64('v')})['header']['revision'], '7')
        self.assertEqual(post('/v3/kv/range', {'key': b64('k')})['kvs'][0]['value'], b64('v'))
        self.assertEqual(post('/v3/kv/deleterange', {'key': b64('k')})['deleted'], '1')
        self.assertEqual(post('/v3/cluster/member/list', {})['members'][0]['clientURLs'], [url])
        self.assertEqual(post('/v3/maintenance/status', {})['version'], '3.6.0')
        etcd.send_signal(signal.SIGTERM)
        self.assertEqual(etcd.wait(strake.DEADLINE), 0)

    def test_flags_are_used_ignored_with_a_warning_or_refused(self):
        program = os.path.join(self.assets, 'kube-apiserver')
        cases = [
            (['--no-such-flag'], 'error: unknown flag: --no-such-flag\n'),
            (['--secure-port'], 'error: flag needs an argument: --secure-port\n'),
            (['serve'], 'error: unknown command "serve"\n'),
            (['--allow-privileged=false'], 'error: --allow-privileged=false is not supported by strake as kube-apiserver\n'),
            (['--feature-gates=A=true', '--oidc-issuer-url=https://example.com'],
             'error: --oidc-issuer-url=https://example.com is not supported by strake as kube-apiserver\n'),
            (['--feature-gates', 'A=true', '--insecure-port=0', '--secure-port=99999'], 'warning: --feature-gates makes no difference here\n'),
            (['--secure-port=0', '--bind-address=127.0.0.1', '--kubelet-client-certificate=/none.crt', '--kubelet-preferred-address-types=InternalIP'],
             'error: the certificate and the key that are shown to kubelets must be given together\n'),
        ]
        for args, said in cases:
            done = strake.run(*args, program=program)
            self.assertNotEqual(done.returncode, 0, args)
            self.assertTrue(done.stderr.startswith(said), (args, done.stderr))
        self.assertEqual(strake.run('--version', program=program).stdout, 'Kubernetes v1.36.4\n')
        done = strake.run('--listen-client-urls=https://127.0.0.1:1', program=os.path.join(self.assets, 'etcd'))
        self.assertIn('speaks plain HTTP only', done.stderr)

    def test_links_are_made_again_for_another_program(self):
        os.remove(os.path.join(self.assets, 'etcd'))
        os.symlink('/bin/false', os.path.join(self.assets, 'etcd'))
        self.assertEqual(strake.run('testserver', 'assets', '--dir', self.assets).returncode, 0)
        self.assertEqual(os.path.realpath(os.path.join(self.assets, 'etcd')), os.path.realpath(strake.BINARY))
        self.assertEqual(sorted(set(os.listdir(self.assets)) - {'kubectl'}), ['etcd', 'kube-apiserver'])


if __name__ == '__main__':
    unittest.main()
