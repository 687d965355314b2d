"""Every endpoint that a server says it has, asked by everyone: who may, may, and who may not is told nothing.

The expected outcome comes from a plain model of roles in this file, written from the documentation of RBAC and not from the server's code."""
import base64
import http.client
import json
import os
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import server  # noqa: E402
import strake  # noqa: E402
from server import CRDS, widget_crd  # noqa: E402

AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
READ = ('get', 'list', 'watch')
METHODS = {'get': 'GET', 'list': 'GET', 'watch': 'GET', 'create': 'POST', 'update': 'PUT', 'patch': 'PATCH', 'delete': 'DELETE',
           'deletecollection': 'DELETE'}
PUBLIC_URLS = ('/healthz', '/livez', '/readyz', '/version', '/version/')
DISCOVERY_URLS = ('/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz', '/version', '/version/')
ISSUER_URLS = ('/.well-known/openid-configuration', '/.well-known/openid-configuration/', '/openid/v1/jwks', '/openid/v1/jwks/')
SPOOFED = {'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters'}


def rule(verbs, groups, resources, namespace=None):
    return {'verbs': verbs, 'groups': groups, 'resources': resources, 'namespace': namespace}


# What the users of the test hold beside what everyone has.
READER = [rule(READ, ('*',), ('*',))]
EDITOR = [rule(('get', 'list', 'watch', 'create', 'update', 'patch', 'delete'), ('', 'example.com'), ('configmaps', 'widgets', 'widgets/status'))]
OWNER = [rule(('*',), ('*',), ('*',), 'team')]
ROBOT = [rule(READ, ('',), ('configmaps',), 'team')]
BASIC = [rule(('create',), ('authorization.k8s.io',), ('selfsubjectaccessreviews', 'selfsubjectrulesreviews')),
         rule(('create',), ('authentication.k8s.io',), ('selfsubjectreviews',))]


class Identity:
    def __init__(self, name, headers=None, certificate=None, rules=(), known=True, outcome=None):
        self.name, self.headers, self.certificate = name, headers or {}, certificate
        self.rules = list(rules) + (BASIC if known else [])
        self.urls = DISCOVERY_URLS if known else PUBLIC_URLS
        self.outcome = outcome  # 401 or 403 for everything

    def may(self, request):
        if self.outcome:
            return False
        if request['path']:
            return any(path_matches(url, request['path']) for url in self.urls)
        return any(rule_allows(one, request) for one in self.rules)


def path_matches(pattern, path):
    return pattern == path or pattern.endswith('*') and path.startswith(pattern[:-1])


def rule_allows(one, request):
    has = lambda words, word: '*' in words or word in words  # noqa: E731
    return (has(one['verbs'], request['verb']) and has(one['groups'], request['group']) and has(one['resources'], request['resource'])
            and one['namespace'] in (None, request['namespace']))


def endpoints(groups):
    """A request for each verb of each resource that discovery names, in a namespace of each kind."""
    for group in groups:
        name = group['metadata'].get('name', '')
        for version in group['versions']:
            root = f'/apis/{name}/{version["version"]}' if name else f'/api/{version["version"]}'
            for found in version['resources']:
                parts = [(found['resource'], '', found['verbs'])]
                parts += [(found['resource'], one['subresource'], one['verbs']) for one in found.get('subresources', [])]
                spaces = ('team', 'default') if found['scope'] == 'Namespaced' else ('',)
                for resource, subresource, verbs in parts:
                    for verb in verbs:
                        for space in spaces:
                            yield endpoint(root, name, resource, subresource, verb, space)


def endpoint(root, group, resource, subresource, verb, space, name='some'):
    path = root + (f'/namespaces/{space}' if space else '') + f'/{resource}'
    named = subresource or verb in ('get', 'update', 'patch', 'delete')
    if named:
        path += f'/{name}'
    if subresource:
        path += f'/{subresource}'
    query = {'watch': '?watch=1&timeoutSeconds=1', 'get': '', 'list': '?limit=1'}.get(verb, '?dryRun=All')
    # A namespace is in itself: whoever may do something in it may do it to it.
    inside = name if resource == 'namespaces' and named else space
    return {'method': METHODS[verb], 'target': path + query, 'verb': verb, 'group': group, 'path': '',
            'resource': resource + (f'/{subresource}' if subresource else ''), 'namespace': inside}


def url(path):
    return {'method': 'GET', 'target': path, 'verb': 'get', 'path': path, 'group': '', 'resource': '', 'namespace': ''}


class Client:
    def __init__(self, running, identity):
        self.context = ssl.create_default_context(cafile=os.path.join(running.folder, 'pki', 'ca.crt'))
        if identity.certificate:
            self.context.load_cert_chain(*identity.certificate)
        self.address, self.identity, self.connection = running.address, identity, None

    def ask(self, request):
        if self.connection is None:
            self.connection = http.client.HTTPSConnection(self.address, context=self.context, timeout=strake.DEADLINE)
        kind = 'application/merge-patch+json' if request['method'] == 'PATCH' else 'application/json'
        body = '{}' if request['method'] in ('POST', 'PUT', 'PATCH') else None
        self.connection.request(request['method'], request['target'], body, {'Content-Type': kind, **self.identity.headers})
        answer = self.connection.getresponse()
        if request['verb'] == 'watch' and answer.status == 200:
            self.close()  # it would last
            return answer.status, ''
        return answer.status, answer.read().decode()

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def is_denied(code, text, request):
    """Refused for want of a right to this request, and not for what it says."""
    if code == 401:
        return True
    return code == 403 and (f' cannot {request["verb"]} ' in text or ' cannot impersonate' in text)


class AccessMatrix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='strake-matrix-')
        tokens = os.path.join(cls.folder, 'tokens')
        with open(tokens, 'w') as out:
            for name in ('nobody', 'reader', 'editor', 'owner', 'actor'):
                out.write(f'{name}-token,{name},{name}-uid\n')
        os.chmod(tokens, 0o600)
        cls.server = server.Server('--in-memory', '--token-file', tokens, '--log-level', 'off')
        cls.addClassCleanup(cls.server.__exit__, None, None, None)
        cls.prepare()
        cls.identities = cls.make_identities()

    @classmethod
    def post(cls, path, body):
        code, _, answer = cls.server.call('POST', path, body)
        assert code == 201, (path, answer)
        return answer

    @classmethod
    def prepare(cls):
        cls.post(CRDS, widget_crd())
        cls.post('/api/v1/namespaces', {'metadata': {'name': 'team'}})
        cls.post('/api/v1/namespaces/team/serviceaccounts', {'metadata': {'name': 'robot'}})
        for name, rules in (('reader', READER), ('editor', EDITOR), ('owner', OWNER), ('robot', ROBOT)):
            cls.grant(name, rules)
        cls.post('/apis/rbac.authorization.k8s.io/v1/clusterroles',
                 {'metadata': {'name': 'actor'}, 'rules': [{'apiGroups': [''], 'resources': ['users'], 'resourceNames': ['reader'],
                                                            'verbs': ['impersonate']}]})
        cls.bind('actor', '', {'kind': 'User', 'apiGroup': 'rbac.authorization.k8s.io', 'name': 'actor'})
        for space in ('team', 'default'):
            cls.post(f'/api/v1/namespaces/{space}/configmaps', {'metadata': {'name': 'there'}})
            cls.post(f'/api/v1/namespaces/{space}/secrets', {'metadata': {'name': 'there'}})

    @classmethod
    def grant(cls, name, rules):
        cls.post('/apis/rbac.authorization.k8s.io/v1/clusterroles',
                 {'metadata': {'name': name}, 'rules': [{'apiGroups': one['groups'], 'resources': one['resources'], 'verbs': one['verbs']}
                                                        for one in rules]})
        subject = {'kind': 'User', 'apiGroup': 'rbac.authorization.k8s.io', 'name': name}
        if name == 'robot':
            subject = {'kind': 'ServiceAccount', 'name': 'robot', 'namespace': 'team'}
        cls.bind(name, rules[0]['namespace'], subject)

    @classmethod
    def bind(cls, name, space, subject):
        where = f'namespaces/{space}/rolebindings' if space else 'clusterrolebindings'
        cls.post(f'/apis/rbac.authorization.k8s.io/v1/{where}',
                 {'metadata': {'name': name}, 'subjects': [subject],
                  'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'ClusterRole', 'name': name}})

    @classmethod
    def expired_certificate(cls):
        """Of the server's own authority, for a member of system:masters, and out of date."""
        pki = os.path.join(cls.server.folder, 'pki')
        key, request, made = (os.path.join(cls.folder, name) for name in ('old.key', 'old.csr', 'old.crt'))
        run = lambda *words: subprocess.run(['openssl', *words], check=True, capture_output=True)  # noqa: E731
        run('req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', request,
            '-subj', '/O=system:masters/CN=old')
        run('x509', '-req', '-in', request, '-CA', os.path.join(pki, 'ca.crt'), '-CAkey', os.path.join(pki, 'ca.key'), '-CAcreateserial',
            '-out', made, '-days', '-1')
        return made, key

    @classmethod
    def revoked_certificate(cls):
        """Of a user who may read everything, until the user was revoked."""
        file = os.path.join(cls.folder, 'revoked.kubeconfig')
        for words in (('add', 'leaver', '--role', 'reader', '-f', file), ('revoke', 'leaver')):
            done = strake.run('user', *words, '--kubeconfig', cls.server.kubeconfig)
            assert done.returncode == strake.FINE, done.stderr
        return server.client_certificate(file, cls.folder)

    @classmethod
    def kept_token(cls):
        """Of a Secret that the server fills."""
        where = '/api/v1/namespaces/team/secrets'
        cls.post(where, {'metadata': {'name': 'robot', 'annotations': {'kubernetes.io/service-account.name': 'robot'}},
                         'type': 'kubernetes.io/service-account-token'})
        end = time.monotonic() + strake.DEADLINE
        while time.monotonic() < end:
            _, _, secret = cls.server.call('GET', where + '/robot')
            if secret.get('data', {}).get('token'):
                return base64.b64decode(secret['data']['token']).decode()
            time.sleep(0.01)
        raise AssertionError('nobody fills the Secret')

    @classmethod
    def make_identities(cls):
        bearer = lambda name: {'Authorization': f'Bearer {name}-token'}  # noqa: E731
        pki = os.path.join(cls.server.folder, 'pki', 'front-proxy-client')
        proxy = (pki + '.crt', pki + '.key')
        issued = cls.post('/api/v1/namespaces/team/serviceaccounts/robot/token', {'spec': {}})
        robot = Identity('service account', {'Authorization': 'Bearer ' + issued['status']['token']}, rules=ROBOT)
        robot.urls += ISSUER_URLS
        kept = Identity('service account by its Secret', {'Authorization': 'Bearer ' + cls.kept_token()}, rules=ROBOT)
        kept.urls += ISSUER_URLS
        return [
            robot,
            kept,
            Identity('anonymous', known=False),
            Identity('authenticated without rights', bearer('nobody')),
            Identity('reader', bearer('reader'), rules=READER),
            Identity('editor', bearer('editor'), rules=EDITOR),
            Identity('owner of a namespace', bearer('owner'), rules=OWNER),
            Identity('unknown token', {'Authorization': 'Bearer no-such-token'}, outcome=401),
            Identity('expired certificate', certificate=cls.expired_certificate(), outcome=401),
            Identity('revoked certificate', certificate=cls.revoked_certificate(), outcome=401),
            Identity('impersonator', {**bearer('actor'), 'Impersonate-User': 'reader'}, rules=READER),
            Identity('impersonator of another', {**bearer('actor'), 'Impersonate-User': 'owner'}, outcome=403),
            Identity('impersonator of a group', {**bearer('actor'), 'Impersonate-User': 'reader', 'Impersonate-Group': 'system:masters'},
                     outcome=403),
            Identity('front proxy', {'X-Remote-User': 'reader'}, certificate=proxy, rules=READER),
            Identity('front proxy without a user', certificate=proxy, outcome=401),
            Identity('spoofed front proxy', {**bearer('nobody'), **SPOOFED}),
            Identity('anonymous spoofed front proxy', SPOOFED, known=False),
        ]

    def requests(self):
        found = []
        for path in ('/api', '/apis'):
            _, _, answer = self.server.call('GET', path, headers={'Accept': AGGREGATED})
            found += endpoints(answer['items'])
        self.assertGreater(len(found), 200)
        _, _, paths = self.server.call('GET', '/')
        return found + [url(path) for path in (*paths['paths'], '/', '/metrics', '/nothing', '/version', '/apis/none/v1')]

    def test_everyone_may_what_the_roles_say_and_nothing_else(self):
        requests = self.requests()
        wrong, asked, allowed = [], 0, 0
        for identity in self.identities:
            client = Client(self.server, identity)
            for request in requests:
                code, text = client.ask(request)
                asked += 1
                may = identity.may(request)
                allowed += may
                if is_denied(code, text, request) == may or identity.outcome and code != identity.outcome:
                    wrong.append(f'{identity.name}: {request["verb"]} {request["target"]}: {code} {text[:200]!r}, and the model says '
                                 + ('allowed' if may else 'denied'))
            client.close()
        self.assertEqual(wrong[:20], [], f'{len(wrong)} of {asked}')
        # A model that allows all or nothing would agree with a server that does.
        self.assertGreater(allowed, asked // 20)
        self.assertLess(allowed, asked // 2)

    def test_no_refusal_tells_whether_an_object_is_there(self):
        for identity in self.identities:
            client = Client(self.server, identity)
            for space in ('team', 'default'):
                for resource in ('configmaps', 'secrets'):
                    for verb in ('get', 'update', 'patch', 'delete'):
                        there, missing = (endpoint('/api/v1', '', resource, '', verb, space, name) for name in ('there', 'missing'))
                        if identity.may(there):
                            continue
                        first, second = client.ask(there), client.ask(missing)
                        self.assertEqual((first[0], first[1].replace('there', 'missing')), second, f'{identity.name}: {there["target"]}')
            client.close()


if __name__ == '__main__':
    unittest.main()
