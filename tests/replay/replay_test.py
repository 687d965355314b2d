"""Recorded conversations with kube-apiserver 1.36, played against `strake serve`: the same answers, step for step."""
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
sys.path.insert(0, HERE)
from recorded_extension import RecordedExtension  # noqa: E402
from conversation import Player, normalised, written_in_one_second  # noqa: E402
import server  # noqa: E402
import strake  # noqa: E402
from service_proxy_test import ADDRESS  # noqa: E402
from webhook_server import WebhookServer  # noqa: E402

VECTORS = os.environ.get('STRAKE_VECTORS') or os.path.join(strake.SOURCE, '..', 'shared', 'vectors')
TOOL = os.path.join(VECTORS, '..', 'tools', 'replay.py')
HOOKS = os.path.join(VECTORS, '..', 'tools', 'webhook.py')

# Each on a server of its own would say nothing more, and take longer.
CONVERSATIONS = ['http_lifecycle', 'http_lifecycle2', 'http_bad_requests', 'http_field_validation', 'http_patches', 'http_lists', 'http_watches',
                 'http_deletion', 'http_gc', 'http_versions2', 'http_discovery', 'http_server_side_apply', 'http_status_scale', 'http_core',
                 'http_rbac', 'http_rbac2', 'http_authn', 'http_authn2', 'http_policy', 'http_policy2', 'http_apiservices', 'http_apiservices2']
# These call webhooks.
HOOKED = ['http_webhooks', 'http_webhooks2', 'http_conversion2']
# What a main server says for an extension server, or because there is none.
NOT_PASSED_ON = {'user', 'user-delete', 'anonymous', 'bad-token', 'unknown-version', 'call-missing', 'gone'}
# What the recorded cluster had another way: its address, and controllers that were not running.
FLAGS = {'http_apiservices2': ['--workloads'],
         'http_core': ['--advertise-address=192.0.2.2:16443'],
         'http_rbac2': ['--controllers=*,-clusterrole-aggregation-controller'],
         'http_lifecycle2': ['--controllers=*,-root-ca-certificate-publisher-controller']}
FAMILIES = ['values_', 'crds', 'ratchet_', 'cel_', 'transition_']


def pending_steps():
    """Steps that wait for a later issue, as `conversation / step`."""
    with open(os.path.join(HERE, 'pending.txt')) as lines:
        return {line.split('#')[0].strip() for line in lines} - {''}


def wait_for_a_new_second():
    # Ages in recorded tables are whole seconds since creation times that are cut to the second.
    time.sleep(1 - time.time() % 1)


def differing_steps(output):
    """The steps that differ, but for those that differ in nothing but an age (a slow machine is older by then)."""
    failed = set()
    for block in re.split(r'^(?=\S+ / \S+ [A-Z]+ /)', output, flags=re.M):
        step = re.match(r'(\S+ / \S+) [A-Z]+ /', block)
        if not step:
            continue
        places = re.findall(r'^ +(\.\S*)\n +want (.*)\n +got  (.*)$', block, re.M)
        age = re.compile(r'"\d+s"')
        known = places and all('.cells[' in path and age.fullmatch(want) and age.fullmatch(got)
                               for path, want, got in places)
        if not known:
            failed.add(step[1])
    return failed


class Corpus(unittest.TestCase):
    """The conversations of tests/corpus, which every clone has."""

    def test_conversations(self):
        folder = os.path.join(strake.SOURCE, 'tests', 'corpus', 'apiserver')
        names = sorted(os.listdir(folder))
        self.assertGreater(len(names), 10)
        for name in names:
            with self.subTest(name), open(os.path.join(folder, name)) as file, server.Server('--in-memory') as running:
                player = Player(running.url, running.context())
                self.assertEqual(player.differences(json.load(file)), [])


class ManagedFields(unittest.TestCase):
    """Where a second ends changes the order of managedFields, and nothing else does."""

    @staticmethod
    def answer(*entries):
        return {'metadata': {'managedFields': [{'operation': operation, 'time': f'2026-01-01T00:00:0{second}Z', 'manager': manager}
                                               for operation, second, manager in entries]}}

    def same(self, one, other):
        return normalised(written_in_one_second(one)) == written_in_one_second(normalised(other))

    def test_a_second_may_end_between_writes(self):
        recorded = self.answer(('Apply', 0, 'three'), ('Apply', 0, 'two'), ('Update', 0, 'upd'))
        self.assertTrue(self.same(recorded, recorded))
        self.assertTrue(self.same(self.answer(('Apply', 0, 'two'), ('Apply', 1, 'three'), ('Update', 0, 'upd')), recorded))
        self.assertTrue(self.same(recorded, self.answer(('Apply', 0, 'two'), ('Apply', 1, 'three'), ('Update', 0, 'upd'))))

    def test_any_other_order_differs(self):
        recorded = self.answer(('Apply', 0, 'three'), ('Apply', 0, 'two'), ('Update', 0, 'upd'))
        for wrong in ([('Apply', 0, 'two'), ('Apply', 0, 'three'), ('Update', 0, 'upd')],
                      [('Update', 0, 'upd'), ('Apply', 0, 'three'), ('Apply', 0, 'two')],
                      [('Apply', 1, 'two'), ('Apply', 0, 'three'), ('Update', 0, 'upd')],
                      [('Apply', 0, 'three'), ('Apply', 0, 'two')],
                      [('Apply', 0, 'other'), ('Apply', 0, 'two'), ('Update', 0, 'upd')]):
            self.assertFalse(self.same(self.answer(*wrong), recorded), wrong)


@unittest.skipUnless(os.path.exists(TOOL), f'the recordings are not here: {VECTORS}')
class RecordedConversations(unittest.TestCase):
    def play(self, names, flags=()):
        folder = os.path.join(VECTORS, 'apiserver')
        with contextlib.ExitStack() as stack:
            running = stack.enter_context(server.Server(*flags, *[flag for name in names for flag in FLAGS.get(name, [])]))
            hooked = any(name in HOOKED for name in names)
            settings = stack.enter_context(WebhookServer(HOOKS)).settings() if hooked else []
            self.play_files(running, settings, names, [os.path.join(folder, name + '.json') for name in names])

    def play_files(self, running, settings, names, files):
        wait_for_a_new_second()
        played = subprocess.run(
            [sys.executable, '-B', os.path.join(HERE, 'play.py'), TOOL, 'check', '--server', running.url, '--ca', os.path.join(running.folder, 'pki/ca.crt'),
             '--cert', running.certificate, '--key', running.key, *settings, *files],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        counts = re.search(r'^(\d+) passed, (\d+) failed$', played.stdout, re.M)
        self.assertTrue(counts, played.stdout)
        failed = differing_steps(played.stdout)
        pending = {step for step in pending_steps() if step.split(' / ')[0] in names}
        self.assertEqual(failed - pending, set(), played.stdout)
        self.assertEqual(pending - failed, set(), 'these pass now: take them off pending.txt')
        print(f'{names[0] if len(names) == 1 else names[0] + " and more"}: {counts[0]}, {len(pending)} pending', file=sys.stderr)

    def test_an_age_alone_is_no_difference(self):
        same = 'c / a GET /x\n  .body.rows[0].cells[3]\n    want "3s"\n    got  "5s"\n1 passed, 1 failed\n'
        self.assertEqual(differing_steps(same), set())
        for other in (same.replace('"5s"', '"x"'), same.replace('.cells[3]', '.name'), 'c / a GET /x\n  .code\n    want 1\n    got  2\n' ):
            self.assertEqual(differing_steps(other), {'c / a'})

    def test_engine_conversations(self):
        files = sorted(os.listdir(os.path.join(VECTORS, 'apiserver')))
        self.play([f[:-5] for f in files if f.endswith('.json') and any(f.startswith(family) for family in FAMILIES)])

    def test_builtin_kinds(self):
        files = sorted(os.listdir(os.path.join(VECTORS, 'apiserver')))
        names = [f[:-5] for f in files if f.endswith('.json') and f.startswith('builtin_')]
        self.play([name for name in names if name != 'builtin_flowcontrol'], server.HARNESS)

    def test_builtin_flowcontrol(self):
        """A flow schema has its condition a moment after it was made: the table that shows it is asked for until it has."""
        name = 'builtin_flowcontrol'
        with open(os.path.join(VECTORS, 'apiserver', name + '.json')) as file:
            conversation = json.load(file)
        for step in conversation['steps']:
            if step['id'] == 'flow-table':
                step['until'] = 'rows.0.cells.5=False'
        with tempfile.TemporaryDirectory(prefix='strake-replay-') as folder, server.Server() as running:
            played = os.path.join(folder, name + '.json')
            with open(played, 'w') as file:
                json.dump(conversation, file)
            self.play_files(running, [], [name], [played])

    @unittest.skipUnless(ADDRESS, 'this machine has no address but its loopback')
    def test_http_aggregation2(self):
        """The answers of the recorded extension server reach clients as they are, and nothing else does."""
        name = 'http_aggregation2'
        with open(os.path.join(VECTORS, 'apiserver', name + '.json')) as file:
            conversation = json.load(file)
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix='strake-extension-'))
            extension = stack.enter_context(RecordedExtension(conversation, 'wardle.example.com', folder, ADDRESS))
            running = stack.enter_context(server.Server())
            played = os.path.join(folder, name + '.json')
            with open(played, 'w') as file:
                json.dump(extension.conversation, file)
            self.play_files(running, extension.settings, [name], [played])
        self.assertEqual(set(extension.steps) - extension.reached, NOT_PASSED_ON)


def add_conversation(name):
    setattr(RecordedConversations, f'test_{name}', lambda self: self.play([name]))


for conversation in CONVERSATIONS + HOOKED:
    add_conversation(conversation)

if __name__ == '__main__':
    unittest.main()
