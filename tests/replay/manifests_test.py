"""Published manifests of the built-in kinds, and changed ones, created on a server as test environments start it: the answers of
kube-apiserver 1.36, with their objects, errors and warnings."""
import collections
import http.client
import importlib.util
import json
import os
import re
import ssl
import sys
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import server  # noqa: E402
import strake  # noqa: E402

VECTORS = os.environ.get('STRAKE_VECTORS') or os.path.join(strake.SOURCE, '..', 'shared', 'vectors')
MANIFESTS = os.path.join(VECTORS, 'builtin')
HAS_YAML = importlib.util.find_spec('yaml') is not None
LEFT_OUT = ('managedFields', 'uid', 'creationTimestamp', 'resourceVersion', 'generation')


def kubernetes_loader():
    """Reads YAML as Kubernetes does: without timestamps and numbers of base 60."""
    import yaml

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {}

    numbers = {'tag:yaml.org,2002:int': r'[-+]?(0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)$',
               'tag:yaml.org,2002:float': r'[-+]?([0-9][0-9_]*)?\.[0-9_]*([eE][-+]?[0-9]+)?$|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+$'}
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items():
        for tag, pattern in resolvers:
            if tag not in ('tag:yaml.org,2002:timestamp', 'tag:yaml.org,2002:value', *numbers):
                Loader.yaml_implicit_resolvers.setdefault(first, []).append((tag, pattern))
    for tag, pattern in numbers.items():
        Loader.add_implicit_resolver(tag, re.compile(pattern), list('-+.0123456789'))
    return lambda text: yaml.load(text, Loader)


class Client:
    """One connection of the administrator."""

    def __init__(self, running):
        context = ssl.create_default_context(cafile=os.path.join(running.folder, 'pki', 'ca.crt'))
        context.load_cert_chain(running.certificate, running.key)
        self.connection = http.client.HTTPSConnection(urllib.parse.urlparse(running.url).netloc, context=context, timeout=strake.DEADLINE)

    def call(self, method, path, body=None):
        self.connection.request(method, path, json.dumps(body) if body is not None else None, {'Content-Type': 'application/json'})
        response = self.connection.getresponse()
        text = response.read()
        return response.status, response.headers.get_all('Warning') or [], json.loads(text)


class Resources:
    """Where objects of a kind are created."""

    def __init__(self, client):
        self.client = client
        self.known = {}

    def path(self, api_version, kind):
        if api_version not in self.known:
            base = f'/apis/{api_version}' if '/' in api_version else f'/api/{api_version}'
            listed = self.client.call('GET', base)[2]['resources']
            self.known[api_version] = {one['kind']: f'{base}/namespaces/default/{one["name"]}' if one['namespaced'] else f'{base}/{one["name"]}'
                                       for one in listed if '/' not in one['name']}
        return self.known[api_version][kind]


@unittest.skipUnless(os.path.exists(MANIFESTS), f'the recordings are not here: {VECTORS}')
@unittest.skipUnless(HAS_YAML, 'python3-yaml is not installed')
class RecordedManifests(unittest.TestCase):
    def test_manifests_get_the_recorded_answers(self):
        sys.path.insert(0, os.path.join(VECTORS, '..', 'tools'))
        import replay
        load = kubernetes_loader()
        with open(os.path.join(MANIFESTS, 'index.jsonl')) as lines:
            kinds = {one['file']: (one['apiVersion'], one['kind']) for one in map(json.loads, lines)}
        with open(os.path.join(MANIFESTS, 'verdicts.jsonl')) as lines:
            verdicts = [json.loads(line) for line in lines]
        self.assertGreater(len(verdicts), 2000)
        same, differing = collections.Counter(), []
        with server.Server('--in-memory', *server.HARNESS) as running:
            client = Client(running)
            resources = Resources(client)
            for want in verdicts:
                with open(os.path.join(MANIFESTS, 'manifests', want['file'])) as file:
                    manifest = load(file.read())
                metadata = manifest.setdefault('metadata', {})
                metadata.pop('namespace', None)
                if not metadata.get('name') and not metadata.get('generateName'):
                    metadata['name'] = 'x'
                path = resources.path(*kinds[want['file']])
                answer = client.call('POST', path + '?dryRun=All&fieldValidation=Strict', manifest)
                got = self.verdict(replay, want['file'], answer, is_named='name' in metadata)
                if got == want:
                    same[want['code']] += 1
                else:
                    differing.append(f'{want["file"]}\n  want {self.told(want, got)}\n  got  {self.told(got, want)}')
        print(f'manifests: {sum(same.values())} of {len(verdicts)} with the recorded answer, {dict(same)}', file=sys.stderr)
        self.assertEqual(differing, [], '\n'.join(differing[:40]))

    def told(self, one, other):
        """What differs between two verdicts, of the one."""
        return json.dumps({key: value for key, value in one.items() if other.get(key) != value})[:4000]

    def verdict(self, replay, file, answer, is_named):
        code, warnings, body = answer
        if code < 400 and not is_named:
            name = body['metadata']['name']
            body = json.loads(json.dumps(body).replace(name, name[:-5] + '<sfx>'))
        body = replay.scrub(body)
        out = {'file': file, 'code': code}
        if warnings:
            out['warnings'] = sorted(warnings)
        if code >= 400:
            return {**out, 'status': replay.settle(body)}
        metadata = body['metadata']
        for key in LEFT_OUT:
            metadata.pop(key, None)
        if body['kind'] == 'CertificateSigningRequest':
            for key in ('username', 'uid', 'groups', 'extra'):
                body.get('spec', {}).pop(key, None)
        return {**out, 'object': body}


if __name__ == '__main__':
    unittest.main()
