"""Records the expectations of this folder again. usage: STRAKE_BINARY=… STRAKE_BUILD=… STRAKE_SOURCE=… record.py [KIND...]

Requests, manifests and kustomizations are written by hand. Their answers come from a fresh `strake serve`, from kubectl (explain)
and from `kubectl kustomize`. Record only with a program that agrees with all recordings, and review the result as a diff.
"""
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'e2e'), os.path.join(HERE, '..', 'replay')]
import conversation  # noqa: E402
import server  # noqa: E402
import strake  # noqa: E402

CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
STRICT = '?dryRun=All&fieldValidation=Strict'


def path(*parts):
    return os.path.join(HERE, *parts)


def read_json(name):
    with open(name) as file:
        return json.load(file)


def read_yaml(name=None, text=None):
    """The one document as JSON, read by strake itself: Python has no YAML of its own."""
    args = ['fmt', '--to', 'json', '--duplicates=last', '-'] if text is not None else ['fmt', '--to', 'json', '--duplicates=last', name]
    done = strake.run(*args, **({'input': text} if text is not None else {}))
    return json.loads(done.stdout)


def write(name, text):
    with open(name, 'w') as file:
        file.write(text)


def write_lines(name, values):
    write(name, ''.join(json.dumps(one) + '\n' for one in values))


def write_steps(name, value, key='steps'):
    """One step a line, so that a change shows as one."""
    lines = ',\n'.join(json.dumps(step, ensure_ascii=False) for step in value[key])
    rest = {k: v for k, v in value.items() if k != key}
    write(name, json.dumps(rest, ensure_ascii=False)[:-1] + f', "{key}": [\n{lines}\n]}}\n')


class Live:
    """A fresh server and a player for it."""

    def __enter__(self):
        self.server = server.Server()
        self.player = conversation.Player(self.server.url, self.server.context())
        return self

    def __exit__(self, *failure):
        self.server.__exit__(*failure)

    def install(self, crd):
        name = crd['metadata']['name']
        self.player.request('POST', CRDS, crd)
        self.player.answer({'id': 'established', 'method': 'GET', 'path': f'{CRDS}/{name}', 'until': 'status.conditions.1.status=True'})

    def collection(self, crd, version):
        spec = crd['spec']
        space = '/namespaces/default' if spec['scope'] == 'Namespaced' else ''
        return f'/apis/{spec["group"]}/{version}{space}/{spec["names"]["plural"]}'


def verdict(answer):
    code, _, _, body = answer
    return {'code': code, 'object' if code < 300 else 'status': conversation.normalised(body)}


def record_conversations():
    for name in sorted(glob.glob(path('apiserver', '*.json'))):
        with Live() as live:
            told = read_json(name)
            for step in told['steps']:
                answer = live.player.answer(step)
                if 'as=Table' in step.get('headers', {}).get('Accept', ''):
                    # How old objects are depends on the machine.
                    answer = json.loads(re.sub(r'"\d+s"', '"0s"', json.dumps(answer)))
                if not step.get('ignore'):
                    step['expect'] = answer
            write_steps(name, told)


def record_crds():
    with Live() as live:
        out = []
        for name in sorted(glob.glob(path('crds', '*.yaml'))):
            code, _, warnings, _ = live.player.request('POST', CRDS + '?dryRun=All', read_yaml(name))
            out.append({'file': os.path.basename(name), 'code': code, 'warnings': warnings})
        write_lines(path('crds', 'verdicts.jsonl'), out)


def record_verdicts():
    out = []
    with Live() as live:
        for folder in sorted(os.listdir(path('crs'))):
            if folder == 'suites' or not os.path.isdir(path('crs', folder)):
                continue
            crd = read_yaml(path('crds', folder + '.yaml'))
            live.install(crd)
            for name in sorted(os.listdir(path('crs', folder))):
                body = read_yaml(path('crs', folder, name))
                body.setdefault('metadata', {}).setdefault('name', 'x')
                where = live.collection(crd, body['apiVersion'].split('/')[1]) + STRICT
                out.append({'file': f'{folder}/{name}', **verdict(live.player.request('POST', where, body))})
    write_lines(path('crs', 'verdicts.jsonl'), out)


def record_suites():
    out = []
    with open(path('crs', 'suites', 'openshift.jsonl')) as file:
        cases = [json.loads(line) for line in file]
    for case in cases:
        with Live() as live:
            crd = read_yaml(path(case['crd']))
            patches = case.get('initialCRDPatches')
            live.install(crd)
            headers = {'Content-Type': 'application/json-patch+json'}
            if patches:
                live.player.request('PATCH', f'{CRDS}/{crd["metadata"]["name"]}', patches, headers)
            where = live.collection(crd, case['version'])
            initial = {'metadata': {'generateName': 'test-'}, **read_yaml(text=case['initial'])}
            key = f'{case["suite"]}#{case["version"]}#{case["kind"]}#{case["index"]}'
            answer = live.player.request('POST', where, initial)
            said = {'case': key, 'create': verdict(answer)}
            out.append(said)
            if case['kind'] == 'onCreate' or answer[0] != 201:
                continue
            name = answer[3]['metadata']['name']
            if 'status' in initial:
                live.player.request('PATCH', f'{where}/{name}/status', {'status': initial['status']},
                                    {'Content-Type': 'application/merge-patch+json'})
            if patches:
                crd['metadata']['resourceVersion'] = live.player.request('GET', f'{CRDS}/{crd["metadata"]["name"]}')[3]['metadata']['resourceVersion']
                live.player.request('PUT', f'{CRDS}/{crd["metadata"]["name"]}', crd)
            stored = live.player.request('GET', f'{where}/{name}')[3]
            updated = read_yaml(text=case['updated'])
            updated['metadata'] = {'name': name, 'resourceVersion': stored['metadata']['resourceVersion']}
            changed = live.player.request('PUT', f'{where}/{name}', updated)
            said['update'] = verdict(changed)
            if changed[0] == 200 and 'status' in updated:
                body = {**changed[3], 'status': updated['status']}
                said['status'] = verdict(live.player.request('PUT', f'{where}/{name}/status', body))
    text = ''.join(json.dumps(one) + '\n' for one in out)
    write(path('crs', 'suites', 'openshift-verdicts.jsonl'), text)


def record_openapi():
    os.makedirs(path('openapi'), exist_ok=True)
    # One CRD with several versions is enough; another would add little but bytes.
    for name in sorted(glob.glob(path('crds', 'pumps.*.yaml'))):
        crd = read_yaml(name)
        group = crd['spec']['group']
        aggregated = {'Accept': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'}
        with Live() as live:
            live.install(crd)
            get = lambda where, headers=None: live.player.request('GET', where, headers=headers)[3]
            versions = [one['name'] for one in crd['spec']['versions'] if one['served']]
            v2 = get('/openapi/v2')
            ours = '.'.join(reversed(group.split('.')))
            out = {'crd': crd, 'discovery': {'group': get(f'/apis/{group}'), **{v: get(f'/apis/{group}/{v}') for v in versions}},
                   'aggregated': [one for one in get('/apis', aggregated)['items'] if one['metadata']['name'] == group],
                   'v3': {v: get(f'/openapi/v3/apis/{group}/{v}') for v in versions},
                   'v2': {'definitions': {k: v for k, v in v2['definitions'].items() if k.startswith(ours + '.')},
                          'paths': {k: v for k, v in v2['paths'].items() if k.startswith(f'/apis/{group}/v')}}}
            for one in out['v3'].values():
                one['paths'] = {k: v for k, v in one['paths'].items() if group in k}
        write(path('openapi', os.path.basename(name)[:-5] + '.json'), json.dumps(out, sort_keys=True) + '\n')


def settled(text):
    """As recordings of kubectl have it: runs of spaces and spaces at the ends of lines are cut."""
    return re.sub(r'[ \t]+(?=\n|$)', '', re.sub(r' {2,}', '  ', text))


def record_explain():
    told = read_json(path('kubectl', 'explain.json'))
    with Live() as live:
        live.install(read_yaml(text=told['files']['crd.yaml']))
        for step in told['steps']:
            done = subprocess.run(['kubectl', *step['run'].split()], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**os.environ, 'KUBECONFIG': live.server.kubeconfig, 'HOME': live.server.folder})
            step['expect'] = {'code': done.returncode, 'out': settled(done.stdout), 'err': settled(done.stderr)}
    write_steps(path('kubectl', 'explain.json'), told)


def record_builds():
    for folder in sorted(glob.glob(path('kustomize', '*', ''))):
        target = ''
        if os.path.exists(folder + 'target'):
            with open(folder + 'target') as file:
                target = file.read().strip()
        done = subprocess.run(['kubectl', 'kustomize', folder + 'input/' + target], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode == 0:
            write(folder + 'expected.yaml', done.stdout)
        # kubectl 1.32 logs an error: … "command failed" err="what went wrong"
        logged = re.search(r' err=("(?:[^"\\]|\\.)*")$', done.stderr.strip())
        said = json.loads(logged[1]) + '\n' if logged else done.stderr
        if said:
            write(folder + ('expected.err' if done.returncode else 'expected.warn'), said.replace(folder + 'input', '${ROOT}'))


KINDS = {'conversations': record_conversations, 'crds': record_crds, 'verdicts': record_verdicts, 'suites': record_suites,
         'openapi': record_openapi, 'explain': record_explain, 'builds': record_builds}

if __name__ == '__main__':
    for kind in sys.argv[1:] or KINDS:
        KINDS[kind]()
