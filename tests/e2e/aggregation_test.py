"""An extension server that is not ours behind strake serve: what kubectl and other clients see of it, and of its faults."""
import base64
import http.client
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import time
import unittest

import server
import strake
from extension_server import GROUP, Extension, make_authority, make_certificate
from kubectl_test import NEW_ENOUGH

V1 = f'/apis/{GROUP}/v1'
GADGETS = f'{V1}/namespaces/default/gadgets'
PLANETS = f'{V1}/planets'
APISERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.lower().endswith('_proxy')}


def gadget(name, **spec):
    return {'apiVersion': f'{GROUP}/v1', 'kind': 'Gadget', 'metadata': {'name': name}, 'spec': spec}


class Aggregation(unittest.TestCase):
    """The main server and the extension run once for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='strake-aggregation-')
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.services = os.path.join(cls.folder, 'services.yaml')
        with open(cls.services, 'w') as file:
            file.write('{}\n')
        cls.main = server.Server('--service-resolver-file', cls.services, env=ENVIRONMENT)
        cls.addClassCleanup(cls.main.__exit__)
        cls.extension = Extension(os.path.join(cls.folder, 'extension'), cls.pki('front-proxy-ca.crt'))
        cls.addClassCleanup(cls.extension.stop)
        # The file is read again when it changes.
        with open(cls.services + '.new', 'w') as file:
            file.write(f'default/extension: 127.0.0.1:{cls.extension.port}\n')
        os.rename(cls.services + '.new', cls.services)

    def setUp(self):
        self.extension.mend()
        self.addCleanup(self.extension.mend)

    @classmethod
    def pki(cls, name):
        return os.path.join(cls.main.folder, 'pki', name)

    def api_service(self, version='v1', group_priority=1500, version_priority=15):
        with open(self.extension.authority) as file:
            bundle = file.read().encode()
        return {'apiVersion': 'apiregistration.k8s.io/v1', 'kind': 'APIService', 'metadata': {'name': f'{version}.{GROUP}'},
                'spec': {'group': GROUP, 'version': version, 'groupPriorityMinimum': group_priority,
                         'versionPriority': version_priority, 'caBundle': base64.b64encode(bundle).decode(),
                         'service': {'namespace': 'default', 'name': 'extension'}}}

    def register(self, *args, **kwargs):
        """Until it is available."""
        wanted = self.api_service(*args, **kwargs)
        self.assertEqual(self.main.call('POST', APISERVICES, wanted)[0], 201)
        self.until_available(wanted['metadata']['name'])

    def until_available(self, name=f'v1.{GROUP}', wanted='True'):
        def condition():
            status = self.main.call('GET', f'{APISERVICES}/{name}')[2].get('status', {})
            return (status.get('conditions') or [{}])[0]
        self.until(lambda: condition().get('status') == wanted, condition)

    def unregister(self, version='v1'):
        self.main.call('DELETE', f'{APISERVICES}/{version}.{GROUP}')
        self.until(lambda: version not in self.versions())

    def until(self, holds, show=lambda: ''):
        ends = time.monotonic() + strake.DEADLINE
        while not holds():
            self.assertLess(time.monotonic(), ends, show())
            time.sleep(0.05)

    def get(self, path=PLANETS):
        connection = self.main.connect()
        self.addCleanup(connection.close)
        connection.request('GET', path)
        return connection.getresponse()

    def stop_extension(self):
        """A request that does not get through has it looked at now, not within half a minute."""
        self.extension.stop()
        self.assertEqual(self.get().status, 503)
        self.until_available(wanted='False')

    def aggregated(self):
        code, headers, document = self.main.call('GET', '/apis', headers={'Accept': AGGREGATED})
        self.assertEqual(code, 200)
        return headers['ETag'], document

    def versions(self):
        """What aggregated discovery says of the group: version to (freshness, resources)."""
        for group in self.aggregated()[1]['items']:
            if group['metadata']['name'] == GROUP:
                return {one['version']: (one['freshness'], [r['resource'] for r in one.get('resources', [])]) for one in group['versions']}
        return {}

    def others(self):
        """What has nothing to do with the extension."""
        without = [group for group in self.aggregated()[1]['items'] if group['metadata']['name'] != GROUP]
        return [without, [self.main.call('GET', path)[::2] for path in
                          ('/api', '/api/v1', '/api/v1/namespaces/default', '/apis/coordination.k8s.io/v1', '/openapi/v3/api/v1', '/apis/rbac.authorization.k8s.io')]]


class Faults(Aggregation):
    def setUp(self):
        super().setUp()
        self.before = self.others()

    def break_requests(self, fault, argument=None):
        self.extension.break_with(r'/planets', fault, argument)

    def check_others(self):
        self.assertEqual(self.others(), self.before)
        self.assertEqual(self.main.call('GET', GADGETS)[0], 200)

    def test_answers_that_break_off_or_make_no_sense(self):
        self.register()
        self.addCleanup(self.unregister)
        for fault in ('close', 'garbage', 'wrong-length'):
            with self.subTest(fault):
                self.break_requests(fault)
                answer = self.get()
                text = answer.read().decode()
                self.assertEqual(answer.status, 503, text)
                self.assertNotIn('not HTTP', text)
                self.extension.mend()
                self.check_others()
        for fault in ('cut', 'cut-chunks'):
            with self.subTest(fault):
                self.break_requests(fault)
                # Where the head has passed already, what is missing must not look complete.
                try:
                    answer = self.get()
                    self.assertEqual((answer.status, answer.read()), (503, b'error trying to reach service: unexpected EOF\n'))
                except (http.client.IncompleteRead, ConnectionError, ssl.SSLError):
                    pass
                self.extension.mend()
                self.check_others()
        self.assertEqual(self.main.call('GET', PLANETS)[0], 200)

    def test_answers_pass_as_they_are(self):
        self.register()
        self.addCleanup(self.unregister)
        cases = [('error', None, 500, 'oops\n'), ('unauthorized', None, 401, None), ('bad-json', None, 200, '{"kind": nonsense'),
                 ('slow', 0.5, 200, None)]
        for fault, argument, code, text in cases:
            with self.subTest(fault):
                self.break_requests(fault, argument)
                answer = self.get()
                body = answer.read().decode()
                self.assertEqual(answer.status, code, body)
                if text is not None:
                    self.assertEqual(body, text)
                self.extension.mend()
                self.check_others()

    def test_a_redirect_is_not_followed(self):
        self.register()
        self.addCleanup(self.unregister)
        self.extension.forget()
        self.break_requests('redirect', f'https://127.0.0.1:{self.extension.port}{GADGETS}')
        answer = self.get()
        answer.read()
        self.assertIn(answer.status, (302, 502))
        self.assertEqual(self.extension.asked('/gadgets'), [])
        self.extension.mend()
        self.check_others()

    def test_a_server_that_hangs_holds_up_nobody_else(self):
        self.register()
        self.addCleanup(self.unregister)
        self.break_requests('hang')
        connections = []
        for _ in range(20):
            connection = self.main.connect()
            self.addCleanup(connection.close)
            connection.request('GET', PLANETS + '?timeout=2s')
            connections.append(connection)
        self.extension.wait_for('/planets')
        self.check_others()  # while they wait
        answers = [connection.getresponse() for connection in connections]
        # Whoever is told first, the request or what it waits for: as kube-apiserver, where both hear of the deadline.
        for answer in answers:
            text = answer.read().decode()
            said = json.loads(text)['reason'] if text.startswith('{') else text
            self.assertIn((answer.status, said), [(504, 'Timeout'), (503, 'error trying to reach service: context deadline exceeded\n')])

    def test_ten_gigabytes_pass_through_little_memory(self):
        self.register()
        self.addCleanup(self.unregister)
        before = self.main.resident()
        self.extension.sent_bytes = 0
        self.break_requests('huge')
        answer = self.get()
        self.assertEqual(answer.status, 200)
        for _ in range(200):
            self.assertTrue(answer.read(1 << 20))
        self.check_others()  # in the middle of it
        if not strake.SANITIZED:
            self.assertLess(self.main.resident() - before, 64 << 20)
        # Nobody reads on: the rest is not even sent.
        self.assertLess(self.extension.sent_bytes, 1 << 30)
        answer.close()
        self.extension.mend()

    def test_documents_that_break_are_stale_and_harm_no_others(self):
        for fault in ('garbage', 'cut', 'cut-chunks', 'close', 'error', 'redirect', 'unauthorized', 'bad-json', 'deep-json', 'huge',
                      'wrong-length', 'control-characters', 'hang'):
            with self.subTest(fault):
                self.extension.forget()
                self.extension.break_with('^/apis$' if fault == 'hang' else r'^/(apis|openapi/v[23])$', fault, 'https://127.0.0.1:1/')
                self.register()
                if fault == 'hang':  # who is late with discovery is asked for nothing more
                    self.until(lambda: [one for one in self.extension.asked('/apis') if one['path'] == '/apis'], lambda: 'not asked')
                else:
                    self.extension.wait_for('/openapi/v2')  # asked last
                self.assertEqual(self.versions(), {'v1': ('Stale', [])})
                self.assertEqual(self.main.call('GET', '/apis/' + GROUP)[2]['versions'], [{'groupVersion': f'{GROUP}/v1', 'version': 'v1'}])
                self.assertEqual(self.main.call('GET', '/openapi/v2')[0], 200)
                self.check_others()
                self.extension.mend()
                self.unregister()
                self.assertEqual(self.others(), self.before)

    def test_a_server_speaks_for_its_own_group_alone(self):
        self.extension.break_with('^/apis$', 'foreign')
        self.register()
        self.addCleanup(self.unregister)
        self.until(lambda: self.versions() == {'v1': ('Current', ['gadgets', 'planets'])}, self.versions)
        self.check_others()
        self.assertNotIn('Evil', json.dumps(self.aggregated()[1]))

    def test_documents_stay_while_the_server_is_away(self):
        self.register()
        self.addCleanup(self.unregister)
        current = {'v1': ('Current', ['gadgets', 'planets'])}
        self.until(lambda: self.versions() == current, self.versions)
        openapi = self.until_openapi()
        tag = self.aggregated()[0]
        self.addCleanup(lambda: self.extension.stopping and self.extension.start())
        self.stop_extension()
        self.until(lambda: self.versions() == {'v1': ('Stale', ['gadgets', 'planets'])}, self.versions)
        self.assertNotEqual(self.aggregated()[0], tag)
        self.assertEqual(self.until_openapi(), openapi)
        code, _, text = self.main.call('GET', GADGETS)
        self.assertEqual((code, text), (503, 'service unavailable\n'))
        self.assertEqual(self.others(), self.before)
        # It comes back, but what it tells makes no sense: still the last good ones.
        self.extension.break_with('^/apis$', 'bad-json')
        self.extension.start()
        self.extension.forget()
        self.until_available()
        self.extension.wait_for('/openapi/v2')
        self.assertEqual(self.versions(), {'v1': ('Stale', ['gadgets', 'planets'])})
        self.stop_extension()
        self.extension.mend()
        self.extension.start()
        self.until(lambda: self.versions() == current, self.versions)
        self.assertEqual(self.aggregated()[0], tag)
        self.check_others()

    def until_openapi(self):
        path = f'/openapi/v3{V1}'
        self.until(lambda: self.main.call('GET', path)[0] == 200)
        self.until(lambda: PLANETS in self.main.call('GET', '/openapi/v2')[2]['paths'])
        return self.main.call('GET', path)[2], self.main.call('GET', '/openapi/v2')[2]['paths'][PLANETS]


class Documents(Aggregation):
    def test_groups_and_versions_stand_in_the_order_of_their_priorities(self):
        self.register('v1', 50, 5)
        self.addCleanup(self.unregister, 'v1')
        self.register('v1alpha1', 19999, 10)
        self.addCleanup(self.unregister, 'v1alpha1')
        self.until(lambda: list(self.versions().items()) == [('v1alpha1', ('Current', ['planets'])), ('v1', ('Current', ['gadgets', 'planets']))],
                   self.versions)
        names = [group['metadata']['name'] for group in self.aggregated()[1]['items']]
        self.assertLessEqual(names.index(GROUP), 1)  # behind apiregistration.k8s.io at most
        plain = self.main.call('GET', '/apis')[2]['groups']
        self.assertEqual([group['name'] for group in plain], names)
        group = self.main.call('GET', '/apis/' + GROUP)[2]
        self.assertEqual([one['version'] for one in group['versions']], ['v1alpha1', 'v1'])
        self.assertEqual(group['preferredVersion']['version'], 'v1alpha1')
        # One server has both versions: it was asked once for them at a time.
        self.assertEqual({user for one in self.extension.asked('/apis') if one['path'] == '/apis'
                          for name, user in one['headers'] if name == 'X-Remote-User'}, {'system:kube-aggregator'})

    def test_a_tag_changes_with_the_content(self):
        self.register()
        self.addCleanup(self.unregister)
        self.until(lambda: self.versions() == {'v1': ('Current', ['gadgets', 'planets'])}, self.versions)
        tag = self.aggregated()[0]
        code, headers, _ = self.main.call('GET', '/apis', headers={'Accept': AGGREGATED, 'If-None-Match': tag})
        self.assertEqual((code, headers['ETag']), (304, tag))
        self.unregister()
        self.assertNotEqual(self.aggregated()[0], tag)
        self.register()
        self.until(lambda: self.aggregated()[0] == tag)

    def test_servers_without_aggregated_discovery_are_read_by_their_lists(self):
        self.extension.aggregated_discovery = False
        try:
            self.register()
            self.addCleanup(self.unregister)
            self.until(lambda: self.versions() == {'v1': ('Current', ['gadgets', 'planets'])}, self.versions)
        finally:
            self.extension.aggregated_discovery = True

    def test_openapi_of_all_is_one_document(self):
        before = self.main.call('GET', '/openapi/v2')[2]
        self.register()
        self.addCleanup(self.unregister)
        self.until(lambda: PLANETS in self.main.call('GET', '/openapi/v2')[2]['paths'])
        merged = self.main.call('GET', '/openapi/v2')[2]
        for path in before['paths']:
            self.assertEqual(merged['paths'][path], before['paths'][path], path)
        # Its ObjectMeta is another one, and does not take the place of ours.
        name = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
        self.assertEqual(merged['definitions'][name], before['definitions'][name])
        self.assertIn('as the extension has it', merged['definitions'][name + '_v2']['description'])
        self.assertEqual(merged['definitions']['com.example.ext.v1.Gadget']['properties']['metadata'], {'$ref': f'#/definitions/{name}_v2'})
        code, headers, _ = self.main.call('HEAD', '/openapi/v2', headers={'Accept': 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'})
        self.assertEqual(code, 200)
        index = self.main.call('GET', '/openapi/v3')[2]['paths']
        self.assertNotIn(f'apis/{GROUP}/v1alpha1', index)  # no APIService has it
        url = index[f'apis/{GROUP}/v1']['serverRelativeURL']
        code, headers, document = self.main.call('GET', url)
        self.assertEqual((code, headers['Cache-Control']), (200, 'public, immutable'))
        self.assertEqual(document, self.extension.documents.openapi_v3('v1'))
        self.extension.forget()
        self.assertEqual(self.main.call('GET', url)[2], document)
        self.assertEqual(self.extension.asked('/openapi/v3/apis'), [])


class Users(Aggregation):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_authority(cls.folder, 'other-ca')
        make_certificate(cls.folder, 'other', 'other-ca', 'front-proxy-client')

    def setUp(self):
        super().setUp()
        self.register()
        self.addCleanup(self.unregister)
        self.extension.forget()

    def test_nobody_is_let_in_by_headers(self):
        spoofed = {'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters', 'X-Remote-Extra-Scopes': 'all', 'X-Remote-Uid': '7',
                   'Authorization': '', 'Impersonate-User': 'wanda'}
        del spoofed['Authorization']
        code, _, said = self.main.call('GET', PLANETS, headers=spoofed)
        self.assertEqual(code, 403, said)
        self.assertIn('User "wanda" cannot list', said['message'])
        self.assertEqual(self.extension.asked('/planets'), [])
        del spoofed['Impersonate-User']
        self.assertEqual(self.main.call('GET', PLANETS, headers=spoofed)[0], 200)
        headers = self.extension.asked('/planets')[-1]['headers']
        self.assertEqual([value for name, value in headers if name == 'X-Remote-User'], ['admin'])
        self.assertFalse([name for name, value in headers if name.lower() in ('authorization', 'x-remote-extra-scopes') or value == 'root'
                          or (name.lower() == 'x-remote-uid' and value == '7')], headers)
        # Without credentials: anonymous, whoever the headers name.
        code, _, said = self.main.call('GET', PLANETS, headers=spoofed, credentials=False)
        self.assertIn(code, (401, 403), said)
        self.assertEqual(len(self.extension.asked('/planets')), 1)

    def test_the_extension_takes_users_from_its_proxy_alone(self):
        def direct(certificate=None):
            context = ssl.create_default_context(cafile=self.extension.authority)
            context.check_hostname = False
            if certificate:
                context.load_cert_chain(*certificate)
            connection = http.client.HTTPSConnection('127.0.0.1', self.extension.port, context=context, timeout=strake.DEADLINE)
            try:
                connection.request('GET', PLANETS, headers={'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters'})
                return connection.getresponse().status
            except (ssl.SSLError, OSError, http.client.HTTPException):
                return 'refused'
            finally:
                connection.close()

        self.assertEqual(direct(), 401)
        self.assertEqual(direct((self.pki('front-proxy-client.crt'), self.pki('front-proxy-client.key'))), 200)
        self.assertEqual(direct((os.path.join(self.folder, 'other.crt'), os.path.join(self.folder, 'other.key'))), 'refused')
        self.extension.allowed_names = {'somebody-else'}
        try:
            self.assertEqual(self.main.call('GET', PLANETS)[0], 401)
        finally:
            self.extension.allowed_names = {'front-proxy-client'}

    def test_a_watch_goes_on_where_it_was(self):
        created = self.main.call('POST', GADGETS, gadget('watched', size=1))[2]
        self.addCleanup(self.main.call, 'DELETE', GADGETS + '/watched')
        begin = created['metadata']['resourceVersion']

        def watch(since, **query):
            parts = '&'.join(f'{name}={value}' for name, value in query.items())
            connection = self.main.connect()
            self.addCleanup(connection.close)
            connection.request('GET', f'{GADGETS}?watch=true&resourceVersion={since}&{parts}')
            return connection.getresponse()

        answer = watch(begin, allowWatchBookmarks='true', timeoutSeconds=60)
        first = json.loads(answer.readline())
        self.assertEqual((first['type'], first['object']['metadata']['resourceVersion']), ('BOOKMARK', begin))
        self.main.call('PATCH', GADGETS + '/watched', {'spec': {'size': 2}}, {'Content-Type': 'application/merge-patch+json'})
        second = json.loads(answer.readline())
        self.assertEqual((second['type'], second['object']['spec']['size']), ('MODIFIED', 2))
        answer.close()
        again = json.loads(watch(begin, timeoutSeconds=1).readline())
        self.assertEqual(again, second)
        self.extension.store.compact()
        self.assertEqual(watch(begin, timeoutSeconds=1).status, 410)


@unittest.skipUnless(NEW_ENOUGH, 'there is no kubectl of 1.30 or later')
class Kubectl(Aggregation):
    def setUp(self):
        super().setUp()
        self.home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.env = {**ENVIRONMENT, 'KUBECONFIG': self.main.kubeconfig, 'HOME': self.home}
        self.register()
        self.addCleanup(self.unregister)
        self.until(lambda: self.versions() == {'v1': ('Current', ['gadgets', 'planets'])}, self.versions)
        self.until(lambda: f'apis/{GROUP}/v1' in self.main.call('GET', '/openapi/v3')[2]['paths'])

    def kubectl(self, *args, expect=0, **options):
        done = subprocess.run(['kubectl', *args], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env,
                              timeout=strake.DEADLINE, **options)
        self.assertEqual(done.returncode, expect, (args, done.stdout, done.stderr))
        self.said = done.stderr
        return done.stdout

    def test_kinds_of_the_extension_are_like_any_others(self):
        self.assertRegex(self.kubectl('get', 'apiservices', f'v1.{GROUP}'), rf'v1\.{GROUP}\s+default/extension\s+True')
        self.assertRegex(self.kubectl('api-resources', '--api-group', GROUP), rf'gadgets\s+gd\s+{GROUP}/v1\s+true\s+Gadget')
        self.assertIn('clusterroles', self.kubectl('api-resources', '--api-group', 'rbac.authorization.k8s.io'))
        self.assertIn(f'{GROUP}/v1\n', self.kubectl('api-versions'))
        self.assertEqual(self.kubectl('create', '-f', '-', input=json.dumps(gadget('one', size=3))), f'gadget.{GROUP}/one created\n')
        self.addCleanup(self.kubectl, 'delete', 'gd', 'one', '--ignore-not-found')
        shown = self.kubectl('get', 'gd').splitlines()
        self.assertEqual([line.split() for line in shown], [['NAME', 'SIZE', 'PHASE'], ['one', '3', 'New']])
        self.assertEqual(json.loads(self.kubectl('get', 'gadget', 'one', '-o', 'json'))['spec'], {'size': 3})
        self.assertEqual(json.loads(self.kubectl('get', '--raw', V1))['kind'], 'APIResourceList')
        self.assertEqual(json.loads(self.kubectl('get', '--raw', GADGETS + '/one'))['kind'], 'Gadget')
        self.kubectl('create', '--raw', GADGETS + '/one/polish', '-f', '-', input='{}')
        self.assertEqual(self.kubectl('get', 'gd', 'one', '-o', 'jsonpath={.status.phase}'), 'Polished')
        self.kubectl('create', '-f', '-', expect=1, input=json.dumps(gadget('one')))
        self.assertIn('AlreadyExists', self.said)
        self.assertEqual(self.kubectl('delete', 'gadget', 'one'), f'gadget.{GROUP} "one" deleted\n')
        self.kubectl('get', 'gadget', 'one', expect=1)
        self.assertIn(f'gadgets.{GROUP} "one" not found', self.said)

    def test_explain_and_apply_know_the_schemas(self):
        for _ in range(2):  # the second time from what kubectl keeps
            self.assertIn('How large it is, in feet.', self.kubectl('explain', 'gadgets.spec.size'))
        self.assertIn('What is wanted.', self.kubectl('explain', 'gd', '--recursive=false'))
        self.addCleanup(self.kubectl, 'delete', 'gd', 'two', '--ignore-not-found')
        self.assertIn('created', self.kubectl('apply', '-f', '-', input=json.dumps(gadget('two', size=1))))
        self.assertIn('unchanged', self.kubectl('apply', '-f', '-', input=json.dumps(gadget('two', size=1))))
        self.assertIn('configured', self.kubectl('apply', '-f', '-', input=json.dumps(gadget('two', size=2, colour='red'))))
        self.assertEqual(json.loads(self.kubectl('get', 'gd', 'two', '-o', 'json'))['spec'], {'size': 2, 'colour': 'red'})
        self.assertIn('SIZE', self.kubectl('get', 'gd', '-A'))

    def test_a_watch_shows_changes_as_they_come(self):
        self.addCleanup(self.kubectl, 'delete', 'gd', 'three', '--ignore-not-found')
        self.kubectl('create', '-f', '-', input=json.dumps(gadget('three', size=1)))
        watch = subprocess.Popen(['kubectl', 'get', 'gd', '-w', '-o', 'jsonpath={.metadata.name} {.spec.size}{"\\n"}'], text=True,
                                 stdout=subprocess.PIPE, env=self.env)
        try:
            self.assertEqual(watch.stdout.readline(), 'three 1\n')
            self.kubectl('patch', 'gd', 'three', '--type=merge', '-p', '{"spec":{"size":5}}')
            self.assertEqual(watch.stdout.readline(), 'three 5\n')
        finally:
            watch.kill()
            watch.wait(timeout=strake.DEADLINE)
            watch.stdout.close()

    def test_what_is_local_works_while_the_extension_is_away(self):
        self.addCleanup(lambda: self.extension.stopping and self.extension.start())
        self.stop_extension()
        self.assertIn('default', self.kubectl('get', 'namespaces'))
        self.assertIn('created', self.kubectl('create', 'configmap', 'here', '--from-literal=a=b'))
        self.assertIn('deleted', self.kubectl('delete', 'configmap', 'here'))
        self.assertRegex(self.kubectl('get', 'apiservices', f'v1.{GROUP}'), r'False \(\w+\)')
        self.kubectl('get', 'gd', expect=1)
        self.extension.start()
        self.until_available()
        self.assertIn('NAME', self.kubectl('get', 'apiservices'))


if __name__ == '__main__':
    unittest.main()
