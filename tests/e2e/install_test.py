"""What the install step leaves on a machine."""
import os
import shutil
import subprocess
import tempfile
import unittest

import strake


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        environment = dict(os.environ, DESTDIR=cls.folder.name, STRAKE_ALIASES='')
        subprocess.run(['cmake', '--install', strake.BUILD, '--prefix', '/opt/strake'], env=environment, check=True,
                       stdout=subprocess.DEVNULL)

    def path(self, name):
        return os.path.join(self.folder.name, 'opt/strake', name)

    def test_binary_runs_from_where_it_was_put(self):
        self.assertEqual(strake.run('--version', program=self.path('bin/strake')).returncode, strake.FINE)

    def install(self, aliases, folder):
        return subprocess.run(['cmake', '--install', strake.BUILD, '--prefix', '/opt/strake'], text=True,
                              env=dict(os.environ, DESTDIR=folder, STRAKE_ALIASES=aliases), capture_output=True)

    def test_nothing_else_is_beside_it(self):
        self.assertEqual(os.listdir(self.path('bin')), ['strake'])

    def test_other_names_are_links_for_whoever_asks(self):
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):  # again over what is there
                done = self.install('kompoxops kustomize pulumi-component-to-crd', folder)
                self.assertEqual(done.returncode, 0, done.stderr)
            bin_folder = os.path.join(folder, 'opt/strake/bin')
            self.assertEqual(sorted(os.listdir(bin_folder)), ['kompoxops', 'kustomize', 'pulumi-component-to-crd', 'strake'])
            for name, wanted in (('kompoxops', strake.FINE), ('kustomize', strake.FINE), ('pulumi-component-to-crd', strake.INPUT)):
                self.assertEqual(os.readlink(os.path.join(bin_folder, name)), 'strake')
                self.assertEqual(strake.run('version', program=os.path.join(bin_folder, name)).returncode, wanted)

    def test_names_without_a_job_cannot_be_had(self):
        for name in ('kompox', 'kustomise', '../kustomize'):
            with tempfile.TemporaryDirectory() as folder:
                done = self.install(f'kustomize {name}', folder)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f'no alias "{name}"; there are: kompoxops, kustomize, pulumi-component-to-crd',
                              ' '.join(done.stderr.split()))
                self.assertEqual(os.listdir(folder), [])

    def test_a_real_tool_is_never_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            bin_folder = os.path.join(folder, 'opt/strake/bin')
            os.makedirs(bin_folder)
            with open(os.path.join(bin_folder, 'kustomize'), 'w') as file:
                file.write('the real one')
            done = self.install('kustomize', folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn('is there already and not a link to strake', ' '.join(done.stderr.split()))
            self.assertEqual(os.listdir(bin_folder), ['kustomize'])
            with open(os.path.join(bin_folder, 'kustomize')) as file:
                self.assertEqual(file.read(), 'the real one')

    def package(self, aliases, folder):
        """The names in the package, links with their targets, and its control file."""
        done = subprocess.run([os.path.join(strake.SOURCE, 'tools/package'), strake.BUILD, folder], text=True,
                              env=dict(os.environ, STRAKE_ALIASES=aliases), capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

        def ask(flag):
            return subprocess.run(['dpkg-deb', flag, done.stdout.strip()], text=True, capture_output=True, check=True).stdout
        return [line.split(None, 5)[5] for line in ask('--contents').splitlines()], ask('--field')

    @unittest.skipUnless(shutil.which('dpkg-deb') and shutil.which('dpkg-shlibdeps'), 'dpkg-dev is not installed')
    def test_package_keeps_other_names_out_of_the_path(self):
        with tempfile.TemporaryDirectory() as folder:
            names, control = self.package('', folder)
        self.assertEqual([n for n in names if n.startswith('./usr/bin/')], ['./usr/bin/', './usr/bin/strake'])
        self.assertEqual([n for n in names if '/aliases/' in n and not n.endswith('/')],
                         ['./usr/lib/strake/aliases/kompoxops -> ../../../bin/strake',
                          './usr/lib/strake/aliases/kustomize -> ../../../bin/strake',
                          './usr/lib/strake/aliases/pulumi-component-to-crd -> ../../../bin/strake'])
        self.assertNotIn('Conflicts:', control)

    @unittest.skipUnless(shutil.which('dpkg-deb') and shutil.which('dpkg-shlibdeps'), 'dpkg-dev is not installed')
    def test_package_has_the_names_that_were_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            names, control = self.package('kustomize  pulumi-component-to-crd', folder)
        self.assertEqual([n for n in names if n.startswith('./usr/bin/') and ' -> ' in n],
                         ['./usr/bin/kustomize -> strake', './usr/bin/pulumi-component-to-crd -> strake'])
        self.assertIn('Conflicts: kustomize, pulumi-component-to-crd\n', control)
        self.assertNotIn('bin/kompoxops', '\n'.join(names))

    @unittest.skipUnless(shutil.which('dpkg-deb') and shutil.which('dpkg-shlibdeps'), 'dpkg-dev is not installed')
    def test_no_package_is_made_with_a_name_that_has_no_job(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([os.path.join(strake.SOURCE, 'tools/package'), strake.BUILD, folder], text=True,
                                  env=dict(os.environ, STRAKE_ALIASES='kompox'), capture_output=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn('no alias "kompox"', ' '.join(done.stderr.split()))
            self.assertEqual(os.listdir(folder), [])

    def test_make_hands_the_names_on(self):
        for target, step in (('install', 'cmake --install'), ('package', 'tools/package')):
            with self.subTest(target):
                said = subprocess.run(['make', '-n', target, 'ALIASES=kustomize pulumi-component-to-crd'], cwd=strake.SOURCE, text=True,
                                      capture_output=True, check=True).stdout
                lines = [line for line in said.splitlines() if step in line]
                self.assertTrue(lines, said)
                self.assertIn("STRAKE_ALIASES='kustomize pulumi-component-to-crd'", lines[-1])

    def test_completions_are_those_the_binary_prints(self):
        places = {'bash': 'share/bash-completion/completions/strake', 'zsh': 'share/zsh/vendor-completions/_strake',
                  'fish': 'share/fish/vendor_completions.d/strake.fish'}
        for shell, place in places.items():
            with open(self.path(place)) as file:
                self.assertEqual(file.read(), strake.run('completion', shell).stdout, shell)

    def test_man_page_is_there(self):
        with open(self.path('share/man/man1/strake.1')) as file:
            self.assertIn('.SH "EXIT STATUS"', file.read())

    @unittest.skipUnless(shutil.which('groff'), 'groff is not installed')
    def test_man_page_is_well_formed(self):
        got = subprocess.run(['groff', '-man', '-Tutf8', '-ww', self.path('share/man/man1/strake.1')],
                             capture_output=True, text=True)
        self.assertEqual((got.returncode, got.stderr), (0, ''))


if __name__ == '__main__':
    unittest.main()
