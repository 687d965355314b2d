"""strake serve as its users meet it: a folder, a kubeconfig, objects that stay, watches that end cleanly."""
import json
import os
import signal
import stat
import subprocess
import tempfile
import threading
import unittest

import server
import strake
from server import CRDS, WIDGETS, widget, widget_crd


class Serve(unittest.TestCase):
    def test_an_empty_folder_is_enough(self):
        with server.Server() as running:
            for name in ('admin.kubeconfig', 'strake.db', 'pki/ca.crt', 'pki/ca.key', 'pki/sa.key'):
                self.assertTrue(os.path.exists(os.path.join(running.folder, name)), name)
            for name in ('admin.kubeconfig', 'pki/ca.key', 'pki/admin.key', 'pki/sa.key'):
                mode = stat.S_IMODE(os.stat(os.path.join(running.folder, name)).st_mode)
                self.assertEqual(mode, 0o600, name)
            code, _, namespaces = running.call('GET', '/api/v1/namespaces')
            self.assertEqual(code, 200)
            self.assertLessEqual({'default', 'kube-system', 'kube-public'},
                                 {item['metadata']['name'] for item in namespaces['items']})
            self.assertEqual(running.stop(), 0)

    def test_it_says_what_to_type_next(self):
        with server.Server() as running:
            shown = [line for line in running.text().splitlines() if not line.startswith('{')]
            self.assertEqual(shown, [f'serving at {running.url}', f'  export KUBECONFIG={running.kubeconfig}',
                                     '  kubectl get namespaces'])

    def test_objects_and_versions_outlive_the_process(self):
        with server.Server() as running:
            self.assertEqual(running.call('POST', CRDS, widget_crd())[0], 201)
            code, _, made = running.call('POST', WIDGETS, widget('a', size=3))
            self.assertEqual(code, 201, made)
            self.assertEqual(running.stop(), 0)
            running.start()
            code, _, found = running.call('GET', WIDGETS + '/a')
            self.assertEqual((code, found), (200, made))
            code, _, after = running.call('POST', WIDGETS, widget('b'))
            self.assertGreater(int(after['metadata']['resourceVersion']), int(made['metadata']['resourceVersion']))

    def test_a_second_server_on_the_same_folder_is_refused_by_name(self):
        with server.Server() as running:
            second = strake.run('serve', '--data-dir', running.folder, '--listen', '127.0.0.1:0')
            self.assertEqual(second.returncode, strake.INPUT)
            self.assertIn('strake.db', second.stderr)

    def test_a_port_that_is_taken_is_named(self):
        with server.Server() as running, tempfile.TemporaryDirectory() as folder:
            second = strake.run('serve', '--data-dir', folder, '--listen', running.address)
            self.assertEqual(second.returncode, strake.INPUT)
            self.assertIn(running.address.split(':')[1], second.stderr)

    def test_bad_flags_are_explained(self):
        for args, said in ((['--listen', 'nowhere'], 'HOST:PORT'), (['--listen', 'localhost:99999'], '65535'),
                           (['--token-file', '/does/not/exist'], '/does/not/exist')):
            with tempfile.TemporaryDirectory() as folder:
                refused = strake.run('serve', '--data-dir', folder, *args)
                self.assertEqual(refused.returncode, strake.INPUT, args)
                self.assertIn(said, refused.stderr)

    def test_strangers_see_health_and_nothing_else(self):
        with server.Server() as running:
            self.assertEqual(running.call('GET', '/readyz', credentials=False)[::2], (200, 'ok'))
            self.assertEqual(running.call('GET', '/api/v1/namespaces', credentials=False)[0], 403)
            self.assertEqual(running.call('GET', '/api/v1/namespaces', headers={'Authorization': 'Bearer no'},
                                          credentials=False)[0], 401)

    def test_static_tokens_are_known(self):
        with tempfile.NamedTemporaryFile('w', suffix='.csv') as tokens:
            tokens.write('letmein,ci,1,"system:masters"\n')
            tokens.flush()
            with server.Server('--token-file', tokens.name) as running:
                headers = {'Authorization': 'Bearer letmein'}
                self.assertEqual(running.call('GET', '/api/v1/namespaces', headers=headers, credentials=False)[0], 200)
                self.assertNotIn('letmein', running.text())

    def test_in_memory_keeps_nothing(self):
        with server.Server('--in-memory') as running:
            self.assertEqual(running.call('POST', CRDS, widget_crd())[0], 201)
            self.assertEqual(running.stop(), 0)
            running.start()
            self.assertEqual(running.call('GET', CRDS + '/widgets.e2e.example.com')[0], 404)
            self.assertFalse(os.path.exists(os.path.join(running.folder, 'strake.db')))

    def test_watches_end_cleanly_when_the_server_stops(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            connection = running.connect()
            connection.request('GET', WIDGETS + '?watch=true')
            answer = connection.getresponse()
            running.call('POST', WIDGETS, widget('a'))
            self.assertEqual(json.loads(answer.readline())['type'], 'ADDED')
            ended = []
            reader = threading.Thread(target=lambda: ended.append(answer.read()))
            reader.start()
            self.assertEqual(running.stop(), 0)
            reader.join(strake.DEADLINE)
            self.assertEqual(ended, [b''])  # the last chunk came: a cut stream raises instead
            connection.close()

    def test_a_watch_goes_on_without_gaps_after_a_restart(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            first = running.call('POST', WIDGETS, widget('a'))[2]['metadata']['resourceVersion']
            running.call('POST', WIDGETS, widget('b'))
            running.call('DELETE', WIDGETS + '/a')
            running.kill()
            running.start()
            text = running.call('GET', f'{WIDGETS}?watch=true&resourceVersion={first}&timeoutSeconds=1')[2]
            events = [json.loads(line) for line in text.splitlines()] if isinstance(text, str) else [text]
            self.assertEqual([(event['type'], event['object']['metadata']['name']) for event in events],
                             [('ADDED', 'b'), ('DELETED', 'a')])

    def test_metrics_count_requests(self):
        with server.Server() as running:
            running.call('GET', '/api/v1/namespaces')
            text = running.call('GET', '/metrics')[2]
            self.assertIn('apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="namespaces",'
                          'scope="cluster",subresource="",verb="LIST",version="v1"} 1\n', text)
            self.assertIn('process_resident_memory_bytes', text)

    def test_a_namespace_takes_its_content_with_it(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            running.call('POST', '/api/v1/namespaces', {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'gone'}})
            there = '/apis/e2e.example.com/v1/namespaces/gone/widgets'
            self.assertEqual(running.call('POST', there, widget('a'))[0], 201)
            code, _, answer = running.call('DELETE', '/api/v1/namespaces/gone')
            self.assertEqual((code, answer['status']['phase']), (200, 'Terminating'))
            for _ in range(200):
                if running.call('GET', '/api/v1/namespaces/gone')[0] == 404:
                    break
                threading.Event().wait(0.05)
            self.assertEqual(running.call('GET', '/api/v1/namespaces/gone')[0], 404)
            self.assertEqual(running.call('GET', there)[2]['items'], [])
            self.assertEqual(running.call('DELETE', '/api/v1/namespaces/default')[0], 403)

    def test_a_collection_goes_together_and_keeps_what_was_not_meant(self):
        with server.Server() as running:
            maps = '/api/v1/namespaces/default/configmaps'
            connection = running.connect()
            for i in range(300):  # more than are removed at a time
                body = {'metadata': {'name': f'm{i:03}', 'labels': {'go': 'yes' if i % 3 else 'no'},
                                     'finalizers': ['e2e.example.com/hold'] if i % 50 == 1 else []}}
                connection.request('POST', maps, json.dumps(body), {'Content-Type': 'application/json'})
                answer = connection.getresponse()
                answer.read()
                self.assertEqual(answer.status, 201)
            connection.close()
            code, _, answer = running.call('DELETE', maps + '?labelSelector=go=yes')
            self.assertEqual(code, 200)
            self.assertEqual([item['metadata']['name'] for item in answer['items']],
                             [f'm{i:03}' for i in range(300) if i % 3])
            _, _, left = running.call('GET', maps)
            names = {item['metadata']['name']: item['metadata'] for item in left['items'] if item['metadata']['name'][0] == 'm'}
            held = [f'm{i:03}' for i in range(300) if i % 3 and i % 50 == 1]
            self.assertEqual(sorted(names), sorted([f'm{i:03}' for i in range(0, 300, 3)] + held))
            for name in held:
                self.assertIn('deletionTimestamp', names[name])

    def test_a_definition_takes_its_objects_with_it(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            running.call('POST', WIDGETS, widget('a'))
            self.assertEqual(running.call('DELETE', CRDS + '/widgets.e2e.example.com')[0], 200)
            for _ in range(200):
                if running.call('GET', CRDS + '/widgets.e2e.example.com')[0] == 404:
                    break
                threading.Event().wait(0.05)
            self.assertEqual(running.call('GET', WIDGETS)[0], 404)
            self.assertEqual(running.call('POST', CRDS, widget_crd())[0], 201)
            self.assertEqual(running.call('GET', WIDGETS)[2]['items'], [])

    def test_names_in_use_are_a_conflict_until_they_are_free(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            running.call('POST', CRDS, widget_crd(plural='gadgets'))  # the same kind
            conditions = {c['type']: c for c in running.call('GET', CRDS + '/gadgets.e2e.example.com')[2]['status']['conditions']}
            self.assertEqual(conditions['NamesAccepted']['status'], 'False')
            self.assertEqual(conditions['NamesAccepted']['message'], '"WidgetList" is already in use')
            self.assertEqual(conditions['Established']['status'], 'False')
            running.call('DELETE', CRDS + '/widgets.e2e.example.com')
            for _ in range(200):
                found = running.call('GET', CRDS + '/gadgets.e2e.example.com')[2]['status']['conditions']
                if all(c['status'] == 'True' for c in found):
                    break
                threading.Event().wait(0.05)
            self.assertEqual(running.call('GET', '/apis/e2e.example.com/v1/namespaces/default/gadgets')[0], 200)

    def test_pages_show_one_revision_whatever_is_written_meanwhile(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            for i in range(10):
                running.call('POST', WIDGETS, widget(f'w{i}'))
            first = running.call('GET', WIDGETS + '?limit=4')[2]
            running.call('DELETE', WIDGETS + '/w5')
            running.call('POST', WIDGETS, widget('w55'))
            names = [item['metadata']['name'] for item in first['items']]
            token = first['metadata']['continue']
            while token:
                page = running.call('GET', f'{WIDGETS}?limit=4&continue={token}')[2]
                self.assertEqual(page['metadata']['resourceVersion'], first['metadata']['resourceVersion'])
                names += [item['metadata']['name'] for item in page['items']]
                token = page['metadata']['continue']
            self.assertEqual(names, [f'w{i}' for i in range(10)])

    def test_objects_stored_before_a_schema_changed_are_read_through_the_new_one(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            running.call('POST', WIDGETS, widget('a', size=3, note='x'))
            crd = running.call('GET', CRDS + '/widgets.e2e.example.com')[2]
            properties = crd['spec']['versions'][0]['schema']['openAPIV3Schema']['properties']['spec']['properties']
            del properties['note']
            properties['shape'] = {'type': 'string', 'default': 'round'}
            self.assertEqual(running.call('PUT', CRDS + '/widgets.e2e.example.com', crd)[0], 200)
            self.assertEqual(running.call('GET', WIDGETS + '/a')[2]['spec'], {'colour': 'red', 'size': 3, 'shape': 'round'})

    def test_versions_convert_by_name_alone(self):
        with server.Server() as running:
            crd = widget_crd()
            second = json.loads(json.dumps(crd['spec']['versions'][0]))
            second.update(name='v2', storage=False)
            crd['spec']['versions'].append(second)
            running.call('POST', CRDS, crd)
            running.call('POST', WIDGETS, widget('a', size=3))
            code, _, found = running.call('GET', '/apis/e2e.example.com/v2/namespaces/default/widgets/a')
            self.assertEqual((code, found['apiVersion'], found['spec']['size']), (200, 'e2e.example.com/v2', 3))

    def test_tokens_are_refused_until_they_can_be_issued(self):
        with server.Server() as running:
            accounts = '/api/v1/namespaces/default/serviceaccounts'
            asked = {'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest', 'spec': {'audiences': ['a']}}
            self.assertEqual(running.call('POST', accounts + '/default/token', asked)[0], 405)
            self.assertEqual([item['metadata']['name'] for item in running.call('GET', accounts)[2]['items']], ['default'])

    def test_an_object_of_another_kind_is_refused(self):
        with server.Server() as running:
            code, _, said = running.call('POST', '/api/v1/namespaces/default/configmaps',
                                         {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 'a'}})
            self.assertEqual(code, 400)
            self.assertIn('Secret in version "v1" cannot be handled as a ConfigMap', said['message'])

    def test_shapes_by_accept(self):
        with server.Server() as running:
            running.call('POST', CRDS, widget_crd())
            running.call('POST', WIDGETS, widget('a'))
            text = running.call('GET', WIDGETS + '/a', headers={'Accept': 'application/yaml'})[2]
            self.assertTrue(text.startswith('apiVersion: e2e.example.com/v1\nkind: Widget\n'), text)
            self.assertEqual(running.call('GET', WIDGETS, headers={'Accept': 'text/html'})[0], 406)
            etag = running.call('GET', '/openapi/v2')[1]['ETag']
            self.assertEqual(running.call('GET', '/openapi/v2', headers={'If-None-Match': etag})[0], 304)


if __name__ == '__main__':
    unittest.main()
