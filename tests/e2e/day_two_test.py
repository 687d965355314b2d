"""What keeps a server going: backups by a schedule, what operators ask, stores of other versions."""
import os
import sqlite3
import stat
import tempfile
import threading
import unittest

import server
import strake

CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'


def config_map(name, **data):
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name}, 'data': data}


def wait_until(found, what):
    for _ in range(1200):
        if found():
            return
        threading.Event().wait(0.05)
    raise AssertionError(f'{what} did not come')


def listed(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith('.db'))


def is_running(process):
    try:
        with open(f'/proc/{process}/stat') as file:
            return file.read().rsplit(')', 1)[1].split()[0] not in 'ZX'
    except FileNotFoundError:
        return False


class Backups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='strake-day-two-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.kept = os.path.join(self.folder, 'kept')

    def metric(self, running, name):
        for line in running.call('GET', '/metrics')[2].splitlines():
            if line.startswith(name + ' '):
                return float(line.split()[1])
        self.fail(f'{name} is not among the metrics')

    def test_a_scheduled_backup_is_restored_into_a_new_folder(self):
        with server.Server() as running:
            code, _, first = running.call('POST', CONFIG_MAPS, config_map('first', a='1'))
            self.assertEqual(code, 201)
            running.stop()
            running.args = ('--backup-schedule', '6h', '--backup-dir', self.kept)
            running.start()
            # The first one is due at once.
            wait_until(lambda: self.metric(running, 'strake_backup_last_success_timestamp_seconds') > 0, 'a backup')
            code, _, second = running.call('POST', CONFIG_MAPS, config_map('second'))
            self.assertEqual(code, 201)
            self.assertEqual(running.call('PATCH', CONFIG_MAPS + '/first', {'data': {'a': '2'}},
                                          {'Content-Type': 'application/merge-patch+json'})[0], 200)
            verbose = running.call('GET', '/readyz?verbose')[2]
            self.assertIn('[+]backup ok\n', verbose)
            status = running.call('GET', '/statusz')[2]
            name, = listed(self.kept)
            self.assertIn(f'Last backup made: {name}, ', status)
            self.assertRegex(status, r'\nNext backup: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n')
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.kept, name)).st_mode), 0o600)
            self.assertEqual(stat.S_IMODE(os.stat(self.kept).st_mode), 0o700)
            backup = os.path.join(self.kept, name)
            checked = strake.run('store', 'check', backup)
            self.assertEqual(checked.returncode, strake.FINE, checked.stderr)
            elsewhere = os.path.join(self.folder, 'elsewhere')
            restored = strake.run('store', 'restore', '--data-dir', elsewhere, backup)
            self.assertEqual(restored.returncode, strake.FINE, restored.stderr)
            with open(os.path.join(running.folder, 'pki/ca.crt')) as old, open(os.path.join(elsewhere, 'pki/ca.crt')) as new:
                self.assertEqual(old.read(), new.read())
            with server.Server(data_dir=elsewhere) as other:
                self.assertEqual(other.call('GET', CONFIG_MAPS + '/first')[2], first)
                self.assertEqual(other.call('GET', CONFIG_MAPS + '/second')[0], 404)
                code, _, third = other.call('POST', CONFIG_MAPS, config_map('third'))
                self.assertEqual(code, 201)
                self.assertGreater(int(third['metadata']['resourceVersion']), int(first['metadata']['resourceVersion']))

    def test_a_configuration_file_says_when_and_where(self):
        config = os.path.join(self.folder, 'strake.yaml')
        with open(config, 'w') as file:
            file.write('serve:\n  backupSchedule: 6h\n  backupDir: kept\n  backupKeep: 2\n')
        with server.Server('--config', config) as running:
            wait_until(lambda: os.path.isdir(self.kept) and listed(self.kept), 'a backup')
            self.assertEqual(running.stop(), 0)

    def test_a_command_that_fails_stops_nobody(self):
        with server.Server('--backup-schedule', '6h', '--backup-command', 'sh -c "exit 3" letmein') as running:
            wait_until(lambda: self.metric(running, 'strake_backup_consecutive_failures') == 1, 'a failure')
            self.assertEqual(running.call('GET', '/readyz')[::2], (200, 'ok'))
            self.assertIn('[+]backup failed, for information only: reason withheld\n',
                          running.call('GET', '/readyz?verbose')[2])
            self.assertIn('sh ended with exit code 3', running.text())
            self.assertIn('\nFailed backups: 1 since', running.call('GET', '/statusz')[2])
            self.assertIn('\nbackup-command=CLASSIFIED\n', running.call('GET', '/flagz')[2])
            self.assertNotIn('letmein', running.text())
            self.assertEqual(running.stop(), 0)

    def test_a_command_ends_with_the_server(self):
        note = os.path.join(self.folder, 'note')
        command = f'echo $$ > {note}.new && mv {note}.new {note}; exec sleep 1000'
        with server.Server('--backup-schedule', '6h', '--backup-command', command, '--backup-command-shell') as running:
            wait_until(lambda: os.path.exists(note), 'the command')
            with open(note) as file:
                process = int(file.read())
            self.assertTrue(is_running(process))
            self.assertEqual(running.stop(), 0)
            wait_until(lambda: not is_running(process), 'the end of the command')
            self.assertNotIn('strake.db.backup', os.listdir(running.folder))

    def test_a_folder_that_others_can_read_is_refused(self):
        os.mkdir(self.kept, 0o755)
        refused = strake.run('serve', '--data-dir', os.path.join(self.folder, 'data'), '--listen', '127.0.0.1:0',
                             '--backup-schedule', '6h', '--backup-dir', self.kept)
        self.assertEqual(refused.returncode, strake.INPUT)
        self.assertIn('chmod 700', refused.stderr)


class StatusPages(unittest.TestCase):
    def test_they_are_for_those_whom_the_default_roles_let_in(self):
        with tempfile.NamedTemporaryFile('w', suffix='.csv') as tokens:
            tokens.write('one,monitor,1,"system:monitoring"\ntwo,eve,2,\n')
            tokens.flush()
            with server.Server('--token-file', tokens.name) as running:
                for path in ('/statusz', '/flagz'):
                    def code(token):
                        headers = {'Authorization': 'Bearer ' + token} if token else {}
                        return running.call('GET', path, headers=headers, credentials=False)[0]
                    self.assertEqual((code('one'), code('two'), code('')), (200, 403, 403), path)
                self.assertIn(f'\ntoken-file={tokens.name}\n', running.call('GET', '/flagz')[2])


class Profiles(unittest.TestCase):
    PAGE = '/debug/pprof/profile'

    def ask(self, running, path):
        connection = running.connect()
        try:
            connection.request('GET', path)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def test_they_are_off_unless_asked_for(self):
        with server.Server('--in-memory') as running:
            self.assertEqual(self.ask(running, self.PAGE + '?seconds=1')[0], 404)

    def test_one_is_taken_at_a_time(self):
        with server.Server('--in-memory', '--profiling') as running:
            self.assertEqual(running.call('GET', self.PAGE, credentials=False)[0], 403)
            code, headers, text = self.ask(running, self.PAGE + '?seconds=51')
            self.assertEqual((code, headers['X-Go-Pprof'], text), (400, '1', b'profile duration exceeds 50 seconds\n'))

            first = running.connect()
            first.request('GET', self.PAGE + '?seconds=50')
            wait_until(lambda: self.ask(running, self.PAGE + '?seconds=1')[0] == 500, 'the first profile')
            code, _, text = self.ask(running, self.PAGE + '?seconds=1')
            self.assertEqual((code, text), (500, b'Could not enable CPU profiling: cpu profiling already in use\n'))
            first.close()  # Who asked is gone, so another may.
            answers = []
            wait_until(lambda: answers.append(self.ask(running, self.PAGE + '?seconds=1')) or answers[-1][0] == 200, 'a profile')
            _, headers, profile = answers[-1]
            self.assertEqual(headers['Content-Type'], 'application/octet-stream')
            self.assertEqual(headers['Content-Disposition'], 'attachment; filename="profile"')
            for word in (b'samples', b'nanoseconds', os.path.basename(strake.BINARY).encode()):
                self.assertIn(word, profile)


class Versions(unittest.TestCase):
    def test_a_store_of_a_newer_version_is_refused_with_its_own_exit_code(self):
        with server.Server() as running:
            running.stop()
            path = os.path.join(running.folder, 'strake.db')
            with sqlite3.connect(path) as database:
                database.execute('PRAGMA user_version = 7')
            database.close()
            for command in (('serve', '--data-dir', running.folder, '--listen', '127.0.0.1:0'),
                            ('store', 'check', '--data-dir', running.folder)):
                refused = strake.run(*command)
                self.assertEqual(refused.returncode, strake.UNSUPPORTED, command)
                self.assertIn(f'{path} has schema version 7, written by a newer strake, and this strake knows versions up to 2',
                              refused.stderr)


if __name__ == '__main__':
    unittest.main()
