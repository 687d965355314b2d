"""Documents of operations, as `strake validate` and the server judge them: by the same definitions, in the same words."""
import json
import os
import shutil
import tempfile
import unittest

import strake

DEFINITIONS = os.path.join(strake.SOURCE, 'src/ops/kom/definitions')
EXAMPLE = os.path.join(strake.SOURCE, 'examples/operate')

# Specs that are wrong, one way each.
FAULTS = [
    ('Cluster', {'protection': {'provisioning': 'readonly'}}),
    ('Cluster', {'ingress': {'certificates': [{'name': 'a', 'source': 'x'}, {'name': 'a', 'source': 'y'}]}}),
    ('Provider', {'driver': 'local', 'settings': {'A': {'b': 'c'}}}),
    ('Provider', {}),
    ('App', {'deployment': {'pool': 'a', 'pools': ['b']}}),
    ('App', {'deployment': {'selectors': {'a': 'b'}}}),
    ('App', {'volumes': [{'name': 'A', 'size': 1}]}),
    ('App', {'volumes': [{'name': 'a', 'size': '10gi'}]}),
    ('App', {'volumes': [{'name': 'a', 'size': 1, 'type': 'nfs'}]}),
    ('App', {'volumes': [{'name': 'a'}]}),
    ('App', {'networkPolicy': {'ingressRules': [{'ports': [{'port': 80}]}]}}),
    ('App', {'networkPolicy': {'ingressRules': [{'from': [{'namespaceSelector': {}}]}]}}),
    ('Box', {'component': 'other'}),
    ('Box', {'command': ['sh']}),
    ('Disk', {'appRef': {'name': 'a'}, 'volumeName': 'way-too-long-for-this'}),
    ('NodePool', {'clusterRef': {'name': 'c'}, 'autoscaling': {'enabled': True, 'min': 3, 'max': 2}}),
]
# What stays as it was made: (kind, spec, spec that it cannot become).
DISK = {'appRef': {'name': 'store'}, 'volumeName': 'pages'}
FIXED = [
    ('Disk', DISK, {**DISK, 'volumeName': 'database'}),
    ('Disk', DISK, {**DISK, 'appRef': {'name': 'other'}}),
    ('Disk', DISK, {**DISK, 'source': 'snapshot:s'}),
    ('Snapshot', DISK, {**DISK, 'snapshotName': 's'}),
    ('NodePool', {'clusterRef': {'name': 'blue'}}, {'clusterRef': {'name': 'green'}}),
]


def document(kind, spec, name='one'):
    return {'apiVersion': 'ops.kompox.dev/v1alpha1', 'kind': kind, 'metadata': {'name': name, 'namespace': 'default'}, 'spec': spec}


class Kom(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='strake-kom-')
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, *objects):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as file:
            file.write('\n'.join(json.dumps(one) for one in objects))
        return path

    def on_server(self, script, *applied):
        """What a shell prints that has kubectl and a server with the definitions, and what was applied behind them."""
        arguments = [word for path in (DEFINITIONS, *applied) for word in ('--apply', path)]
        done = strake.run('testserver', *arguments, '--', 'sh', '-c', script)
        return done.returncode, done.stdout, done.stderr

    def test_the_example_is_fine_and_faults_have_places(self):
        done = strake.run('validate', EXAMPLE)
        self.assertEqual((done.returncode, done.stdout), (strake.FINE, 'skipped 1 Compose file; --verbose lists them\n3 files, 7 documents: all fine\n'))
        with open(os.path.join(EXAMPLE, 'kompoxapp.yml')) as file:
            text = file.read()
        path = os.path.join(self.folder, 'app.yml')
        with open(path, 'w') as file:
            file.write(text.replace('pool: user', 'pool: user\n    pools: [a]'))
        done = strake.run('validate', path)
        self.assertEqual(done.returncode, strake.FINDINGS)
        line = text.split('\n').index('    pool: user') + 1
        self.assertIn(f'{path}:{line}:5: spec.deployment: ', done.stdout)
        self.assertIn('deployment.pool and deployment.pools cannot be specified together', done.stdout)

    def test_kubectl_applies_the_documents_that_are_read_from_files(self):
        if shutil.which('kubectl') is None:
            self.skipTest('no kubectl here')
        code, out, err = self.on_server(
            f'kubectl apply -f {EXAMPLE}/kom -f {EXAMPLE}/kompoxapp.yml > /dev/null && kubectl get clusters,apps,boxes --no-headers')
        self.assertEqual((code, err), (0, ''))
        rows = [line.split()[:-1] for line in out.split('\n') if line]
        self.assertIn(['cluster.ops.kompox.dev/blue', 'blue.example.test', '/ws/shop/prv/here/cls/blue'], rows)
        self.assertIn(['app.ops.kompox.dev/store', '/ws/shop/prv/here/cls/blue/app/store'], rows)
        self.assertEqual(len(rows), 4)

    def test_the_server_and_the_check_of_files_say_the_same(self):
        found = {}
        for i, (kind, spec) in enumerate(FAULTS):
            path = self.write(f'{i}.json', document(kind, spec))
            done = strake.run('validate', '-o', 'json', path)
            self.assertEqual(done.returncode, strake.FINDINGS, f'{kind} {spec}')
            issues = [issue for one in json.loads(done.stdout)['results'] for issue in one['issues']]
            found[i] = sorted((issue.get('fieldPath', '<nil>'), issue['message']) for issue in issues if issue['severity'] == 'error')
            self.assertTrue(found[i], f'{kind} {spec}')
        plural = {'Cluster': 'clusters', 'Provider': 'providers', 'App': 'apps', 'Box': 'boxes', 'Disk': 'disks', 'NodePool': 'nodepools'}
        # Straight to the API: kubectl would put the causes into words of its own.
        script = CALL + '\n' + '\n'.join(
            f'python3 -c "$CALL" /apis/ops.kompox.dev/v1alpha1/namespaces/default/{plural[kind]} {self.folder}/{i}.json'
            for i, (kind, _) in enumerate(FAULTS))
        code, out, err = self.on_server(script)
        self.assertEqual((code, err), (0, ''))
        answers = [json.loads(line) for line in out.split('\n') if line]
        self.assertEqual(len(answers), len(FAULTS))
        for i, answer in enumerate(answers):
            self.assertEqual(answer['reason'], 'Invalid', f'{FAULTS[i]}: {answer}')
            causes = sorted((cause['field'], cause['message']) for cause in answer['details']['causes'])
            self.assertEqual(causes, found[i], FAULTS[i])

    def test_what_something_was_made_of_cannot_change(self):
        if shutil.which('kubectl') is None:
            self.skipTest('no kubectl here')
        script = ''
        for i, (kind, spec, other) in enumerate(FIXED):
            first = self.write(f'{i}a.json', document(kind, spec, f'n{i}'))
            second = self.write(f'{i}b.json', document(kind, other, f'n{i}'))
            script += f'kubectl apply -f {first} && kubectl apply -f {first} && ! kubectl apply -f {second} || exit 1\n'
        code, out, err = self.on_server(script)
        self.assertEqual(code, 0, out + err)
        self.assertEqual(out.count(' unchanged'), len(FIXED))
        self.assertEqual(err.count(' is invalid:'), len(FIXED), err)


# Creates the object of a file by one call, and prints the Status.
CALL = """CALL='
import http.client, os, ssl, sys
folder = os.path.dirname(os.environ["KUBECONFIG"])
url = next(line.split()[1] for line in open(os.environ["KUBECONFIG"]) if "server:" in line)
context = ssl.create_default_context(cafile=folder + "/ca.crt")
context.load_cert_chain(folder + "/client.crt", folder + "/client.key")
connection = http.client.HTTPSConnection(url.removeprefix("https://"), context=context)
connection.request("POST", sys.argv[1], open(sys.argv[2]).read(), {"Content-Type": "application/json"})
print(connection.getresponse().read().decode().strip())
'"""

if __name__ == '__main__':
    unittest.main()
