"""strake crd diff against revisions of a real git repository."""
import os
import subprocess
import tempfile
import unittest

import strake

CRD = '''apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {plural}.example.com
spec:
  group: example.com
  names: {{kind: {kind}, plural: {plural}}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {{type: {type}}}
'''


def crd(kind, type='string'):
    return CRD.format(kind=kind, plural=kind.lower() + 's', type=type)


class GitRevisions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.realpath(folder.name)
        self.repository = os.path.join(self.root, 'repository')
        os.mkdir(self.repository)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith('GIT_')}
        self.env.update(HOME=self.root, GIT_CONFIG_NOSYSTEM='1', GIT_AUTHOR_NAME='a', GIT_AUTHOR_EMAIL='a@example.com',
                        GIT_COMMITTER_NAME='a', GIT_COMMITTER_EMAIL='a@example.com')
        self.git('init', '--quiet', '--initial-branch=main')
        self.write('crds/boat.yaml', crd('Boat'))
        self.write('crds/sail.yaml', crd('Sail'))
        self.write('chart/templates/broken.yaml', 'a: {{ .Values.a }}\n{{- if .Values.b }}\nb: 1\n{{- end }}\n')
        self.commit()

    def git(self, *args):
        subprocess.run(['git', *args], cwd=self.repository, env=self.env, check=True, stdout=subprocess.DEVNULL)

    def commit(self):
        self.git('add', '--all')
        self.git('commit', '--quiet', '-m', 'x')

    def write(self, name, text):
        path = os.path.join(self.repository, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write(text)

    def diff(self, *args, folder='', **options):
        return strake.run('crd', 'diff', *args, cwd=os.path.join(self.repository, folder),
                          **{'env': self.env, **options})

    def test_nothing_changed(self):
        for paths in ((), ('crds',), ('crds/boat.yaml',)):
            got = self.diff('--git', 'HEAD', *paths)
            self.assertEqual((got.returncode, got.stderr), (strake.FINE, ''), got.stdout)

    def test_tells_what_changed_since_a_revision_and_where(self):
        self.write('crds/boat.yaml', crd('Boat', 'integer'))
        got = self.diff('--git', 'main', 'crds')
        self.assertEqual(got.returncode, strake.FINDINGS, got.stderr)
        self.assertRegex(got.stdout, r'(?m)^crds/boat\.yaml:\d+:\d+: .*breaking: v1 .*size')
        self.commit()
        self.assertEqual(self.diff('--git', 'main', 'crds').returncode, strake.FINE)
        self.assertEqual(self.diff('--git', 'HEAD~1', 'crds').returncode, strake.FINDINGS)

    def test_compares_two_revisions_whatever_the_files_are_now(self):
        self.write('crds/boat.yaml', crd('Boat', 'integer'))
        self.commit()
        self.git('rm', '--quiet', '-r', 'crds')
        got = self.diff('--git', 'HEAD~1..HEAD', 'crds')
        self.assertEqual(got.returncode, strake.FINDINGS, got.stderr)
        self.assertRegex(got.stdout, r'(?m)^HEAD:crds/boat\.yaml:')
        self.assertNotIn('removed', got.stdout)

    def test_works_from_a_folder_below(self):
        self.write('crds/boat.yaml', crd('Boat', 'integer'))
        for folder, path in (('crds', '.'), ('crds', 'boat.yaml'), ('chart', '../crds'), ('chart', os.path.join(self.repository, 'crds'))):
            got = self.diff('--git', 'HEAD', path, folder=folder)
            self.assertEqual(got.returncode, strake.FINDINGS, got.stderr)
            self.assertIn('breaking', got.stdout)
        self.assertEqual(self.diff('--git', 'HEAD', folder='crds').returncode, strake.FINDINGS)

    def test_a_file_under_a_new_name_is_the_same_definition(self):
        self.git('mv', 'crds/boat.yaml', 'crds/vessel.yaml')
        for path in ('crds', 'crds/vessel.yaml'):
            got = self.diff('--git', 'HEAD', path)
            self.assertEqual((got.returncode, got.stderr), (strake.FINE, ''), got.stdout)
            self.assertNotIn('added', self.diff('-v', '--git', 'HEAD', path).stdout)

    def test_added_and_removed_files(self):
        self.write('crds/mast.yaml', crd('Mast'))
        got = self.diff('-v', '--git', 'HEAD', 'crds')
        self.assertEqual(got.returncode, strake.FINE, got.stderr)
        self.assertIn('masts.example.com added', got.stdout)
        self.assertIn('masts.example.com added', self.diff('-v', '--git', 'HEAD', 'crds/mast.yaml').stdout)
        os.remove(os.path.join(self.repository, 'crds/sail.yaml'))
        for path in ('crds', 'crds/sail.yaml', '.'):
            got = self.diff('--git', 'HEAD', path)
            self.assertEqual(got.returncode, strake.FINDINGS, got.stderr)
            self.assertRegex(got.stdout, r'HEAD:crds/sail\.yaml:.*sails\.example\.com removed')

    def test_says_what_is_wrong_with_a_revision(self):
        got = self.diff('--git', 'nowhere', 'crds')
        self.assertEqual((got.returncode, got.stdout), (strake.INPUT, ''))
        self.assertIn('error: unknown git revision "nowhere"', got.stderr)
        marker = os.path.join(self.root, 'marker')
        for word in ('--output=' + marker, '-h', f'$(touch {marker})', f'HEAD; touch {marker}', ''):
            got = self.diff(f'--git={word}', 'crds')
            self.assertEqual((got.returncode, got.stdout), (strake.INPUT, ''), word)
            self.assertIn('git revision', got.stderr, word)
        self.assertFalse(os.path.exists(marker))

    def test_says_what_is_wrong_with_a_path(self):
        got = self.diff('--git', 'HEAD', self.root)
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertIn('is not in the git repository', got.stderr)
        got = self.diff('--git', 'HEAD', 'nothing')
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertIn('no CustomResourceDefinition in nothing, at HEAD or now', got.stderr)
        self.write('odd/:(top)*.yaml', crd('Oar'))
        self.assertIn('oars.example.com added', self.diff('-v', '--git', 'HEAD', 'odd/:(top)*.yaml').stdout)

    def test_says_when_there_is_no_repository_or_no_git(self):
        got = strake.run('crd', 'diff', '--git', 'HEAD', '.', cwd=self.root, env=self.env)
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertIn('--git needs a git repository around the current folder', got.stderr)
        got = self.diff('--git', 'HEAD', 'crds', env={**self.env, 'PATH': self.root})
        self.assertEqual(got.returncode, strake.UNSUPPORTED)
        self.assertIn('--git needs the program git', got.stderr)


if __name__ == '__main__':
    unittest.main()
