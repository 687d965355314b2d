"""Plays the conversations of tests/corpus/apiserver with a server, and normalises its answers so that they can be compared.

A conversation is {"name", "steps"}. A step has an `id`, a request (`method`, `path`, and optionally `headers` and `body`) and
`expect`, the normalised answer. `until` ("code=200", "status.phase=Active") repeats the request until it holds. Answers to steps with
`ignore` are not recorded. ${ID:rv} in a path or body is the resource version in the answer to an earlier step."""
import json
import re
import time
import urllib.error
import urllib.request

DEADLINE_SECONDS = 30
# Values that only a live server knows, by the name of their field.
VOLATILE = {'uid': '<uid>', 'resourceVersion': '<rv>', 'creationTimestamp': '<time>', 'deletionTimestamp': '<time>', 'time': '<time>',
            'lastTransitionTime': '<time>', 'continue': '<continue>', 'storageVersionHash': '<hash>'}
UID = re.compile(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')


def normalised(value, key=''):
    if isinstance(value, dict):
        return {name: normalised(one, name) for name, one in sorted(value.items())}
    if isinstance(value, list):
        return [normalised(one) for one in value]
    if isinstance(value, str):
        if value and key in VOLATILE:
            return VOLATILE[key]
        value = UID.sub('<uid>', value)
        return re.sub(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', '<time>', value)
    return value


def written_in_one_second(value):
    """The answer as it would be had all managers written within one second.

    kube-apiserver 1.36 sorts managedFields by operation, then by time in whole seconds, then by manager, API version and
    subresource. Where a second ends between two writes their entries change places, in a recording as on a slow machine. A list that
    is not in that order by its own times stays as it is, and so is found to differ. Recorded lists have no times."""
    if isinstance(value, list):
        return [written_in_one_second(one) for one in value]
    if not isinstance(value, dict):
        return value
    out = {name: written_in_one_second(one) for name, one in value.items()}
    entries = out.get('managedFields')
    if isinstance(entries, list) and all(isinstance(one, dict) for one in entries):
        def order(one, time):
            return (one.get('operation', ''), time, one.get('manager', ''), one.get('apiVersion', ''), one.get('subresource', ''))
        recorded = any(one.get('time') == '<time>' for one in entries)
        if recorded or entries == sorted(entries, key=lambda one: order(one, one.get('time', ''))):
            out['managedFields'] = sorted(entries, key=lambda one: order(one, ''))
    return out


def at(value, path):
    for name in path.split('.'):
        if isinstance(value, list):
            value = value[int(name)] if int(name) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


class Player:
    def __init__(self, url, context):
        self.url = url
        self.context = context
        self.versions = {}

    def request(self, method, path, body=None, headers=None):
        """(code, content type, warnings, body: parsed, unless it is no JSON)"""
        request = urllib.request.Request(self.url + self.filled(path), method=method)
        request.add_header('Accept', 'application/json')
        if body is not None:
            request.data = self.filled(json.dumps(body)).encode()
            request.add_header('Content-Type', 'application/json')
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            answer = urllib.request.urlopen(request, context=self.context, timeout=DEADLINE_SECONDS)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read().decode()
        if 'watch=' in path and answer.status == 200:
            parsed = [json.loads(line) for line in text.splitlines()]
        else:
            parsed = json.loads(text) if text.startswith(('{', '[')) else text
        return answer.status, answer.headers['Content-Type'].split(';')[0], answer.headers.get_all('Warning') or [], parsed

    def filled(self, text):
        return re.sub(r'\$\{([^:}]+):rv\}', lambda found: self.versions[found[1]], text)

    def answer(self, step):
        """The answer to a step, as `expect` has it."""
        until = step.get('until')
        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            code, kind, warnings, body = self.request(step['method'], step['path'], step.get('body'), step.get('headers'))
            holds = until is None or until == f'code={code}' or str(at(body, until.split('=')[0])) == until.split('=')[1]
            if holds:
                break
            if time.monotonic() > deadline:
                raise AssertionError(f'{step["id"]}: {until} did not come true: {body}')
            time.sleep(0.05)
        if isinstance(body, dict):
            self.versions[step['id']] = (body.get('metadata') or {}).get('resourceVersion', '')
        return {'code': code, 'type': kind, 'warnings': warnings, 'body': normalised(written_in_one_second(body))}

    def differences(self, conversation):
        """The steps whose answers are not the recorded ones, with both."""
        out = []
        for step in conversation['steps']:
            got = self.answer(step)
            if not step.get('ignore') and without_ages(got) != without_ages(written_in_one_second(step['expect'])):
                out.append(f'{conversation["name"]} / {step["id"]}\n  want {json.dumps(step["expect"])}\n  got  {json.dumps(got)}')
        return out


def without_ages(answer):
    """A table shows how old objects are, which depends on the machine."""
    return re.sub(r'"\d+s"', '"<age>"', json.dumps(answer, sort_keys=True))
