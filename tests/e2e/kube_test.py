"""A cluster as a source of schemas: `openapi fetch`, `kustomize openapi fetch` and `validate --context`, each against a
running `strake serve`, with every way into it that a kubeconfig knows."""
import base64
import json
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

import strake
from server import Server, widget_crd

BOAT = widget_crd('marina.dev', 'boats', 'Boat', {
    'type': 'object', 'properties': {'spec': {
        'type': 'object',
        'properties': {
            'length': {'type': 'integer'},
            'sails': {'type': 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'],
                      'items': {'type': 'object', 'required': ['name'],
                                'properties': {'name': {'type': 'string'}, 'area': {'type': 'integer'}}}}},
        'x-kubernetes-validations': [{'rule': 'self.length < 100', 'message': 'no such long boats'}]}}})


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='strake-kube-')
        tokens = os.path.join(cls.folder, 'tokens.csv')
        with open(tokens, 'w') as file:
            file.write('admin-t0ken,robot,7,"system:masters"\n')
        cls.server = Server('--token-file', tokens)
        code, _, answer = cls.server.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', BOAT)
        assert code == 201, answer
        while True:  # until it is served
            code, _, answer = cls.server.call('GET', '/apis/marina.dev/v1')
            if code == 200:
                break

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def write(self, name, text, executable=False):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as file:
            file.write(text)
        if executable:
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def run_strake(self, *args, kubeconfig=None, program=strake.BINARY, **options):
        env = {**os.environ, 'KUBECONFIG': kubeconfig or self.server.kubeconfig, 'HOME': self.folder, 'no_proxy': '127.0.0.1'}
        return strake.run(*args, env=env, program=program, **options)

    def user_config(self, user, name='user', **cluster):
        """A kubeconfig with this user."""
        config = {
            'apiVersion': 'v1', 'kind': 'Config', 'current-context': name,
            'clusters': [{'name': 'c', 'cluster': {
                'server': self.server.url, 'certificate-authority': os.path.join(self.server.folder, 'pki', 'ca.crt'), **cluster}}],
            'users': [{'name': 'u', 'user': user}],
            'contexts': [{'name': name, 'context': {'cluster': 'c', 'user': 'u'}}]}
        return self.write(f'{name}.kubeconfig', json.dumps(config))


class FetchTest(ClusterTest):
    def test_writes_v2_sorted_and_indented(self):
        done = self.run_strake('openapi', 'fetch')
        self.assertEqual((done.returncode, done.stderr), (strake.FINE, ''))
        fetched = json.loads(done.stdout)
        self.assertEqual(fetched['swagger'], '2.0')
        self.assertIn('dev.marina.v1.Boat', fetched['definitions'])
        _, _, served = self.server.call('GET', '/openapi/v2')
        self.assertEqual(fetched, served)
        self.assertTrue(done.stdout.startswith('{\n  "definitions": {\n'), done.stdout[:100])
        self.assertTrue(done.stdout.endswith('\n}\n'))

    def test_merges_v3_into_one_document_and_writes_its_parts_into_a_folder(self):
        target = os.path.join(self.folder, 'v3.json')
        done = self.run_strake('openapi', 'fetch', '--api', 'v3', '-o', target)
        self.assertEqual((done.returncode, done.stdout), (strake.FINE, ''))
        self.assertRegex(done.stderr, r'v3\.json: OpenAPI v3, Kubernetes v1\.\S+: \d+ definitions, \d+ kinds, \d+ lists')
        with open(target) as file:
            merged = json.load(file)
        _, _, index = self.server.call('GET', '/openapi/v3')
        folder = os.path.join(self.folder, 'parts/')
        done = self.run_strake('openapi', 'fetch', '--api', 'v3', '-o', folder)
        self.assertEqual(done.returncode, strake.FINE, done.stderr)
        for name, where in index['paths'].items():
            with open(os.path.join(folder, name + '.json')) as file:
                part = json.load(file)
            _, _, served = self.server.call('GET', where['serverRelativeURL'])
            self.assertEqual(part, served)
            for path in part.get('paths', {}):
                self.assertIn(path, merged['paths'])
            for schema in part.get('components', {}).get('schemas', {}):
                self.assertIn(schema, merged['components']['schemas'])
        self.assertIn('dev.marina.v1.Boat', merged['components']['schemas'])

    def test_writes_yaml(self):
        done = self.run_strake('openapi', 'fetch', '--format', 'yaml')
        self.assertEqual(done.returncode, strake.FINE, done.stderr)
        self.assertTrue(done.stdout.startswith('definitions:\n'), done.stdout[:60])

    def test_answers_as_kustomize(self):
        link = os.path.join(self.folder, 'kustomize')
        os.symlink(strake.BINARY, link)
        done = self.run_strake('openapi', 'fetch', program=link)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(done.stdout, self.run_strake('openapi', 'fetch').stdout)
        kubectl = shutil.which('kubectl')
        if kubectl is None:
            self.skipTest('no kubectl here')
        raw = self.run_strake('get', '--raw', '/openapi/v2', program=kubectl)
        self.assertEqual(json.loads(done.stdout), json.loads(raw.stdout))

    def test_leaves_a_file_alone_when_the_cluster_is_not_there(self):
        target = self.write('kept.json', 'as it was')
        config = self.user_config({}, 'nowhere', server='https://127.0.0.1:1')
        done = self.run_strake('openapi', 'fetch', '-o', target, kubeconfig=config)
        self.assertEqual(done.returncode, strake.REMOTE_FAILED)
        self.assertIn('context "nowhere": GET https://127.0.0.1:1/openapi/v2: cannot connect', done.stderr)
        with open(target) as file:
            self.assertEqual(file.read(), 'as it was')

    def test_kustomize_writes_to_a_file_and_says_so_first(self):
        link = os.path.join(self.folder, 'kustomize')
        if not os.path.lexists(link):
            os.symlink(strake.BINARY, link)
        target = os.path.join(self.folder, 'by-kustomize.json')
        done = self.run_strake('openapi', 'fetch', target, program=link)
        self.assertEqual((done.returncode, done.stderr), (strake.FINE, ''))
        self.assertEqual(done.stdout, 'Fetching OpenAPI document using the current context in kubeconfig\n')
        with open(target) as file:
            self.assertEqual(file.read(), self.run_strake('openapi', 'fetch').stdout)
        self.assertEqual(self.run_strake('openapi', 'fetch', target).returncode, strake.FINE)
        missing = os.path.join(self.folder, 'missing', 'x.json')
        done = self.run_strake('openapi', 'fetch', missing, program=link)
        self.assertEqual(done.returncode, 1)
        self.assertIn('there is no folder', done.stderr)

    def test_names_the_contexts_there_are(self):
        done = self.run_strake('openapi', 'fetch', '--context', 'prod')
        self.assertNotEqual(done.returncode, strake.FINE)
        self.assertIn('there is no context "prod"; there are: strake', done.stderr)

    def test_the_fetched_schema_makes_lists_merge_by_their_keys(self):
        schema = os.path.join(self.folder, 'boats.json')
        self.assertEqual(self.run_strake('openapi', 'fetch', '-o', schema).returncode, strake.FINE)
        project = os.path.join(self.folder, 'project')
        os.makedirs(project)
        shutil.copy(schema, os.path.join(project, 'schema.json'))
        for name, text in {
                'boat.yaml': 'apiVersion: marina.dev/v1\nkind: Boat\nmetadata: {name: swan}\n'
                             'spec: {sails: [{name: main, area: 20}, {name: jib, area: 9}]}\n',
                'patch.yaml': 'apiVersion: marina.dev/v1\nkind: Boat\nmetadata: {name: swan}\nspec: {sails: [{name: jib, area: 12}]}\n',
                'kustomization.yaml': 'resources: [boat.yaml]\npatches: [{path: patch.yaml}]\n'}.items():
            with open(os.path.join(project, name), 'w') as file:
                file.write(text)
        without = self.run_strake('build', project)
        self.assertNotIn('name: main', without.stdout, 'without a schema the list is replaced')
        with open(os.path.join(project, 'kustomization.yaml'), 'a') as file:
            file.write('openapi: {strake: {schemas: [schema.json]}}\n')
        merged = self.run_strake('build', project)
        self.assertEqual(merged.returncode, strake.FINE, merged.stderr)
        self.assertIn('name: main', merged.stdout)
        self.assertIn('area: 12', merged.stdout)


class ExplainTest(ClusterTest):
    def test_explains_custom_and_built_in_kinds(self):
        for flags in (['--from-cluster'], ['--context', 'strake'], ['--kubeconfig', self.server.kubeconfig]):
            done = self.run_strake('schema', 'explain', 'boat.spec', *flags)
            self.assertEqual((done.returncode, done.stderr), (strake.FINE, ''))
            self.assertIn('GROUP:      marina.dev', done.stdout)
            self.assertIn('length\t<integer>', done.stdout)
        done = self.run_strake('schema', 'explain', 'configmaps.data', '--from-cluster')
        self.assertEqual((done.returncode, done.stderr), (strake.FINE, ''))
        self.assertIn('KIND:       ConfigMap', done.stdout)
        one = self.run_strake('schema', 'explain', 'boat', '--api-version', 'marina.dev/v1', '--from-cluster')
        self.assertEqual((one.returncode, one.stderr), (strake.FINE, ''))

    def test_says_why_a_cluster_was_of_no_use(self):
        done = self.run_strake('schema', 'explain', 'yacht', '--from-cluster')
        self.assertEqual(done.returncode, strake.INPUT)
        self.assertIn('no kind "yacht" among the schemas', done.stderr)
        away = self.user_config({}, 'away', server='https://127.0.0.1:1')
        done = self.run_strake('schema', 'explain', 'boat', '--from-cluster', kubeconfig=away)
        self.assertEqual((done.returncode, done.stdout), (strake.REMOTE_FAILED, ''))
        self.assertIn('127.0.0.1:1', done.stderr)


class WayInTest(ClusterTest):
    def assert_fetches(self, config):
        done = self.run_strake('openapi', 'fetch', kubeconfig=config)
        self.assertEqual(done.returncode, strake.FINE, done.stderr)
        self.assertIn('dev.marina.v1.Boat', done.stdout)

    def pem(self, name):
        with open(os.path.join(self.server.folder, 'pki', name), 'rb') as file:
            return base64.b64encode(file.read()).decode()

    def test_certificates_as_files_and_in_the_text(self):
        self.assert_fetches(self.user_config({'client-certificate': self.server.certificate, 'client-key': self.server.key}, 'files'))
        self.assert_fetches(self.user_config(
            {'client-certificate-data': self.pem('admin.crt'), 'client-key-data': self.pem('admin.key')}, 'inline'))

    def test_a_token_and_a_file_with_one(self):
        self.assert_fetches(self.user_config({'token': 'admin-t0ken'}, 'token'))
        self.assert_fetches(self.user_config({'token': 'old', 'tokenFile': self.write('token', 'admin-t0ken\n')}, 'token-file'))

    def test_a_plugin_that_makes_a_token(self):
        plugin = self.write('login', '''#!/bin/sh
test -n "$KUBERNETES_EXEC_INFO" || exit 9
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'$TOKEN'"}}'
''', executable=True)
        exec_config = {'apiVersion': 'client.authentication.k8s.io/v1', 'command': './login', 'interactiveMode': 'Never',
                       'env': [{'name': 'TOKEN', 'value': 'admin-t0ken'}]}
        self.assert_fetches(self.user_config({'exec': exec_config}, 'plugin'))
        os.remove(plugin)
        done = self.run_strake('openapi', 'fetch', kubeconfig=self.user_config(
            {'exec': {**exec_config, 'installHint': 'ask the harbour master'}}, 'gone'))
        self.assertNotEqual(done.returncode, strake.FINE)
        self.assertIn('ask the harbour master', done.stderr)

    def test_a_server_by_another_name(self):
        self.assert_fetches(self.user_config({'token': 'admin-t0ken'}, 'renamed', **{'tls-server-name': 'kubernetes'}))
        done = self.run_strake('openapi', 'fetch', kubeconfig=self.user_config(
            {'token': 'admin-t0ken'}, 'wrong', **{'tls-server-name': 'elsewhere.example'}))
        self.assertEqual(done.returncode, strake.REMOTE_FAILED)
        self.assertIn('the certificate does not pass: hostname mismatch', done.stderr)

    def test_an_unknown_authority_is_refused_unless_told_otherwise(self):
        done = self.run_strake('openapi', 'fetch', kubeconfig=self.user_config(
            {'token': 'admin-t0ken'}, 'strangers', **{'certificate-authority': self.server.certificate}))
        self.assertEqual(done.returncode, strake.REMOTE_FAILED)
        config = self.user_config({'token': 'admin-t0ken'}, 'trusting', **{'insecure-skip-tls-verify': True})
        with open(config) as file:
            changed = json.load(file)
        del changed['clusters'][0]['cluster']['certificate-authority']
        self.write('trusting.kubeconfig', json.dumps(changed))
        self.assert_fetches(config)

    def test_no_secret_is_shown_when_nobody_is_let_in(self):
        done = self.run_strake('openapi', 'fetch', kubeconfig=self.user_config({'token': 's3cret-t0ken'}, 'stranger'))
        self.assertNotEqual(done.returncode, strake.FINE)
        self.assertIn('Unauthorized', done.stderr)
        self.assertNotIn('s3cret', done.stderr + done.stdout)

    def test_files_of_the_variable_are_merged(self):
        config = self.user_config({'token': 'admin-t0ken'}, 'merged')
        with open(config) as file:
            whole = json.load(file)
        users = self.write('users', json.dumps({'users': whole.pop('users')}))
        rest = self.write('rest', json.dumps(whole))
        self.assert_fetches(f'{users}:{self.folder}/not-there:{rest}')


class ValidateTest(ClusterTest):
    def setUp(self):
        self.boat = self.write('boat.yaml', 'apiVersion: marina.dev/v1\nkind: Boat\nmetadata:\n  name: swan\nspec:\n  length: 200\n')

    def test_checks_custom_resources_with_the_rules_of_the_cluster(self):
        for flags in [['--from-cluster'], ['--context', 'strake'], ['--kubeconfig', self.server.kubeconfig]]:
            done = self.run_strake('validate', *flags, self.boat)
            self.assertEqual(done.returncode, strake.FINDINGS, done.stderr)
            self.assertIn('boat.yaml:6:', done.stdout)
            self.assertIn('no such long boats', done.stdout)

    def test_checks_built_in_kinds_by_openapi(self):
        config_map = self.write('map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 5}\n')
        done = self.run_strake('validate', '--from-cluster', config_map)
        self.assertEqual(done.returncode, strake.FINDINGS, done.stderr + done.stdout)
        self.assertIn('map.yaml:4:', done.stdout)
        fine = self.write('fine.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "5"}\n')
        self.assertEqual(self.run_strake('validate', '--from-cluster', fine).returncode, strake.FINE)

    def test_says_which_kinds_the_cluster_does_not_have(self):
        other = self.write('other.yaml', 'apiVersion: marina.dev/v1\nkind: Boot\nmetadata: {name: a}\n')
        done = self.run_strake('validate', '--from-cluster', other)
        self.assertEqual(done.returncode, strake.FINDINGS)
        self.assertIn('Boat', done.stdout, 'a near kind is named')

    def test_files_count_before_the_cluster(self):
        crd = json.loads(json.dumps(BOAT))
        crd['spec']['versions'][0]['schema']['openAPIV3Schema']['properties']['spec'].pop('x-kubernetes-validations')
        crd_file = self.write('crd.json', json.dumps(crd))
        done = self.run_strake('validate', '--from-cluster', '-s', crd_file, self.boat)
        self.assertEqual(done.returncode, strake.FINE, done.stdout + done.stderr)

    def test_cannot_be_told_fine_without_the_cluster(self):
        for command in (['validate', self.boat], ['openapi', 'fetch']):
            done = self.run_strake(*command, '--context', 'gone')
            self.assertEqual(done.returncode, strake.INPUT)
            self.assertIn('there is no context "gone"', done.stderr)
        away = self.user_config({}, 'away', server='https://127.0.0.1:1')
        done = self.run_strake('validate', '--from-cluster', self.boat, kubeconfig=away)
        self.assertEqual(done.returncode, strake.REMOTE_FAILED)
        self.assertIn('context "away": GET https://127.0.0.1:1/', done.stderr)


if __name__ == '__main__':
    unittest.main()
