"""Clusters, disks and apps by the command line, over the driver of this machine: from nothing to a running app, and back to nothing."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import kubelet
import strake
from extension_certificates import make_authority, openssl

EXAMPLE = os.path.join(strake.SOURCE, 'examples/operate')


class Place:
    """A configuration in a folder of its own, with a home of its own."""

    def __init__(self, test, example=EXAMPLE):
        self.folder = tempfile.mkdtemp(prefix='strake-operate-')
        test.addCleanup(shutil.rmtree, self.folder)
        self.root = os.path.join(self.folder, 'root')
        self.home = os.path.join(self.folder, 'home')
        os.mkdir(self.home)
        if example:
            shutil.copytree(example, self.root)
            test.addCleanup(self.stop_everything)
        self.environment = {'PATH': os.environ['PATH'], 'HOME': self.home}

    def run(self, *words, program=strake.BINARY, **options):
        return strake.run(*words, program=program, cwd=self.root, env={**self.environment, **options.pop('env', {})}, **options)

    def fine(self, *words, **options):
        done = self.run(*words, **options)
        if done.returncode != 0:
            raise AssertionError(f'{" ".join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}\n{self.logs()[-4000:]}')
        return done.stdout

    def json(self, *words, **options):
        text = self.fine(*words, **options)
        out = json.loads(text)
        # Two spaces a level, a newline at the end, non-ASCII aside.
        assert text == json.dumps(out, indent=2, ensure_ascii=False) + '\n', text
        return out

    def steps(self, *words):
        """What the command told on its error stream: (verb, what)."""
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return [(one['verb'], one['what']) for one in map(json.loads, done.stderr.splitlines())]

    def plan(self, *words):
        return [json.loads(line) for line in self.fine(*words, '--dry-run').splitlines()]

    def logs(self):
        folder = os.path.join(self.root, '.kompox/logs')
        text = ''
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            with open(os.path.join(folder, name)) as file:
                text += file.read()
        return text

    def files(self):
        """Everything below the folder that is not a log and was not there in the beginning."""
        out = set()
        for folder, _, names in os.walk(self.folder):
            out.update(os.path.relpath(os.path.join(folder, name), self.folder) for name in names)
        return {name for name in out if not name.startswith('root/.kompox/logs/')}

    def processes(self):
        """Programs that were started for this place."""
        out = []
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open(f'/proc/{pid}/cmdline') as file:
                    if self.home in file.read():
                        out.append(int(pid))
            except OSError:
                pass
        return out

    def zones(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.home) for name in names if name.endswith('.zone')]

    def kubectl(self, *words):
        if shutil.which('kubectl') is None:
            raise unittest.SkipTest('no kubectl here')
        config = os.path.join(self.folder, 'kubeconfig')
        if not os.path.exists(config):
            self.fine('cluster', 'kubeconfig', '-o', config)
        done = subprocess.run(['kubectl', '--kubeconfig', config, *words], text=True, capture_output=True, env=self.environment)
        if done.returncode != 0:
            raise AssertionError(f'{words}: {done.stderr}')
        return done.stdout

    def give_addresses_to_ingresses(self):
        """As the ingress controller does it that does not run here."""
        for one in json.loads(self.kubectl('get', 'ingresses', '-A', '-o', 'json'))['items']:
            self.kubectl('patch', 'ingress', one['metadata']['name'], '-n', one['metadata']['namespace'], '--subresource=status',
                         '--type=merge', '-p', '{"status":{"loadBalancer":{"ingress":[{"ip":"127.0.0.1"}]}}}')

    def stop_everything(self):
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)


class Story(unittest.TestCase):
    def test_from_nothing_to_an_app_and_back(self):
        place = Place(self)
        before = place.files()

        # Nothing is there yet, and a plan makes nothing.
        status = place.json('cluster', 'status')
        self.assertEqual(list(status), ['existing', 'provisioned', 'installed', 'cluster_id', 'cluster_name'])
        self.assertEqual((status['provisioned'], status['cluster_name']), (False, 'blue'))
        plan = place.plan('cluster', 'provision')
        self.assertIn(('plan', 'create cluster'), [(one['verb'], one.get('what')) for one in plan])
        self.assertEqual(place.files(), before)

        place.fine('cluster', 'provision')
        self.assertTrue(place.json('cluster', 'status')['provisioned'])
        self.assertEqual(place.plan('cluster', 'provision')[-1]['planned'], 0)
        place.fine('cluster', 'install')
        status = place.json('cluster', 'status')
        self.assertTrue(status['installed'])
        self.assertEqual(status['ingressGlobalIP'], '127.0.0.1')

        # Without disks the app is refused.
        self.assertEqual(place.fine('disk', 'list', '-V', 'pages'), '[]\n')
        done = place.run('app', 'deploy')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'Error: validation blocked \(2 warnings, 0 errors\)\nSee log file for details: /.*\.log\n$')
        self.assertIn('volume assignment missing (count=0) volume=pages', done.stderr)
        disks = place.json('disk', 'create', '--bootstrap')
        self.assertEqual([one['volumeName'] for one in disks], ['database', 'pages'])
        self.assertTrue(all(one['assigned'] for one in disks))
        self.assertEqual(place.fine('disk', 'create', '--bootstrap'), '[]\n')

        self.assertIn('kind: Deployment', place.fine('app', 'validate', '--out-manifest', '-'))
        plan = place.plan('app', 'deploy')
        self.assertGreater(plan[-1]['planned'], 5)
        self.assertEqual(place.json('app', 'status')['deployment'], '')
        place.fine('app', 'deploy')
        status = place.json('app', 'status')
        self.assertEqual(list(status), ['app_id', 'app_name', 'cluster_id', 'cluster_name', 'ready', 'image', 'namespace', 'node', 'deployment',
                                        'pod', 'container', 'command', 'args', 'ingress_hosts'])
        self.assertEqual(status['deployment'], 'store-app')
        self.assertIn('www.example.test', status['ingress_hosts'])
        self.assertEqual(place.plan('app', 'deploy')[-1]['planned'], 0)

        # No pods run here; that is told in one line.
        for words in (('app', 'logs'), ('app', 'exec', '--', 'true'), ('app', 'tunnel', '-p', '8080')):
            done = place.run(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ''), words)
            self.assertRegex(done.stderr, r'^Error: .*\bpod\b.*\nSee log file', words)

        # A snapshot, restored into a new disk that takes over.
        snapshot = place.json('snapshot', 'create', '-V', 'pages', '-N', 'before')
        self.assertEqual(snapshot['name'], 'before')
        self.assertEqual([one['name'] for one in place.json('snapshot', 'list', '-V', 'pages')], ['before'])
        restored = place.json('disk', 'create', '-V', 'pages', '-N', 'restored', '-S', 'snapshot:before')
        self.assertFalse(restored['assigned'])
        place.fine('disk', 'assign', '-V', 'pages', '-N', 'restored')
        self.assertEqual({one['name']: one['assigned'] for one in place.json('disk', 'list', '-V', 'pages')},
                         {'restored': True, disks[1]['name']: False})
        done = place.run('disk', 'delete', '-V', 'pages', '-N', 'restored')
        self.assertEqual(done.returncode, 1)
        self.assertIn('Error: disk restored is assigned; assign another disk first before deletion\n', done.stderr)
        place.fine('app', 'deploy')

        # Everything goes, and nothing is left but logs.
        place.fine('app', 'destroy', '--delete-namespace')
        self.assertEqual(place.json('app', 'status')['deployment'], '')
        place.fine('snapshot', 'delete', '-V', 'pages', '-N', 'before')
        for volume in ('database', 'pages'):
            for disk in place.json('disk', 'list', '-V', volume):
                place.fine('disk', 'delete', '-V', volume, '-N', disk['name'], '--force')
        done = place.run('cluster', 'deprovision')
        self.assertEqual(done.returncode, 1, 'it is still installed')
        place.fine('cluster', 'uninstall')
        place.fine('cluster', 'deprovision')
        self.assertEqual(place.processes(), [])
        self.assertEqual(place.files(), before)
        # And again: there is nothing to do.
        for words in (('app', 'destroy'), ('cluster', 'uninstall'), ('cluster', 'deprovision')):
            self.assertEqual([verb for verb, _ in place.steps(*words) if verb not in ('skip', 'info')], [], words)

    def test_node_pools_and_dns(self):
        place = Place(self)
        with open(os.path.join(place.root, 'kom/clusters.yml')) as file:
            text = file.read()
        with open(os.path.join(place.root, 'kom/clusters.yml'), 'w') as file:
            file.write(text.replace('    domain: blue.example.test', '    domain: blue.example.test\n  settings:\n    LOCAL_DNS_ZONES: example.test'))
        place.fine('cluster', 'provision')
        place.fine('cluster', 'install')
        with open(os.path.join(place.root, 'pool.yml'), 'w') as file:
            file.write('name: big\nmode: user\nautoscaling: {enabled: false, min: 0, max: 3, desired: 2}\n')
        pool = place.json('nodepool', 'create', '-f', 'pool.yml')
        self.assertEqual((pool['name'], pool['mode']), ('big', 'user'))
        self.assertEqual([one['name'] for one in place.json('nodepool', 'list', '--name', 'big')], ['big'])
        with open(os.path.join(place.root, 'pool.json'), 'w') as file:
            json.dump({'name': 'big', 'labels': {'tier': 'front'}}, file)
        self.assertEqual(place.json('nodepool', 'update', '-f', 'pool.json')['labels']['tier'], 'front')
        place.fine('nodepool', 'delete', '--name', 'big')
        self.assertEqual(place.fine('nodepool', 'list', '--name', 'big'), '[]\n')

        place.fine('app', 'deploy', '--bootstrap-disks')
        # No ingress controller runs here that would tell its address.
        done = place.run('dns', 'deploy', '--strict')
        self.assertEqual(done.returncode, 1)
        self.assertIn('has no address', done.stderr)
        place.give_addresses_to_ingresses()
        self.assertGreater(place.plan('dns', 'deploy')[-1]['planned'], 0)
        self.assertEqual(place.zones(), [])
        done = place.run('dns', 'deploy', '--strict')
        self.assertEqual(done.returncode, 0, done.stderr)
        zones = place.zones()
        self.assertEqual([os.path.basename(one) for one in zones], ['example.test.zone'])
        with open(zones[0]) as file:
            self.assertIn('127.0.0.1', file.read())
        place.fine('dns', 'destroy')
        with open(zones[0]) if os.path.exists(zones[0]) else open(os.devnull) as file:
            self.assertNotIn('www', file.read())
        place.fine('app', 'destroy')
        place.fine('cluster', 'uninstall')
        place.fine('cluster', 'deprovision')
        self.assertEqual(place.processes(), [])

    def test_kubeconfigs_are_of_the_cluster(self):
        place = Place(self)
        code, shown = strake.run_on_terminal('cluster', 'provision', '-C', place.root, env=place.environment)
        self.assertEqual(code, 0, shown)
        self.assertRegex(shown, r'^create: cluster cluster=blue resource=\S+\nupdate: server cluster=blue address=127\.0\.0\.1:\d+\n$')
        place.fine('cluster', 'kubeconfig', '--merge', '--set-current')
        merged = os.path.join(place.home, '.kube/config')
        self.assertEqual(os.stat(merged).st_mode & 0o777, 0o600)
        self.assertTrue('"swagger": "2.0"' in place.fine('openapi', 'fetch', env={'KUBECONFIG': merged}))
        secrets = [line.split(': ')[1] for line in place.fine('cluster', 'kubeconfig', '-o', '-').splitlines()
                   if '-key-data: ' in line or 'token: ' in line]
        self.assertTrue(secrets)
        place.fine('cluster', 'status', '--log-level', 'debug')
        for secret in secrets:
            self.assertNotIn(secret, place.logs())
        place.fine('cluster', 'deprovision')


class Secrets(unittest.TestCase):
    def test_values_set_by_hand_reach_the_cluster_and_nothing_else(self):
        place = Place(self)
        place.fine('cluster', 'provision')
        place.fine('cluster', 'install')
        place.fine('app', 'deploy', '--bootstrap-disks')
        told = ''
        for words, text in ((('secret', 'env', 'set', '-S', 'web', '-f', 'web.env'), 'PASSWORD=canary-one\n'),
                            (('secret', 'pull', 'set', '-f', 'docker.json'), json.dumps({'auths': {'r.example': {'auth': 'Y2FuYXJ5LXR3bw=='}}}))):
            with open(os.path.join(place.root, words[-1]), 'w') as file:
                file.write(text)
            done = place.run(*words, '--log-level', 'debug')
            self.assertEqual(done.returncode, 0, done.stderr)
            told += done.stdout + done.stderr
        for canary in ('canary-one', 'Y2FuYXJ5LW9uZQ', 'Y2FuYXJ5LXR3bw', 'canary-two'):
            self.assertNotIn(canary, told + place.logs())
        place.fine('secret', 'env', 'delete', '-S', 'web')
        place.fine('secret', 'pull', 'delete')
        place.fine('app', 'destroy')
        place.fine('cluster', 'uninstall')
        place.fine('cluster', 'deprovision')


class PodsOfAnApp(unittest.TestCase):
    """With a kubelet that the test serves, since nothing runs pods on this machine."""

    def setUp(self):
        self.place = place = Place(self)
        place.fine('cluster', 'provision')
        place.fine('app', 'deploy', '--bootstrap-disks', '--progress=none')
        authority, = [os.path.join(folder, 'ca.crt') for folder, _, names in os.walk(place.home) if 'ca.crt' in names and folder.endswith('pki')]
        certificates = os.path.join(place.folder, 'certificates')
        os.mkdir(certificates)
        make_authority(certificates, 'kubelets')
        openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-keyout', 'kubelet.key', '-out',
                'kubelet.crt', '-subj', '/CN=kubelet', '-CA', 'kubelets.crt', '-CAkey', 'kubelets.key', '-addext', 'basicConstraints=CA:FALSE',
                '-addext', 'subjectAltName=IP:127.0.0.1', folder=certificates)
        self.kubelet = kubelet.Kubelet(os.path.join(certificates, 'kubelet.crt'), os.path.join(certificates, 'kubelet.key'), authority)
        self.addCleanup(self.kubelet.stop)
        namespace = place.json('app', 'status')['namespace']
        self.apply({'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'n1'}})
        place.kubectl('patch', 'node', 'n1', '--subresource=status', '--type=merge', '-p', json.dumps({'status': {
            'addresses': [{'type': 'InternalIP', 'address': '127.0.0.1'}],
            'daemonEndpoints': {'kubeletEndpoint': {'Port': self.kubelet.port}}}}))
        template = json.loads(place.kubectl('get', 'deployment', 'store-app', '-n', namespace, '-o', 'json'))['spec']['template']
        self.apply({'apiVersion': 'v1', 'kind': 'Pod',
                    'metadata': {'name': 'store-1', 'namespace': namespace, 'labels': template['metadata']['labels']},
                    'spec': {'nodeName': 'n1', 'containers': [{'name': one['name'], 'image': one['image']} for one in template['spec']['containers']]}})
        place.kubectl('patch', 'pod', 'store-1', '-n', namespace, '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Running"}}')

    def apply(self, one):
        path = os.path.join(self.place.folder, 'object.json')
        with open(path, 'w') as file:
            json.dump(one, file)
        self.place.kubectl('create', '-f', path)

    def start(self, *words):
        process = subprocess.Popen([strake.BINARY, *words], cwd=self.place.root, env=self.place.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        return process

    def test_commands_for_people_reach_the_pod(self):
        place = self.place
        status = place.json('app', 'status')
        self.assertEqual((status['pod'], status['node']), ('store-1', 'n1'))

        self.assertEqual(place.fine('app', 'logs', '--tail', '7'), 'first\n')
        self.assertIn('/store-1/api?', self.kubelet.seen[-1][1])
        self.assertIn('tailLines=7', self.kubelet.seen[-1][1])
        place.fine('app', 'logs', '-c', 'db', '--tail=0')
        self.assertIn('/store-1/db', self.kubelet.seen[-1][1])
        self.assertNotIn('tailLines', self.kubelet.seen[-1][1])
        following = self.start('app', 'logs', '-f')
        self.assertEqual(following.stdout.readline(), 'first\n')
        self.kubelet.go_on.set()
        self.assertEqual(following.communicate(timeout=strake.DEADLINE)[0], 'second\n')

        self.assertEqual(place.fine('app', 'exec', '--', 'echo', '-n', 'a'), 'echo -n a\n')
        self.assertEqual(place.fine('app', 'exec', '-i', '--', 'cat', input='typed\n'), 'typed\n')
        done = place.run('app', 'exec', '--', 'fail', '3')
        self.assertEqual((done.returncode, done.stdout, done.stderr), (3, '', 'it failed\n'))
        done = place.run('app', 'exec', '-t', '--', 'size')
        self.assertEqual(done.returncode, 1)
        self.assertIn('Error: --tty needs a terminal', done.stderr)
        code, shown = strake.run_on_terminal('app', 'exec', '-it', '-C', place.root, '--', 'size', env=place.environment)
        self.assertEqual(code, 0, shown)
        self.assertRegex(shown, r'"[Ww]idth"')

        tunnel = self.start('app', 'tunnel', '-p', ':80')
        line = tunnel.stdout.readline()
        self.assertRegex(line, r'^Forwarding from 127\.0\.0\.1:\d+ -> 80\n$')
        with socket.create_connection(('127.0.0.1', int(re.search(r':(\d+) ', line)[1])), timeout=strake.DEADLINE) as connection:
            connection.sendall(b'hello')
            self.assertEqual(connection.recv(100), b'80 HELLO')
        tunnel.send_signal(signal.SIGINT)
        tunnel.communicate(timeout=strake.DEADLINE)
        self.assertEqual(tunnel.returncode, 0)
        self.assertNotIn('typed', place.logs())


class OtherName(unittest.TestCase):
    def test_kompoxops_is_silent_and_has_its_own_tree(self):
        place = Place(self)
        link = os.path.join(place.folder, 'kompoxops')
        os.symlink(strake.BINARY, link)
        done = place.run('cluster', 'provision', program=link)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '', ''))
        self.assertEqual(place.run('cluster', 'nodepool', 'list', program=link).returncode, 0)
        done = place.run('cluster', program=link)
        self.assertEqual((done.returncode, done.stderr), (1, 'Error: invalid command\n'))
        self.assertEqual(len(place.fine('admin', 'cluster', 'list', program=link).splitlines()), 2)
        place.fine('cluster', 'deprovision', program=link)

    def test_init_makes_what_the_other_commands_read(self):
        place = Place(self, example=None)
        os.mkdir(place.root)
        link = os.path.join(place.folder, 'kompoxops')
        os.symlink(strake.BINARY, link)
        self.assertIn('/new/.kompox/config.yml\n', place.fine('-C', 'new', 'init', program=link))
        done = place.run('-C', 'new', 'cluster', 'status', program=link)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'^Error: .*\nSee log file for details: .*/new/\.kompox/logs/kompoxops-\d{8}-\d{6}-\d{3}\.log\n$')

    def test_the_single_file_of_older_configurations_is_read(self):
        place = Place(self, example=None)
        os.makedirs(os.path.join(place.root, '.kompox'))
        with open(os.path.join(place.root, 'kompoxops.yml'), 'w') as file:
            file.write('version: v1\nworkspace: {name: w}\nprovider: {name: p, driver: local}\ncluster: {name: c, ingress: {domain: example.test}}\n'
                       'app: {name: a, compose: {services: {web: {image: nginx}}}, volumes: [{name: data, size: 1Gi}]}\n')
        self.assertEqual(place.fine('config'), 'version=v1 workspace=w provider=p(local) cluster=c domain=example.test app=a\n')
        status = place.json('cluster', 'status')
        self.assertRegex(status['cluster_id'], '^[0-9a-f]{16}$')
        disk = place.json('disk', 'create', '-V', 'data')
        self.assertEqual(place.json('disk', 'list', '-V', 'data'), [disk])
        place.fine('disk', 'delete', '-V', 'data', '-N', disk['name'], '--force')


class Interruption(unittest.TestCase):
    def test_ctrl_c_ends_what_waits_and_says_so(self):
        place = Place(self)
        place.fine('cluster', 'provision')
        place.fine('cluster', 'install')
        # A namespace that never goes: a finalizer of nobody holds it.
        place.kubectl('-n', 'traefik', 'create', 'configmap', 'stuck')
        place.kubectl('-n', 'traefik', 'patch', 'configmap', 'stuck', '-p', '{"metadata":{"finalizers":["example.test/never"]}}')
        process = subprocess.Popen([strake.BINARY, 'cluster', 'uninstall'], cwd=place.root, env=place.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Its last step before it waits is told.
        told = ''
        while 'Namespace' not in told and 'ClusterRole ' not in told:
            told = process.stderr.readline()
            self.assertNotEqual(told, '')
        time.sleep(0.5)
        self.assertIsNone(process.poll(), 'it waits for the namespace')
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=strake.DEADLINE)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(err, r'Error: .*cancel')
        place.kubectl('-n', 'traefik', 'patch', 'configmap', 'stuck', '--type=merge', '-p', '{"metadata":{"finalizers":null}}')
        place.fine('cluster', 'uninstall')
        place.fine('cluster', 'deprovision')
        self.assertEqual(place.processes(), [])


if __name__ == '__main__':
    unittest.main()
