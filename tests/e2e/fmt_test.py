"""strake fmt over real files, pipes and reports that other programs read."""
import json
import os
import stat
import tempfile
import unittest
import xml.etree.ElementTree as xml

import strake


class Fmt(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def read(self, path):
        with open(path) as file:
            return file.read()

    def test_the_examples_are_canonical(self):
        got = strake.run('fmt', '--check', os.path.join(strake.SOURCE, 'examples'))
        self.assertEqual(got.returncode, strake.FINE, got.stdout)
        self.assertRegex(got.stdout, r'^\d+ files, \d+ documents: all fine\n$')

    def test_yaml_to_json_and_back_is_where_it_began(self):
        name = os.path.join(strake.SOURCE, 'examples/objects/gardens.yaml')
        as_json = strake.run('fmt', '--to=json', name)
        self.assertEqual(as_json.returncode, strake.FINE)
        back = strake.run('fmt', '--to=yaml', input=as_json.stdout)
        self.assertEqual(back.stdout, self.read(name))

    def test_rewrites_in_place_and_keeps_the_mode(self):
        name = self.write('a/b.yaml', 'b: 1\na: [1,  2]\n')
        os.chmod(name, 0o640)
        got = strake.run('fmt', '-w', self.folder.name)
        self.assertEqual((got.returncode, got.stdout), (strake.FINE, '1 of 1 file rewritten\n'))
        self.assertEqual(self.read(name), 'a:\n- 1\n- 2\nb: 1\n')
        self.assertEqual(stat.S_IMODE(os.stat(name).st_mode), 0o640)
        self.assertEqual(os.listdir(os.path.dirname(name)), ['b.yaml'])

    def test_says_where_an_input_breaks(self):
        name = self.write('a.json', '{"a": 1,\n  "b": tru }\n')
        got = strake.run('fmt', name)
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertRegex(got.stderr, f'^{name}:2:\\d+: ')
        self.assertIn('    2 |   "b": tru }\n', got.stderr)

    def test_names_a_file_that_is_not_there(self):
        got = strake.run('fmt', '/nowhere/a.yaml')
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertEqual(got.stderr, 'error: /nowhere/a.yaml: cannot open: No such file or directory\n')

    def test_reports_in_forms_that_machines_read(self):
        self.write('good.yaml', 'a: 1\n')
        bad = self.write('bad.yaml', 'b: 1\na: 1\n')
        reports = {}
        for form in ('json', 'yaml', 'sarif', 'junit', 'github'):
            got = strake.run('fmt', '--check', '-o', form, self.folder.name)
            self.assertEqual((got.returncode, got.stderr), (strake.FINDINGS, ''), form)
            reports[form] = got.stdout

        plain = json.loads(reports['json'])
        self.assertEqual([f['file'] for f in plain['findings']], [bad])
        self.assertEqual(plain['summary'], {'files': 2, 'documents': 2, 'errors': 1, 'warnings': 0, 'notes': 0})
        again = strake.run('fmt', '--to=json', input=reports['yaml'])
        self.assertEqual(json.loads(again.stdout), plain)

        sarif = json.loads(reports['sarif'])
        result = sarif['runs'][0]['results'][0]
        self.assertEqual((sarif['version'], result['ruleId']), ('2.1.0', 'not-canonical'))
        self.assertEqual(result['locations'][0]['physicalLocation']['region']['startLine'], 1)

        suite = xml.fromstring(reports['junit']).find('testsuite')
        self.assertEqual((suite.get('tests'), suite.get('failures')), ('2', '1'))
        self.assertEqual(suite.find("testcase[failure]").get('name'), bad)
        self.assertTrue(reports['github'].startswith(f'::error file={bad},line=1,col=1,title=not-canonical::'))

    def test_says_the_same_twice(self):
        args = ('fmt', '--check', '-o', 'json', os.path.join(strake.SOURCE, 'examples'))
        self.assertEqual(strake.run(*args).stdout, strake.run(*args).stdout)


if __name__ == '__main__':
    unittest.main()
