"""The webhooks that recorded conversations call: the tool of the recordings, behind a certificate of an authority made for it."""
import base64
import os
import shutil
import socket
import subprocess
import sys
import tempfile


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


class WebhookServer:
    """`with` stops it and removes its folder."""

    def __init__(self, tool):
        self.folder = tempfile.mkdtemp(prefix='strake-hooks-')
        self.port = free_port()
        self.make_certificates()
        self.process = subprocess.Popen([sys.executable, '-B', tool, str(self.port), self.file('hook.crt'), self.file('hook.key')],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout.readline().strip() == 'ready'

    def file(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *args):
        subprocess.run(['openssl', *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)

    def make_certificates(self):
        key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
        self.openssl('req', '-x509', *key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=hooks')
        self.openssl('req', *key, '-keyout', 'hook.key', '-out', 'hook.csr', '-subj', '/CN=hook')
        with open(self.file('names'), 'w') as names:
            names.write('subjectAltName=IP:127.0.0.1')
        self.openssl('x509', '-req', '-in', 'hook.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'hook.crt', '-days', '2',
                     '-extfile', 'names')

    def settings(self):
        """What the player of the recordings is told."""
        with open(self.file('ca.crt'), 'rb') as ca:
            bundle = base64.b64encode(ca.read()).decode()
        return ['--set', f'caBundle={bundle}', '--set', f'webhookPort={self.port}']

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
