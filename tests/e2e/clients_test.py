"""The Python and the JavaScript client, unchanged, against strake serve: lists, watches, informers."""
import os
import shutil
import subprocess
import sys
import unittest

import server
import strake
from server import CRDS, widget_crd

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'clients')
JS_CLIENT = '@kubernetes/client-node@1.3.0'


def python_with_client():
    """An interpreter that has the client: the one that runs this, or Debian's."""
    for program in (sys.executable, '/usr/bin/python3'):
        if os.path.exists(program) and subprocess.run([program, '-c', 'import kubernetes'], stderr=subprocess.DEVNULL).returncode == 0:
            return program
    return None


def node_modules():
    """The folder with the JavaScript client, fetched once a build folder; or why there is none."""
    folder = os.path.join(strake.BUILD, 'npm')
    if shutil.which('node') is None or shutil.which('npm') is None:
        return None, 'there is no node with npm on PATH'
    if not os.path.exists(os.path.join(folder, 'node_modules', '@kubernetes', 'client-node')):
        os.makedirs(folder, exist_ok=True)
        got = subprocess.run(['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', JS_CLIENT],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        if got.returncode != 0:
            return None, 'npm could not install the client: ' + got.stdout[-200:]
    return folder, ''


class Clients(unittest.TestCase):
    def setUp(self):
        self.server = server.Server()
        self.addCleanup(self.server.__exit__)
        self.assertEqual(self.server.call('POST', CRDS, widget_crd())[0], 201)

    def run_client(self, *command, **options):
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=strake.DEADLINE, **options)
        self.assertEqual(done.returncode, 0, (done.stdout, done.stderr[-2000:]))
        return done.stdout.splitlines()

    def test_python_lists_watches_and_patches(self):
        program = python_with_client()
        if program is None:
            self.skipTest('no Python here has the kubernetes client')
        said = self.run_client(program, os.path.join(HERE, 'informer.py'), self.server.kubeconfig)
        self.assertEqual(said, ["LISTED ['first']", 'ADDED second 2', 'MODIFIED first 5', 'DELETED second 2',
                                "NAMESPACES ['default', 'kube-public', 'kube-system']", 'REFUSED 422 True'])

    def test_javascript_informer(self):
        folder, why = node_modules()
        if folder is None:
            self.skipTest(why)
        script = os.path.join(folder, 'informer.mjs')  # beside the packages, where node looks for them
        shutil.copyfile(os.path.join(HERE, 'informer.mjs'), script)
        said = self.run_client('node', script, self.server.kubeconfig)
        self.assertEqual(said, ['ADD first 1', 'ADD second 2', 'UPDATE second 6', 'DELETE second 6'])


if __name__ == '__main__':
    unittest.main()
