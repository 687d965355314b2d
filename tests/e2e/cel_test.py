"""strake cel as people meet it: from the shell, from a pipe, and typed at a terminal."""
import os
import re
import select
import signal
import stat
import subprocess
import tempfile
import time
import unittest

import strake

UP, DOWN, LEFT = '\x1b[A', '\x1b[B', '\x1b[D'


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, home, *args):
        env = {k: v for k, v in os.environ.items() if k != 'XDG_STATE_HOME'}
        env.update(HOME=home, TERM='xterm', NO_COLOR='1')
        self.master, slave = strake.open_terminal()
        self.process = subprocess.Popen([strake.BINARY, 'cel', *args], stdin=slave, stdout=slave, stderr=slave,
                                        env=env, start_new_session=True)
        os.close(slave)
        self.shown = ''
        self.seen = 0
        self.wait_for('cel> ')

    def type(self, keys):
        os.write(self.master, keys.encode())

    def wait_for(self, text):
        """Reads until the text shows behind what was waited for before."""
        end = time.monotonic() + strake.DEADLINE
        while True:
            found = self.shown.find(text, self.seen)
            if found >= 0:
                self.seen = found + len(text)
                return
            if time.monotonic() > end or not self.read():
                raise AssertionError(f'{text!r} does not show in {self.shown!r}')

    def read(self):
        if not select.select([self.master], [], [], strake.DEADLINE)[0]:
            return False
        try:
            piece = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += piece.decode(errors='replace')
        return bool(piece)

    def end(self):
        while self.read():
            pass
        code = self.process.wait(timeout=strake.DEADLINE)
        os.close(self.master)
        return code

    def abandon(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


class Cel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def terminal(self, *args):
        terminal = Terminal(self.folder, *args)
        self.addCleanup(terminal.abandon)
        return terminal

    def test_says_by_its_exit_code_whether_a_document_is_so(self):
        name = self.write('a.yaml', 'spec:\n  replicas: 2\n')
        got = strake.run('cel', 'self.spec.replicas > 1', '--self', name)
        self.assertEqual((got.returncode, got.stdout, got.stderr), (strake.FINE, 'true\n', ''))
        got = strake.run('cel', 'self.spec.replicas > 2', '--self', name)
        self.assertEqual((got.returncode, got.stdout), (strake.FINDINGS, 'false\n'))
        self.assertIn('    self.spec.replicas    2\n', got.stderr)
        got = strake.run('cel', 'self.spec.', '--self', name)
        self.assertEqual((got.returncode, got.stdout), (strake.INPUT, ''))
        self.assertRegex(got.stderr, r'^ERROR: <input>:1:11: Syntax error: ')

    def test_the_manual_lists_the_libraries_of_the_table(self):
        with open(os.path.join(strake.SOURCE, 'src/cel/lib/k8s_environment.cc')) as file:
            rows = re.findall(r'\{"([^"]+)", (?:KubernetesMinor\{(\d+)\}|kAlways), ', file.read())
        self.assertGreater(len(rows), 10)
        with open(os.path.join(strake.SOURCE, 'docs/cel.md')) as file:
            listed = re.findall(r'^\| `([^`]+)` \| (always|1\.\d+) \|', file.read(), re.M)
        self.assertEqual(listed, [(name, f'1.{minor}' if minor else 'always') for name, minor in rows])

    def test_answers_a_pipe_line_by_line(self):
        process = subprocess.Popen([strake.BINARY, 'cel'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line, answer in (('1 + 1', '2 : int\n'), ("'a' + 'b'", '"ab" : string\n')):
            process.stdin.write(line + '\n')
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), answer)
        rest, _ = process.communicate(timeout=strake.DEADLINE)
        self.assertEqual((rest, process.returncode), ('', strake.FINE))

    def test_edits_lines_on_a_terminal(self):
        terminal = self.terminal()
        terminal.type('20 + 22\r')
        terminal.wait_for('\n42 : int')
        terminal.type(' + 200\x01' + '100\r')
        terminal.wait_for('\n300 : int')
        terminal.type('1 + 1 + 5' + LEFT * 4 + '\x0b\r')
        terminal.wait_for('\n2 : int')
        terminal.type('nonsense\x15' + '7\x057\r')
        terminal.wait_for('\n77 : int')
        terminal.type('half a li\x03')
        terminal.wait_for('^C\r\n')
        terminal.type('8\r')
        terminal.wait_for('\n8 : int')
        terminal.type('\x04')
        self.assertEqual(terminal.end(), strake.FINE)

    def test_remembers_lines_in_a_file_of_its_own(self):
        terminal = self.terminal()
        terminal.type('1 + 10\r')
        terminal.wait_for('\n11 : int')
        terminal.type('2 + 20\r')
        terminal.wait_for('\n22 : int')
        terminal.type(UP + UP + '0\r')
        terminal.wait_for('\n101 : int')
        terminal.type(':quit\r')
        self.assertEqual(terminal.end(), strake.FINE)
        name = os.path.join(self.folder, '.local/state/strake/cel_history')
        self.assertEqual(stat.S_IMODE(os.stat(name).st_mode), 0o600)
        with open(name) as file:
            self.assertEqual(file.read(), '1 + 10\n2 + 20\n1 + 100\n:quit\n')

        later = self.terminal()
        later.type(UP * 3 + UP + DOWN + '\r')
        later.wait_for('\n22 : int')
        later.type('\x04')
        self.assertEqual(later.end(), strake.FINE)

    def test_works_on_the_documents_it_is_given(self):
        name = self.write('a.yaml', 'names: [a, b]\n')
        terminal = self.terminal()
        terminal.type(f':self {name}\rself.names.size()\r')
        terminal.wait_for('\n2 : int')
        terminal.type(':type self.names.size()\r')
        terminal.wait_for('dyn')
        terminal.type(':cost self.names.size()\r')
        terminal.wait_for('at run time')
        terminal.type('self.names[5]\r')
        terminal.wait_for('index out of bounds: 5')
        terminal.type('\x04')
        self.assertEqual(terminal.end(), strake.FINE)


if __name__ == '__main__':
    unittest.main()
