"""strake serve as a service: readiness, signs of life and sockets by systemd's protocols, its units, its container file."""
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

import server
import strake

PACKAGING = os.path.join(strake.SOURCE, 'packaging')


def read(name):
    with open(os.path.join(PACKAGING, name)) as file:
        return file.read()


class Manager:
    """The end of systemd: a datagram socket that services send to."""

    def __init__(self, folder):
        self.path = os.path.join(folder, 'notify')
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(strake.DEADLINE)

    def next(self):
        return dict(line.split('=', 1) for line in self.socket.recv(4096).decode().splitlines())

    def wait_for(self, key):
        while True:
            got = self.next()
            if key in got:
                return got

    def close(self):
        self.socket.close()


class Notify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='strake-service-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.manager = Manager(self.folder)
        self.addCleanup(self.manager.close)

    def environment(self, **more):
        return dict(os.environ, NOTIFY_SOCKET=self.manager.path, **more)

    def test_it_tells_when_it_is_ready_reloads_and_stops(self):
        with server.Server(env=self.environment()) as running:
            self.addCleanup(running.log.close)
            ready = self.manager.next()
            self.assertEqual(ready, {'READY': '1', 'STATUS': f'serving at {running.url}', 'MAINPID': str(running.process.pid)})
            running.process.send_signal(signal.SIGHUP)
            self.assertEqual(self.manager.next()['RELOADING'], '1')
            self.assertEqual(self.manager.next()['READY'], '1')
            running.process.send_signal(signal.SIGTERM)
            self.assertEqual(self.manager.next()['STOPPING'], '1')
            self.assertEqual(running.process.wait(timeout=strake.DEADLINE), 0)

    def test_it_gives_signs_of_life_to_whoever_waits_for_them(self):
        with server.Server(env=self.environment(WATCHDOG_USEC='300000')):
            for _ in range(3):
                self.assertEqual(self.manager.wait_for('WATCHDOG')['WATCHDOG'], '1')
        with server.Server(env=self.environment(WATCHDOG_USEC='300000', WATCHDOG_PID='1')) as running:
            running.stop()
            self.manager.socket.setblocking(False)
            with self.assertRaises(BlockingIOError):
                while True:
                    self.assertNotIn('WATCHDOG', self.manager.next())

    def test_what_it_starts_is_not_taken_for_the_service(self):
        note = os.path.join(self.folder, 'note')
        command = f'env > {note}.new; mv {note}.new {note}'
        with server.Server('--backup-schedule', '6h', '--backup-command', command, '--backup-command-shell',
                           env=self.environment(WATCHDOG_USEC='300000')):
            for _ in range(1200):
                if os.path.exists(note):
                    break
                self.manager.next()
            with open(note) as file:
                text = file.read()
            self.assertIn('STRAKE_BACKUP_NAME=strake-', text)
            self.assertNotIn('NOTIFY_SOCKET', text)
            self.assertNotIn('WATCHDOG', text)

    def test_an_environment_that_makes_no_sense_is_refused(self):
        refused = strake.run('serve', '--data-dir', os.path.join(self.folder, 'data'), env=dict(os.environ, NOTIFY_SOCKET='notify'))
        self.assertEqual(refused.returncode, strake.INPUT)
        self.assertIn('NOTIFY_SOCKET must be a path or begin with @', refused.stderr)

    @unittest.skipUnless(shutil.which('systemd-notify'), 'systemd-notify is not installed')
    def test_this_test_hears_what_systemd_hears(self):
        subprocess.run(['systemd-notify', '--no-block', '--ready', '--status=hello'], env=self.environment(), check=True)
        got = self.manager.next()
        self.assertEqual((got['READY'], got['STATUS']), ('1', 'hello'))


class Sockets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='strake-service-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def ready(self, address, process):
        """Asks until the server answers there."""
        running = server.Server.__new__(server.Server)
        running.folder = os.path.join(self.folder, 'data')
        running.address = address
        for _ in range(600):
            self.assertIsNone(process.poll(), 'the server has ended')
            if os.path.exists(os.path.join(running.folder, 'admin.kubeconfig')):
                return running.call('GET', '/readyz')
            try:
                # The first client makes systemd start the server.
                socket.create_connection(address.split(':')).close()
            except OSError:
                pass
            process.poll()
            threading.Event().wait(0.1)
        raise AssertionError('the server did not come')

    @unittest.skipUnless(shutil.which('systemd-socket-activate'), 'systemd-socket-activate is not installed')
    def test_systemd_hands_over_the_socket_it_listens_on(self):
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            address = '127.0.0.1:%d' % probe.getsockname()[1]
        log = open(os.path.join(self.folder, 'log'), 'wb')
        self.addCleanup(log.close)
        process = subprocess.Popen(
            ['systemd-socket-activate', '--listen=' + address, strake.BINARY, 'serve', '--data-dir', os.path.join(self.folder, 'data'),
             '--listen', '127.0.0.1:1'], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            code, _, body = self.ready(address, process)
            self.assertEqual((code, body), (200, 'ok'))
            with open(os.path.join(self.folder, 'data/admin.kubeconfig')) as file:
                self.assertIn(f'server: https://{address}\n', file.read())
        finally:
            process.terminate()
            process.wait(timeout=strake.DEADLINE)

    def serve_with(self, descriptor, count):
        """LISTEN_PID is that of the program, which only a child can know before it is one."""
        shell = f'exec {descriptor}; LISTEN_FDS={count} LISTEN_PID=$$ exec "$0" serve --data-dir "$1" --listen 127.0.0.1:0'
        return subprocess.run(['bash', '-c', shell, strake.BINARY, os.path.join(self.folder, 'data')], text=True, capture_output=True,
                              timeout=strake.DEADLINE)

    def test_what_is_no_such_socket_is_refused(self):
        for descriptor, count, said in (('3</dev/null', 1, 'descriptor 3: '), ('3</dev/null', 2, '2 were handed over')):
            refused = self.serve_with(descriptor, count)
            self.assertEqual(refused.returncode, strake.INPUT, refused.stderr)
            self.assertIn(said, refused.stderr)


class Units(unittest.TestCase):
    """What `make install` leaves."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix='strake-units-')
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = os.path.join(folder.name, 'opt/strake')
        subprocess.run(['cmake', '--install', strake.BUILD, '--prefix', cls.prefix], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, DESTDIR='', STRAKE_ALIASES=''))
        cls.units = [os.path.join(cls.prefix, 'lib/systemd/system', name) for name in ('strake.service', 'strake.socket')]

    def test_they_name_the_program_where_it_was_put(self):
        with open(self.units[0]) as file:
            text = file.read()
        self.assertIn(f'\nExecStart={self.prefix}/bin/strake serve --config ', text)
        self.assertNotIn('@', re.sub(r'@system-service|@privileged', '', text))

    @unittest.skipUnless(shutil.which('systemd-analyze'), 'systemd-analyze is not installed')
    def test_systemd_takes_them(self):
        done = subprocess.run(['systemd-analyze', 'verify', '--man=no', *self.units], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))

    @unittest.skipUnless(shutil.which('systemd-analyze'), 'systemd-analyze is not installed')
    def test_the_service_is_kept_small(self):
        done = subprocess.run(['systemd-analyze', 'security', '--offline=yes', '--threshold=20', '--no-pager', self.units[0]], text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)

    def test_the_configuration_to_begin_with_can_be_used(self):
        with tempfile.TemporaryDirectory() as folder:
            config = os.path.join(folder, 'strake.yaml')
            with open(os.path.join(self.prefix, 'share/doc/strake/strake.yaml')) as file:
                text = file.read()
            # What is commented out counts too.
            text = re.sub(r'^  # ', '  ', text, flags=re.M).replace('/var/lib/strake', folder + '/data')
            with open(config, 'w') as file:
                file.write(text)
            checked = strake.run('serve', '--config', config, '--check-config')
            self.assertEqual(checked.returncode, strake.FINE, checked.stderr)
            self.assertIn('backupSchedule', text)

    def test_the_service_reads_that_configuration(self):
        command = re.search(r'^ExecStart=(.*)$', read('strake.service'), re.M)[1]
        self.assertEqual(shlex.split(command)[1:], ['serve', '--config', '/etc/strake/strake.yaml'])


class Container(unittest.TestCase):
    """The image is not built here; what it is made from is looked at."""

    def instructions(self):
        text = re.sub(r'\\\n', ' ', '\n'.join(line for line in read('Containerfile').splitlines() if not line.startswith('#')))
        return [line.split(None, 1) for line in text.splitlines() if line.strip()]

    def test_it_names_what_is_there(self):
        instructions = self.instructions()
        targets = re.findall(r'\bmake ([a-z-]+)', ' '.join(rest for _, rest in instructions))
        with open(os.path.join(strake.SOURCE, 'Makefile')) as file:
            phony = re.search(r'^\.PHONY: (.*)$', file.read(), re.M)[1].split()
        self.assertEqual(targets, ['package'])
        self.assertLessEqual(set(targets), set(phony))
        self.assertEqual([rest for word, rest in instructions if word == 'FROM'], ['debian:12 AS build', 'debian:12-slim'])
        self.assertIn('/strake.deb /tmp/strake.deb', ' '.join(rest for word, rest in instructions if word == 'COPY'))

    def test_it_runs_as_nobody_in_particular(self):
        instructions = self.instructions()
        words = [word for word, _ in instructions]
        user = dict(instructions)['USER']
        self.assertEqual(user, '65532:65532')
        self.assertLess(words.index('USER'), words.index('ENTRYPOINT'))
        made = next(rest for word, rest in instructions if 'install -d' in rest)
        self.assertIn('-m 0700 -o 65532 -g 65532 ' + dict(instructions)['VOLUME'], made)

    def test_its_entry_point_can_be_parsed(self):
        entry = dict(self.instructions())['ENTRYPOINT']
        words = json.loads(entry)
        self.assertEqual(words[:2], ['/usr/bin/strake', 'serve'])
        with tempfile.TemporaryDirectory() as folder:
            words[words.index('--data-dir') + 1] = folder
            checked = strake.run(*words[1:], '--check-config')
            self.assertEqual(checked.returncode, strake.FINE, checked.stderr)


if __name__ == '__main__':
    unittest.main()
