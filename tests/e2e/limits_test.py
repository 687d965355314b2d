"""Inputs made to exhaust memory or to wait for ever, against the real binary with a gibibyte of addresses."""
import gzip
import json
import os
import pathlib
import resource
import socket
import subprocess
import tempfile
import unittest
import xml.dom.minidom

import strake

GIB = 1 << 30
MOST_SECONDS = 300  # a machine under load; nothing here waits


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (GIB, GIB))


def run(*args, cwd=None, shell=False, **options):
    command = args[0] if shell else [strake.BINARY, *args]
    if 'input' not in options:
        options.setdefault('stdin', subprocess.DEVNULL)
    return subprocess.run(['bash', '-c', command] if shell else command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, preexec_fn=bounded, cwd=cwd, timeout=MOST_SECONDS, **options)


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def pack(self, name, piece, times, front=b'', end=b''):
        with gzip.open(self.folder / name, 'wb', compresslevel=6) as out:
            out.write(front)
            block = piece * 1000
            for _ in range(times // 1000):
                out.write(block)
            out.write(end)
        return name


class Bombs(InTemporaryFolder):
    def check(self, *args, codes=(strake.FINDINGS, strake.INPUT)):
        done = run('validate', *args, cwd=self.folder)
        self.assertIn(done.returncode, codes, done.stderr[-500:])
        return done

    def test_millions_of_documents_end_at_the_limit_in_every_format(self):
        bomb = self.pack('documents.yaml.gz', b'--- {}\n', 20_000_000)
        done = self.check('-o', 'json', bomb, codes=(strake.INPUT,))
        self.assertIn(b'more than 500000 documents', done.stdout)
        json.loads(done.stdout)
        for form in ('text', 'yaml', 'sarif', 'junit', 'github'):
            with self.subTest(form):
                done = self.check('-o', form, '--max-documents=20000', '--max-findings=5000', bomb, codes=(strake.INPUT,))
                self.assertIn(b'more than 20000 documents', done.stdout)
                if form == 'sarif':
                    json.loads(done.stdout)
                if form == 'text':
                    self.assertIn(b'35000 more findings', done.stdout)

    def test_the_limits_can_be_changed(self):
        bomb = self.pack('documents.yaml.gz', b'--- {}\n', 5000)
        done = self.check('--max-documents=3000', '--max-findings=10', '-o', 'json', bomb, codes=(strake.INPUT,))
        report = json.loads(done.stdout)
        self.assertEqual(len(report['results']), 3001)
        issues = [issue for result in report['results'] for issue in result['issues']]
        self.assertEqual(len(issues), 12)  # with one for each limit
        self.assertEqual(report['summary']['unlisted'], 2 * 3000 - 10)
        done = self.check('--max-documents=3000', '--max-findings=10', '-o', 'junit', bomb, codes=(strake.INPUT,))
        xml.dom.minidom.parseString(done.stdout)

    def test_one_large_document(self):
        for name, piece, front, end in (('list.yaml.gz', b'- a\n', b'', b''), ('list.json.gz', b'[],', b'[', b'[]]'),
                                        ('text.yaml.gz', b'x' * 64, b'a: ', b''),
                                        ('deep.json.gz', b'[', b'', b'')):
            with self.subTest(name):
                done = self.check(self.pack(name, piece, 4_000_000, front, end))
                self.assertTrue(done.stdout or b'memory' in done.stderr)

    def test_many_documents_with_long_findings(self):
        value = b'y' * 100_000
        manifest = b'---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {x: "' + value + b'"}}\nspec: 3\n'
        with gzip.open(self.folder / 'pods.yaml.gz', 'wb') as out:
            for _ in range(1000):
                out.write(manifest)
        done = self.check('--max-issues=1000000', 'pods.yaml.gz')
        self.assertLess(len(done.stdout), 200_000_000)

    def test_a_stream_of_many_documents_stays_small(self):
        bomb = self.pack('documents.json.gz', b'{"a":"' + b'x' * 800 + b'"}\n', 100_000)
        done = self.check(bomb)
        self.assertIn(b'more documents with errors', done.stdout)

    def test_printed_objects_end_at_the_limit(self):
        bomb = self.pack('maps.yaml.gz', b'---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n', 1_000_000)
        self.check('--print', '-o', 'yaml', bomb, codes=(strake.INPUT,))
        self.check('--print', '-o', 'json', '--max-documents=20000', bomb, codes=(strake.INPUT,))

    def test_other_commands(self):
        documents = self.pack('documents.yaml.gz', b'--- {}\n', 300_000)
        with open(self.folder / 'documents.yaml', 'wb') as out:
            out.write(gzip.open(self.folder / documents).read())
        for args in (('crd', 'lint', documents), ('crd', 'diff', documents, documents), ('fmt', 'documents.yaml'),
                     ('fmt', '--check', 'documents.yaml'), ('cel', '--self', 'documents.yaml', '1'),
                     ('schema', 'explain', 'pods', '-s', documents)):
            with self.subTest(args):
                done = run(*args, cwd=self.folder)
                self.assertIn(done.returncode, (strake.FINE, strake.FINDINGS, strake.INPUT), done.stderr[-500:])

    def test_memory_has_a_limit_of_its_own(self):
        self.pack('list.yaml.gz', b'- a\n', 10_000_000)
        done = subprocess.run([strake.BINARY, 'validate', '--max-memory=100Mi', 'list.yaml.gz'], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=MOST_SECONDS)
        self.assertEqual(done.returncode, strake.INPUT)
        self.assertIn('more than 100 MiB of memory would be needed; --max-memory', done.stderr)


class SpecialFiles(InTemporaryFolder):
    # Every command that reads files, with how it is given one.
    READERS = {
        'validate': ['validate', '{}'],
        'validate -s': ['validate', '-s', '{}', 'good.yaml'],
        'validate --old': ['validate', '--old', '{}', 'good.yaml'],
        'validate --config': ['validate', '--config', '{}', 'good.yaml'],
        'validate --baseline': ['validate', '--baseline', '{}', 'good.yaml'],
        'validate --stream': ['validate', '--stream', '{}'],
        'fmt': ['fmt', '{}'],
        'crd lint': ['crd', 'lint', '{}'],
        'crd diff': ['crd', 'diff', '{}', 'crd.yaml'],
        'schema explain': ['schema', 'explain', 'gardens', '-s', '{}'],
        'schema export': ['schema', 'export', 'gardens', '-s', '{}'],
        'cel': ['cel', '--self', '{}', '1'],
        'openapi info': ['openapi', 'info', '{}'],
        'crd from-pulumi': ['crd', 'from-pulumi', '--in', '{}'],
    }

    def setUp(self):
        super().setUp()
        (self.folder / 'good.yaml').write_text('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')
        (self.folder / 'crd.yaml').write_text('{}\n')

    def test_devices_and_sockets_are_refused_by_every_command(self):
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.folder / 'socket.yaml'))
        for name, kind in (('/dev/zero', b'device'), ('socket.yaml', b'socket')):
            for reader, args in self.READERS.items():
                with self.subTest(reader, name=name):
                    done = run(*[arg.replace('{}', name) for arg in args], cwd=self.folder)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(b'it is a ' + kind, done.stdout + done.stderr)

    def test_a_device_as_standard_input_is_refused(self):
        with open('/dev/zero', 'rb') as zero:
            done = run('validate', '-', stdin=zero)
        self.assertEqual(done.returncode, strake.INPUT)
        self.assertIn(b'it is a device', done.stdout + done.stderr)

    def test_process_substitution_works(self):
        text = self.folder / 'good.yaml'
        for command in ('validate <(cat {0})', 'validate --stream <(echo "{{}}")', 'fmt <(cat {0})', 'validate /dev/stdin < {0}',
                        'cat {0} | {1} validate /dev/stdin', 'validate - < {0}', 'validate /dev/null'):
            with self.subTest(command):
                line = command.format(text, strake.BINARY)
                done = run(line if command.startswith('cat') else f'{strake.BINARY} {line}', shell=True)
                self.assertIn(done.returncode, (strake.FINDINGS,) if '--stream' in command else (strake.FINE,), done)

    def test_a_pipe_in_a_folder_is_skipped_and_said(self):
        os.mkfifo(self.folder / 'pipe.yaml')
        for args in (['validate', '--no-config', '.'], ['fmt', '--check', '.'], ['crd', 'lint', '.']):
            with self.subTest(args):
                done = run(*args, cwd=self.folder)
                self.assertRegex(done.stdout + done.stderr, rb'(1 pipe, socket|skipped \S*pipe.yaml: it is a pipe)')
        done = run('validate', '--verbose', '*.yaml', cwd=self.folder)
        self.assertIn(b'skipped pipe.yaml: a pipe', done.stdout)

    def test_a_build_never_waits_for_a_pipe(self):
        os.mkfifo(self.folder / 'pipe')
        for field in ('resources: [pipe]', 'resources: [good.yaml]\npatches: [{path: pipe}]',
                      'resources: [good.yaml]\nconfigurations: [pipe]', 'resources: [good.yaml]\nopenapi: {path: pipe}',
                      'configMapGenerator: [{name: c, files: [pipe]}]', 'configMapGenerator: [{name: c, envs: [pipe]}]',
                      'resources: [good.yaml]\ntransformers: [pipe]', 'generators: [pipe]', 'crds: [pipe]',
                      'resources: [good.yaml]\nreplacements: [{path: pipe}]', 'resources: [base]'):
            with self.subTest(field):
                (self.folder / 'kustomization.yaml').write_text(field + '\n')
                base = self.folder / 'base'
                base.mkdir(exist_ok=True)
                if not (base / 'kustomization.yaml').exists():
                    os.mkfifo(base / 'kustomization.yaml')
                done = run('build', '.', cwd=self.folder)
                self.assertEqual(done.returncode, strake.INPUT)
                self.assertIn(b'no kustomization.yaml' if 'base' in field else b'it is a pipe', done.stderr)


if __name__ == '__main__':
    unittest.main()
