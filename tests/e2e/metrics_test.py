"""docs/metrics.md and /metrics of a server name the same metrics."""
import os
import re
import tempfile
import threading
import unittest

import server
import strake


def documented():
    """{name: type}, as the tables of the page have them."""
    with open(os.path.join(strake.SOURCE, 'docs/metrics.md')) as file:
        text = file.read()
    out = {}
    for names, types in re.findall(r'^\| ((?:`\w+`(?:, )?)+) \| (\w+(?:, \w+)?) \|', text, re.M):
        names = re.findall(r'`(\w+)`', names)
        types = types.split(', ')
        for name, type_ in zip(names, types if len(types) > 1 else types * len(names)):
            assert name not in out, name
            out[name] = type_
    return out


def served(page):
    helps = re.findall(r'^# HELP (\w+) \S', page, re.M)
    types = dict(re.findall(r'^# TYPE (\w+) (\w+)$', page, re.M))
    assert len(helps) == len(set(helps)), 'a metric stands twice'
    assert set(helps) == set(types), set(helps) ^ set(types)
    return types


class Metrics(unittest.TestCase):
    def page(self, running):
        code, headers, page = running.call('GET', '/metrics')
        self.assertEqual((code, headers['Content-Type']), (200, 'text/plain; version=0.0.4; charset=utf-8'))
        return page

    def test_the_page_and_a_server_name_the_same(self):
        with tempfile.TemporaryDirectory() as kept, server.Server('--backup-schedule', '6h', '--backup-dir', kept) as running:
            page, served_ones = documented(), served(self.page(running))
            self.assertEqual(sorted(page.items() - served_ones.items()), [], 'in docs/metrics.md alone')
            self.assertEqual(sorted(served_ones.items() - page.items()), [], 'served alone')

    def value(self, page, family, **labels):
        for line in page.splitlines():
            if line.startswith(family + ('{' if labels else ' ')) and all(f'{key}="{value}"' in line for key, value in labels.items()):
                return float(line.rsplit(' ', 1)[1])
        return 0.0

    def test_they_count(self):
        with server.Server() as running:
            before = self.page(running)
            running.call('GET', '/api/v1/namespaces', headers={'Authorization': 'Bearer wrong'}, credentials=False)
            code, _, _ = running.call('POST', '/api/v1/namespaces',
                                      {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'counted'}})
            self.assertEqual(code, 201)

            # The last of what is to come.
            def handled(page):
                return self.value(page, 'workqueue_work_duration_seconds_count', name='namespace')
            for _ in range(1200):
                if handled(self.page(running)) > handled(before):
                    break
                threading.Event().wait(0.05)
            after = self.page(running)
            for name, labels in (('authentication_attempts', {'result': 'error'}), ('authentication_attempts', {'result': 'success'}),
                                 ('etcd_disk_backend_commit_duration_seconds_count', {}), ('workqueue_adds_total', {'name': 'namespace'}),
                                 ('workqueue_work_duration_seconds_count', {'name': 'namespace'})):
                self.assertGreater(self.value(after, name, **labels), self.value(before, name, **labels), name)
            for name, labels in (('apiserver_storage_size_bytes', {'storage_cluster_id': 'etcd-0'}), ('strake_store_wal_size_bytes', {}),
                                 ('strake_tls_certificate_expiration_timestamp_seconds', {'certificate': 'serving'}),
                                 ('strake_tls_certificate_expiration_timestamp_seconds', {'certificate': 'ca'})):
                self.assertGreater(self.value(after, name, **labels), 0, name)

    def test_nothing_that_a_client_makes_up_is_a_label(self):
        made_up = 'm4de-up'
        with server.Server() as running:
            for method, path, headers in (
                    ('GET', f'/{made_up}', {}), ('GET', f'/api/v1/{made_up}', {}), ('GET', f'/apis/{made_up}/v1/{made_up}', {}),
                    ('GET', f'/api/v1/namespaces/{made_up}/configmaps/{made_up}', {}), ('GET', f'/api/v1/namespaces/default/{made_up}', {}),
                    ('GET', f'/api/v1/namespaces/default/services/{made_up}/{made_up}', {}), (made_up.upper(), '/api/v1/namespaces', {}),
                    ('GET', '/api/v1/namespaces', {'User-Agent': made_up, 'Impersonate-User': made_up}),
                    ('GET', '/api/v1/namespaces', {'Accept': f'application/{made_up}'}),
                    ('POST', '/api/v1/namespaces?dryRun=' + made_up, {}), ('GET', '/api/v1/namespaces?fieldSelector=' + made_up, {})):
                running.call(method, path, headers=headers)
            running.call('GET', '/api', headers={'Authorization': 'Bearer ' + made_up}, credentials=False)
            self.assertNotIn(made_up, self.page(running).lower())


if __name__ == '__main__':
    unittest.main()
