"""`strake serve --controllers operate`: what is applied is made so by the driver of this machine, and goes without a trace."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import strake
from server import Server

GROUP = '/apis/ops.kompox.dev/v1alpha1'
KINDS = ['workspaces', 'providers', 'clusters', 'apps', 'disks', 'snapshots', 'nodepools']
CANARY = 'canary-of-a-secret'


def thing(kind, name, spec, id=None, **metadata):
    if id:
        metadata.setdefault('annotations', {})['ops.kompox.dev/id'] = id
    return {'apiVersion': 'ops.kompox.dev/v1alpha1', 'kind': kind, 'metadata': {'name': name, 'namespace': 'default', **metadata}, 'spec': spec}


def everything(root):
    volume = {'appRef': {'name': 'shop'}, 'volumeName': 'data'}
    return [
        # Parents come last: what needs them waits for them.
        thing('NodePool', 'user', {'clusterRef': {'name': 'blue'}, 'mode': 'user', 'autoscaling': {'enabled': True, 'min': 2, 'max': 3}}),
        thing('Snapshot', 'first', {**volume, 'source': 'disk:a'}),
        thing('Disk', 'a', volume),
        thing('Disk', 'b', {**volume, 'source': 'snapshot:first', 'assigned': True}),
        thing('App', 'shop', {'compose': 'services: {}', 'volumes': [{'name': 'data', 'size': '64Ki', 'type': 'files'}]}, '/ws/ops/prv/here/cls/blue/app/shop'),
        thing('Cluster', 'blue', {'ingress': {'domain': 'blue.example.test'}}, '/ws/ops/prv/here/cls/blue'),
        thing('Provider', 'here', {'driver': 'local', 'settings': {'LOCAL_ROOT': root, 'SOME_TOKEN': CANARY}}, '/ws/ops/prv/here'),
        thing('Workspace', 'ops', {}, '/ws/ops'),
    ]


class OperateControllers(unittest.TestCase):
    def setUp(self):
        if shutil.which('kubectl') is None:
            self.skipTest('no kubectl here')
        self.folder = tempfile.mkdtemp(prefix='strake-operate-')
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.root = os.path.join(self.folder, 'root')
        self.server = Server('--controllers', 'operate', '--log-level', 'debug', '--operate-look-again', '2s')
        self.addCleanup(self.server.__exit__)
        self.addCleanup(self.remove_all)
        self.wait(lambda: all(self.get(kind)[0] == 200 for kind in KINDS), 'the definitions')

    def remove_all(self):
        """Also after a failure: clusters are processes that outlive their server."""
        if os.path.exists(self.root):
            if self.server.process.poll() is not None:
                self.server.start()
            self.kubectl('delete', *[','.join(KINDS), '--all', '--wait=false'], check=False)
            strake.wait_for(lambda: not any(self.names(kind) for kind in KINDS))

    def kubectl(self, *args, check=True, **options):
        done = subprocess.run(['kubectl', '--kubeconfig', self.server.kubeconfig, *args], text=True, timeout=strake.DEADLINE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        if check:
            self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def apply(self, *objects):
        self.kubectl('apply', '-f', '-', input=json.dumps({'apiVersion': 'v1', 'kind': 'List', 'items': objects}))

    def get(self, place):
        code, _, found = self.server.call('GET', f'{GROUP}/namespaces/default/{place}')
        return code, found

    def names(self, kind):
        return [one['metadata']['name'] for one in self.get(kind)[1].get('items', [])]

    def condition(self, place, type):
        found = self.get(place)[1]
        for one in found.get('status', {}).get('conditions', []) if isinstance(found, dict) else []:
            if one['type'] == type:
                return one
        return {'status': None, 'reason': None, 'message': None}

    def is_true(self, place, type='Ready'):
        return self.condition(place, type)['status'] == 'True'

    def wait(self, condition, what):
        try:
            strake.wait_for(condition)
        except AssertionError:
            states = {kind: self.get(kind)[1] for kind in KINDS}
            self.fail(f'{what} did not come\n{json.dumps(states, indent=1)[:20000]}\n{self.server.text()[-4000:]}')

    def wait_until_ready(self, *places):
        for place in places:
            self.wait(lambda place=place: self.is_true(place), f'{place} to be ready')

    def processes(self):
        """Of clusters that run from this root."""
        out = []
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open(f'/proc/{pid}/cmdline', 'rb') as file:
                    if self.root.encode() in file.read():
                        out.append(int(pid))
            except OSError:
                pass
        return out

    def expect_nothing_left(self):
        self.wait(lambda: not any(self.names(kind) for kind in KINDS), 'an end of all objects')
        self.assertEqual(self.processes(), [])
        left = [os.path.join(at, name) for at, folders, files in os.walk(self.root) for name in files + folders]
        self.assertEqual([one for one in left if not one.endswith('.lock')], [])

    def test_the_whole_story(self):
        self.apply(*everything(self.root))
        places = ['clusters/blue', 'disks/a', 'disks/b', 'snapshots/first', 'nodepools/user']
        self.wait_until_ready(*places)

        with self.subTest('columns show what matters'):
            rows = [line.split() for line in self.kubectl('get', 'clusters,disks,snapshots,nodepools', '--no-headers').split('\n') if line]
            shown = {row[0]: row[1:-1] for row in rows}
            self.assertEqual(shown['cluster.ops.kompox.dev/blue'], ['True', 'true', 'true', '127.0.0.1', 'blue.example.test', '/ws/ops/prv/here/cls/blue'])
            self.assertEqual(shown['disk.ops.kompox.dev/a'][:5], ['True', 'shop', 'data', 'false', '64Ki'])
            self.assertEqual(shown['disk.ops.kompox.dev/b'][:5], ['True', 'shop', 'data', 'true', '64Ki'])
            self.assertEqual(shown['snapshot.ops.kompox.dev/first'][:4], ['True', 'shop', 'data', '64Ki'])
            self.assertEqual(shown['nodepool.ops.kompox.dev/user'], ['True', 'blue', 'user', '2'])

        with self.subTest('conditions and events tell the truth'):
            for place in places:
                self.assertTrue(self.is_true(place, 'Synced'), place)
                self.assertEqual(self.condition(place, 'Drifted')['status'], 'False')
                self.assertEqual(self.get(place)[1]['status']['observedGeneration'], 1)
            reasons = {event['reason'] for event in self.server.call('GET', '/api/v1/namespaces/default/events')[2]['items']}
            self.assertLessEqual({'Provisioned', 'Installed', 'Created', 'Assigned'}, reasons)

        with self.subTest('a killed server goes on where it was'):
            made = self.get('clusters/blue')[1]['status']
            processes = self.processes()
            self.assertEqual(len(processes), 1)
            self.server.kill()
            self.server.start()
            self.apply(thing('NodePool', 'user', {'clusterRef': {'name': 'blue'}, 'mode': 'user', 'autoscaling': {'enabled': True, 'min': 3, 'max': 3}}))
            self.wait(lambda: self.get('nodepools/user')[1]['status'].get('currentNodeCount') == 3, 'a third node')
            self.assertEqual(self.processes(), processes)
            self.assertEqual(self.get('clusters/blue')[1]['status']['conditions'], made['conditions'])
            lease = self.server.call('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/strake-operate')[2]
            self.assertEqual(lease['spec']['leaseTransitions'], 1)

        with self.subTest('drift is found, shown and put right'):
            os.kill(self.processes()[0], 9)
            self.wait(lambda: self.condition('clusters/blue', 'Drifted')['reason'] == 'PutRight', 'a cluster that is put right')
            self.wait_until_ready('clusters/blue')
            self.assertEqual(len(self.processes()), 1)

        with self.subTest('protection is told, and a deletion waits for it'):
            protected = {'ingress': {'domain': 'blue.example.test'}, 'protection': {'provisioning': 'cannotDelete'}}
            self.apply(thing('Cluster', 'blue', protected, '/ws/ops/prv/here/cls/blue'))
            self.kubectl('delete', ','.join(KINDS), '--all', '--wait=false')
            self.wait(lambda: self.condition('clusters/blue', 'Ready')['reason'] == 'Protected', 'a refusal')
            self.assertEqual(self.names('providers'), ['here'])
            self.assertEqual(len(self.processes()), 1)
            self.kubectl('patch', 'cluster', 'blue', '--type=merge', '-p', '{"spec":{"protection":{"provisioning":"none"}}}')
            self.expect_nothing_left()

        with self.subTest('no secret is told'):
            events = json.dumps(self.server.call('GET', '/api/v1/namespaces/default/events')[2])
            for text in (self.server.text(), events):
                self.assertNotIn(CANARY, text)
                self.assertNotIn('PRIVATE KEY', text)
        self.assertEqual(self.server.stop(), 0)

    def test_an_app_may_go_before_its_disks(self):
        self.apply(*[one for one in everything(self.root) if one['kind'] not in ('NodePool', 'Snapshot') and one['metadata']['name'] != 'b'])
        self.wait_until_ready('clusters/blue', 'disks/a')
        self.kubectl('delete', 'disk', 'a', '--wait=false')
        self.wait(lambda: self.condition('disks/a', 'Ready')['reason'] == 'Assigned', 'a refusal to delete an assigned disk')
        self.kubectl('delete', 'workspace,provider,cluster,app', '--all', '--wait=false')
        self.expect_nothing_left()


class Flags(unittest.TestCase):
    def test_operate_is_a_controller_that_stars_do_not_mean(self):
        for given, code, said in [
                (['--controllers', 'operate'], strake.FINE, 'can be used'),
                (['--controllers', '*,operate,-garbage-collector-controller'], strake.FINE, 'can be used'),
                (['--controllers', '*,-operate'], strake.FINE, 'can be used'),
                (['--controllers', 'operat'], strake.INPUT, '"operat" is not in the list of known controllers'),
                (['--operate-look-again', '1m'], strake.INPUT, '--operate-look-again needs --controllers operate'),
                (['--controllers', 'operate', '--operate-look-again', '1ms'], strake.INPUT, 'must be at least 1s')]:
            done = strake.run('serve', '--in-memory', '--check-config', *given)
            self.assertEqual(done.returncode, code, f'{given}: {done.stdout}{done.stderr}')
            self.assertIn(said, done.stdout + done.stderr)


if __name__ == '__main__':
    unittest.main()
