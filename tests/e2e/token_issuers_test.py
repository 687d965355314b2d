"""Tokens of others: an OpenID Connect issuer with keys of its own, and a webhook, both over TLS."""
import base64
import http.server
import json
import os
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

import server
import strake

SELF = '/apis/authentication.k8s.io/v1/selfsubjectreviews'


def openssl(*args, data=None):
    return subprocess.run(['openssl', *args], input=data, check=True, capture_output=True,
                          timeout=strake.DEADLINE).stdout


def url_text(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


class Issuer:
    """Serves discovery and keys, signs tokens, and reviews the token `hooked`."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate = os.path.join(folder, 'tls.crt')
        key = os.path.join(folder, 'tls.key')
        openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out',
                self.certificate, '-days', '2', '-subj', '/CN=issuer', '-addext', 'subjectAltName=IP:127.0.0.1')
        self.rotate('first')
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, body):
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                if self.path == '/keys':
                    self.answer(issuer.keys())
                else:
                    self.answer({'issuer': issuer.url, 'jwks_uri': issuer.url + '/keys'})

            def do_POST(self):
                review = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                good = review['spec']['token'] == 'hooked'
                review['status'] = {'authenticated': good, 'user': {'username': 'hook-user'} if good else {}}
                self.answer(review)

            def log_message(self, *args):
                pass

        self.http = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        self.url = f'https://127.0.0.1:{self.http.server_address[1]}'
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def rotate(self, name):
        self.name = name
        self.key = os.path.join(self.folder, name + '.pem')
        openssl('genrsa', '-out', self.key, '2048')

    def keys(self):
        modulus = openssl('rsa', '-in', self.key, '-noout', '-modulus').decode().strip().split('=')[1]
        return {'keys': [{'kty': 'RSA', 'use': 'sig', 'alg': 'RS256', 'kid': self.name, 'e': 'AQAB',
                          'n': url_text(bytes.fromhex(modulus))}]}

    def token(self, **claims):
        header = {'alg': 'RS256', 'kid': self.name}
        body = {'iss': self.url, 'aud': 'strake', 'exp': int(time.time()) + 600, **claims}
        text = '.'.join(url_text(json.dumps(part).encode()) for part in (header, body))
        return text + '.' + url_text(openssl('dgst', '-sha256', '-sign', self.key, data=text.encode()))

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.http.shutdown()
        self.http.server_close()


class TokensOfOthers(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.issuer = self.enterContext(Issuer(folder))
        self.folder = folder

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as out:
            out.write(text)
        return path

    def who(self, running, token):
        code, _, body = running.call('POST', SELF, {}, {'Authorization': 'Bearer ' + token}, credentials=False)
        return body['status']['userInfo'] if code == 201 else code

    def test_an_issuer_by_flags(self):
        with server.Server('--oidc-issuer-url', self.issuer.url, '--oidc-client-id', 'strake', '--oidc-ca-file',
                           self.issuer.certificate, '--oidc-groups-claim', 'groups', '--oidc-groups-prefix', 'o:') as running:
            found = self.who(running, self.issuer.token(sub='ann', groups=['dev']))
            self.assertEqual(found['username'], self.issuer.url + '#ann')
            self.assertEqual(found['groups'], ['o:dev', 'system:authenticated'])
            self.assertEqual(self.who(running, self.issuer.token(sub='ann', aud='other')), 401)
            self.assertEqual(self.who(running, self.issuer.token(sub='ann', exp=1)), 401)
            self.issuer.rotate('second')
            self.assertEqual(self.who(running, self.issuer.token(sub='bob'))['username'], self.issuer.url + '#bob')
            self.assertNotIn('eyJ', running.text(), 'no token in the log')
            self.assertEqual(running.stop(), 0)

    def test_a_file_of_issuers_is_followed(self):
        with open(self.issuer.certificate) as file:
            authority = file.read()

        def text(prefix, path):
            return json.dumps({
                'apiVersion': 'apiserver.config.k8s.io/v1', 'kind': 'AuthenticationConfiguration',
                'jwt': [{'issuer': {'url': self.issuer.url, 'audiences': ['strake'],
                                    'certificateAuthority': authority},
                         'claimMappings': {'username': {'expression': f"'{prefix}' + claims.sub"}}}],
                'anonymous': {'enabled': True, 'conditions': [{'path': path}]}})

        file = self.write('auth.yaml', text('one:', '/livez'))
        with server.Server('--authentication-config', file) as running:
            token = self.issuer.token(sub='ann')
            self.assertEqual(self.who(running, token)['username'], 'one:ann')
            self.assertEqual(running.call('GET', '/livez', credentials=False)[0], 200)
            self.assertEqual(running.call('GET', '/readyz', credentials=False)[0], 401)
            self.write('auth.yaml', text('two:', '/readyz'))
            deadline = time.monotonic() + 30
            while self.who(running, token)['username'] != 'two:ann' and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertEqual(self.who(running, token)['username'], 'two:ann')
            self.assertEqual(running.call('GET', '/readyz', credentials=False)[0], 200)
            self.assertEqual(running.call('GET', '/livez', credentials=False)[0], 401)

    def test_a_webhook_is_asked_last(self):
        file = self.write('hook.kubeconfig', json.dumps({
            'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'c',
            'clusters': [{'name': 'c', 'cluster': {'server': self.issuer.url, 'certificate-authority': self.issuer.certificate}}],
            'users': [{'name': 'u', 'user': {}}], 'contexts': [{'name': 'c', 'context': {'cluster': 'c', 'user': 'u'}}]}))
        with server.Server('--authentication-token-webhook-config-file', file) as running:
            self.assertEqual(self.who(running, 'hooked')['username'], 'hook-user')
            self.assertEqual(self.who(running, 'other'), 401)

    def test_what_excludes_each_other_is_refused(self):
        file = self.write('auth.yaml', 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n'
                                       'anonymous: {enabled: true}\n')
        for flags, wanted in (
                (['--oidc-issuer-url', 'https://x'], 'must be specified together'),
                (['--oidc-issuer-url', 'https://x', '--oidc-client-id', 'a', '--authentication-config', file],
                 'mutually exclusive'),
                (['--anonymous-auth=false', '--authentication-config', file], '--anonymous-auth flag cannot be set'),
                (['--oidc-issuer-url', 'http://x', '--oidc-client-id', 'a'], 'URL scheme must be https')):
            ended = strake.run('serve', '--in-memory', '--listen', '127.0.0.1:0', *flags)
            self.assertEqual(ended.returncode, strake.INPUT, flags)
            self.assertIn(wanted, ended.stderr)


if __name__ == '__main__':
    unittest.main()
