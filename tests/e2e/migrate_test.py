"""`strake store migrate-versions` against a running server, and against one that does not serve the API."""
import http.server
import json
import os
import tempfile
import threading
import unittest

import server
import strake
from server import CRDS, WIDGETS, widget, widget_crd

NAME = 'widgets.e2e.example.com'
MIGRATIONS = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations'


def crd_in(storage, **conversion):
    out = widget_crd()
    first = out['spec']['versions'][0]
    out['spec']['versions'] = [{**first, 'name': name, 'storage': name == storage} for name in ('v1', 'v2')]
    out['spec'].update(conversion)
    return out


class Migrated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = server.Server()
        cls.addClassCleanup(cls.server.__exit__)

    def setUp(self):
        self.addCleanup(self.remove)
        self.assertEqual(self.server.call('POST', CRDS, crd_in('v1'))[0], 201)
        for i in range(3):
            self.assertEqual(self.server.call('POST', WIDGETS, widget(f'w{i}', size=i))[0], 201)

    def remove(self):
        self.server.call('DELETE', MIGRATIONS)
        self.server.call('DELETE', f'{CRDS}/{NAME}')
        while self.server.call('GET', f'{CRDS}/{NAME}')[0] != 404:
            pass

    def store_in_v2(self, **conversion):
        body = crd_in('v2', **conversion)
        body['metadata'] = self.server.call('GET', f'{CRDS}/{NAME}')[2]['metadata']
        self.assertEqual(self.server.call('PUT', f'{CRDS}/{NAME}', body)[0], 200)

    def run_it(self, *args, **options):
        return strake.run('store', 'migrate-versions', '--kubeconfig', self.server.kubeconfig, *args, **options)

    def stored_versions(self):
        return self.server.call('GET', f'{CRDS}/{NAME}')[2]['status']['storedVersions']

    def test_shows_what_is_stored_in_which_version(self):
        shown = self.run_it('widget', '--dry-run')
        self.assertEqual((shown.returncode, shown.stdout, shown.stderr),
                         (strake.FINE, f'{NAME}: storage version v1\n  v1: 3 objects\n', ''))
        self.store_in_v2()
        shown = self.run_it(NAME, 'configmaps', '--dry-run')
        self.assertEqual((shown.returncode, shown.stdout), (
            strake.FINDINGS, f'{NAME}: storage version v2\n  v1: 3 objects\n  v2: 0 objects\n'
                             'configmaps: no custom resource; its server decides how it is stored\n'))
        self.assertEqual(self.server.call('GET', MIGRATIONS)[2]['items'], [])

    def test_waits_until_all_is_rewritten(self):
        self.store_in_v2()
        done = self.run_it(NAME, '--wait', '--timeout', '1m')
        self.assertEqual((done.returncode, done.stderr), (strake.FINE, ''))
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], rf'^{NAME}: migration {NAME}-[a-z0-9]{{5}}$')
        self.assertEqual(lines[-2:], [f'{NAME}: 3 of 3 objects stored in v2', f'{NAME}: migrated; stored versions: v2'])
        self.assertEqual(self.stored_versions(), ['v2'])
        self.assertEqual(self.run_it(NAME, '--dry-run').returncode, strake.FINE)

    def test_takes_all_that_need_it(self):
        nothing = self.run_it('--all', '--wait')
        self.assertEqual((nothing.returncode, nothing.stdout, nothing.stderr),
                         (strake.FINE, '', 'nothing to migrate: every definition has one stored version\n'))
        self.store_in_v2()
        self.assertEqual(self.run_it('--all', '--wait').returncode, strake.FINE)
        self.assertEqual(self.stored_versions(), ['v2'])

    def test_shows_a_bar_on_a_terminal(self):
        self.store_in_v2()
        code, shown = strake.run_on_terminal('store', 'migrate-versions', '--kubeconfig', self.server.kubeconfig, NAME, '--wait')
        self.assertEqual(code, strake.FINE, shown)
        self.assertNotIn('objects stored in', shown)
        self.assertIn('migrated; stored versions: v2', shown)

    def test_says_why_it_failed(self):
        self.store_in_v2(conversion={'strategy': 'Webhook', 'webhook': {
            'conversionReviewVersions': ['v1'], 'clientConfig': {'url': 'https://127.0.0.1:1/convert'}}})
        failed = self.run_it(NAME, '--wait')
        self.assertEqual(failed.returncode, strake.FINDINGS)
        self.assertIn(f'3 objects of {NAME} cannot be stored in v2; the first is default/w0: conversion webhook for ', failed.stderr)
        self.assertEqual(self.stored_versions(), ['v1', 'v2'])
        # The webhook is slow to give up on: the migration goes on without whoever waited.
        late = self.run_it(NAME, '--wait', '--timeout', '1ms')
        self.assertEqual(late.returncode, strake.REMOTE_FAILED, late.stderr)
        self.assertIn('not finished in time; the migration ', late.stderr)

    def test_refuses_what_makes_no_sense(self):
        for args, why in ((['--all', NAME], 'name the resources to migrate, or give --all'),
                          ([], 'name the resources to migrate, or give --all'),
                          ([NAME, '--timeout', '1m'], '--timeout is for --wait'),
                          ([NAME, '--wait', '--timeout', 'soon'], '--timeout "soon": not a duration'),
                          ([NAME, '--wait', '--dry-run'], '--dry-run changes nothing')):
            refused = self.run_it(*args)
            self.assertEqual(refused.returncode, strake.INPUT, args)
            self.assertIn(why, refused.stderr)
        self.assertEqual(self.run_it('nothings').returncode, strake.REMOTE_FAILED)


class Kube(http.server.BaseHTTPRequestHandler):
    """As much of a kube-apiserver as is asked for."""
    protocol_version = 'HTTP/1.1'
    answers = {}

    def answer(self):
        self.rfile.read(int(self.headers.get('Content-Length') or 0))
        found = self.answers.get(f'{self.command} {self.path.split("?")[0]}')
        body = json.dumps(found or {'kind': 'Status', 'status': 'Failure', 'reason': 'NotFound', 'code': 404}).encode()
        self.send_response(200 if found else 404)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


class OtherServers(unittest.TestCase):
    def setUp(self):
        listener = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Kube)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.addCleanup(listener.server_close)
        self.addCleanup(listener.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kubeconfig = os.path.join(folder.name, 'config')
        with open(self.kubeconfig, 'w') as file:
            json.dump({'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'c',
                       'clusters': [{'name': 'c', 'cluster': {'server': f'http://127.0.0.1:{listener.server_port}'}}],
                       'users': [{'name': 'u', 'user': {}}],
                       'contexts': [{'name': 'c', 'context': {'cluster': 'c', 'user': 'u'}}]}, file)
        definition = {**crd_in('v2'), 'status': {'storedVersions': ['v1', 'v2']}}
        Kube.answers = {f'GET {CRDS}': {'kind': 'List', 'metadata': {}, 'items': [definition]}, f'GET {CRDS}/{NAME}': definition}

    def run_it(self, *args):
        return strake.run('store', 'migrate-versions', '--all', '--kubeconfig', self.kubeconfig, *args)

    def test_say_less(self):
        shown = self.run_it('--dry-run')
        self.assertEqual((shown.returncode, shown.stdout), (
            strake.FINDINGS, f'{NAME}: storage version v2\n  stored versions: v1, v2; the server does not tell how many objects are '
                             'stored in each\n'), shown.stderr)

    def test_may_not_serve_the_api(self):
        refused = self.run_it()
        self.assertEqual(refused.returncode, strake.UNSUPPORTED, refused.stderr)
        self.assertIn('this cluster does not serve storagemigration.k8s.io', refused.stderr)

    def test_may_serve_a_newer_version(self):
        group = '/apis/storagemigration.k8s.io'
        Kube.answers[f'GET {group}'] = {'versions': [{'version': 'v1beta1'}, {'version': 'v1'}]}
        Kube.answers[f'POST {group}/v1/storageversionmigrations'] = {'metadata': {'name': 'm'}}
        Kube.answers[f'GET {group}/v1/storageversionmigrations/m'] = {
            'status': {'conditions': [{'type': 'Running', 'status': 'False'}, {'type': 'Succeeded', 'status': 'True'}]}}
        done = self.run_it('--wait')
        self.assertEqual((done.returncode, done.stdout), (
            strake.FINE, f'{NAME}: migration m\n{NAME}: migrated; stored versions: v1, v2\n'), done.stderr)


if __name__ == '__main__':
    unittest.main()
