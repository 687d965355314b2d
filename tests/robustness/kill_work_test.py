"""kill -9 at random moments while the server works through something long: garbage, a namespace, a migration to another storage
version, a definition that goes with its objects, a backup under writes. After each restart the work goes on, and it ends right:
nothing is left over, nothing is gone that should stay, no acknowledged write is lost.

STRAKE_SEED chooses other moments, STRAKE_KILL_OBJECTS how many objects there are (`make soak`: 10,000)."""
import concurrent.futures
import http.client
import json
import math
import os
import random
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
sys.path.insert(0, HERE)
import server  # noqa: E402
import strake  # noqa: E402
from kill_test import Ledger  # noqa: E402
from server import CRDS, WIDGETS, widget, widget_crd  # noqa: E402

OBJECTS = int(os.environ.get('STRAKE_KILL_OBJECTS', '2000'))
KILLS = int(os.environ.get('STRAKE_KILLS', '6'))
SEED = os.environ.get('STRAKE_SEED', '7')
CLIENTS = 6
MAPS = '/api/v1/namespaces/{}/configmaps'
GONE = (OSError, http.client.HTTPException, ssl.SSLError, ValueError)


def every_line(running, path):
    """All objects of a list, by name."""
    code, _, listed = running.call('GET', path)
    if code != 200:
        raise AssertionError(f'{path}: {code} {listed}')
    return {item['metadata']['name']: item for item in listed['items']}


def create_all(running, path, objects):
    """Creates many objects over a few connections; gives what the server made of them."""
    def part(number):
        connection = running.connect()
        out = []
        for one in objects[number::CLIENTS]:
            connection.request('POST', path, json.dumps(one), {'Content-Type': 'application/json'})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 201:
                raise AssertionError(f'{path}: {answer.status} {text}')
            out.append(json.loads(text))
        connection.close()
        return out
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        return [made for made_there in pool.map(part, range(CLIENTS)) for made in made_there]


def config_map(name, owners=(), **data):
    metadata = {'name': name}
    if owners:
        metadata['ownerReferences'] = [
            {'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': owner['metadata']['name'], 'uid': owner['metadata']['uid'],
             'blockOwnerDeletion': True} for owner in owners]
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': metadata, 'data': data}


def wait_until(what, done):
    until = time.monotonic() + strake.DEADLINE
    while not done():
        if time.monotonic() > until:
            raise AssertionError(f'{what}: not in {strake.DEADLINE} seconds')
        time.sleep(0.02)


class Killed(unittest.TestCase):
    def setUp(self):
        self.chance = random.Random(f'{SEED} {self.id()}')
        self.running = server.Server()
        self.addCleanup(self.running.__exit__)
        self.kills = 0
        self.asking = []

    def moment(self):
        """Short ones are as likely as long ones; a long one is about the time that the work takes."""
        return math.exp(self.chance.uniform(math.log(0.001), math.log(max(0.01, OBJECTS * 50e-6))))

    def kill_and_start(self):
        """Kills the server, and in one of three cases again while it starts."""
        self.running.kill()
        self.kills += 1
        while self.chance.random() < 1 / 3:
            killed = self.running.process
            delay = self.moment()

            def kill_again():
                while self.running.process is killed:
                    time.sleep(0.001)
                time.sleep(delay)
                self.running.process.kill()
            killer = threading.Thread(target=kill_again)
            killer.start()
            try:
                self.running.start()
            except AssertionError:
                pass  # killed before it was ready
            killer.join()
            self.running.process.wait(timeout=strake.DEADLINE)
            self.running.log.close()
            self.kills += 1
        self.running.start()

    def ask(self, method, path, body=None):
        """A request whose answer nobody waits for: the work may begin before there is one."""
        def send():
            try:
                self.running.call(method, path, body)
            except GONE:
                pass  # killed
        asking = threading.Thread(target=send)
        asking.start()
        self.asking.append(asking)

    def kill_during(self, what, done, *deletion):
        """Kills the server again and again while there is something to do; then lets it finish. What is asked for may not have been
        written down when the server is killed, so it is asked for again."""
        under_way = 0
        for _ in range(KILLS):
            if deletion:
                self.ask('DELETE', *deletion)
            time.sleep(self.moment())
            self.kill_and_start()
            if done():
                break
            under_way += 1
        if deletion:
            self.ask('DELETE', *deletion)
        wait_until(what, done)
        for one in self.asking:  # none comes when something of that name is made anew
            one.join()
        print(f'{what}: {OBJECTS} objects, {self.kills} kills, {under_way} of them with work left, seed {SEED}', file=sys.stderr)

    def call(self, method, path, body=None, want=(200, 201)):
        code, _, answer = self.running.call(method, path, body)
        self.assertIn(code, want, f'{method} {path}: {answer}')
        return answer

    def is_gone(self, path):
        return self.running.call('GET', path)[0] == 404


class Garbage(Killed):
    def check(self, propagation):
        maps = MAPS.format('default')
        dead, alive = create_all(self.running, maps, [config_map('dead'), config_map('alive')])[:2]
        if dead['metadata']['name'] != 'dead':
            dead, alive = alive, dead
        create_all(self.running, maps, [config_map(f'd{i}', [dead]) for i in range(OBJECTS)])
        stay = [config_map(f'both{i}', [dead, alive]) for i in range(OBJECTS // 20)]
        stay += [config_map(f'other{i}', [alive]) for i in range(OBJECTS // 20)]
        stay += [config_map(f'free{i}') for i in range(OBJECTS // 20)]
        create_all(self.running, maps, stay)
        def done():
            there = every_line(self.running, maps)
            owners = [owner for item in there.values() for owner in item['metadata'].get('ownerReferences', [])]
            return 'dead' not in there and not any(owner['uid'] == dead['metadata']['uid'] for owner in owners)
        self.kill_during(f'garbage collection ({propagation})', done, f'{maps}/dead', {'propagationPolicy': propagation})
        there = every_line(self.running, maps)
        wanted = {one['metadata']['name'] for one in stay} | {'alive', 'kube-root-ca.crt'}
        self.assertEqual(set(there), wanted)
        for name, item in there.items():
            owners = [owner['name'] for owner in item['metadata'].get('ownerReferences', [])]
            self.assertEqual(owners, ['alive'] if name.startswith(('both', 'other')) else [], name)

    def test_in_the_background(self):
        self.check('Background')

    def test_in_the_foreground(self):
        self.check('Foreground')

    def test_orphans_stay(self):
        maps = MAPS.format('default')
        owner = self.call('POST', maps, config_map('owner'))
        create_all(self.running, maps, [config_map(f'd{i}', [owner]) for i in range(OBJECTS // 4)])
        self.kill_during('orphaning', lambda: self.is_gone(f'{maps}/owner'), f'{maps}/owner', {'propagationPolicy': 'Orphan'})
        there = every_line(self.running, maps)
        self.assertEqual(len(there), OBJECTS // 4 + 1)
        self.assertEqual([name for name, item in there.items() if 'ownerReferences' in item['metadata']], [])


class Namespaces(Killed):
    def test_a_namespace_goes_with_all_it_has(self):
        self.call('POST', CRDS, widget_crd())
        for name in ('going', 'staying'):
            self.call('POST', '/api/v1/namespaces', {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': name}})
        for name, count in (('going', OBJECTS), ('staying', OBJECTS // 20)):
            create_all(self.running, MAPS.format(name), [config_map(f'm{i}') for i in range(count // 2)])
            create_all(self.running, WIDGETS.replace('default', name), [widget(f'w{i}', size=i % 10) for i in range(count // 2)])
        self.kill_during('namespace deletion', lambda: self.is_gone('/api/v1/namespaces/going'), '/api/v1/namespaces/going')
        # A namespace of that name made anew is empty.
        self.call('POST', '/api/v1/namespaces', {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'going'}})
        left = set(every_line(self.running, MAPS.format('going'))) - {'kube-root-ca.crt'}
        self.assertEqual(left, set())
        self.assertEqual(every_line(self.running, WIDGETS.replace('default', 'going')), {})
        self.assertEqual(len(every_line(self.running, WIDGETS.replace('default', 'staying'))), OBJECTS // 20 // 2)
        self.assertEqual(len(set(every_line(self.running, MAPS.format('staying'))) - {'kube-root-ca.crt'}), OBJECTS // 20 // 2)


class Definitions(Killed):
    def test_a_definition_goes_with_its_objects(self):
        self.call('POST', CRDS, widget_crd())
        self.call('POST', CRDS, widget_crd(plural='gears', kind='Gear'))
        gears = WIDGETS.replace('widgets', 'gears')
        create_all(self.running, WIDGETS, [widget(f'w{i}', size=i % 10) for i in range(OBJECTS)])
        create_all(self.running, gears, [widget(f'g{i}', kind='Gear', size=i % 10) for i in range(OBJECTS // 20)])
        name = f'{CRDS}/widgets.e2e.example.com'
        self.kill_during('definition deletion', lambda: self.is_gone(name), name)
        self.assertTrue(self.is_gone(WIDGETS))
        self.assertEqual(len(every_line(self.running, gears)), OBJECTS // 20)
        # What had been stored does not come back with a definition of that name.
        self.call('POST', CRDS, widget_crd())
        self.assertEqual(every_line(self.running, WIDGETS), {})


def crd_in(storage):
    out = widget_crd()
    first = out['spec']['versions'][0]
    out['spec']['versions'] = [{**first, 'name': name, 'storage': name == storage} for name in ('v1', 'v2')]
    return out


def update(running, ledger, number, stop, seed):
    """Changes objects of its own until told to stop, over kills: what was asked and never answered stays unsure."""
    chance = random.Random(f'{seed} {number}')
    versions = {}
    while not stop.is_set():
        try:
            connection = running.connect()
            while not stop.is_set():
                name = f'w{chance.randrange(number, OBJECTS, CLIENTS * 8)}'
                size = chance.randrange(0, 10)
                version = chance.choice(['v1', 'v2'])
                ledger.ask(name, size)
                connection.request('PATCH', f'/apis/e2e.example.com/{version}/namespaces/default/widgets/{name}',
                                   json.dumps({'spec': {'size': size}}), {'Content-Type': 'application/merge-patch+json'})
                answer = connection.getresponse()
                text = answer.read()
                if answer.status == 200:
                    revision = int(json.loads(text)['metadata']['resourceVersion'])
                    versions[name] = revision
                    ledger.acknowledge(name, revision, size)
                else:
                    ledger.answered(name, size)
            connection.close()
        except GONE:
            time.sleep(0.01)


class StoredVersions(Killed):
    def test_a_migration_loses_nothing(self):
        self.call('POST', CRDS, crd_in('v1'))
        create_all(self.running, WIDGETS, [widget(f'w{i}', size=i % 10, note='kept') for i in range(OBJECTS)])
        name = f'{CRDS}/widgets.e2e.example.com'
        self.call('PUT', name, {**crd_in('v2'), 'metadata': self.call('GET', name)['metadata']})
        self.call('POST', '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations', {
            'apiVersion': 'storagemigration.k8s.io/v1beta1', 'kind': 'StorageVersionMigration', 'metadata': {'name': 'm'},
            'spec': {'resource': {'group': 'e2e.example.com', 'resource': 'widgets'}}})
        ledger = Ledger()
        stop = threading.Event()
        writers = [threading.Thread(target=update, args=(self.running, ledger, i, stop, SEED)) for i in range(CLIENTS)]
        for writer in writers:
            writer.start()

        def done():
            migration = self.call('GET', '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations/m')
            conditions = {one['type']: one for one in migration['status'].get('conditions', [])}
            self.assertNotIn('Failed', conditions)
            return 'Succeeded' in conditions
        try:
            self.kill_during('migration', done)
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        self.assertEqual(self.call('GET', '/strake/stored-versions')['resources'][0]['objects'], {'v2': OBJECTS})
        self.assertEqual(self.call('GET', name)['status']['storedVersions'], ['v2'])
        found = every_line(self.running, WIDGETS)
        self.assertEqual(len(found), OBJECTS)
        for i in range(OBJECTS):
            item = found[f'w{i}']
            size = item['spec']['size']
            acknowledged = ledger.acknowledged.get(f'w{i}', (0, i % 10))
            self.assertTrue(size == acknowledged[1] or size in ledger.unsure.get(f'w{i}', set()), f'w{i}: {size}, {acknowledged}')
            self.assertGreaterEqual(int(item['metadata']['resourceVersion']), acknowledged[0])
            self.assertEqual((item['spec']['note'], item['metadata']['generation'] >= 1), ('kept', True))
        # The old version is needed by nobody.
        only = crd_in('v2')
        only['spec']['versions'] = only['spec']['versions'][1:]
        self.call('PUT', name, {**only, 'metadata': self.call('GET', name)['metadata']})
        self.assertEqual(len(every_line(self.running, WIDGETS.replace('/v1/', '/v2/'))), OBJECTS)


def create(running, names, number, stop):
    """Creates objects until told to stop, and notes what was acknowledged, in order."""
    serial = 0
    while not stop.is_set():
        try:
            connection = running.connect()
            while not stop.is_set():
                serial += 1
                name = f'c{number}-{serial}'
                connection.request('POST', WIDGETS, json.dumps(widget(name, size=1)), {'Content-Type': 'application/json'})
                answer = connection.getresponse()
                answer.read()
                if answer.status == 201:
                    names.append(name)
            connection.close()
        except GONE:
            time.sleep(0.01)


class Backups(Killed):
    def test_a_backup_is_whole_or_refused(self):
        self.call('POST', CRDS, widget_crd())
        create_all(self.running, WIDGETS, [widget(f'w{i}', size=i % 10) for i in range(OBJECTS)])
        folder = tempfile.mkdtemp(prefix='strake-backup-')
        self.addCleanup(subprocess.run, ['rm', '-rf', folder], check=False)
        names = []
        stop = threading.Event()
        writers = [threading.Thread(target=create, args=(self.running, names, i, stop)) for i in range(2)]
        for writer in writers:
            writer.start()
        whole = []  # (file, what was acknowledged before it was begun)
        refused = 0
        try:
            for i in range(KILLS):
                file = os.path.join(folder, f'{i}.db')
                before = list(names)
                backup = subprocess.Popen([strake.BINARY, 'store', 'backup', '--data-dir', self.running.folder, file],
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                time.sleep(self.moment())
                # The server, or who makes the backup.
                victim = self.chance.choice(['server', 'backup', 'nobody'])
                if victim == 'server':
                    self.kill_and_start()
                if victim == 'backup':
                    backup.kill()
                told = backup.communicate(timeout=strake.DEADLINE)
                if backup.returncode == 0:
                    self.assertTrue(os.path.exists(file), told)
                elif backup.returncode > 0:
                    self.assertIn(self.running.folder, told[1], 'a refusal names the store')
                    self.assertFalse(os.path.exists(file), told)
                if os.path.exists(file):
                    whole.append((file, before))
                else:
                    refused += 1
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        self.assertTrue(whole or refused)
        for file, _ in whole:
            checked = strake.run('store', 'check', file)
            self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertTrue(set(names) <= set(every_line(self.running, WIDGETS)))
        if whole:
            file, before = whole[-1]
            data = os.path.join(folder, 'restored')
            restored = strake.run('store', 'restore', '--data-dir', data, file)
            self.assertEqual(restored.returncode, 0, restored.stderr)
            with server.Server(data_dir=data) as again:
                there = set(every_line(again, WIDGETS))
                self.assertTrue({f'w{i}' for i in range(OBJECTS)} <= there)
                self.assertTrue(set(before) <= there, 'a write that was acknowledged before the backup is not in it')
        print(f'backup: {OBJECTS} objects and {len(names)} writes, {self.kills} kills of the server, {len(whole)} backups, '
              f'{refused} without one, seed {SEED}', file=sys.stderr)


if __name__ == '__main__':
    unittest.main()
