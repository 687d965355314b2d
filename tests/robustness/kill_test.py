"""kill -9 at random moments under concurrent writers: after each restart every acknowledged write is there, none is there
twice, revisions never go back, and a watch resumes without gaps. STRAKE_KILL_ROUNDS says how often (`make soak`: 1,000)."""
import http.client
import json
import os
import random
import ssl
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import server  # noqa: E402
from server import CRDS, WIDGETS, widget, widget_crd  # noqa: E402

ROUNDS = int(os.environ.get('STRAKE_KILL_ROUNDS', '20'))
WRITERS = 6


class Ledger:
    """What the server has acknowledged: per object the newest size and revision, or that it is gone."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = {}  # name -> (revision, size or None)
        self.unsure = {}        # name -> sizes (None for a deletion) that were asked for and never answered
        self.newest = 0

    def acknowledge(self, name, revision, size):
        with self.lock:
            self.acknowledged[name] = (revision, size)
            self.unsure.pop(name, None)
            self.newest = max(self.newest, revision)

    def ask(self, name, size):
        with self.lock:
            self.unsure.setdefault(name, set()).add(size)

    def answered(self, name, size):
        """A refusal: it did not happen."""
        with self.lock:
            self.unsure.get(name, set()).discard(size)


def write(running, ledger, number, stop, seed):
    """Creates, updates and deletes objects of its own until the server is gone."""
    chance = random.Random(seed)
    connection = None
    serial = 0
    own = {}
    try:
        connection = running.connect()
        while not stop.is_set():
            name = f'w{number}-{seed}-{serial}' if not own or chance.random() < 0.5 else chance.choice(sorted(own))
            size = chance.randrange(0, 10)
            if name not in own:
                serial += 1
                method, path, body = 'POST', WIDGETS, widget(name, size=size)
            elif chance.random() < 0.3:
                method, path, body, size = 'DELETE', f'{WIDGETS}/{name}', None, None
            else:
                method, path, body = 'PUT', f'{WIDGETS}/{name}', widget(name, size=size)
                body['metadata']['resourceVersion'] = own[name]
            ledger.ask(name, size)
            connection.request(method, path, json.dumps(body) if body else None, {'Content-Type': 'application/json'})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in (200, 201):
                ledger.answered(name, size)
                continue
            if method == 'DELETE':
                own.pop(name)
                ledger.acknowledge(name, 0, None)
            else:
                own[name] = json.loads(text)['metadata']['resourceVersion']
                ledger.acknowledge(name, int(own[name]), size)
    except (OSError, http.client.HTTPException, ssl.SSLError, ValueError):
        pass  # killed: what was asked last stays unsure
    finally:
        if connection:
            connection.close()


class Killed(unittest.TestCase):
    def check(self, running, ledger, watched_from):
        code, _, listed = running.call('GET', WIDGETS)
        self.assertEqual(code, 200)
        found = {item['metadata']['name']: item for item in listed['items']}
        self.assertEqual(len(found), len(listed['items']), 'an object is there twice')
        self.assertGreaterEqual(int(listed['metadata']['resourceVersion']), ledger.newest, 'revisions went back')
        for name, (revision, size) in ledger.acknowledged.items():
            may_be = ledger.unsure.get(name, set())
            if name not in found:
                self.assertTrue(size is None or None in may_be, f'{name} at {revision} was acknowledged and is gone')
                continue
            now = found[name]['spec'].get('size')
            self.assertTrue(now == size or now in may_be, f'{name}: {now} instead of {size}')
            self.assertGreaterEqual(int(found[name]['metadata']['resourceVersion']), revision)
        # From the list before the writers began, the events lead to what is there now.
        revision, state = watched_from
        text = running.call('GET', f'{WIDGETS}?watch=true&resourceVersion={revision}&timeoutSeconds=1')[2]
        lines = text.splitlines() if isinstance(text, str) else [json.dumps(text)]
        last = int(revision)
        for line in lines:
            event = json.loads(line)
            self.assertNotEqual(event['type'], 'ERROR', line)
            meta = event['object']['metadata']
            self.assertGreater(int(meta['resourceVersion']), last, 'events out of order')
            last = int(meta['resourceVersion'])
            self.assertEqual(event['type'] == 'ADDED', meta['name'] not in state, line)
            if event['type'] == 'DELETED':
                del state[meta['name']]
            else:
                state[meta['name']] = meta['resourceVersion']
        self.assertEqual(state, {name: item['metadata']['resourceVersion'] for name, item in found.items()})

    def test_nothing_acknowledged_is_lost(self):
        chance = random.Random(os.environ.get('STRAKE_SEED', '7'))
        with server.Server() as running:
            self.assertEqual(running.call('POST', CRDS, widget_crd())[0], 201)
            ledger = Ledger()
            for round_number in range(ROUNDS):
                listed = running.call('GET', WIDGETS)[2]
                watched_from = (listed['metadata']['resourceVersion'],
                                {item['metadata']['name']: item['metadata']['resourceVersion'] for item in listed['items']})
                stop = threading.Event()
                writers = [threading.Thread(target=write, args=(running, ledger, i, stop, round_number)) for i in range(WRITERS)]
                for writer in writers:
                    writer.start()
                time.sleep(chance.uniform(0.01, 0.15))
                running.kill()
                stop.set()
                for writer in writers:
                    writer.join()
                running.start()
                self.check(running, ledger, watched_from)
                if len(ledger.acknowledged) > 400:  # keeps rounds short
                    running.call('DELETE', WIDGETS)
                    ledger.acknowledged.clear()
                    ledger.unsure.clear()
            print(f'{ROUNDS} kills survived, revision {ledger.newest}', file=sys.stderr)


if __name__ == '__main__':
    unittest.main()
