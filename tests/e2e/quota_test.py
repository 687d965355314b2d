"""Quotas of a server that is killed while many create and delete: what is used is right again after each restart, and no limit is passed."""
import random
import threading
import time
import unittest

import server

SPACE = '/api/v1/namespaces/quota'
LIMIT = 25


class Killed(unittest.TestCase):
    def used(self, running):
        return running.call('GET', SPACE + '/resourcequotas/q')[2].get('status', {}).get('used', {})

    def names(self, running):
        return [one['metadata']['name'] for one in running.call('GET', SPACE + '/configmaps')[2]['items']]

    def settled(self, running):
        """The objects that are there, once the quota says how many."""
        for _ in range(400):
            names = self.names(running)
            if self.used(running) == {'count/configmaps': str(len(names))}:
                return names
            time.sleep(0.05)
        self.fail(f'{self.used(running)} used, {len(self.names(running))} there')

    def work(self, running, number, seed, codes):
        """Creates and deletes until the server is gone."""
        mine = random.Random(seed)
        try:
            for i in range(10_000):
                name = f'c-{number}-{mine.randrange(12)}'
                if mine.random() < 0.4:
                    running.call('DELETE', f'{SPACE}/configmaps/{name}')
                else:
                    codes.append(running.call('POST', SPACE + '/configmaps', {'metadata': {'name': name}})[0])
        except OSError:
            pass
        except Exception as error:  # an answer that broke off
            if 'HTTP' not in type(error).__module__ and not isinstance(error, ValueError):
                codes.append(repr(error))

    def test_usage_is_right_after_a_crash(self):
        seed = random.randrange(1 << 30)
        with self.subTest(seed=seed), server.Server() as running:
            self.assertEqual(running.call('POST', '/api/v1/namespaces', {'metadata': {'name': 'quota'}})[0], 201)
            quota = {'metadata': {'name': 'q'}, 'spec': {'hard': {'count/configmaps': str(LIMIT)}}}
            self.assertEqual(running.call('POST', SPACE + '/resourcequotas', quota)[0], 201)
            for round_number in range(4):
                codes = []
                threads = [threading.Thread(target=self.work, args=(running, i, seed + 10 * round_number + i, codes)) for i in range(6)]
                for thread in threads:
                    thread.start()
                time.sleep(0.3 + random.random() * 0.5)
                running.kill()
                for thread in threads:
                    thread.join()
                self.assertEqual([code for code in codes if code not in (201, 403, 409)], [])
                self.assertIn(201, codes)
                running.start()
                there = self.settled(running)
                self.assertLessEqual(len(there), LIMIT)
            # What is left can be had, to the last one.
            for i in range(LIMIT - len(there)):
                self.assertEqual(running.call('POST', SPACE + '/configmaps', {'metadata': {'name': f'last-{i}'}})[0], 201)
            code, _, status = running.call('POST', SPACE + '/configmaps', {'metadata': {'name': 'too-many'}})
            self.assertEqual((code, status['message']),
                             (403, f'configmaps "too-many" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps={LIMIT}, '
                              f'limited: count/configmaps={LIMIT}'))


if __name__ == '__main__':
    unittest.main()
