"""`strake webhook` asked by a server: `strake serve` with the configuration that the webhook prints."""
import base64
import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.parse

import server
import strake

CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
POLICY = {
    'apiVersion': 'admissionregistration.k8s.io/v1', 'kind': 'ValidatingAdmissionPolicy', 'metadata': {'name': 'names'},
    'spec': {'matchConstraints': {'resourceRules': [{'apiGroups': ['e2e.example.com'], 'apiVersions': ['v1'], 'operations': ['CREATE'],
                                                     'resources': ['widgets']}]},
             'validations': [{'expression': "!object.metadata.name.startsWith('x')", 'message': 'no x'}]}}


def strict_crd(most=5):
    """The CRD that the webhook knows: stricter than that of the server."""
    return server.widget_crd(schema={
        'type': 'object',
        'properties': {'spec': {'type': 'object', 'required': ['size'], 'properties': {
            'size': {'type': 'integer', 'maximum': most, 'x-kubernetes-validations': [{'rule': 'self >= oldSelf', 'message': 'widgets grow'}]},
            'colour': {'type': 'string'}}}}})


class Webhook:
    """A running webhook over a folder of schemas and one of policies."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix='strake-webhook-')
        for name in ('crds', 'policies'):
            os.mkdir(self.path(name))
        self.write('crds/widgets.json', strict_crd())
        self.write('policies/names.json', POLICY)
        self.flags = ['--schemas', self.path('crds'), '--policies', self.path('policies'), '--cert-dir', self.path('keys')]
        self.process = None

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, content):
        with open(self.path(name + '.new'), 'w') as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        os.rename(self.path(name + '.new'), self.path(name))

    def start(self):
        read_end, write_end = os.pipe()
        self.log = open(self.path('log'), 'ab')
        self.process = subprocess.Popen([strake.BINARY, 'webhook', *self.flags, '--listen', '127.0.0.1:0', '--ready-fd', str(write_end)],
                                        pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            self.url = ready.readline().strip()
        if not self.url:
            raise AssertionError('the webhook did not start: ' + self.text())

    def text(self):
        with open(self.path('log'), errors='replace') as log:
            return log.read()

    def configuration(self):
        printed = subprocess.run([strake.BINARY, 'webhook', *self.flags, '--url', self.url, '--print-config'], check=True, text=True,
                                 stdout=subprocess.PIPE, timeout=strake.DEADLINE).stdout
        return printed

    def call(self, method, path, body=None):
        context = ssl.create_default_context(cafile=self.path('keys/ca.crt'))
        connection = http.client.HTTPSConnection(urllib.parse.urlparse(self.url).netloc, context=context, timeout=strake.DEADLINE)
        try:
            connection.request(method, path, body, {'Content-Type': 'application/json'})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def wait_for(self, text):
        for _ in range(600):
            if text in self.text():
                return
            time.sleep(0.05)
        raise AssertionError(f'{text!r} never came: ' + self.text())

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *failure):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=strake.DEADLINE)
        self.log.close()
        self.folder.cleanup()


class AskedByAServer(unittest.TestCase):
    def setUp(self):
        self.hook = self.enter(Webhook())
        self.server = self.enter(server.Server('--in-memory'))
        code, _, answer = self.server.call('POST', server.CRDS, server.widget_crd())
        self.assertEqual(code, 201, answer)
        code, _, answer = self.server.call('POST', CONFIGURATIONS, self.hook.configuration(), {'Content-Type': 'application/yaml'})
        self.assertEqual(code, 201, answer)
        for _ in range(200):
            if self.server.call('GET', server.WIDGETS)[0] == 200:
                break
            time.sleep(0.05)

    def enter(self, one):
        entered = one.__enter__()
        self.addCleanup(one.__exit__, None, None, None)
        return entered

    def create(self, name, **spec):
        return self.server.call('POST', server.WIDGETS, server.widget(name, **spec))

    def refused(self, answer):
        code, _, status = answer
        self.assertEqual(code, 422, status)
        self.assertEqual(status['reason'], 'Invalid')
        return status['message']

    def test_objects_are_judged_by_the_schemas(self):
        denied = 'admission webhook "validate.strake-webhook.strake" denied the request: '
        self.assertEqual(self.create('good', size=3)[0], 201)
        self.assertEqual(self.refused(self.create('large', size=7)),
                         denied + 'Widget.e2e.example.com "large" is invalid: spec.size: Invalid value: 7: spec.size in body should be '
                         'less than or equal to 5')
        self.assertEqual(self.refused(self.create('none')),
                         denied + 'Widget.e2e.example.com "none" is invalid: [spec.size: Required value, <nil>: Invalid value: null: some '
                         'validation rules were not checked because the object was invalid; correct the existing errors to complete validation]')
        self.assertEqual(self.refused(self.create('x1', size=3)),
                         denied + "ValidatingAdmissionPolicy 'names' denied request: no x")
        smaller = self.server.call('PATCH', server.WIDGETS + '/good', {'spec': {'size': 2}}, {'Content-Type': 'application/merge-patch+json'})
        self.assertEqual(self.refused(smaller), denied + 'Widget.e2e.example.com "good" is invalid: spec.size: Invalid value: 2: widgets grow')
        self.assertEqual(self.server.call('DELETE', server.WIDGETS + '/good')[0], 200)

    def test_fields_that_the_schema_does_not_know_are_warned_of(self):
        code, headers, answer = self.create('noted', size=3, note='hello')
        self.assertEqual(code, 201, answer)
        self.assertIn('unknown field', headers['Warning'])
        self.assertIn('spec.note', headers['Warning'])

    def test_files_that_change_are_read_again_and_bad_ones_are_not(self):
        self.assertEqual(self.create('eight', size=8)[0], 422)
        self.hook.write('crds/widgets.json', strict_crd(9))
        self.hook.wait_for('reloaded schemas and policies')
        self.assertEqual(self.create('eight', size=8)[0], 201)
        self.hook.write('crds/widgets.json', '{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": 1}')
        self.hook.wait_for('the old ones stay')
        self.assertEqual(self.create('nine', size=9)[0], 201)
        self.assertEqual(self.create('ten', size=10)[0], 422)
        self.assertIn('strake_webhook_reloads_total{result="failed"} 1', self.hook.call('GET', '/metrics')[1])

    def test_a_webhook_that_is_gone_refuses_what_it_should_see(self):
        self.hook.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.hook.process.wait(timeout=strake.DEADLINE), 0)
        self.assertEqual(self.create('late', size=3)[0], 500)
        self.assertEqual(self.server.call('POST', '/api/v1/namespaces/default/configmaps', {'metadata': {'name': 'c'}})[0], 201)


class ByItself(unittest.TestCase):
    def test_health_metrics_and_what_is_no_review(self):
        with Webhook() as hook:
            for path in ('/healthz', '/readyz', '/livez'):
                self.assertEqual(hook.call('GET', path), (200, 'ok'))
            self.assertEqual(hook.call('GET', '/validate')[0], 405)
            self.assertEqual(hook.call('GET', '/other')[0], 404)
            self.assertEqual(hook.call('POST', '/validate', '{}')[0], 400)
            self.assertEqual(hook.call('POST', '/validate', b'x' * (8 << 20))[0], 413)
            review = {'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview', 'request': {
                'uid': 'u', 'operation': 'CREATE', 'kind': {'group': 'e2e.example.com', 'version': 'v1', 'kind': 'Widget'},
                'namespace': 'default', 'object': server.widget('w', size=70), 'oldObject': None}}
            code, text = hook.call('POST', '/validate?timeout=10s', json.dumps(review))
            self.assertEqual((code, json.loads(text)['response']['allowed']), (200, False))
            metrics = hook.call('GET', '/metrics')[1]
            self.assertIn('strake_webhook_reviews_total{result="denied"} 1', metrics)
            self.assertIn('strake_webhook_reviews_total{result="failed"} 2', metrics)
            self.assertTrue(re.search(r'^strake_webhook_certificate_expiry_seconds \d{10}$', metrics, re.M), metrics)

    def test_it_says_its_authority(self):
        with Webhook() as hook:
            with open(hook.path('keys/ca.crt'), 'rb') as file:
                bundle = base64.b64encode(file.read()).decode()
            self.assertIn('caBundle: ' + bundle, hook.text())
            self.assertIn('caBundle: ' + bundle, hook.configuration())
            mode = os.stat(hook.path('keys/ca.key')).st_mode & 0o777
            self.assertEqual(mode, 0o600)

    def test_given_certificates_are_read_again(self):
        hook = Webhook()
        for name in ('one', 'two'):
            subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9', '-subj',
                            '/CN=' + name, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', hook.path(name + '.key'), '-out',
                            hook.path(name + '.crt')], check=True, stderr=subprocess.DEVNULL)
        for end in ('key', 'crt'):
            os.rename(hook.path('one.' + end), hook.path('tls.' + end))
        hook.flags = hook.flags[:4] + ['--tls-cert', hook.path('tls.crt'), '--tls-key', hook.path('tls.key')]

        def shown():
            host, port = urllib.parse.urlparse(hook.url).netloc.split(':')
            return ssl.get_server_certificate((host, int(port)))

        with hook:
            first = shown()
            for end in ('key', 'crt'):
                os.rename(hook.path('two.' + end), hook.path('tls.' + end))
            hook.wait_for('reloaded the certificate')
            self.assertNotEqual(shown(), first)


if __name__ == '__main__':
    unittest.main()
