"""A running `strake serve` for the tests that need one, and a small client for it."""
import base64
import http.client
import json
import os
import re
import resource
import shutil
import signal
import ssl
import subprocess
import tempfile
import urllib.parse

import strake

# As test environments start kube-apiserver: the built-in kinds, and no controllers.
HARNESS = ['--workloads', '--service-cluster-ip-range=10.0.0.0/24', '--controllers=-garbage-collector-controller',
           '--disable-admission-plugins=ServiceAccount']


def client_certificate(kubeconfig, folder):
    """The certificate and the key that a kubeconfig holds, as files in the folder."""
    with open(kubeconfig) as file:
        text = file.read()
    out = []
    for field in ('client-certificate-data', 'client-key-data'):
        out.append(os.path.join(folder, f'{os.path.basename(kubeconfig)}.{field}'))
        with open(out[-1], 'wb') as file:
            file.write(base64.b64decode(re.search(rf'{field}: (\S+)', text).group(1)))
    return tuple(out)


class Server:
    """Started on a free port, in a folder of its own; `with` stops it and removes the folder."""

    def __init__(self, *args, data_dir=None, env=None, log=None, memory=None):
        self.own_folder = data_dir is None
        self.folder = data_dir or tempfile.mkdtemp(prefix='strake-serve-')
        self.args = args
        self.env = env
        self.log_path = log or os.path.join(self.folder, 'log')
        self.memory = memory  # bytes of address space, or no limit
        self.process = None
        self.start()

    def start(self):
        read_end, write_end = os.pipe()
        self.log = open(self.log_path, 'ab')
        self.process = subprocess.Popen(
            [strake.BINARY, 'serve', '--data-dir', self.folder, '--listen', '127.0.0.1:0', '--ready-fd', str(write_end),
             *self.args],
            pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=self.env,
            preexec_fn=self.limit_memory if self.memory else None)
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            self.url = ready.readline().strip()
        if not self.url:
            self.process.wait(timeout=strake.DEADLINE)
            self.log.close()
            raise AssertionError('the server did not start: ' + self.text())
        self.address = urllib.parse.urlparse(self.url).netloc

    def limit_memory(self):
        resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))

    def resident(self):
        """Bytes that are in memory now."""
        with open(f'/proc/{self.process.pid}/statm') as statm:
            return int(statm.read().split()[1]) * os.sysconf('SC_PAGESIZE')

    def text(self):
        with open(self.log_path, errors='replace') as log:
            return log.read()

    @property
    def kubeconfig(self):
        return os.path.join(self.folder, 'admin.kubeconfig')

    @property
    def certificate(self):
        return os.path.join(self.folder, 'pki', 'admin.crt')

    @property
    def key(self):
        return os.path.join(self.folder, 'pki', 'admin.key')

    def context(self, credentials=True):
        context = ssl.create_default_context(cafile=os.path.join(self.folder, 'pki', 'ca.crt'))
        if credentials:
            context.load_cert_chain(self.certificate, self.key)
        return context

    def connect(self, credentials=True):
        return http.client.HTTPSConnection(self.address, context=self.context(credentials), timeout=strake.DEADLINE)

    def call(self, method, path, body=None, headers=None, credentials=True):
        """One request on a connection of its own: (code, headers, parsed JSON or text)."""
        connection = self.connect(credentials)
        try:
            data = body if isinstance(body, (bytes, str)) or body is None else json.dumps(body)
            connection.request(method, path, data, {'Content-Type': 'application/json', **(headers or {})})
            answer = connection.getresponse()
            text = answer.read().decode()
            try:
                return answer.status, answer.headers, json.loads(text)
            except ValueError:
                return answer.status, answer.headers, text
        finally:
            connection.close()

    def stop(self):
        """As Ctrl-C does; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=strake.DEADLINE)
        self.log.close()
        return code

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=strake.DEADLINE)
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        if self.process.poll() is None:
            self.stop()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def widget_crd(group='e2e.example.com', plural='widgets', kind='Widget', schema=None):
    return {
        'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
        'metadata': {'name': f'{plural}.{group}'},
        'spec': {
            'group': group, 'scope': 'Namespaced',
            'names': {'plural': plural, 'singular': kind.lower(), 'kind': kind, 'listKind': kind + 'List'},
            'versions': [{
                'name': 'v1', 'served': True, 'storage': True, 'subresources': {'status': {}},
                'schema': {'openAPIV3Schema': schema or {
                    'type': 'object',
                    'properties': {'spec': {'type': 'object', 'properties': {
                        'size': {'type': 'integer', 'maximum': 10}, 'colour': {'type': 'string', 'default': 'red'},
                        'note': {'type': 'string'}}},
                        'status': {'type': 'object', 'properties': {'phase': {'type': 'string'}}}}}},
            }]}}


def widget(name, group='e2e.example.com', kind='Widget', **spec):
    return {'apiVersion': f'{group}/v1', 'kind': kind, 'metadata': {'name': name}, 'spec': spec}


WIDGETS = '/apis/e2e.example.com/v1/namespaces/default/widgets'
CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
