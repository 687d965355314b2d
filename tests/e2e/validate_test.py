"""strake validate over real files, pipes and reports that other programs read."""
import gzip
import json
import os
import re
import select
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

import strake

EXAMPLES = os.path.join(strake.SOURCE, 'examples')
GOLDENS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'testdata/validate')

GARDEN = '''apiVersion: example.strake.dev/v1
kind: Garden
metadata:
  name: {name}
spec:
  beds: {beds}
'''


class Validate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def golden(self, name, *args, code):
        """Runs in the folder of the examples and compares with a file, or writes it when asked to."""
        got = strake.run('validate', *args, cwd=EXAMPLES)
        self.assertEqual((got.returncode, got.stderr), (code, ''), name)
        path = os.path.join(GOLDENS, name)
        if os.environ.get('STRAKE_UPDATE_GOLDENS'):
            with open(path, 'w') as file:
                file.write(got.stdout)
        with open(path) as file:
            self.assertEqual(got.stdout, file.read(), name)

    def test_good_examples_are_clean(self):
        self.golden('good.txt', '-s', 'crd', '--strict', 'objects/gardens.yaml', code=strake.FINE)

    def test_crds_among_the_inputs_are_checked_and_used(self):
        self.golden('crd_and_objects.txt', 'objects/gardens.yaml', 'crd', code=strake.FINE)

    def test_broken_examples_are_shown_in_every_format(self):
        for form in ('text', 'json', 'yaml', 'junit', 'github'):
            self.golden(f'broken.{form}', '-s', 'crd', '-o', form, '--strict', 'broken', code=strake.FINDINGS)

    def test_a_folder_of_many_things_shows_only_what_is_wrong_with_manifests(self):
        got = strake.run('validate', '--no-config', '.', cwd=EXAMPLES)
        self.assertEqual(got.returncode, strake.FINDINGS)
        shown = set(re.findall(r'^(\S+?):\d+:\d+: ', got.stdout, re.M))
        self.assertEqual(shown, {'./broken/gardens.yaml'})
        self.assertIn('skipped 2 kustomizations, 1 patch of a kustomization, 1 Compose file, 2 tool configurations, 3 documents without apiVersion and kind; --verbose lists them\n', got.stdout)

    def test_settings_are_found_above_the_working_folder(self):
        self.write('strake.yaml', 'validate:\n  skip: [Secret]\n  strict: true\n')
        self.write('.git/HEAD', '')
        self.write('apps/web/a.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndta: {}\n')
        folder = os.path.join(self.folder.name, 'apps/web')
        self.assertEqual(strake.run('validate', '.', cwd=folder).returncode, strake.FINE)
        self.assertEqual(strake.run('validate', '--no-config', '--strict', '.', cwd=folder).returncode, strake.FINDINGS)
        self.write('strake.yaml', 'validate:\n  skp: []\n')
        got = strake.run('validate', '.', cwd=folder)
        self.assertEqual((got.returncode, got.stderr), (strake.INPUT,
                         'error: ../../strake.yaml:2:3: unknown key "skp": did you mean "skip"?\n'))

    def test_defaults_are_printed(self):
        got = strake.run('validate', '-s', 'crd', '--print', 'objects/gardens.yaml', cwd=EXAMPLES)
        self.assertEqual(got.returncode, strake.FINE)
        with open(os.path.join(GOLDENS, 'printed.yaml')) as file:
            self.assertEqual(got.stdout, file.read())

    def test_sarif_and_junit_can_be_read(self):
        args = ('validate', '-s', 'crd', 'broken')
        sarif = json.loads(strake.run(*args, '-o', 'sarif', cwd=EXAMPLES).stdout)
        places = [r['locations'][0]['physicalLocation'] for r in sarif['runs'][0]['results']]
        self.assertEqual({p['artifactLocation']['uri'] for p in places}, {'broken/gardens.yaml'})
        suite = xml.fromstring(strake.run(*args, '-o', 'junit', cwd=EXAMPLES).stdout).find('testsuite')
        self.assertEqual((suite.get('tests'), suite.get('failures')), ('1', '1'))

    def test_compressed_files_and_pipes_are_read(self):
        crd = os.path.join(EXAMPLES, 'crd')
        text = GARDEN.format(name='a', beds=500)
        packed = self.write('in/a.yaml.gz', gzip.compress(text.encode()))
        got = strake.run('validate', '-s', crd, os.path.join(self.folder.name, 'in'))
        self.assertEqual(got.returncode, strake.FINDINGS)
        self.assertIn(f'{packed}:6:9: spec.beds: Invalid value: 500: ', got.stdout)
        piped = strake.run('validate', '-s', crd, '-', input=text)
        self.assertEqual(piped.stdout, got.stdout.replace(packed, '-'))

    def test_long_lists_are_checked_as_they_come(self):
        items = [{'apiVersion': 'example.strake.dev/v1', 'kind': 'Garden', 'metadata': {'name': f'g{i}'},
                  'spec': {'beds': 500 if i == 39_000 else 1}} for i in range(40_000)]
        text = json.dumps({'apiVersion': 'v1', 'items': items, 'kind': 'List'}, indent=0)
        args = ('validate', '-s', os.path.join(EXAMPLES, 'crd'), '--stream')
        piped = strake.run(*args, '-', input=text)
        self.assertEqual(piped.returncode, strake.FINDINGS)
        self.assertIn('spec.beds: Invalid value: 500: ', piped.stdout)
        self.assertIn('1 file, 40000 documents: 1 error', piped.stdout)
        path = self.write('list.json', text)
        self.assertEqual(strake.run(*args, path).stdout, piped.stdout.replace('-:', f'{path}:'))

    def test_presence_is_part_of_the_report(self):
        path = self.write('a.yaml', 'apiVersion: example.strake.dev/v1\nkind: Garden\nmetadata: {name: a}\n'
                                    'spec: {beds: null}\n')
        got = strake.run('validate', '-s', os.path.join(EXAMPLES, 'crd'), '-o', 'json', '--presence',
                         '--presence-include', '/spec/beds', path)
        presence = json.loads(got.stdout)['results'][0]['presence']
        self.assertEqual(list(presence), ['/spec/beds'])
        self.assertEqual(presence['/spec/beds'][:2], ['seen', 'wasNull'])

    def test_many_files_give_the_same_report_every_time(self):
        for i in range(300):
            self.write(f'many/{i:03}.yaml', GARDEN.format(name=f'g{i}', beds=i % 5 * 50))
        args = ('validate', '-s', os.path.join(EXAMPLES, 'crd'), '-o', 'json', os.path.join(self.folder.name, 'many'))
        one = strake.run(*args, '-j', '1')
        self.assertEqual(one.returncode, strake.FINDINGS)
        self.assertEqual(json.loads(one.stdout)['summary']['invalid'], 120)
        for _ in range(3):
            self.assertEqual(strake.run(*args).stdout, one.stdout)

    def test_watch_checks_again_when_a_file_changes(self):
        path = self.write('a.yaml', GARDEN.format(name='a', beds=500))
        process = subprocess.Popen([strake.BINARY, 'validate', '-s', os.path.join(EXAMPLES, 'crd'), '--watch', path],
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lines = iter(process.stdout.readline, '')
        self.assertIn('1 error', next(line for line in lines if line.startswith('1 file')))
        # The watch begins after the first report is out; a change that comes too early is made again.
        for attempt in range(100):
            self.write('a.yaml', GARDEN.format(name='a', beds=1))
            if select.select([process.stdout], [], [], 0.2)[0]:
                break
        self.assertIn('all fine', next(line for line in lines if line.startswith('1 file')))

    def test_colours_only_a_terminal(self):
        args = ('validate', '-s', os.path.join(EXAMPLES, 'crd'), os.path.join(EXAMPLES, 'broken'))
        self.assertNotIn('\x1b', strake.run(*args).stdout)
        code, shown = strake.run_on_terminal(*args)
        self.assertEqual(code, strake.FINDINGS)
        self.assertIn('\x1b[', shown)


if __name__ == '__main__':
    unittest.main()
