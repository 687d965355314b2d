"""kubectl against strake serve: recorded scripts, and what people do with an editor, a second terminal and a folder."""
import ast
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import server
import strake
from server import CRDS, WIDGETS, widget, widget_crd

VECTORS = os.environ.get('STRAKE_VECTORS') or os.path.join(strake.SOURCE, '..', 'shared', 'vectors')
TOOL = os.path.join(VECTORS, '..', 'tools', 'kubectl-replay.py')


def kubectl_version():
    """(1, 32), or nothing when there is no kubectl."""
    if shutil.which('kubectl') is None:
        return None
    said = subprocess.run(['kubectl', 'version', '--client'], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    found = re.search(r'v(\d+)\.(\d+)', said) or re.search(r'Major:"(\d+)", Minor:"(\d+)', said)
    return (int(found[1]), int(found[2])) if found else None


VERSION = kubectl_version()
NEW_ENOUGH = VERSION is not None and VERSION >= (1, 30)


class Kubectl(unittest.TestCase):
    def setUp(self):
        if VERSION is None:
            self.skipTest('there is no kubectl on PATH')
        self.server = server.Server()
        self.addCleanup(self.server.__exit__)
        self.home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.env = {**os.environ, 'KUBECONFIG': self.server.kubeconfig, 'HOME': self.home}

    def kubectl(self, *args, expect=0, env=None, **options):
        done = subprocess.run(['kubectl', *args], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**self.env, **(env or {})}, timeout=strake.DEADLINE, **options)
        self.assertEqual(done.returncode, expect, (args, done.stdout, done.stderr))
        self.said = done.stderr
        return done.stdout


class Smoke(Kubectl):
    """What every kubectl can do, Debian's old one too."""

    def test_a_definition_and_then_its_objects(self):
        examples = os.path.join(strake.SOURCE, 'examples')
        crd, objects = os.path.join(examples, 'crd'), os.path.join(examples, 'objects', 'gardens.yaml')
        self.assertIn('created', self.kubectl('apply', '-f', crd))
        self.assertIn('created', self.kubectl('apply', '-f', objects))
        self.assertIn('NAME', self.kubectl('get', 'gardens', '-A'))
        self.assertIn('unchanged', self.kubectl('apply', '-f', crd))

    def test_a_kind_that_is_not_served_is_named(self):
        said = self.kubectl('apply', '-f', '-', expect=1, input=json.dumps(widget('a')))
        self.assertEqual(said, '')
        self.assertIn('no matches for kind "Widget" in version "e2e.example.com/v1"', self.said)
        self.assertNotIn('mime', self.said)

    def test_a_changed_definition_is_applied(self):
        crd = widget_crd()
        self.kubectl('apply', '-f', '-', input=json.dumps(crd))
        self.assertIn('unchanged', self.kubectl('apply', '-f', '-', input=json.dumps(crd)))
        crd['spec']['names']['shortNames'] = ['wdg']
        crd['spec']['versions'][0]['schema']['openAPIV3Schema']['properties']['spec']['properties']['extra'] = {
            'type': 'array', 'items': {'type': 'object', 'properties': {'name': {'type': 'string'}}}}
        self.assertIn('configured', self.kubectl('apply', '-f', '-', input=json.dumps(crd)))
        crd['spec']['versions'][0]['schema']['openAPIV3Schema']['properties']['spec']['properties']['extra'][
            'items']['properties']['size'] = {'type': 'integer'}
        self.assertIn('configured', self.kubectl('apply', '-f', '-', input=json.dumps(crd)))
        self.assertIn('unchanged', self.kubectl('apply', '-f', '-', input=json.dumps(crd)))
        made = widget('a')
        made['spec'] = {'extra': [{'name': 'n', 'size': 1}]}
        self.kubectl('apply', '-f', '-', input=json.dumps(made))
        self.assertEqual(self.kubectl('get', 'wdg', 'a', '-o', 'jsonpath={.spec.extra[0].size}'), '1')
        self.assertIn('labeled', self.kubectl('label', 'crd', 'widgets.e2e.example.com', 'tier=web'))
        self.assertIn('patched', self.kubectl('patch', 'crd', 'widgets.e2e.example.com', '--type=strategic', '-p',
                                              '{"metadata":{"annotations":{"note":"n"}}}'))

    def test_apply_get_and_delete(self):
        self.server.call('POST', CRDS, widget_crd())
        text = json.dumps(widget('a', size=1))
        self.assertIn('created', self.kubectl('apply', '-f', '-', input=text))
        self.assertIn('unchanged', self.kubectl('apply', '-f', '-', input=text))
        self.assertIn('configured', self.kubectl('apply', '-f', '-', input=json.dumps(widget('a', size=2))))
        self.assertEqual(self.kubectl('get', 'widget', 'a', '-o', 'jsonpath={.spec.size}'), '2')
        self.assertIn('deleted', self.kubectl('delete', 'widget', 'a'))
        if not NEW_ENOUGH:
            print(f'kubectl {VERSION} is older than 1.30: the recorded scripts are not played', file=sys.stderr)


class Cascades(Kubectl):
    """kubectl waits until what it deletes is gone: none of its ways to treat dependents may keep it waiting."""

    def owned(self, name, owner):
        reference = {'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': owner['metadata']['name'], 'uid': owner['metadata']['uid'],
                     'blockOwnerDeletion': True}
        return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name, 'ownerReferences': [reference]}}

    def make_family(self):
        maps = '/api/v1/namespaces/default/configmaps'
        owner = self.server.call('POST', maps, {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'owner'}})[2]
        self.assertEqual(self.server.call('POST', maps, self.owned('child', owner))[0], 201)

    def test_foreground_takes_the_dependents_first(self):
        self.make_family()
        self.kubectl('delete', 'configmap', 'owner', '--cascade=foreground', '--timeout=30s')
        self.kubectl('wait', '--for=delete', 'configmap/child', '--timeout=30s')

    def test_background_takes_them_after(self):
        self.make_family()
        self.kubectl('delete', 'configmap', 'owner', '--timeout=30s')
        self.kubectl('wait', '--for=delete', 'configmap/child', '--timeout=30s')

    def test_orphan_leaves_them_without_an_owner(self):
        self.make_family()
        self.kubectl('delete', 'configmap', 'owner', '--cascade=orphan', '--timeout=30s')
        self.assertEqual(self.kubectl('get', 'configmap', 'child', '-o', 'jsonpath={.metadata.ownerReferences}'), '')

    def test_a_namespace_goes_in_every_way(self):
        self.server.call('POST', CRDS, widget_crd())
        for cascade in ('foreground', 'orphan', 'background'):
            self.kubectl('create', 'namespace', 'away')
            self.kubectl('create', '-n', 'away', 'configmap', 'a')
            self.kubectl('delete', '-n', 'away', 'configmap', 'a', f'--cascade={cascade}', '--timeout=30s')
            self.kubectl('create', '-n', 'away', 'configmap', 'b')
            self.kubectl('delete', 'namespace', 'away', f'--cascade={cascade}', '--timeout=30s')

    def test_a_restart_goes_on_where_it_stopped(self):
        self.make_family()
        child = '/api/v1/namespaces/default/configmaps/child'
        self.server.call('PATCH', child, {'metadata': {'finalizers': ['a.example/hold']}},
                         {'Content-Type': 'application/merge-patch+json'})
        self.kubectl('delete', 'configmap', 'owner', '--cascade=foreground', '--wait=false')
        self.server.stop()
        self.server.start()
        self.server.call('PATCH', child, {'metadata': {'finalizers': None}}, {'Content-Type': 'application/merge-patch+json'})
        self.kubectl('wait', '--for=delete', 'configmap/owner', '--timeout=30s')


def real_failures(report):
    """The failed steps of a replay. kubectl describes the data of a ConfigMap in the order in which Go walks a map, which is
    another one each time: there, other lines count, and not another order of them."""
    failed = []
    for step in re.split(r'^(?=\S+ step \d+: )', report, flags=re.M)[1:]:
        try:
            texts = [ast.literal_eval(text) for text in re.findall(r'^    (?:want|got ) (.+)$', step, re.M)]
        except (SyntaxError, ValueError):  # long ones are cut
            texts = []
        is_order = re.match(r'\S+ step \d+: kubectl describe (cm|configmap)', step) and len(texts) == 2
        if not is_order or sorted(texts[0].splitlines()) != sorted(texts[1].splitlines()):
            failed.append(step)
    return failed


@unittest.skipUnless(NEW_ENOUGH, f'needs kubectl 1.30 or newer, found {VERSION}')
class Scripts(Kubectl):
    def test_only_the_order_of_described_data_is_let_pass(self):
        def report(command, got):
            return f"core step 12: {command}\n  out\n    want 'a\\nb\\n'\n    got  '{got}'\n27 passed, 1 failed\n"
        self.assertEqual(real_failures(report('kubectl describe cm cm1', 'b\\na\\n')), [])
        self.assertEqual(len(real_failures(report('kubectl describe cm cm1', 'b\\nc\\n'))), 1)
        self.assertEqual(len(real_failures(report('kubectl get cm', 'b\\na\\n'))), 1)

    def play(self, *names):
        if not os.path.exists(TOOL):
            self.skipTest(f'the recordings are not here: {VECTORS}')
        played = subprocess.run(
            [sys.executable, '-B', TOOL, 'check', '--kubeconfig', self.server.kubeconfig,
             *[os.path.join(VECTORS, 'kubectl', name + '.json') for name in names]],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        failed = real_failures(played.stdout)
        self.assertEqual(failed, [], played.stdout)
        self.assertTrue(played.returncode == 0 or ' step ' in played.stdout, played.stdout)
        print(f'{names[0]}: {played.stdout.splitlines()[-1]}', file=sys.stderr)

    def test_basics(self):
        self.play('basics')

    def test_core(self):
        self.play('core')

    def test_explain(self):
        self.play('explain')

    def test_server_side_apply(self):
        self.play('ssa')


@unittest.skipUnless(NEW_ENOUGH, f'needs kubectl 1.30 or newer, found {VERSION}')
class ByHand(Kubectl):
    def test_edit_saves_what_the_editor_changed(self):
        self.server.call('POST', CRDS, widget_crd())
        self.server.call('POST', WIDGETS, widget('a', size=1))
        editor = os.path.join(self.home, 'editor')
        with open(editor, 'w') as script:
            script.write('#!/bin/sh\nsed -i "s/size: 1/size: 7/" "$1"\n')
        os.chmod(editor, 0o755)
        self.assertIn('edited', self.kubectl('edit', 'widget', 'a', env={'KUBE_EDITOR': editor}))
        self.assertEqual(self.kubectl('get', 'widget', 'a', '-o', 'jsonpath={.spec.size}'), '7')

    def test_get_watch_shows_changes_as_they_come(self):
        self.server.call('POST', CRDS, widget_crd())
        self.server.call('POST', WIDGETS, widget('a'))
        watching = subprocess.Popen(['kubectl', 'get', 'widgets', '-w', '--no-headers', '-o', 'name'], text=True,
                                    stdout=subprocess.PIPE, env=self.env)
        self.addCleanup(watching.stdout.close)
        self.addCleanup(watching.wait)
        self.addCleanup(watching.kill)
        self.assertEqual(watching.stdout.readline().strip(), 'widget.e2e.example.com/a')
        self.server.call('POST', WIDGETS, widget('b'))
        self.assertEqual(watching.stdout.readline().strip(), 'widget.e2e.example.com/b')

    def test_wait_sees_a_status_that_comes_later(self):
        self.server.call('POST', CRDS, widget_crd())
        self.server.call('POST', WIDGETS, widget('a'))

        def set_phase():
            self.server.call('PATCH', WIDGETS + '/a/status', {'status': {'phase': 'Ready'}},
                             {'Content-Type': 'application/merge-patch+json'})
        later = threading.Timer(0.5, set_phase)
        later.start()
        self.addCleanup(later.join)
        self.assertIn('condition met',
                      self.kubectl('wait', 'widget/a', '--for=jsonpath={.status.phase}=Ready', '--timeout=60s'))

    def test_wait_for_deletion(self):
        self.server.call('POST', CRDS, widget_crd())
        self.server.call('POST', WIDGETS, widget('a'))
        later = threading.Timer(0.5, lambda: self.server.call('DELETE', WIDGETS + '/a'))
        later.start()
        self.addCleanup(later.join)
        self.kubectl('wait', 'widget/a', '--for=delete', '--timeout=60s')

    def test_a_whole_folder_is_applied(self):
        folder = os.path.join(self.home, 'manifests')
        os.makedirs(os.path.join(folder, 'more'))
        with open(os.path.join(folder, '00-crd.json'), 'w') as out:
            json.dump(widget_crd(), out)
        self.kubectl('apply', '-f', folder)
        self.kubectl('wait', '--for=condition=Established', 'crd/widgets.e2e.example.com', '--timeout=60s')
        for i in range(20):
            with open(os.path.join(folder, 'more', f'{i:02}.json'), 'w') as out:
                json.dump(widget(f'w{i:02}', size=i % 10), out)
        said = self.kubectl('apply', '-R', '-f', folder)
        self.assertEqual(said.count('created'), 20)
        self.assertEqual(len(self.kubectl('get', 'widgets', '-o', 'name').split()), 20)
        self.assertEqual(self.kubectl('diff', '-R', '-f', folder), '')

    def test_config_maps_and_secrets(self):
        self.kubectl('create', 'configmap', 'settings', '--from-literal=a=1')
        self.kubectl('create', 'secret', 'generic', 'password', '--from-literal=p=hush')
        self.assertEqual(self.kubectl('get', 'cm', 'settings', '-o', 'jsonpath={.data.a}'), '1')
        self.kubectl('label', 'configmap', 'settings', 'tier=web')
        self.assertIn('settings', self.kubectl('get', 'cm', '-l', 'tier=web'))
        self.kubectl('create', 'serviceaccount', 'robot')
        self.kubectl('create', 'role', 'reader', '--verb=get,list', '--resource=configmaps')
        self.kubectl('create', 'rolebinding', 'robot-reads', '--role=reader', '--serviceaccount=default:robot')
        self.assertEqual(json.loads(self.kubectl('get', 'role', 'reader', '-o', 'jsonpath={.rules}')),
                         [{'apiGroups': [''], 'resources': ['configmaps'], 'verbs': ['get', 'list']}])
        self.assertEqual(self.kubectl('get', 'secret', 'password', '-o', 'jsonpath={.data.p}'), 'aHVzaA==')
        self.assertNotIn('hush', self.server.text())

    def test_auth_asks_who_and_whether(self):
        self.assertEqual(self.kubectl('auth', 'can-i', 'create', 'configmaps').strip(), 'yes')
        self.assertIn('Username', self.kubectl('auth', 'whoami'))
        self.assertIn('Resources', self.kubectl('auth', 'can-i', '--list'))

    def write(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def as_user(self, *credentials):
        """Flags for another user of this server."""
        empty = self.write('empty.kubeconfig', 'apiVersion: v1\nkind: Config\n')
        return ['--kubeconfig', empty, '--server', self.server.url,
                '--certificate-authority', os.path.join(self.server.folder, 'pki/ca.crt'), *credentials]

    def test_a_service_account_gets_a_token(self):
        self.kubectl('create', 'serviceaccount', 'robot')
        self.kubectl('create', 'role', 'reader', '--verb=get,list', '--resource=configmaps')
        self.kubectl('create', 'rolebinding', 'robot-reads', '--role=reader', '--serviceaccount=default:robot')
        token = self.kubectl('create', 'token', 'robot', '--duration', '20m').strip()
        robot = self.as_user('--token', token)
        self.assertIn('system:serviceaccount:default:robot', self.kubectl(*robot, 'auth', 'whoami'))
        self.kubectl(*robot, 'get', 'configmaps')
        self.kubectl(*robot, 'get', 'secrets', expect=1)
        self.assertIn('Forbidden', self.said)
        self.kubectl('create', 'secret', 'generic', 'leash')
        bound = self.kubectl('create', 'token', 'robot', '--bound-object-kind', 'Secret', '--bound-object-name', 'leash').strip()
        self.kubectl(*self.as_user('--token', bound), 'get', 'configmaps')
        self.kubectl('delete', 'secret', 'leash')
        self.kubectl(*self.as_user('--token', bound), 'get', 'configmaps', expect=1)
        self.kubectl(*robot, 'get', 'configmaps')
        for secret in (token, bound):
            self.assertNotIn(secret, self.server.text())

    def test_a_certificate_is_asked_for_and_approved(self):
        key, request = (os.path.join(self.home, name) for name in ('jane.key', 'jane.csr'))
        subprocess.run(['openssl', 'req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', request,
                        '-subj', '/O=devs/CN=jane'], check=True, stderr=subprocess.DEVNULL)
        with open(request, 'rb') as file:
            encoded = base64.b64encode(file.read()).decode()
        manifest = {'apiVersion': 'certificates.k8s.io/v1', 'kind': 'CertificateSigningRequest', 'metadata': {'name': 'jane'},
                    'spec': {'request': encoded, 'signerName': 'kubernetes.io/kube-apiserver-client', 'usages': ['client auth'],
                             'expirationSeconds': 3600}}
        self.kubectl('apply', '-f', self.write('csr.json', json.dumps(manifest)))
        self.assertIn('Pending', self.kubectl('get', 'csr'))
        self.kubectl('certificate', 'approve', 'jane')
        self.kubectl('wait', 'csr/jane', '--for=jsonpath={.status.certificate}', '--timeout=20s')
        self.assertIn('Approved,Issued', self.kubectl('get', 'csr'))
        made = base64.b64decode(self.kubectl('get', 'csr', 'jane', '-o', 'jsonpath={.status.certificate}')).decode()
        jane = self.as_user('--client-certificate', self.write('jane.crt', made), '--client-key', key)
        said = self.kubectl(*jane, 'auth', 'whoami')
        self.assertIn('jane', said)
        self.assertIn('devs', said)


if __name__ == '__main__':
    unittest.main()
