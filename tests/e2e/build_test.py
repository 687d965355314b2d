"""strake build with the real git and curl against servers of this test, and with a helm of its own."""
import contextlib
import http.server
import os
import ssl
import stat
import subprocess
import tempfile
import threading
import unittest

import strake

DEPLOYMENT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\n'


def program(folder, name, text):
    """An executable script."""
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


class Files(unittest.TestCase):
    """A folder for sources, and one that stands for the temporary folder of the program: it must be empty after."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = os.path.realpath(folder.name)
        self.scratch = self.path('scratch')
        os.mkdir(self.scratch)
        self.env = {key: value for key, value in os.environ.items() if not key.startswith('GIT_')}
        self.env.update(TMPDIR=self.scratch, HOME=self.path('home'), GIT_CONFIG_NOSYSTEM='1',
                        GIT_AUTHOR_NAME='a', GIT_AUTHOR_EMAIL='a@example.com', GIT_COMMITTER_NAME='a',
                        GIT_COMMITTER_EMAIL='a@example.com', no_proxy='*')
        os.mkdir(self.path('home'))
        self.kustomize = self.path('kustomize')
        os.symlink(strake.BINARY, self.kustomize)

    def path(self, *parts):
        return os.path.join(self.top, *parts)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def link(self, name, to):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.symlink(to, self.path(name))

    def kustomization(self, folder, *lines):
        self.write(f'{folder}/kustomization.yaml', ''.join(f'{line}\n' for line in lines))

    def build(self, folder, *flags, env=None):
        target = folder if '://' in folder or '@' in folder else self.path(folder)
        got = strake.run('build', target, *flags, program=self.kustomize, env={**self.env, **(env or {})})
        self.assertEqual(os.listdir(self.scratch), [], 'a temporary folder was left behind')
        return got

    def built(self, folder, *flags, env=None):
        got = self.build(folder, *flags, env=env)
        self.assertEqual(got.returncode, 0, got.stderr)
        return got.stdout

    def refused(self, folder, *flags, env=None):
        got = self.build(folder, *flags, env=env)
        self.assertEqual(got.returncode, 1, got.stdout)
        self.assertEqual(got.stdout, '')
        return got.stderr


class Repository:
    """A bare repository with a commit on the branch main, the tag v1 before it and the branch next behind it."""

    def __init__(self, test, name, folder='repos'):
        self.test = test
        self.work = test.path('work', name)
        self.bare = test.path(folder, f'{name}.git')
        os.makedirs(self.work)
        self.git('init', '--quiet', '--initial-branch=main', self.work)
        self.commit('tagged', {'kustomization.yaml': 'resources: [c.yaml]\n', 'c.yaml': DEPLOYMENT.format('old')})
        self.git('tag', 'v1')
        self.commit('main', {'c.yaml': DEPLOYMENT.format('main'),
                             'sub/dir/kustomization.yaml': 'resources: [../../up]\nnamePrefix: sub-\n',
                             'up/kustomization.yaml': 'resources: [u.yaml]\n', 'up/u.yaml': DEPLOYMENT.format('up')})
        self.head = self.git('rev-parse', 'HEAD').strip()
        self.git('checkout', '--quiet', '-b', 'next')
        self.commit('next', {'c.yaml': DEPLOYMENT.format('next')})
        self.git('checkout', '--quiet', 'main')
        os.makedirs(os.path.dirname(self.bare), exist_ok=True)
        self.publish()

    def git(self, *args):
        return subprocess.run(['git', *args], cwd=self.work, env=self.test.env, check=True, text=True,
                              stdout=subprocess.PIPE, timeout=strake.DEADLINE).stdout

    def commit(self, message, files, links=()):
        for name, text in files.items():
            path = os.path.join(self.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as file:
                file.write(text)
        for name, to in links:
            os.makedirs(os.path.dirname(os.path.join(self.work, name)), exist_ok=True)
            os.symlink(to, os.path.join(self.work, name))
        self.git('add', '--all')
        self.git('commit', '--quiet', '--message', message)

    def publish(self):
        subprocess.run(['rm', '-rf', self.bare], check=True)
        self.git('clone', '--quiet', '--bare', self.work, self.bare)
        # Commits are asked for by their names.
        subprocess.run(['git', '-C', self.bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true'], check=True,
                       env=self.test.env)


class GitServer(http.server.BaseHTTPRequestHandler):
    """Repositories by git http-backend, other paths as files."""
    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):
        pass

    def reply(self, status, body=b'', **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        path, _, query = self.path.partition('?')
        self.server.asked.append((self.command, self.path, self.headers.get('Authorization')))
        if path.startswith('/wait/'):
            self.server.released.wait(strake.DEADLINE)
            return self.reply(503)
        if path.startswith('/moved/'):
            return self.reply(302, Location=path[len('/moved'):])
        if path.startswith('/private/') and not self.headers.get('Authorization'):
            return self.reply(401, WWW_Authenticate='Basic realm="x"')
        if '.git/' in path:
            return self.run_backend(path, query)
        try:
            with open(os.path.join(self.server.files, path.lstrip('/')), 'rb') as file:
                self.reply(200, file.read())
        except OSError:
            self.reply(404)

    do_GET = do_POST = handle_any

    def run_backend(self, path, query):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        if self.headers.get('Transfer-Encoding') == 'chunked':
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        env = {**os.environ, 'GIT_PROJECT_ROOT': self.server.repositories, 'GIT_HTTP_EXPORT_ALL': '1', 'PATH_INFO': path,
               'QUERY_STRING': query, 'REQUEST_METHOD': self.command, 'REMOTE_ADDR': '127.0.0.1',
               'CONTENT_TYPE': self.headers.get('Content-Type', ''), 'CONTENT_LENGTH': str(len(body)),
               'HTTP_CONTENT_ENCODING': self.headers.get('Content-Encoding', ''),
               'GIT_PROTOCOL': self.headers.get('Git-Protocol', '')}
        done = subprocess.run(['git', 'http-backend'], input=body, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=strake.DEADLINE)
        head, _, content = done.stdout.partition(b'\r\n\r\n')
        headers = dict(line.split(': ', 1) for line in head.decode().splitlines())
        status = int(headers.pop('Status', '200').split()[0])
        self.reply(status, content, **{name.replace('-', '_'): value for name, value in headers.items()})


class Remote(Files):
    @contextlib.contextmanager
    def serving(self, tls=None):
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), GitServer)
        server.daemon_threads = True
        server.repositories = self.path('repos')
        server.files = self.path('files')
        server.asked = []
        server.released = threading.Event()
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        try:
            yield server, f'{"https" if tls else "http"}://127.0.0.1:{server.server_address[1]}'
        finally:
            server.released.set()
            server.shutdown()
            server.server_close()

    def test_a_repository_of_this_machine_at_a_branch_a_tag_and_a_commit(self):
        repository = Repository(self, 'boats')
        url = f'file://{repository.bare}'
        for query, name in (('', 'main'), ('?ref=next', 'next'), ('?ref=v1', 'old'), ('?version=v1', 'old'),
                            (f'?ref={repository.head}', 'main')):
            self.kustomization('over', f'resources: ["{url}{query}"]', 'namePrefix: x-')
            self.assertIn(f'name: x-{name}\n', self.built('over'), query)
        self.assertIn('name: sub-up\n', self.built(f'{url}//sub/dir?ref=main'))
        self.kustomization('over', f'resources: ["{url}?ref=nowhere"]')
        self.assertIn("couldn't find remote ref nowhere", self.refused('over'))
        self.kustomization('over', f'resources: ["{url}//none"]')
        self.assertIn('no such file or directory', self.refused('over'))

    def test_a_repository_over_http_and_the_same_twice(self):
        Repository(self, 'boats', 'repos/org')
        with self.serving() as (server, root):
            self.kustomization('over', 'resources:', f'- {root}/org/boats.git/sub/dir?ref=main', f'- {root}/org/boats.git')
            self.assertEqual(self.built('over').count('kind: ConfigMap'), 2)
            self.kustomization('twice', 'resources: [one, two]')
            for name in ('one', 'two'):
                self.kustomization(f'twice/{name}', f'resources: ["{root}/org/boats.git"]', f'namePrefix: {name}-')
            server.asked.clear()
            self.assertIn('name: two-main\n', self.built('twice'))
            self.assertEqual(sum(method == 'POST' and '/git-upload-pack' in path for method, path, _ in server.asked), 2,
                             'one listing of references and one fetch for both')

    def test_a_repository_over_https(self):
        Repository(self, 'boats', 'repos/org')
        self.write('files/c.yaml', DEPLOYMENT.format('plain'))
        key, cert = self.path('key.pem'), self.path('cert.pem')
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
                        '-keyout', key, '-out', cert, '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
                       check=True, stderr=subprocess.DEVNULL)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(cert, key)
        with self.serving(tls) as (_, root):
            self.kustomization('over', f'resources: ["{root}/org/boats.git", "{root}/c.yaml"]')
            trusting = {'GIT_SSL_CAINFO': cert, 'CURL_CA_BUNDLE': cert}
            self.assertIn('name: plain\n', self.built('over', env=trusting))
            self.assertIn('certificate', self.refused('over', env={'CURL_CA_BUNDLE': cert}))

    def test_submodules_unless_they_are_not_wanted(self):
        with self.serving() as (_, root):
            Repository(self, 'inner', 'repos/org')
            outer = Repository(self, 'outer', 'repos/org')
            outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', f'{root}/org/inner.git', 'inner')
            outer.commit('submodule', {'kustomization.yaml': 'resources: [inner]\n'})
            outer.publish()
            self.assertIn('name: main\n', self.built(f'{root}/org/outer.git'))
            self.assertIn('name: main\n', self.built(f'{root}/org/outer.git?submodules=true'))
            self.assertIn('unable to find one of', self.refused(f'{root}/org/outer.git?submodules=false'))

    def test_plain_files_redirects_and_answers_that_are_none(self):
        self.write('files/a/b/c.yaml', DEPLOYMENT.format('plain'))
        with self.serving() as (_, root):
            self.kustomization('over', f'resources: ["{root}/moved/a/b/c.yaml"]', 'namePrefix: x-')
            self.assertIn('name: x-plain\n', self.built('over'))
            self.kustomization('over', f'resources: ["{root}/none.yaml"]')
            self.assertIn(f"accumulating resources from '{root}/none.yaml': HTTP Error: status code 404 (Not Found)",
                          self.refused('over'))

    def test_a_server_that_does_not_answer_is_given_up_on(self):
        with self.serving() as (_, root):
            # The address of a repository alone: not asked for as a file first.
            self.kustomization('over', f'components: ["{root}/wait/boats.git?timeout=300ms"]')
            self.assertIn("hit 300ms timeout running 'git fetch --depth=1 ", self.refused('over'))

    def test_without_a_network_it_says_what_could_not_be_reached(self):
        self.kustomization('over', 'resources: ["http://nowhere.invalid/c.yaml"]')
        self.assertRegex(self.refused('over'), r'Get "?.*nowhere\.invalid/c\.yaml.*Could not resolve host')
        self.kustomization('over', 'resources: ["https://nowhere.invalid/org/repo.git//x?ref=main"]')
        self.assertIn('Could not resolve host: nowhere.invalid', self.refused('over'))

    def test_nothing_is_fetched_unless_that_is_allowed(self):
        Repository(self, 'boats', 'repos/org')
        with self.serving() as (server, root):
            for url in (f'{root}/c.yaml', f'{root}/org/boats.git', f'file://{self.path("repos/org/boats.git")}',
                        'git@example.com:org/repo', 'https://me:hush@example.com/org/repo'):
                self.kustomization('over', f'resources: ["{url}"]')
                got = strake.run('build', self.path('over'), env=self.env)
                self.assertEqual(got.returncode, strake.UNSUPPORTED, got.stderr)
                self.assertIn('allow it with --allow-remote', got.stderr)
                self.assertNotIn('hush', got.stderr)
            self.assertEqual(server.asked, [])
            self.kustomization('over', f'resources: ["{root}/org/boats.git"]')
            got = strake.run('build', '--allow-remote', self.path('over'), env=self.env)
            self.assertEqual(got.returncode, strake.FINE, got.stderr)

    def test_passwords_reach_the_server_and_no_message(self):
        Repository(self, 'boats', 'repos/private/org')
        with self.serving() as (server, root):
            with_password = root.replace('://', '://me:hush@')
            self.assertIn('name: main\n', self.built(f'{with_password}/private/org/boats.git'))
            self.assertTrue(any(given for _, _, given in server.asked))
            self.write('files/c.yaml', 'a: [')
            for resource in (f'{with_password}/private/org/none.git', f'{with_password}/none.yaml?token=hush',
                             f'{with_password}/c.yaml', f'{with_password}/private/org/boats.git?ref=none',
                             'http://hush@nowhere.invalid/org/repo', 'http://me:hush@nowhere.invalid/x.yaml'):
                self.kustomization('over', f'resources: ["{resource}"]')
                said = self.refused('over')
                self.assertNotIn('hush', said)
                self.assertIn('://***@', said)
            self.kustomization('over', f'resources: ["{with_password}/private/org/boats.git"]',
                               'buildMetadata: [originAnnotations]')
            self.assertNotIn('hush', self.built('over'))

    def test_a_clone_gives_its_own_credentials_to_no_build(self):
        boats = Repository(self, 'boats', 'repos/private/org')
        for name in ('.git/config', 'link/config'):
            boats.commit('curious', {'kustomization.yaml': f'configMapGenerator: [{{name: a, files: [{name}]}}]\n'},
                         links=[('link', '.git')] if name.startswith('link') else ())
            boats.publish()
            with self.serving() as (_, root):
                with_password = root.replace('://', '://me:hush@')
                self.assertNotIn('hush', self.refused(f'{with_password}/private/org/boats.git'))

    def test_ssh_is_asked_with_the_right_arguments(self):
        Repository(self, 'boats', 'repos/org')
        log = self.path('ssh.log')
        ssh = program(self.top, 'ssh', f'#!/bin/sh\nfor word in "$@"; do echo "$word" >> {log}; done\n'
                      f'for last in "$@"; do :; done\ncd {self.path("repos")} && eval "$last"\n')
        env = {'GIT_SSH_COMMAND': ssh, 'GIT_SSH_VARIANT': 'ssh'}
        for url, host in (('git@boats.example:org/boats.git', 'git@boats.example'),
                          ('git@boats.example:org/boats.git//sub/dir?ref=main', 'git@boats.example')):
            self.kustomization('over', f'resources: ["{url}"]', 'namePrefix: x-')
            self.assertIn('name: x-', self.built('over', env=env))
            with open(log) as file:
                words = file.read().splitlines()
            self.assertIn(host, words)
            self.assertIn("git-upload-pack 'org/boats.git'", words)
            os.remove(log)
        self.kustomization('over', 'resources: ["ssh://git@boats.example:2222/org/boats.git"]')
        self.refused('over', env=env)  # an absolute path, which is not here
        with open(log) as file:
            self.assertIn('-p\n2222\ngit@boats.example\n', file.read())

    def test_a_repository_in_the_environment_is_left_alone(self):
        repository = Repository(self, 'boats')
        other = Repository(self, 'other')
        before = other.git('rev-parse', 'HEAD')
        env = {'GIT_DIR': os.path.join(other.work, '.git'), 'GIT_WORK_TREE': other.work, 'GIT_INDEX_FILE': self.path('index')}
        self.assertIn('name: next\n', self.built(f'file://{repository.bare}?ref=next', env=env))
        self.assertEqual(other.git('rev-parse', 'HEAD'), before)
        self.assertEqual(other.git('status', '--porcelain'), '')

    def test_nothing_in_a_clone_leaves_it(self):
        secret = self.write('secret/c.yaml', DEPLOYMENT.format('secret'))
        self.kustomization('secret', 'resources: [c.yaml]')
        repository = Repository(self, 'boats')
        outside = os.path.dirname(secret)
        repository.commit('escapes', {
            'base/kustomization.yaml': f'resources: [../../../..{outside}]\n',
            'folder/kustomization.yaml': 'resources: [../away]\n',
            'chain/kustomization.yaml': 'resources: [../first]\n',
            'file/kustomization.yaml': 'resources: [c.yaml]\n',
            'sibling/kustomization.yaml': 'resources: [../up/u.yaml]\n',
            'local/kustomization.yaml': f'resources: ["file://{self.path("repos/other.git")}"]\n',
        }, links=[('away', outside), ('first', 'second'), ('second', outside), ('file/c.yaml', secret), ('jump', outside)])
        repository.publish()
        url = f'file://{repository.bare}'
        for flags in ((), ('--load-restrictor', 'LoadRestrictionsNone')):
            for folder in ('base', 'folder', 'chain', 'file', 'sibling'):
                said = self.refused(f'{url}//{folder}', *flags)
                self.assertRegex(said, 'security; |no such file', folder)
                self.assertNotIn('name: secret', said)
            self.assertIn('refers to directory outside of repo', self.refused(f'{url}//jump', *flags))
        self.refused(f'{url}//../x')
        Repository(self, 'other')
        with self.serving() as (_, root):
            self.assertIn('is a repository of this machine', self.refused(f'{root}/boats.git//local'))
            self.assertIn('name: main\n', self.built(f'{url}//local'))


HELM = '''#!/bin/sh
{{ printf '%s\\n' "$@"; echo "env $HELM_CONFIG_HOME $HELM_CACHE_HOME $HELM_DATA_HOME"; echo; }} >> {log}
case "$1" in
version) echo "v3.16.2+g13654a5";;
pull) shift; while [ "$1" != --untardir ]; do shift; done
  mkdir -p "$2/boat" && echo 'size: small' > "$2/boat/values.yaml" && echo 'name: boat' > "$2/boat/Chart.yaml";;
template) for word in "$@"; do case "$before" in -f) cat "$word" >> {values}; echo '--' >> {values};; esac; before="$word"; done
  echo 'walk the plank'; echo ---
  printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata:\\n  name: %s\\n' "$2";;
esac
'''


class Helm(Files):
    def setUp(self):
        super().setUp()
        self.log, self.values = self.path('helm.log'), self.path('values.log')
        self.helm = program(self.top, 'helm', HELM.format(log=self.log, values=self.values))

    def inflate(self, *lines, flags=()):
        for path in (self.log, self.values):
            if os.path.exists(path):
                os.remove(path)
        self.kustomization('k', *lines)
        out = self.built('k', '--enable-helm', '--helm-command', self.helm, *flags)
        with open(self.log) as file:
            calls = [call.splitlines() for call in file.read().split('\n\n') if call]
        self.assertEqual(calls[0][:3], ['version', '-c', '--short'])
        return out, calls[1:]

    def given_values(self):
        with open(self.values) as file:
            return file.read().split('--\n')[:-1]

    def chart(self, name='boat', home='k/charts', values='size: small\nsails: [a, b]\n'):
        self.write(f'{home}/{name}/Chart.yaml', f'name: {name}\n')
        self.write(f'{home}/{name}/values.yaml', values)

    def test_a_chart_that_is_there_is_inflated_with_its_own_values(self):
        self.chart()
        out, (call,) = self.inflate('helmCharts: [{name: boat, releaseName: tide}]')
        self.assertIn('name: tide\n', out)
        self.assertEqual(call[:4], ['template', 'tide', self.path('k/charts/boat'), '-f'])
        self.assertEqual(os.path.basename(call[4]), 'boat-kustomize-values.yaml')
        scratch = os.path.dirname(call[4])
        self.assertEqual(call[5:], [f'env {scratch}/helm {scratch}/helm/.cache {scratch}/helm/.data'])
        self.assertEqual(self.given_values(), ['size: small\nsails: [a, b]\n'])

    def test_every_field_becomes_its_argument_in_order(self):
        self.chart()
        self.write('k/more.yaml', 'x: 1\n')
        out, (call,) = self.inflate(
            'helmCharts:', '- name: boat', '  namespace: sea', '  nameTemplate: "{{ x }}"',
            '  additionalValuesFiles: [more.yaml]', '  apiVersions: [a/v1, b/v1]', '  kubeVersion: 1.29.0',
            '  includeCRDs: true', '  skipTests: true', '  skipHooks: true', '  debug: true')
        self.assertEqual(
            [word for word in call[:-1] if 'values' not in word],
            ['template', '--generate-name', self.path('k/charts/boat'), '--namespace', 'sea', '--name-template', '{{ x }}',
             '-f', '-f', self.path('k/more.yaml'), '--api-versions', 'a/v1', '--api-versions', 'b/v1',
             '--kube-version', '1.29.0', '--include-crds', '--skip-tests', '--no-hooks', '--debug'])

    def test_flags_fill_in_what_the_kustomization_leaves_open(self):
        self.chart()
        flags = ('--helm-kube-version', '1.30.0', '--helm-api-versions', 'c/v1', '--helm-debug')
        _, (call,) = self.inflate('helmCharts: [{name: boat, releaseName: r}]', flags=flags)
        self.assertEqual(call[5:-1], ['--api-versions', 'c/v1', '--kube-version', '1.30.0', '--debug'])
        _, (call,) = self.inflate('helmCharts: [{name: boat, releaseName: r, kubeVersion: 1.29.0}]', flags=flags[:2])
        self.assertEqual(call[5:-1], ['--kube-version', '1.29.0'])

    def test_values_are_merged_overridden_or_replaced(self):
        self.chart()
        for merge, size, more in (('', 'large', True), ('override', 'large', True), ('merge', 'small', True),
                                  ('replace', 'large', False)):
            self.inflate('helmCharts:', '- name: boat', '  releaseName: r', f'  valuesMerge: "{merge}"',
                         '  valuesInline: {size: large, crew: [c]}')
            values, = self.given_values()
            self.assertIn(f'size: {size}\n', values, merge)
            self.assertIn('crew:\n- c\n', values, merge)
            self.assertEqual('sails:' in values, more, merge)
        self.kustomization('k', 'helmCharts: [{name: boat, valuesMerge: mix}]')
        self.assertIn('valuesMerge must be one of [merge override replace]',
                      self.refused('k', '--enable-helm', '--helm-command', self.helm))

    def test_a_values_file_of_the_kustomization(self):
        self.chart()
        self.write('k/mine.yaml', 'size: huge\n')
        self.inflate('helmCharts: [{name: boat, releaseName: r, valuesFile: mine.yaml}]')
        self.assertEqual(self.given_values(), ['size: huge\n'])

    def test_a_chart_that_is_not_there_is_pulled(self):
        _, (pull, template) = self.inflate('helmCharts:', '- name: boat', '  repo: https://charts.example', '  version: 1.2.3',
                                           '  releaseName: r')
        home = self.path('k/charts/boat-1.2.3')
        self.assertEqual(pull[:-1], ['pull', '--untar', '--untardir', home, '--repo', 'https://charts.example', 'boat',
                                     '--version', '1.2.3'])
        self.assertEqual(template[2], f'{home}/boat')
        _, (pull, _) = self.inflate('helmGlobals: {chartHome: oci}',
                                    'helmCharts: [{name: boat, repo: "oci://r.example/x/", releaseName: r}]')
        self.assertEqual(pull[3:-1], [self.path('k/oci'), 'oci://r.example/x/boat'])
        self.kustomization('k2', 'helmCharts: [{name: boat}]')
        self.assertIn(f"no repo specified for pull, no chart found at '{self.path('k2/charts/boat')}'",
                      self.refused('k2', '--enable-helm', '--helm-command', self.helm))

    def test_homes_are_where_the_kustomization_says(self):
        self.chart(home='k/own')
        _, (call,) = self.inflate('helmGlobals: {chartHome: own, configHome: /conf}',
                                  'helmCharts: [{name: boat, releaseName: r}]')
        self.assertEqual(call[2], self.path('k/own/boat'))
        self.assertEqual(call[-1], 'env /conf /conf/.cache /conf/.data')

    def test_a_clone_inflates_no_charts_outside_of_it(self):
        self.chart(home='elsewhere')
        repository = Repository(self, 'boats')
        repository.commit('charts', {
            'k/kustomization.yaml': f'helmGlobals: {{chartHome: "{self.path("elsewhere")}"}}\nhelmCharts: [{{name: boat}}]\n',
            'n/kustomization.yaml': f'helmCharts: [{{name: "../../../../..{self.path("elsewhere/boat")}", valuesFile: v.yaml}}]\n',
            'n/v.yaml': ''})
        repository.publish()
        for folder in ('k', 'n'):
            self.assertIn('security; ', self.refused(f'file://{repository.bare}//{folder}', '--enable-helm', '--helm-command',
                                                     self.helm, '--load-restrictor', 'LoadRestrictionsNone'), folder)
        self.assertFalse(os.path.exists(self.log), 'helm was run')

    def test_what_goes_wrong_is_told(self):
        self.chart()
        self.kustomization('k', 'helmCharts: [{name: boat, releaseName: r}]')
        self.assertIn('must specify --enable-helm', self.refused('k'))
        self.assertIn("(is 'no-helm-here' installed?)", self.refused('k', '--enable-helm', '--helm-command', 'no-helm-here'))
        old = program(self.top, 'helm2', '#!/bin/sh\necho "Client: v2.17.0+ga690bad"\n')
        self.assertIn('this plugin requires helm V3 but got v2.17.0', self.refused('k', '--enable-helm', '--helm-command', old))
        broken = program(self.top, 'broken', '#!/bin/sh\n[ "$1" = version ] && echo v3.1.0 && exit\necho bad chart >&2\nexit 7\n')
        self.assertRegex(self.refused('k', '--enable-helm', '--helm-command', broken),
                         r"(?s)bad chart\n: unable to run: '.*broken template r .*\): exit status 7")
        for chart in ('{name: boat, releaseName: "--post-renderer=x"}', '{name: "-x", repo: "https://c.example"}'):
            self.kustomization('k', f'helmCharts: [{chart}]')
            self.assertIn('cannot be the name of a chart or release',
                          self.refused('k', '--enable-helm', '--helm-command', self.helm))


class Restriction(Files):
    """Files are read at or below the root of the kustomization that names them, and nowhere else."""

    def setUp(self):
        super().setUp()
        self.write('out/c.yaml', DEPLOYMENT.format('outside'))
        self.write('out/values.env', 'a=b\n')
        self.kustomization('out', 'resources: [c.yaml]')
        self.write('in/c.yaml', DEPLOYMENT.format('inside'))
        self.link('in/link.yaml', '../out/c.yaml')
        self.link('in/linked', '../out')
        self.link('in/first.yaml', 'second.yaml')
        self.link('in/second.yaml', 'linked/c.yaml')
        self.link('in/round.yaml', 'linked/../in/c.yaml')
        self.link('in/loop.yaml', 'loop.yaml')
        self.link('in/fine.yaml', './c.yaml')

    def paths(self, name='c.yaml'):
        yield f'../out/{name}'
        yield f'sub/../../out/{name}'
        yield self.path('out', name)
        yield f'linked/{name}'
        if name == 'c.yaml':
            yield from ('link.yaml', 'first.yaml', 'second.yaml')

    def test_no_field_reads_outside(self):
        for path in self.paths():
            for line in (f'resources: ["{path}"]', f'patches: [{{path: "{path}"}}]', f'patchesStrategicMerge: ["{path}"]',
                         f'patches: [{{path: "{path}", target: {{kind: ConfigMap}}}}]',
                         f'patchesJson6902: [{{path: "{path}", target: {{version: v1, kind: ConfigMap, name: x}}}}]',
                         f'configMapGenerator: [{{name: x, files: ["{path}"]}}]',
                         f'configMapGenerator: [{{name: x, files: ["key={path}"]}}]',
                         f'secretGenerator: [{{name: x, files: ["{path}"]}}]', f'secretGenerator: [{{name: x, envs: ["{path}"]}}]',
                         f'configMapGenerator: [{{name: x, env: "{path}"}}]', f'openapi: {{path: "{path}"}}',
                         f'openapi: {{strake: {{schemas: ["{path}"]}}}}', f'crds: ["{path}"]', f'configurations: ["{path}"]',
                         f'replacements: [{{path: "{path}"}}]', f'generators: ["{path}"]', f'transformers: ["{path}"]',
                         f'validators: ["{path}"]'):
                self.kustomization('in', line)
                said = self.refused('in')
                self.assertRegex(said, r"security; file '.*' is not in or below '.*/in'|cannot be absolute|file is not directory",
                                 line)
                self.assertIn('security; ', said, line)
                self.assertNotIn('outside', said, line)

    def test_values_of_charts_are_files_like_others(self):
        helm = program(self.top, 'helm', '#!/bin/sh\necho v3.1.0\n')
        self.write('in/charts/boat/Chart.yaml', 'name: boat\n')
        self.write('in/charts/boat/values.yaml', 'a: b\n')
        for path in self.paths():
            for field in (f'valuesFile: "{path}"', f'additionalValuesFiles: ["{path}"]'):
                self.kustomization('in', f'helmCharts: [{{name: boat, releaseName: r, {field}}}]')
                self.assertIn("is not in or below '", self.refused('in', '--enable-helm', '--helm-command', helm), field)

    def test_a_base_has_a_root_of_its_own(self):
        self.kustomization('top', 'resources: [../in]')
        self.kustomization('in', 'resources: [link.yaml]')
        self.assertIn("is not in or below '" + self.path('in'), self.refused('top'))
        self.kustomization('in', 'resources: [../top/t.yaml]')
        self.write('top/t.yaml', DEPLOYMENT.format('above'))
        self.assertIn('security; ', self.refused('top'))

    def test_links_that_stay_inside_are_followed(self):
        for path in ('fine.yaml', './c.yaml', 'sub/../c.yaml', self.path('in/c.yaml'), 'round.yaml'):
            self.kustomization('in', f'resources: ["{path}"]')
            self.assertIn('name: inside\n', self.built('in'), path)
        self.kustomization('in', 'resources: [loop.yaml]')
        self.assertIn('too many links', self.refused('in'))

    def test_it_can_be_lifted(self):
        self.kustomization('in', 'resources: [../out/c.yaml]')
        self.assertIn('name: outside\n', self.built('in', '--load-restrictor', 'LoadRestrictionsNone'))
        self.assertIn('legal values', self.refused('in', '--load-restrictor', 'Some'))


if __name__ == '__main__':
    unittest.main()
