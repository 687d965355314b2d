"""The frame around the commands: help, exit codes, colour, failing outputs, other names."""
import os
import resource
import subprocess
import tempfile
import unittest

import strake


class Help(unittest.TestCase):
    def test_fits_a_screen(self):
        got = strake.run('--help')
        self.assertEqual(got.returncode, strake.FINE)
        lines = got.stdout.splitlines()
        self.assertLessEqual(len(lines), 36)
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_is_shown_with_an_error_when_nothing_was_asked(self):
        got = strake.run()
        self.assertEqual((got.returncode, got.stdout), (strake.INPUT, ''))
        self.assertIn('usage: strake', got.stderr)


class Version(unittest.TestCase):
    def test_names_the_number_and_the_commit(self):
        got = strake.run('--version')
        self.assertEqual(got.returncode, strake.FINE)
        self.assertRegex(got.stdout, r'^strake \d+\.\d+\.\d+( \(\S+\))?\n$')


class ExitCodes(unittest.TestCase):
    def test_two_for_a_mistyped_command(self):
        got = strake.run('fmtt')
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertIn('unknown command "fmtt": did you mean "fmt"?', got.stderr)

    def test_two_for_a_mistyped_flag(self):
        got = strake.run('fmt', '--chek')
        self.assertEqual(got.returncode, strake.INPUT)
        self.assertIn('unknown flag "--chek": did you mean "--check"?', got.stderr)

    def test_one_for_findings(self):
        self.assertEqual(strake.run('fmt', '--check', input='b: 1\na: 1\n').returncode, strake.FINDINGS)

    def test_four_when_the_disk_is_full(self):
        with open('/dev/full', 'w') as full:
            got = strake.run('--help', stdout=full)
        self.assertEqual(got.returncode, strake.OUTPUT_FAILED)
        self.assertEqual(got.stderr, 'error: cannot write to standard output: No space left on device\n')

    def test_four_when_standard_output_is_closed(self):
        got = strake.run('-c', '"$0" --help >&-; echo "code $?"', strake.BINARY, program='/bin/sh')
        self.assertEqual(got.stdout, 'code 4\n')
        self.assertEqual(got.stderr, 'error: cannot write to standard output: Bad file descriptor\n')

    def test_four_when_the_reader_went_away(self):
        process = subprocess.Popen([strake.BINARY, 'fmt', '--to', 'json'], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.close()
        process.stdin.write('a: 1\n')
        process.stdin.close()
        message = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=strake.DEADLINE), strake.OUTPUT_FAILED)
        self.assertEqual(message, 'error: cannot write to standard output: Broken pipe\n')

    def test_four_when_a_file_cannot_be_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, 'a.yaml')
            with open(name, 'w') as file:
                file.write('b: 1\na: 1\n')
            # The thread sanitizer writes a file of its own at the start, unless there is no folder for it.
            got = strake.run('fmt', '-w', name, env=dict(os.environ, TMPDIR=os.path.join(folder, 'none')),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
            self.assertEqual(got.returncode, strake.OUTPUT_FAILED)
            self.assertEqual(got.stderr, f'{name}: cannot write: File too large\n')
            self.assertEqual(os.listdir(folder), ['a.yaml'])
            with open(name) as file:
                self.assertEqual(file.read(), 'b: 1\na: 1\n')


class ClosedStreams(unittest.TestCase):
    def test_a_closed_output_does_not_lend_its_number_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, 'a.yaml')
            with open(name, 'w') as file:
                file.write('a: 1\n')
            got = strake.run('-c', '"$0" fmt "$1" >&-; echo "code $?"', strake.BINARY, name, program='/bin/sh')
            self.assertEqual(got.stdout, 'code 4\n')
            with open(name) as file:
                self.assertEqual(file.read(), 'a: 1\n')


class Colour(unittest.TestCase):
    def test_is_shown_on_a_terminal(self):
        self.assertIn('\x1b[', strake.run_on_terminal('--help')[1])

    def test_is_never_shown_with_no_color(self):
        code, shown = strake.run_on_terminal('--help', env={'NO_COLOR': '1'})
        self.assertEqual(code, strake.FINE)
        self.assertNotIn('\x1b', shown)
        self.assertIn('usage: strake', shown)

    def test_is_not_shown_in_a_pipe_unless_asked_for(self):
        self.assertNotIn('\x1b', strake.run('--help').stdout)
        self.assertIn('\x1b[', strake.run('--color=always', '--help').stdout)
        self.assertIn('\x1b[', strake.run('help', '--color=always').stdout)

    def test_can_be_refused_on_a_terminal(self):
        self.assertNotIn('\x1b', strake.run_on_terminal('--color=never', '--help')[1])


class Aliases(unittest.TestCase):
    def test_are_told_by_the_name_of_the_link(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, 'kompoxops')
            os.symlink(strake.BINARY, link)
            got = strake.run('--help', program=link)
            self.assertEqual(got.returncode, strake.FINE)
            self.assertRegex(got.stdout, '^usage: kompoxops COMMAND')


if __name__ == '__main__':
    unittest.main()
