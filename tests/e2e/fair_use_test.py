"""Fair use of the real server: a polite user and the leases of leaders beside a flood of lists that take long, and the same without fair use."""
import json
import os
import re
import tempfile
import threading
import time
import unittest

import server
import strake

FLOOD = 30
LEADERS = 4
RENEWALS = 40
LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
EVERYONE = 'flow_schema="tiny",priority_level="tiny"'
API = '/apis/flowcontrol.apiserver.k8s.io/v1'
# Half of all shares, of which none are lent or borrowed: one of the two seats.
LEVEL = {'metadata': {'name': 'tiny'},
         'spec': {'type': 'Limited',
                  'limited': {'nominalConcurrencyShares': 245, 'borrowingLimitPercent': 0,
                              'limitResponse': {'type': 'Queue', 'queuing': {'queues': 64, 'handSize': 1, 'queueLengthLimit': 50}}}}}
SCHEMA = {'metadata': {'name': 'tiny'},
          'spec': {'priorityLevelConfiguration': {'name': 'tiny'}, 'matchingPrecedence': 100, 'distinguisherMethod': {'type': 'ByUser'},
                   'rules': [{'subjects': [{'kind': 'User', 'user': {'name': name}} for name in ('flood', 'polite')],
                              'resourceRules': [{'verbs': ['*'], 'apiGroups': ['*'], 'resources': ['*'], 'clusterScope': True,
                                                 'namespaces': ['*']}]}]}}


class FairUse(unittest.TestCase):
    def start(self, *flags):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tokens = os.path.join(folder.name, 'tokens')
        with open(tokens, 'w') as file:
            file.write('flood-token,flood,1\npolite-token,polite,2\n')
            for number in range(LEADERS):
                file.write(f'leader{number}-token,system:serviceaccount:kube-system:leader{number},l{number},"system:serviceaccounts:kube-system"\n')
        running = server.Server('--in-memory', '--token-file', tokens, '--authorization-mode=AlwaysAllow',
                                '--max-requests-inflight=1', '--max-mutating-requests-inflight=1', *flags)
        self.addCleanup(running.stop)
        return running

    @staticmethod
    def get(running, user, path):
        return running.call('GET', path, headers={'Authorization': f'Bearer {user}-token'}, credentials=False)

    def wait_for_metric(self, running, line):
        deadline = time.monotonic() + strake.DEADLINE
        while line not in (page := running.call('GET', '/metrics')[2]):
            if time.monotonic() > deadline:
                self.fail(f'{line} did not come:\n{page}')
            time.sleep(0.02)

    def flood(self, running, ended):
        """Lists that wait for a revision to come: how each ended, and what lets them end."""
        now = int(running.call('GET', '/api/v1/configmaps')[2]['metadata']['resourceVersion'])
        wanted = now + 3

        def ask():
            code = self.get(running, 'flood', f'/api/v1/configmaps?resourceVersion={wanted}&resourceVersionMatch=NotOlderThan')[0]
            ended.append(('flood', code))

        threads = [threading.Thread(target=ask) for _ in range(FLOOD)]
        for thread in threads:
            thread.start()

        def finish():
            for i in range(3):
                code = running.call('POST', '/api/v1/namespaces/default/configmaps', {'metadata': {'name': f'c{i}'}})[0]
                self.assertEqual(code, 201)
            for thread in threads:
                thread.join()

        return finish

    @staticmethod
    def answered(running):
        """The users of requests in the order in which the server was done with them, whenever they hear of it."""
        lines = (json.loads(line) for line in running.text().splitlines() if '"msg":"request"' in line)
        return [line['user'] for line in lines if line['user'] in ('flood', 'polite')]

    def test_a_polite_user_is_answered_beside_a_flood(self):
        running = self.start('--log-requests')
        self.assertEqual(running.call('POST', API + '/prioritylevelconfigurations', LEVEL)[0], 201)
        self.assertEqual(running.call('POST', API + '/flowschemas', SCHEMA)[0], 201)
        ended = []
        finish = self.flood(running, ended)
        # The level has one seat: all others wait.
        self.wait_for_metric(running, f'apiserver_flowcontrol_current_inqueue_requests{{{EVERYONE}}} {FLOOD - 1}\n')

        def be_polite():
            code, headers, _ = self.get(running, 'polite', '/api/v1/namespaces/default')
            ended.append(('polite', code))
            self.assertTrue(headers['X-Kubernetes-PF-FlowSchema-UID'])

        polite = threading.Thread(target=be_polite)
        polite.start()
        self.wait_for_metric(running, f'apiserver_flowcontrol_current_inqueue_requests{{{EVERYONE}}} {FLOOD}\n')
        code, _, dump = running.call('GET', '/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1')
        self.assertEqual(code, 200)
        self.assertEqual(len(re.findall(r'^tiny, .* flood, ', dump, re.M)), FLOOD)
        self.assertEqual(len(re.findall(r'^tiny, .* polite, ', dump, re.M)), 1)
        finish()
        polite.join()
        self.assertIn(('polite', 200), ended)
        # It came last, and there is one seat: it is not among the last to be answered all the same.
        order = self.answered(running)
        self.assertLess(order.index('polite'), FLOOD // 2, order)
        self.assertNotIn(('flood', 429), ended)
        self.wait_for_metric(running, f'apiserver_flowcontrol_dispatched_requests_total{{{EVERYONE}}} {FLOOD + 1}\n')

    def renew(self, running, number, schemas):
        """One leader: takes its lease and renews it by compare-and-swap, as clients' leader election does."""
        headers = {'Authorization': f'Bearer leader{number}-token'}
        lease = {'metadata': {'name': f'leader{number}'},
                 'spec': {'holderIdentity': f'leader{number}', 'leaseDurationSeconds': 15, 'leaseTransitions': 0}}
        code, _, lease = running.call('POST', LEASES, lease, headers=headers, credentials=False)
        self.assertEqual(code, 201, lease)
        for renewal in range(RENEWALS):
            lease['spec']['renewTime'] = f'2026-01-01T00:00:00.{renewal:06}Z'
            code, got, lease = running.call('PUT', f'{LEASES}/leader{number}', lease, headers=headers, credentials=False)
            self.assertEqual(code, 200, lease)
            schemas.add(got['X-Kubernetes-PF-FlowSchema-UID'])

    def test_leases_are_renewed_beside_a_flood(self):
        running = self.start()
        self.assertEqual(running.call('POST', API + '/prioritylevelconfigurations', LEVEL)[0], 201)
        self.assertEqual(running.call('POST', API + '/flowschemas', SCHEMA)[0], 201)
        before = running.call('GET', LEASES)[2]['metadata']['resourceVersion']
        far = int(before) + 1_000_000
        over = threading.Event()

        def ask():
            while not over.is_set():
                self.get(running, 'flood', f'/api/v1/configmaps?resourceVersion={far}&resourceVersionMatch=NotOlderThan&timeoutSeconds=1')

        flood = [threading.Thread(target=ask) for _ in range(FLOOD)]
        for thread in flood:
            thread.start()
        self.addCleanup(lambda: [thread.join() for thread in flood])
        self.addCleanup(over.set)
        self.wait_for_metric(running, f'apiserver_flowcontrol_current_inqueue_requests{{{EVERYONE}}} {FLOOD - 1}\n')
        schemas, failed = set(), []

        def lead(number):
            try:
                self.renew(running, number, schemas)
            except Exception as error:  # told by the thread that joins
                failed.append(error)

        leaders = [threading.Thread(target=lead, args=(number,)) for number in range(LEADERS)]
        for thread in leaders:
            thread.start()
        for thread in leaders:
            thread.join()
        self.assertEqual(failed, [])
        own = running.call('GET', API + '/flowschemas/system-leader-election')[2]['metadata']['uid']
        self.assertEqual(schemas, {own})
        # Who watches has seen each of them, in order.
        seen = running.call('GET', f'{LEASES}?watch=1&resourceVersion={before}&timeoutSeconds=1')[2]
        renewals = {}
        for line in seen.splitlines():
            lease = json.loads(line)['object']
            renewals.setdefault(lease['metadata']['name'], []).append(lease['spec'].get('renewTime'))
        wanted = [None] + [f'2026-01-01T00:00:00.{renewal:06}Z' for renewal in range(RENEWALS)]
        self.assertEqual(renewals, {f'leader{number}': wanted for number in range(LEADERS)})

    def test_without_fair_use_it_is_turned_away(self):
        running = self.start('--enable-priority-and-fairness=false')
        ended = []
        finish = self.flood(running, ended)
        self.wait_for_metric(running, 'apiserver_current_inflight_requests{request_kind="readOnly"} 2\n')  # with the one that asks
        code, headers, text = self.get(running, 'polite', '/api/v1/namespaces/default')
        self.assertEqual((code, headers['Retry-After'], text), (429, '1', 'Too many requests, please try again later.\n'))
        self.assertNotIn('X-Kubernetes-PF-FlowSchema-UID', headers)
        finish()
        self.assertIn(('flood', 429), ended)

    def test_the_sum_must_be_positive(self):
        done = strake.run('serve', '--max-requests-inflight=0', '--max-mutating-requests-inflight=0')
        self.assertEqual(done.returncode, strake.INPUT)
        self.assertIn('are both 0', done.stderr)


if __name__ == '__main__':
    unittest.main()
