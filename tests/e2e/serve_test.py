"""strake serve as its users meet it: a folder, a kubeconfig, objects that stay, watches that end cleanly."""
import base64
import http.client
import json
import os
import shutil
import signal
import ssl
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

    def test_sighup_reloads_tokens_and_never_ends_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = os.path.join(folder, 'tokens.csv')

            def write(text):
                with open(tokens, 'w') as file:
                    file.write(text)

            def code(token):
                return running.call('GET', '/api/v1/namespaces', headers={'Authorization': 'Bearer ' + token},
                                    credentials=False)[0]

            def hang_up(said):
                seen = running.text().count(said)
                running.process.send_signal(signal.SIGHUP)
                for _ in range(400):
                    if running.text().count(said) > seen:
                        return
                    threading.Event().wait(0.05)
                self.fail(f'{said!r} is not in the log: {running.text()}')

            write('first,ci,1,"system:masters"\n')
            with server.Server('--token-file', tokens) as running:
                watch = running.connect()
                watch.request('GET', '/api/v1/namespaces/default/configmaps?watch=true')
                stream = watch.getresponse()
                write('second,ci,1,"system:masters"\n')
                hang_up('reloaded the configuration and its files')
                self.assertEqual((code('first'), code('second')), (401, 200))
                write('"broken')
                hang_up('not reloaded, the old one stays')
                os.remove(tokens)
                hang_up('not reloaded, the old one stays')
                self.assertEqual(code('second'), 200)
                self.assertNotIn('broken', running.text())
                running.call('POST', '/api/v1/namespaces/default/configmaps', {'metadata': {'name': 'a'}})
                names = [json.loads(stream.readline())['object']['metadata']['name'] for _ in range(2)]
                self.assertIn('a', names)  # the connection has gone on
                watch.close()
                self.assertEqual(running.stop(), 0)

    def test_sighup_reads_the_configuration_again(self):
        with tempfile.TemporaryDirectory() as folder:
            config = os.path.join(folder, 'strake.yaml')

            def write(text):
                with open(config, 'w') as file:
                    file.write(text)

            def hang_up(said):
                seen = running.text().count(said)
                running.process.send_signal(signal.SIGHUP)
                for _ in range(400):
                    if running.text().count(said) > seen:
                        return
                    threading.Event().wait(0.05)
                self.fail(f'{said!r} is not in the log: {running.text()}')

            with open(os.path.join(folder, 'tokens.csv'), 'w') as file:
                file.write('secret,ci,1,"system:masters"\n')
            write('serve:\n  tokenFile: tokens.csv\n  logRequests: false\n  ioThreads: 1\n')
            with server.Server('--config', config) as running:
                bearer = {'Authorization': 'Bearer secret'}
                self.assertEqual(running.call('GET', '/api/v1/namespaces', headers=bearer, credentials=False)[0], 200)
                self.assertNotIn('path=/api/v1/namespaces', running.text().replace('"', '').replace(':/', '=/'))
                write('serve:\n  tokenFile: tokens.csv\n  logRequests: true\n  ioThreads: 2\n')
                hang_up('a change of the configuration needs a restart')
                self.assertIn('io-threads', running.text())
                running.call('GET', '/api/v1/namespaces', headers=bearer, credentials=False)
                self.assertIn('path=/api/v1/namespaces', running.text().replace('"', '').replace(':/', '=/'))
                write('serve:\n  logRequest: true\n')
                hang_up('not reloaded, the old one stays')
                self.assertIn('did you mean', running.text())
                self.assertEqual(running.call('GET', '/api/v1/namespaces', headers=bearer, credentials=False)[0], 200)

    def test_keys_of_account_tokens_are_replaced_without_a_restart(self):
        def token():
            code, _, got = running.call('POST', '/api/v1/namespaces/default/serviceaccounts/ci/token', {})
            self.assertEqual(code, 201, got)
            return got['status']['token']

        def code(bearer):
            return running.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {},
                                headers={'Authorization': 'Bearer ' + bearer}, credentials=False)[0]

        def hang_up():
            seen = running.text().count('reloaded the configuration and its files')
            running.process.send_signal(signal.SIGHUP)
            for _ in range(400):
                if running.text().count('reloaded the configuration and its files') > seen:
                    return
                threading.Event().wait(0.05)
            self.fail(running.text())

        with server.Server() as running:
            running.call('POST', '/api/v1/namespaces/default/serviceaccounts', {'metadata': {'name': 'ci'}})
            old = token()
            self.assertEqual(code(old), 201)
            private, public = (os.path.join(running.folder, 'pki', name) for name in ('sa.key', 'sa.pub'))
            subprocess.run(['openssl', 'genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', private],
                           check=True, stderr=subprocess.DEVNULL)
            hang_up()
            new = token()
            self.assertEqual((code(old), code(new)), (201, 201))  # sa.pub has the old one
            fresh = subprocess.run(['openssl', 'pkey', '-in', private, '-pubout'], check=True, stdout=subprocess.PIPE, text=True)
            with open(public, 'w') as file:
                file.write(fresh.stdout)
            hang_up()
            self.assertEqual((code(old), code(new)), (401, 201))
            keys = running.call('GET', '/openid/v1/jwks', headers={'Accept': '*/*'})[2]
            self.assertEqual([key['alg'] for key in (json.loads(keys) if isinstance(keys, str) else keys)['keys']], ['RS256'])
            for secret in (old, new):
                self.assertNotIn(secret, running.text())
            self.assertEqual(running.stop(), 0)

    def test_in_memory_alone_says_how_to_get_in(self):
        read_end, write_end = os.pipe()
        process = subprocess.Popen([strake.BINARY, 'serve', '--in-memory', '--listen', '127.0.0.1:0', '--ready-fd', str(write_end)],
                                   pass_fds=[write_end], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            url = ready.readline().strip()
        said = [process.stdout.readline().rstrip('\n') for _ in range(3)]
        self.assertEqual([said[0], said[2]], [f'serving at {url}', '  kubectl get namespaces'])
        kubeconfig = said[1].removeprefix('  export KUBECONFIG=')
        self.assertEqual(stat.S_IMODE(os.stat(kubeconfig).st_mode), 0o600)
        with open(kubeconfig) as file:
            fields = dict(line.split(': ', 1) for line in map(str.strip, file) if ': ' in line)
        self.assertEqual(fields['server'], url)
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for name in ('certificate-authority-data', 'client-certificate-data', 'client-key-data'):
                names.append(os.path.join(folder, name))
                with open(names[-1], 'wb') as file:
                    file.write(base64.b64decode(fields[name]))
            context = ssl.create_default_context(cafile=names[0])
            context.load_cert_chain(names[1], names[2])
        connection = http.client.HTTPSConnection(url.removeprefix('https://'), context=context, timeout=strake.DEADLINE)
        connection.request('GET', '/api/v1/namespaces')
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=strake.DEADLINE)
        self.assertEqual(process.returncode, 0)
        self.assertFalse(os.path.exists(kubeconfig))

    def test_the_default_folder_is_where_help_says(self):
        shown = ' '.join(strake.run('help', 'serve').stdout.split())
        self.assertIn('(default $XDG_DATA_HOME/strake or ~/.local/share/strake;', shown)
        for name, inside in (('XDG_DATA_HOME', 'strake'), ('HOME', '.local/share/strake')):
            with tempfile.TemporaryDirectory() as home:
                env = {key: value for key, value in os.environ.items() if key not in ('XDG_DATA_HOME', 'HOME')}
                process = subprocess.Popen([strake.BINARY, 'serve', '--listen', '127.0.0.1:0'], stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL, text=True, env={**env, name: home})
                said = [process.stdout.readline().strip() for _ in range(2)]
                self.assertEqual(said[1], f'export KUBECONFIG={home}/{inside}/admin.kubeconfig')
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=strake.DEADLINE)

    def test_a_backup_moves_a_server_with_its_keys(self):
        with server.Server() as running, tempfile.TemporaryDirectory() as elsewhere:
            running.call('POST', '/api/v1/namespaces/default/configmaps', {'metadata': {'name': 'kept'}})
            backup = os.path.join(elsewhere, 'backup.db')
            self.assertEqual(strake.run('store', 'backup', '--data-dir', running.folder, backup).returncode, 0)
            self.assertEqual(stat.S_IMODE(os.stat(backup).st_mode), 0o600)
            folder = os.path.join(elsewhere, 'moved')
            restored = strake.run('store', 'restore', '--data-dir', folder, backup)
            self.assertEqual(restored.returncode, 0, restored.stderr)
            with server.Server(data_dir=folder) as moved:
                moved.folder = running.folder  # the old certificates still open the door
                self.assertEqual(moved.call('GET', '/api/v1/namespaces/default/configmaps/kept')[0], 200)
                moved.folder = folder

    def test_requests_are_logged_on_demand_and_refusals_always(self):
        def lines(running, message):
            return [entry for entry in map(json.loads, filter(lambda line: line.startswith('{'), running.text().splitlines()))
                    if entry['msg'] == message]

        with server.Server() as running:
            running.call('GET', '/api/v1/namespaces?limit=1')
            running.call('GET', '/api/v1/secrets?hidden=1', headers={'Authorization': 'Bearer sesame', 'User-Agent': 'x\u009b'},
                         credentials=False)
            running.call('GET', '/api/v1/secrets', credentials=False)
            self.assertEqual(running.stop(), 0)
            self.assertEqual(lines(running, 'request'), [])
            refused = lines(running, 'request refused')
            self.assertEqual([(line['code'], line['user'], line['path'], line['verb']) for line in refused],
                             [(401, '', '/api/v1/secrets', 'list'), (403, 'system:anonymous', '/api/v1/secrets', 'list')])
            self.assertNotIn('sesame', running.text())
            self.assertNotIn('hidden', running.text())
        with server.Server('--log-requests') as running:
            audit = running.call('GET', '/api/v1/namespaces?limit=1', headers={'User-Agent': 'e2e'})[1]['Audit-Id']
            self.assertEqual(running.stop(), 0)
            line = [line for line in lines(running, 'request') if line['agent'] == 'e2e'][0]
            self.assertEqual((line['level'], line['user'], line['path'], line['code'], line['audit']),
                             ('info', 'admin', '/api/v1/namespaces', 200, audit))
            self.assertRegex(line['source'], r'^127\.0\.0\.1:\d+$')
            self.assertGreater(line['ms'], 0)

    def test_a_folder_that_is_open_to_others_is_refused(self):
        with tempfile.TemporaryDirectory() as above:
            folder = os.path.join(above, 'data')
            os.mkdir(folder, 0o755)
            refused = strake.run('serve', '--data-dir', folder, '--listen', '127.0.0.1:0')
            self.assertEqual(refused.returncode, strake.INPUT)
            self.assertIn(f'run `chmod 700 {folder}`', refused.stderr)
            self.assertEqual(os.listdir(folder), [])
            os.chmod(folder, 0o700)
            with server.Server(data_dir=folder) as running:
                self.assertEqual(running.call('GET', '/readyz')[0], 200)

    def test_damage_is_refused_by_name_and_the_rest_is_salvaged(self):
        maps = '/api/v1/namespaces/default/configmaps'
        with server.Server() as running:
            for name in ('one', 'two', 'three'):
                running.call('POST', maps, {'metadata': {'name': name}, 'data': {'text': 'marker-' + name}})
            self.assertEqual(running.stop(), 0)
            path = os.path.join(running.folder, 'strake.db')
            with open(path, 'r+b') as file:
                at = file.read().index(b'marker-two')
                file.seek(at)
                file.write(b'Marker')
            refused = strake.run('serve', '--data-dir', running.folder, '--listen', '127.0.0.1:0')
            self.assertEqual(refused.returncode, strake.INPUT)
            self.assertIn('of "/registry/configmaps/default/two" does not match its checksum', refused.stderr)
            checked = strake.run('store', 'check', '--data-dir', running.folder)
            self.assertEqual(checked.returncode, strake.FINDINGS)
            self.assertIn('"/registry/configmaps/default/two"', checked.stderr)
            rest = os.path.join(running.folder, 'rest.db')
            salvaged = strake.run('store', 'salvage', '--data-dir', running.folder, rest)
            self.assertEqual((salvaged.returncode, salvaged.stderr), (strake.FINDINGS, 'lost: "/registry/configmaps/default/two"\n'))
            self.assertEqual(strake.run('store', 'restore', '--data-dir', running.folder, '--overwrite', rest).returncode, 0)
            running.start()
            names = {item['metadata']['name'] for item in running.call('GET', maps)[2]['items']}
            self.assertEqual({'one', 'three'} <= names and 'two' not in names, True, names)

    def test_a_full_disk_stops_neither_deletes_nor_a_restart(self):
        with tempfile.TemporaryDirectory() as folder:
            if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=48m,mode=700', 'tmpfs', folder], stderr=subprocess.DEVNULL).returncode:
                self.skipTest('mounting a file system needs root')
            try:
                self.fill_and_delete(folder)
            finally:
                subprocess.run(['umount', '-l', folder], check=True)

    def fill_and_delete(self, folder):
        maps = '/api/v1/namespaces/default/configmaps'

        def fill():
            with open(os.path.join(folder, 'junk'), 'ab', buffering=0) as junk:
                try:
                    while True:
                        junk.write(b'j' * 4096)
                except OSError:
                    pass

        with server.Server(data_dir=folder, log=os.devnull) as running:
            made = 0
            while True:
                code, _, said = running.call('POST', maps, {'metadata': {'name': f'm{made}'}, 'data': {'x': 'y' * 200000}})
                if code != 201:
                    break
                made += 1
            self.assertEqual(code, 500)
            self.assertNotIn(folder, json.dumps(said))
            self.assertGreater(made, 20)
            fill()
            for i in range(10):
                self.assertEqual(running.call('DELETE', f'{maps}/m{i}')[0], 200)
            running.stop()
            fill()
            running.start()
            for i in range(10, 20):
                self.assertEqual(running.call('DELETE', f'{maps}/m{i}')[0], 200)
            self.assertEqual(running.call('GET', f'{maps}/m20')[0], 200)
            # More than the server keeps in reserve: the junk may be less than that.
            subprocess.run(['mount', '-o', 'remount,size=96m', folder], check=True)
            for _ in range(200):
                if running.call('POST', maps, {'metadata': {'name': 'small'}})[0] in (201, 409):
                    break
                threading.Event().wait(0.05)
            self.assertEqual(running.call('GET', maps + '/small')[0], 200)

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


class Users(unittest.TestCase):
    """People who are let in, and out again."""

    def setUp(self):
        self.server = server.Server('--in-memory')
        self.addCleanup(self.server.__exit__, None, None, None)
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def user(self, *words):
        return strake.run('user', *words, '--kubeconfig', self.server.kubeconfig)

    def add(self, name, *words):
        """The path of the kubeconfig."""
        file = os.path.join(self.folder, f'{name}.kubeconfig')
        added = self.user('add', name, '-f', file, *words)
        self.assertEqual(added.returncode, strake.FINE, added.stderr)
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        return file

    def connect(self, kubeconfig):
        context = self.server.context(credentials=False)
        context.load_cert_chain(*server.client_certificate(kubeconfig, self.folder))
        connection = http.client.HTTPSConnection(self.server.address, context=context, timeout=strake.DEADLINE)
        self.addCleanup(connection.close)
        return connection

    def ask(self, connection, path):
        connection.request('GET', path)
        answer = connection.getresponse()
        answer.read()
        return answer.status

    def listed(self):
        return {one['name']: one for one in json.loads(self.user('list', '-o', 'json').stdout)}

    def test_added_users_may_do_what_their_roles_allow(self):
        eve = self.connect(self.add('eve', '--role', 'view', '--group', 'dev'))
        self.assertEqual(self.ask(eve, '/api/v1/namespaces'), 200)
        self.assertEqual(self.ask(eve, '/api/v1/secrets'), 403)
        robot = self.connect(self.add('ci', '--role', 'edit', '-n', 'default', '--ttl', '12h'))
        self.assertEqual(self.ask(robot, '/api/v1/namespaces/default/secrets'), 200)
        self.assertEqual(self.ask(robot, '/api/v1/namespaces/kube-system/secrets'), 403)
        users = self.listed()
        self.assertEqual(users['eve']['groups'], ['dev'])
        self.assertEqual(users['ci']['roles'], [{'kind': 'ClusterRole', 'name': 'edit', 'namespace': 'default'}])
        self.assertRegex(self.user('list').stdout, r'(?m)^ci +active +- +default/edit +20\d\d-')
        self.assertEqual(self.server.call('GET', '/apis/certificates.k8s.io/v1/certificatesigningrequests')[2]['items'], [])

    def test_the_kubeconfig_works_as_it_is(self):
        added = self.user('add', 'odd: "name"', '--role', 'view')
        self.assertEqual(added.returncode, strake.FINE, added.stderr)
        file = os.path.join(self.folder, 'odd')
        with open(file, 'w') as out:
            out.write(added.stdout)
        asked = strake.run('auth', 'who-can', 'get', 'configmaps', '--kubeconfig', file)
        self.assertIn('forbidden', asked.stderr)
        self.assertIn('odd: ', asked.stderr)

    def test_revoked_users_are_out_at_once_and_can_come_back(self):
        eve = self.connect(self.add('eve', '--role', 'view'))
        self.assertEqual(self.ask(eve, '/api/v1/namespaces'), 200)
        revoked = self.user('revoke', 'eve')
        self.assertEqual(revoked.returncode, strake.FINE, revoked.stderr)
        self.assertIn('1 role binding removed', revoked.stdout)
        self.assertEqual(self.ask(eve, '/api/v1/namespaces'), 401, 'on the connection that is open')
        self.assertEqual(self.listed()['eve']['status'], 'revoked')
        again = self.connect(self.add('eve', '--role', 'view'))
        self.assertEqual(self.ask(again, '/api/v1/namespaces'), 200)
        self.assertEqual(self.ask(eve, '/api/v1/namespaces'), 401)
        self.assertEqual(self.listed()['eve']['status'], 'active')

    def test_revoked_users_lose_what_they_had_in_namespaces_too(self):
        self.add('ci', '--role', 'edit', '-n', 'default')
        self.add('ci', '--role', 'view', '-n', 'kube-public')
        self.add('other', '--role', 'view', '-n', 'default')
        revoked = self.user('revoke', 'ci')
        self.assertIn('2 role bindings removed', revoked.stdout)
        bindings = self.server.call('GET', '/apis/rbac.authorization.k8s.io/v1/rolebindings')[2]['items']
        subjects = [subject['name'] for one in bindings for subject in one.get('subjects', [])]
        self.assertNotIn('ci', subjects)
        self.assertIn('other', subjects)

    def test_nothing_is_made_for_a_role_that_is_not_there(self):
        added = self.user('add', 'eve', '--role', 'nope')
        self.assertEqual(added.returncode, strake.REMOTE_FAILED, added.stderr)
        self.assertIn('there is no ClusterRole "nope"', added.stderr)
        self.assertEqual(self.listed(), {})

    def test_names_that_would_lead_elsewhere_are_refused(self):
        for flag, name in (('role', 'view?x=1'), ('role', '../roles/x'), ('role', 'a\r\nb'), ('role', ''), ('namespace', 'a/b')):
            with self.subTest(name):
                added = self.user('add', 'eve', '--role', 'view', f'--{flag}', name)
                self.assertEqual(added.returncode, strake.INPUT, added.stderr)
                self.assertIn('no object can have that name', added.stderr)
        self.assertEqual(self.listed(), {})

    def test_nobody_revokes_themselves(self):
        revoked = self.user('revoke', 'admin')
        self.assertEqual(revoked.returncode, strake.INPUT)
        self.assertIn('you are "admin"', revoked.stderr)


class Auth(unittest.TestCase):
    """Who can do what, asked of a running server."""

    ROLES = '/apis/rbac.authorization.k8s.io/v1/'

    @classmethod
    def setUpClass(cls):
        cls.server = server.Server('--in-memory')
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.__exit__, None, None, None)
        binding = {'metadata': {'name': 'edits'}, 'subjects': [{'kind': 'User', 'apiGroup': 'rbac.authorization.k8s.io', 'name': 'eve'}],
                   'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'ClusterRole', 'name': 'edit'}}
        code, _, made = cls.server.call('POST', cls.ROLES + 'namespaces/default/rolebindings', binding)
        assert code == 201, made

    def ask(self, *words):
        return strake.run('auth', *words, '--kubeconfig', self.server.kubeconfig)

    def test_who_can_lists_subjects_with_their_reasons(self):
        asked = self.ask('who-can', 'delete', 'cm')
        self.assertEqual(asked.returncode, strake.FINE, asked.stderr)
        self.assertIn('who can delete configmaps in the namespace default:\n', asked.stdout)
        self.assertIn('  User eve: RoleBinding default/edits, ClusterRole edit, rule ', asked.stdout)
        self.assertNotIn('User eve', self.ask('who-can', 'delete', 'cm', '-n', 'kube-system').stdout)
        self.assertIn('User eve', json.dumps([' '.join((one['subject']['kind'], one['subject']['name']))
                                              for one in json.loads(self.ask('who-can', 'get', 'secrets', '-o', 'json').stdout)]))

    def test_explain_agrees_with_the_server(self):
        for verb, resource, namespace in (('create', 'configmaps', 'default'), ('create', 'configmaps', 'kube-system'),
                                          ('create', 'roles.rbac.authorization.k8s.io', 'default'), ('get', 'namespaces', 'default')):
            with self.subTest(f'{verb} {resource} in {namespace}'):
                name, _, group = resource.partition('.')
                review = {'spec': {'user': 'eve', 'groups': ['system:authenticated'],
                                   'resourceAttributes': {'verb': verb, 'resource': name, 'group': group, 'namespace': namespace}}}
                _, _, answer = self.server.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review)
                asked = self.ask('explain', 'eve', verb, resource, '-n', namespace)
                if name == 'namespaces':  # cluster-scoped: the namespace does not count
                    self.assertEqual(asked.returncode, strake.FINDINGS)
                else:
                    self.assertEqual(asked.returncode, strake.FINE if answer['status']['allowed'] else strake.FINDINGS, asked.stdout)

    def test_explain_says_what_is_missing(self):
        asked = self.ask('explain', 'eve', 'create', 'configmaps', '-n', 'kube-system')
        self.assertIn('    it lacks the namespace kube-system\n', asked.stdout)
        self.assertIn('  ClusterRole edit: kubectl create rolebinding NAME --clusterrole=edit --user=eve -n kube-system\n', asked.stdout)

    def test_a_resource_that_is_not_served_is_named(self):
        asked = self.ask('explain', 'eve', 'get', 'gadgets')
        self.assertIn('the cluster serves no resource "gadgets"', asked.stderr)
        self.assertNotEqual(asked.returncode, strake.FINE)


if __name__ == '__main__':
    unittest.main()
