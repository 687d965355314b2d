"""The completion scripts, loaded by the shells they are for."""
import os
import shutil
import subprocess
import tempfile
import unittest

import strake


def script(shell):
    got = strake.run('completion', shell)
    assert got.returncode == strake.FINE, got.stderr
    return got.stdout


def complete_in_bash(*words, cwd=None):
    """What bash would offer with the cursor behind the last word, which bash's own rules have split."""
    quoted = ' '.join("'" + word.replace("'", "'\\''") + "'" for word in words)
    program = f'''{script('bash')}
COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMPREPLY=()
_strake
printf '%s\\n' "${{COMPREPLY[@]}}"'''
    got = subprocess.run(['bash', '--norc', '-c', program], text=True, capture_output=True, timeout=strake.DEADLINE,
                         cwd=cwd)
    assert got.returncode == 0 and got.stderr == '', got.stderr
    return [line for line in got.stdout.splitlines() if line]


class Bash(unittest.TestCase):
    def test_script_is_well_formed(self):
        got = subprocess.run(['bash', '-n'], input=script('bash'), text=True, capture_output=True)
        self.assertEqual((got.returncode, got.stderr), (0, ''))

    def test_offers_commands(self):
        offered = complete_in_bash('strake', '')
        self.assertIn('fmt', offered)
        self.assertEqual(offered[-2:], ['help', 'version'])
        self.assertEqual(complete_in_bash('strake', 'f'), ['fmt'])
        self.assertEqual(complete_in_bash('strake', '--color', 'never', 'f'), ['fmt'])

    def test_offers_root_flags(self):
        self.assertEqual(complete_in_bash('strake', '--v'), ['--version'])

    def test_offers_flags_of_the_command(self):
        self.assertEqual(complete_in_bash('strake', 'fmt', '--d'), ['--diff', '--drop-comments', '--duplicates'])
        self.assertIn('--color', complete_in_bash('strake', 'fmt', '--'))

    def test_offers_values_of_a_flag(self):
        self.assertEqual(complete_in_bash('strake', 'fmt', '--to', ''), ['yaml', 'json', 'ndjson'])
        self.assertEqual(complete_in_bash('strake', 'fmt', '--to', '=', 'nd'), ['ndjson'])
        self.assertEqual(complete_in_bash('strake', 'fmt', '--to', '='), ['yaml', 'json', 'ndjson'])
        self.assertEqual(complete_in_bash('strake', 'fmt', '-o', 's'), ['sarif'])
        self.assertEqual(complete_in_bash('strake', '--color', 'al'), ['always'])

    def test_offers_nothing_for_a_number(self):
        self.assertEqual(complete_in_bash('strake', 'fmt', '--indent', ''), [])

    def test_offers_files_with_blanks_in_their_names(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ('one.yaml', 'one two.yaml'):
                open(os.path.join(folder, name), 'w').close()
            self.assertEqual(sorted(complete_in_bash('strake', 'fmt', 'on', cwd=folder)),
                             ['one two.yaml', 'one.yaml'])

    def test_offers_shells_and_commands_as_arguments(self):
        self.assertEqual(complete_in_bash('strake', 'completion', ''), ['bash', 'zsh', 'fish'])
        self.assertEqual(complete_in_bash('strake', 'help', 'comp'), ['completion'])


@unittest.skipUnless(shutil.which('zsh'), 'zsh is not installed')
class Zsh(unittest.TestCase):
    def test_script_is_well_formed_and_loads(self):
        got = subprocess.run(['zsh', '-n'], input=script('zsh'), text=True, capture_output=True)
        self.assertEqual((got.returncode, got.stderr), (0, ''))
        with tempfile.NamedTemporaryFile('w', suffix='.zsh') as file:
            file.write(script('zsh'))
            file.flush()
            got = subprocess.run(['zsh', '-fc', f'autoload -U compinit; compinit -D -u; source {file.name}; '
                                  'print $_comps[strake]'], text=True, capture_output=True)
        self.assertEqual((got.stdout, got.stderr), ('_strake\n', ''))


@unittest.skipUnless(shutil.which('fish'), 'fish is not installed')
class Fish(unittest.TestCase):
    def complete(self, line):
        got = subprocess.run(['fish', '--no-config', '-c', f'{script("fish")}\ncomplete -C "{line}"'], text=True,
                             capture_output=True)
        self.assertEqual(got.stderr, '')
        return [offer.split('\t')[0] for offer in got.stdout.splitlines()]

    def test_offers_commands_flags_and_values(self):
        self.assertLessEqual({'completion', 'crd', 'fmt', 'help', 'validate'}, set(self.complete('strake ')))
        self.assertIn('--write', self.complete('strake fmt --w'))
        self.assertEqual(sorted(self.complete('strake fmt --to ')), ['json', 'ndjson', 'yaml'])


if __name__ == '__main__':
    unittest.main()
