"""The recipes of examples/testserver as their readers run them: copied, with `strake` on PATH."""
import base64
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import strake

try:
    import yaml
except ImportError:
    yaml = None

EXAMPLES = os.path.join(strake.SOURCE, 'examples')


def python_with(*modules):
    """An interpreter that has them: the one that runs this, or Debian's."""
    for program in (sys.executable, '/usr/bin/python3'):
        if os.path.exists(program) and subprocess.run([program, '-c', 'import ' + ', '.join(modules)], stderr=subprocess.DEVNULL).returncode == 0:
            return program
    return None


class Recipes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='strake-recipes-')
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copytree(EXAMPLES, self.file('examples'))
        os.mkdir(self.file('bin'))
        os.symlink(os.path.abspath(strake.BINARY), self.file('bin/strake'))
        self.env = {k: v for k, v in os.environ.items() if k not in ('KUBECONFIG', 'KUBEBUILDER_ASSETS', 'STRAKE')}
        self.env.update(PATH=self.file('bin') + os.pathsep + os.environ['PATH'], HOME=self.folder, no_proxy='127.0.0.1')

    def file(self, name):
        return os.path.join(self.folder, name)

    def add_program(self, name, text):
        with open(self.file(f'bin/{name}'), 'w') as file:
            file.write(text)
        os.chmod(self.file(f'bin/{name}'), stat.S_IRWXU)

    def run_in(self, folder, *command):
        done = subprocess.run(command, cwd=self.file(folder), env=self.env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=strake.DEADLINE)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_python(self):
        program = python_with('pytest', 'kubernetes')
        if program is None:
            self.skipTest('no Python here has pytest and the kubernetes client')
        said = self.run_in('examples/testserver/python', program, '-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider')
        self.assertIn('7 passed', said)

    def test_javascript(self):
        if shutil.which('node') is None or int(subprocess.run(['node', '--version'], capture_output=True, text=True).stdout[1:].split('.')[0]) < 18:
            self.skipTest('there is no node 18 or later on PATH')
        said = self.run_in('examples/testserver/javascript', 'node', '--test')
        self.assertRegex(said, r'(?m)^. fail 0$')
        self.assertRegex(said, r'(?m)^. pass [1-9]')

    def test_kubebuilder(self):
        # In the place of Go: whether a suite would find the programs, and nothing older before them.
        self.add_program('go', '#!/bin/sh\necho "$@"\n"$KUBEBUILDER_ASSETS/kube-apiserver" --version && "$KUBEBUILDER_ASSETS/etcd" --version && ls bin/k8s\n')
        os.makedirs(self.file('project/bin/k8s/1.30.0-linux-amd64'))
        with open(self.file('project/Makefile'), 'w') as file:
            file.write('include ../examples/testserver/kubebuilder.mk\n')
        said = self.run_in('project', 'make', '-s', 'test-strake').splitlines()
        self.assertEqual((said[0], said[1], said[-1]), ('test ./...', 'Kubernetes v1.36.4', 'strake'))

    def test_github_actions(self):
        if yaml is None:
            self.skipTest('this Python has no yaml')
        with open(self.file('examples/testserver/github-actions.yaml')) as file:
            steps = yaml.safe_load(file)['jobs']['test']['steps']
        runs = {step['name']: step['run'] for step in steps if 'run' in step}
        # A package is not fetched here, and there is no project: what the steps then do is seen by stand-ins.
        self.assertIn('apt-get install', runs.pop('Install strake'))
        self.assertEqual(len(runs), 3)
        self.add_program('python3', '#!/bin/sh\necho "$@"; grep -c current-context "$KUBECONFIG"\n')
        self.add_program('go', '#!/bin/sh\necho "$@"; "$KUBEBUILDER_ASSETS/kube-apiserver" --version\n')
        said = {name: self.run_in('.', 'bash', '-e', '-c', script) for name, script in runs.items()}
        self.assertEqual(said['Tests that find their server by KUBECONFIG'], '-m pytest -q tests\n1\n')
        self.assertEqual(said['Tests with envtest'], 'test ./...\nKubernetes v1.36.4\n')

    def test_clients_find_all_they_need_in_the_kubeconfig(self):
        # kube-rs (Config::infer), client-go and the Python client: data, or paths that do not depend on the folder.
        if yaml is None:
            self.skipTest('this Python has no yaml')
        with open(self.file('show.sh'), 'w') as file:
            file.write('cat "$KUBECONFIG"\n')
        config = yaml.safe_load(self.run_in('.', 'strake', 'testserver', '--', 'sh', 'show.sh'))
        self.assertEqual((config['apiVersion'], config['kind']), ('v1', 'Config'))
        named = {key: {one['name']: one for one in config[key]} for key in ('clusters', 'contexts', 'users')}
        context = named['contexts'][config['current-context']]['context']
        self.assertIn(context.get('namespace', 'default'), ('default',))
        cluster = named['clusters'][context['cluster']]['cluster']
        user = named['users'][context['user']]['user']
        self.assertRegex(cluster['server'], r'^https://127\.0\.0\.1:\d+$')
        for one, field in ((cluster, 'certificate-authority'), (user, 'client-certificate'), (user, 'client-key')):
            if field in one:
                self.assertTrue(os.path.isabs(one[field]))
            else:
                self.assertRegex(base64.b64decode(one[field + '-data'], validate=True), rb'^-----BEGIN (CERTIFICATE|PRIVATE KEY)-----\n')

    def test_one_line_of_json_tells_the_same(self):
        done = subprocess.run(['strake', 'testserver'], env=self.env, text=True, input='', capture_output=True, timeout=strake.DEADLINE)
        told = json.loads(done.stdout)
        self.assertEqual(sorted(told), ['certificateAuthority', 'clientCertificate', 'clientKey', 'kubeconfig', 'url'])
        self.assertTrue(all(os.path.isabs(told[key]) for key in told if key != 'url'))


if __name__ == '__main__':
    unittest.main()
