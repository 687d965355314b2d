"""What the end-to-end tests share: the built binary, called as a person or a script calls it."""
import os
import pty
import select
import subprocess
import time
import unittest

BINARY = os.environ['STRAKE_BINARY']
BUILD = os.environ['STRAKE_BUILD']
SOURCE = os.environ['STRAKE_SOURCE']
# Sanitizers keep what was freed, so the size of a process says nothing then.
SANITIZED = bool(os.environ.get('STRAKE_SANITIZE'))

FINE, FINDINGS, INPUT, UNSUPPORTED, OUTPUT_FAILED, REMOTE_FAILED = range(6)
DEADLINE = 120


def run(*args, program=BINARY, **options):
    """Runs the program without a terminal; gives returncode, stdout and stderr as text."""
    options.setdefault('stdin', subprocess.DEVNULL if 'input' not in options else None)
    if options['stdin'] is None:
        del options['stdin']
    options.setdefault('stdout', subprocess.PIPE)
    options.setdefault('stderr', subprocess.PIPE)
    return subprocess.run([program, *args], text=True, timeout=DEADLINE, **options)


def wait_for(condition):
    """Until it holds; fails when it never does."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError('what was waited for did not come')
        time.sleep(0.02)


def open_terminal():
    """A pseudo terminal; the test is skipped, saying so, where the system has none (a bare chroot without /dev/pts)."""
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f'no pseudo terminals here: {error}')


def run_on_terminal(*args, env=None):
    """Runs the program with a terminal for all three streams; gives (returncode, what it showed)."""
    environment = {k: v for k, v in os.environ.items() if k != 'NO_COLOR'}
    environment['TERM'] = 'xterm-256color'
    environment.update(env or {})
    master, slave = open_terminal()
    try:
        process = subprocess.Popen([BINARY, *args], stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        slave = -1
        shown = b''
        while select.select([master], [], [], DEADLINE)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        return process.wait(timeout=DEADLINE), shown.decode().replace('\r\n', '\n')
    finally:
        os.close(master)
        if slave >= 0:
            os.close(slave)
