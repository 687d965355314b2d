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
        environment = dict(os.environ, DESTDIR=cls.folder.name)
        subprocess.run(['cmake', '--install', strake.BUILD, '--prefix', '/opt/strake'], env=environment, check=True,
                       stdout=subprocess.DEVNULL)

    def path(self, name):
        return os.path.join(self.folder.name, 'opt/strake', name)

    def test_binary_runs_from_where_it_was_put(self):
        self.assertEqual(strake.run('--version', program=self.path('bin/strake')).returncode, strake.FINE)

    def test_other_names_are_links_beside_it(self):
        for name in ('kustomize', 'pulumi-component-to-crd', 'kompoxops'):
            self.assertEqual(os.readlink(self.path(f'bin/{name}')), 'strake')
            wanted = {'kustomize': strake.FINE, 'kompoxops': strake.UNSUPPORTED}.get(name, strake.INPUT)
            self.assertEqual(strake.run('version', program=self.path(f'bin/{name}')).returncode, wanted)

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
