"""Tests that compare with recordings also run without them, over the corpus in this folder: a clone alone tests every module."""
import glob
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import strake  # noqa: E402

TEST = re.compile(r'TEST(?:_[FP])?\((\w+), (\w+)\)')
RECORDED = re.compile(r'STRAKE_REQUIRE_VECTORS|vectors_or_corpus')


def recorded_tests():
    """Test program -> names of its tests over recordings, from the sources."""
    out = {}
    for file in glob.glob(os.path.join(strake.SOURCE, 'src', '**', '*_test.cc'), recursive=True):
        with open(file) as source:
            before, *tests = re.split(r'^(?=TEST)', source.read(), flags=re.M)
        # A helper or a fixture that looks for the recordings makes every test of its file one of them.
        chosen = tests if RECORDED.search(before) else [test for test in tests if RECORDED.search(test)]
        module = os.path.relpath(file, os.path.join(strake.SOURCE, 'src')).split(os.sep)[0]
        for test in chosen:
            out.setdefault(f'{module}_test', set()).add('.'.join(TEST.match(test).groups()))
    return out


def program(name):
    found = [p for p in glob.glob(os.path.join(strake.BUILD, '**', name), recursive=True) if os.access(p, os.X_OK) and os.path.isfile(p)]
    if len(found) != 1:
        raise AssertionError(f'{name} is not built, or several times: {found}')
    return found[0]


class Corpus(unittest.TestCase):
    def test_every_test_over_recordings_runs_without_them(self):
        tests = recorded_tests()
        self.assertGreaterEqual(len(tests), 12, 'tests over recordings were not found in the sources')
        for name, wanted in sorted(tests.items()):
            with self.subTest(name):
                # A test with parameters has names around that of its suite.
                filters = [pattern for one in sorted(wanted) for pattern in (one, f'*/{one}/*')]
                done = subprocess.run([program(name), '--gtest_filter=' + ':'.join(filters)], text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, env={**os.environ, 'STRAKE_VECTORS': '/nonexistent'}, timeout=strake.DEADLINE)
                self.assertEqual(done.returncode, 0, done.stdout[-4000:])
                ran = set(re.findall(r'^\[       OK \] (?:\w+/)?(\w+\.\w+)', done.stdout, re.M))
                self.assertEqual(sorted(wanted - ran), [], 'skipped or not there')


if __name__ == '__main__':
    unittest.main()
