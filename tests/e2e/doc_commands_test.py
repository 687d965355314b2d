"""Every command that README.md, CONTRIBUTING.md and docs/ show is run as it stands, and what they show as output is compared.

How a document marks its blocks is described in CONTRIBUTING.md under "Commands in the documentation".
"""
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

import strake

COMMANDS = ('console', 'sh')
NOT_COMMANDS = ('cmake', 'cpp', 'json', 'python', 'text', 'yaml')
NOT_RUN = re.compile(r'<!-- not run: (.+) -->\Z')
# These build this checkout, which is what runs this test. That the targets exist is checked.
MAKE = re.compile(r'make (?:[A-Z]+=\S+ )*([a-z-]+)\b[^|&;]*\Z')
EXITS = re.compile(r'#.*\(exits (\d)\)')
VARIES = '…'  # in shown output: any text within a line; alone on a line: any lines


def documents():
    out = ['README.md', 'CONTRIBUTING.md']
    for folder, _, names in os.walk(os.path.join(strake.SOURCE, 'docs')):
        out += [os.path.relpath(os.path.join(folder, name), strake.SOURCE) for name in names if name.endswith('.md')]
    return sorted(out)


def read(name):
    with open(os.path.join(strake.SOURCE, name)) as file:
        return file.read()


class Block:
    def __init__(self, line, info, lines, before):
        self.line = line
        self.info = info
        self.lines = lines
        marked = NOT_RUN.match(before.strip())
        self.not_run = marked[1] if marked else None


def blocks_of(text):
    """The fenced blocks of a document, indented ones too."""
    out = []
    fence = None
    before = ''
    for number, line in enumerate(text.splitlines(), 1):
        if fence is None:
            opening = re.match(r'( *)```(\S*)\Z', line)
            if opening:
                fence = Block(number, opening[2], [], before)
                indent = len(opening[1])
            elif line.strip():
                before = line
        elif line.strip() == '```':
            out.append(fence)
            fence = None
            before = ''
        else:
            fence.lines.append(line[indent:])
    if fence is not None:
        raise AssertionError(f'the block at line {fence.line} has no end')
    return out


class Command:
    def __init__(self, text, line, output=None):
        self.text = text
        self.line = line
        self.output = output  # lines, or None where none are shown
        exits = EXITS.search(text)
        self.exits = int(exits[1]) if exits else None

    @property
    def bare(self):
        return re.sub(r'\s+# .*', '', self.text)

    @property
    def needs_kubectl(self):
        return re.search(r'\bkubectl\b', self.bare) is not None


def commands_of(block):
    out = []
    console = block.info == 'console'
    continued = False
    for number, line in enumerate(block.lines, block.line + 1):
        if continued:
            out[-1].text += '\n' + line
        elif console and not line.startswith('$ '):
            if not out:
                raise AssertionError(f'line {number}: output without a command')
            out[-1].output.append(line)
            continue
        elif not line.strip() or line.lstrip().startswith('#') and not console:
            continue
        else:
            out.append(Command(line[2:] if console else line, number, [] if console else None))
        continued = line.endswith('\\')
    return out


def matches(shown, got):
    """Whether lines of output are those that are shown, of which some may vary."""
    pattern = ''
    for line in shown:
        if line == VARIES:
            pattern += r'(?:.*\n)*'
        else:
            pattern += '.*'.join(re.escape(part) for part in line.split(VARIES)) + r'\n'
    return re.fullmatch(pattern, got) is not None


class Shell:
    """One bash in a copy of what a reader has: a checkout with the built program, and nothing else."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='strake-docs-')
        self.checkout = os.path.join(self.folder, 'checkout')
        shutil.copytree(os.path.join(strake.SOURCE, 'examples'), os.path.join(self.checkout, 'examples'))
        release = os.path.join(self.checkout, 'build', 'release')
        os.makedirs(release)
        os.symlink(os.path.abspath(strake.BINARY), os.path.join(release, 'strake'))
        programs = os.path.join(self.folder, 'bin')
        os.makedirs(programs)
        self.write_program(os.path.join(programs, 'strake'))
        home = os.path.join(self.folder, 'home')
        os.makedirs(home)
        environment = {k: v for k, v in os.environ.items() if k not in ('KUBECONFIG', 'CLICOLOR_FORCE')}
        environment.update(HOME=home, LC_ALL='C.UTF-8', PATH=programs + os.pathsep + os.environ['PATH'])
        self.process = subprocess.Popen(['bash', '--norc'], cwd=self.checkout, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.ran = 0

    @staticmethod
    def write_program(path):
        # A server of someone else may have the default port; then, and only then, ours gets another.
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(('127.0.0.1', 6443))
                other = ''
            except OSError:
                other = '[ "$1" = serve ] && set -- "$@" --listen 127.0.0.1:0\n'
        with open(path, 'w') as file:
            file.write(f'#!/bin/sh\n{other}exec "{os.path.abspath(strake.BINARY)}" "$@"\n')
        os.chmod(path, 0o755)

    def run(self, command):
        """Gives (exit code, output and errors as they came)."""
        self.ran += 1
        output = os.path.join(self.folder, f'out.{self.ran}')
        code = os.path.join(self.folder, f'code.{self.ran}')
        os.mkfifo(code)
        self.process.stdin.write(f'cat >{output}.sh <<\'END-OF-COMMAND\'\n{command}\nEND-OF-COMMAND\n'
                                 f'. {output}.sh >{output} 2>&1 </dev/null; echo $? >{code}\n')
        self.process.stdin.flush()
        with open(code) as done:
            said = done.read().strip()
        if re.sub(r'\s+# .*', '', command).rstrip().endswith('&'):
            self.wait_until_served(output)
        with open(output, errors='replace') as file:
            return int(said), file.read()

    @staticmethod
    def wait_until_served(output):
        """A person types the next command when the server has said that it serves; so does the test."""
        for _ in range(strake.DEADLINE * 20):
            with open(output) as file:
                if 'serving at' in file.read():
                    return
            time.sleep(0.05)
        raise AssertionError('the server did not say that it serves')

    def close(self):
        self.process.stdin.write('kill $(jobs -p) 2>/dev/null; wait\n')
        self.process.stdin.close()
        self.process.wait(timeout=strake.DEADLINE)
        shutil.rmtree(self.folder, ignore_errors=True)


class DocumentedCommands(unittest.TestCase):
    def check(self, name):
        blocks = blocks_of(read(name))
        skipped = 0
        shell = None
        try:
            for block in blocks:
                where = f'{name}:{block.line}'
                self.assertIn(block.info, COMMANDS + NOT_COMMANDS, f'{where}: say what the block is: ```sh, ```console, ```text …')
                if block.info in NOT_COMMANDS or block.not_run:
                    continue
                for command in commands_of(block):
                    if MAKE.match(command.bare):
                        self.assertIn(MAKE.match(command.bare)[1], make_targets(), f'{name}:{command.line}')
                        continue
                    if command.needs_kubectl and not shutil.which('kubectl'):
                        skipped += 1
                        continue
                    shell = shell or Shell()
                    with self.subTest(f'{name}:{command.line}: {command.text}'):
                        self.run_one(shell, command)
        finally:
            if shell:
                shell.close()
        if skipped:
            self.skipTest(f'there is no kubectl on PATH: {skipped} commands of {name} were not run')

    def run_one(self, shell, command):
        code, output = shell.run(command.text)
        if command.output is None or command.exits is not None:
            self.assertEqual(code, command.exits or 0, output)
        if command.output is not None:
            self.assertTrue(matches(command.output, output), 'shown:\n' + '\n'.join(command.output) + '\nprinted:\n' + output)


class Reading(unittest.TestCase):
    """The test's own reading of documents."""

    def test_finds_commands_and_their_output(self):
        block, = blocks_of('text\n\n```console\n$ a \\\n  b\nout\n$ c  # fails (exits 2)\n```\n')
        first, second = commands_of(block)
        self.assertEqual((first.text, first.output, first.line), ('a \\\n  b', ['out'], 4))
        self.assertEqual((second.bare, second.output, second.exits), ('c', [], 2))

    def test_knows_blocks_that_are_not_run_by_their_reason(self):
        marked, plain = blocks_of('<!-- not run: needs a cloud -->\n```sh\na\n```\n\n```sh\nb\n```\n')
        self.assertEqual((marked.not_run, plain.not_run), ('needs a cloud', None))

    def test_compares_what_does_not_vary(self):
        self.assertTrue(matches(['a … c', 'd'], 'a b c\nd\n'))
        self.assertTrue(matches(['a', '…'], 'a\nb\nc\n'))
        self.assertFalse(matches(['a … c'], 'a b\n'))
        self.assertFalse(matches(['a'], 'a\nb\n'))


def make_targets():
    return set(re.search(r'^\.PHONY: (.*)$', read('Makefile'), re.M)[1].split())


def add_document(name):
    def test(self):
        self.check(name)
    setattr(DocumentedCommands, 'test_' + re.sub(r'\W', '_', name), test)


for document in documents():
    add_document(document)

if __name__ == '__main__':
    unittest.main()
