"""What real clients of kube-apiserver 1.36 were told, asked again of `strake serve`: kubectl's scripts, and a public suite of
creates and updates over real CRDs."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import server  # noqa: E402
import strake  # noqa: E402
from kubectl_test import real_failures  # noqa: E402

VECTORS = os.environ.get('STRAKE_VECTORS') or os.path.join(strake.SOURCE, '..', 'shared', 'vectors')
TOOLS = os.path.join(VECTORS, '..', 'tools')

SCRIPTS = ['basics', 'cascade', 'core', 'explain', 'ssa']
# On a server of the built-in kinds.
HARNESS_SCRIPTS = ['workloads', 'envtest']


def let_pass(report):
    """How many failed steps of a replay differ in nothing that counts."""
    return len(re.findall(r'^\S+ step \d+: ', report, re.M)) - len(real_failures(report))


@unittest.skipUnless(os.path.exists(TOOLS), f'the recordings are not here: {VECTORS}')
class RecordedClients(unittest.TestCase):
    def check(self, tool, *args):
        """Plays recordings with a tool, and gives back how many answers were the same; none may differ."""
        done = subprocess.run([sys.executable, '-B', os.path.join(TOOLS, tool), 'check', *args], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=1500)
        counts = re.search(r'^(\d+) passed, (\d+) failed$', done.stdout, re.M)
        self.assertTrue(counts, done.stdout)
        self.assertEqual(int(counts[2]), let_pass(done.stdout), done.stdout[-20000:])
        return int(counts[1])

    @unittest.skipUnless(importlib.util.find_spec('yaml'), 'python3-yaml is not installed')
    def test_suite_of_creates_and_updates(self):
        with server.Server() as running:
            same = self.check('suite.py', '--server', running.url, '--ca', os.path.join(running.folder, 'pki', 'ca.crt'), '--cert',
                              running.certificate, '--key', running.key, VECTORS, os.path.join(VECTORS, 'crs', 'suites', 'openshift.jsonl'))
            self.assertEqual(same, 1040)


def add_script(name, *flags):
    @unittest.skipUnless(shutil.which('kubectl'), 'kubectl is not installed')
    def test(self):
        with server.Server(*flags) as running:
            same = self.check('kubectl-replay.py', '--kubeconfig', running.kubeconfig, os.path.join(VECTORS, 'kubectl', name + '.json'))
            self.assertGreaterEqual(same, 10)
    setattr(RecordedClients, f'test_kubectl_{name}', test)


for script in SCRIPTS:
    add_script(script)
for script in HARNESS_SCRIPTS:
    add_script(script, *server.HARNESS)

if __name__ == '__main__':
    unittest.main()
