"""What tests of operators do, as a suite of small tests: each behaviour with each of its cases is one test. The whole table runs twice, with a
server for each test and with one server and a namespace for each test, and prints how long that took.
"""
import base64
import contextlib
import copy
import hashlib
import http.client
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.parse

import strake

MERGE = 'application/merge-patch+json'
STRATEGIC = 'application/strategic-merge-patch+json'
JSON_PATCH = 'application/json-patch+json'
APPLY = 'application/apply-patch+yaml'

CACHES = {
    'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'caches.suite.example.com'},
    'spec': {
        'group': 'suite.example.com', 'scope': 'Namespaced',
        'names': {'plural': 'caches', 'singular': 'cache', 'kind': 'Cache', 'listKind': 'CacheList'},
        'versions': [{
            'name': 'v1', 'served': True, 'storage': True,
            'subresources': {'status': {}, 'scale': {'specReplicasPath': '.spec.replicas', 'statusReplicasPath': '.status.replicas',
                                                     'labelSelectorPath': '.status.selector'}},
            'selectableFields': [{'jsonPath': '.spec.engine'}],
            'schema': {'openAPIV3Schema': {
                'type': 'object', 'required': ['spec'],
                'properties': {
                    'spec': {
                        'type': 'object', 'required': ['engine'],
                        'properties': {
                            'engine': {'type': 'string', 'enum': ['redis', 'valkey', 'memcached']},
                            'replicas': {'type': 'integer', 'format': 'int32', 'minimum': 0, 'maximum': 9, 'default': 1},
                            'memory': {'x-kubernetes-int-or-string': True},
                            'host': {'type': 'string', 'pattern': '^[a-z.]+$', 'maxLength': 20},
                            'users': {'type': 'array', 'maxItems': 3, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'],
                                      'items': {'type': 'object', 'required': ['name'],
                                                'properties': {'name': {'type': 'string', 'minLength': 1}, 'role': {'type': 'string', 'default': 'reader'}}}},
                            'persistence': {'type': 'object', 'properties': {'enabled': {'type': 'boolean', 'default': False}, 'size': {'type': 'string'}}}},
                        'x-kubernetes-validations': [
                            {'rule': "self.engine != 'memcached' || !has(self.persistence) || !self.persistence.enabled",
                             'message': 'memcached keeps nothing'},
                            {'rule': 'self.engine == oldSelf.engine', 'message': 'the engine cannot change'}]},
                    'status': {'type': 'object', 'properties': {
                        'phase': {'type': 'string'}, 'replicas': {'type': 'integer'}, 'selector': {'type': 'string'},
                        'observedGeneration': {'type': 'integer'}}}}}}}]}}


# --- how tests speak with a server ----------------------------------------------------------------------------------------

class TestServer:
    """A `strake testserver` without a command; ends when it is left."""

    def __init__(self, *args):
        self.process = subprocess.Popen([strake.BINARY, 'testserver', *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError('the server did not start')
        told = json.loads(line)
        self.address = urllib.parse.urlparse(told['url']).netloc
        self.context = ssl.create_default_context(cafile=told['certificateAuthority'])
        self.context.load_cert_chain(told['clientCertificate'], told['clientKey'])

    def connect(self):
        return http.client.HTTPSConnection(self.address, context=self.context, timeout=strake.DEADLINE)

    def stop(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(strake.DEADLINE)


class Refused(Exception):
    def __init__(self, code, status):
        super().__init__(f'{code}: {status.get("message") if isinstance(status, dict) else status}')
        self.code = code
        self.reason = status.get('reason') if isinstance(status, dict) else None
        self.message = str(self)


PLACES = {  # kind: (API, plural)
    'Pod': ('/api/v1', 'pods'), 'Service': ('/api/v1', 'services'), 'ConfigMap': ('/api/v1', 'configmaps'), 'Secret': ('/api/v1', 'secrets'),
    'ServiceAccount': ('/api/v1', 'serviceaccounts'), 'Event': ('/api/v1', 'events'), 'PersistentVolumeClaim': ('/api/v1', 'persistentvolumeclaims'),
    'Endpoints': ('/api/v1', 'endpoints'), 'ResourceQuota': ('/api/v1', 'resourcequotas'), 'LimitRange': ('/api/v1', 'limitranges'),
    'Deployment': ('/apis/apps/v1', 'deployments'), 'ReplicaSet': ('/apis/apps/v1', 'replicasets'), 'StatefulSet': ('/apis/apps/v1', 'statefulsets'),
    'DaemonSet': ('/apis/apps/v1', 'daemonsets'), 'Job': ('/apis/batch/v1', 'jobs'), 'CronJob': ('/apis/batch/v1', 'cronjobs'),
    'Ingress': ('/apis/networking.k8s.io/v1', 'ingresses'), 'NetworkPolicy': ('/apis/networking.k8s.io/v1', 'networkpolicies'),
    'Lease': ('/apis/coordination.k8s.io/v1', 'leases'), 'PodDisruptionBudget': ('/apis/policy/v1', 'poddisruptionbudgets'),
    'HorizontalPodAutoscaler': ('/apis/autoscaling/v1', 'horizontalpodautoscalers'),
    'Role': ('/apis/rbac.authorization.k8s.io/v1', 'roles'), 'RoleBinding': ('/apis/rbac.authorization.k8s.io/v1', 'rolebindings'),
    'Cache': ('/apis/suite.example.com/v1', 'caches')}


class Cluster:
    """One namespace of a server, as a test sees it."""

    def __init__(self, server, namespace):
        self.server = server
        self.namespace = namespace
        self.connection = server.connect()

    def close(self):
        self.connection.close()

    def path(self, kind, name=None, subresource=None):
        api, plural = PLACES[kind]
        return '/'.join([f'{api}/namespaces/{self.namespace}/{plural}', *filter(None, (name, subresource))])

    def call(self, method, path, body=None, content='application/json', **query):
        user = query.pop('user', None)
        if query:
            path += '?' + urllib.parse.urlencode(query)
        headers = {'Content-Type': content, 'Accept': 'application/json'}
        if user:
            headers['Impersonate-User'] = user
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        told = json.loads(text) if text.startswith(b'{') else text.decode()
        if answer.status >= 400:
            raise Refused(answer.status, told)
        return told

    def create(self, one, **query):
        return self.call('POST', self.path(one['kind']), one, **query)

    def get(self, kind, name, subresource=None, **query):
        return self.call('GET', self.path(kind, name, subresource), **query)

    def put(self, one, subresource=None, **query):
        return self.call('PUT', self.path(one['kind'], one['metadata']['name'], subresource), one, **query)

    def patch(self, kind, name, body, content=MERGE, subresource=None, **query):
        return self.call('PATCH', self.path(kind, name, subresource), body, content, **query)

    def apply(self, one, manager, force=False):
        return self.patch(one['kind'], one['metadata']['name'], one, APPLY, fieldManager=manager, force=json.dumps(force))

    def delete(self, kind, name, body=None, **query):
        return self.call('DELETE', self.path(kind, name), body, **query)

    def list(self, kind, **query):
        return self.call('GET', self.path(kind), **query)

    def names(self, kind, **query):
        return [one['metadata']['name'] for one in self.list(kind, **query)['items']]

    def exists(self, kind, name):
        try:
            self.get(kind, name)
            return True
        except Refused as refused:
            if refused.code != 404:
                raise
            return False

    def watch(self, kind, count, **query):
        """That many events."""
        connection = self.server.connect()
        try:
            connection.request('GET', self.path(kind) + '?' + urllib.parse.urlencode({'watch': 1, 'timeoutSeconds': strake.DEADLINE, **query}))
            answer = connection.getresponse()
            return [json.loads(answer.readline()) for _ in range(count)]
        finally:
            connection.close()


# --- objects --------------------------------------------------------------------------------------------------------------

POD_SPEC = {'containers': [{'name': 'main', 'image': 'registry.example.com/app:1.2'}]}


def template(**labels):
    return {'metadata': {'labels': labels or {'app': 'x'}}, 'spec': copy.deepcopy(POD_SPEC)}


SPECS = {
    'Pod': lambda: copy.deepcopy(POD_SPEC),
    'Service': lambda: {'selector': {'app': 'x'}, 'ports': [{'port': 80, 'protocol': 'TCP'}]},
    'PersistentVolumeClaim': lambda: {'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}},
    'Deployment': lambda: {'selector': {'matchLabels': {'app': 'x'}}, 'template': template()},
    'ReplicaSet': lambda: {'selector': {'matchLabels': {'app': 'x'}}, 'template': template()},
    'StatefulSet': lambda: {'serviceName': 'x', 'selector': {'matchLabels': {'app': 'x'}}, 'template': template()},
    'DaemonSet': lambda: {'selector': {'matchLabels': {'app': 'x'}}, 'template': template()},
    'Job': lambda: {'template': {'spec': {**copy.deepcopy(POD_SPEC), 'restartPolicy': 'Never'}}},
    'CronJob': lambda: {'schedule': '*/5 * * * *', 'jobTemplate': {'spec': SPECS['Job']()}},
    'Ingress': lambda: {'defaultBackend': {'service': {'name': 'x', 'port': {'number': 80}}}},
    'NetworkPolicy': lambda: {'podSelector': {'matchLabels': {'app': 'x'}}},
    'Lease': lambda: {'leaseDurationSeconds': 15},
    'PodDisruptionBudget': lambda: {'minAvailable': 1, 'selector': {'matchLabels': {'app': 'x'}}},
    'HorizontalPodAutoscaler': lambda: {'maxReplicas': 3, 'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'x'}},
    'Cache': lambda: {'engine': 'redis'},
    'ResourceQuota': lambda: {'hard': {'configmaps': '100'}},
    'LimitRange': lambda: {'limits': []}}


def made(kind, name='one', labels=None, spec=None, **fields):
    """An object of the kind that a server accepts; members of `spec` replace those of the usual one."""
    api = PLACES[kind][0]
    out = {'apiVersion': api.removeprefix('/apis/').removeprefix('/api/'), 'kind': kind, 'metadata': {'name': name}, **fields}
    if labels:
        out['metadata']['labels'] = labels
    if kind in SPECS:
        out['spec'] = {**SPECS[kind](), **(spec or {})}
    return out


def at(one, path):
    for key in path.split('.'):
        one = one[int(key)] if key.isdigit() else one[key]
    return one


# --- the behaviours -------------------------------------------------------------------------------------------------------

BEHAVIOURS = []


def behaviour(*cases):
    """Of a function (test, cluster, *case): one test for each case."""
    def keep(function):
        BEHAVIOURS.append((function, [case if isinstance(case, tuple) else (case,) for case in cases]))
        return function
    return keep


def refuses(test, code, reason):
    @contextlib.contextmanager
    def check():
        with test.assertRaises(Refused) as caught:
            yield caught
        test.assertEqual((caught.exception.code, caught.exception.reason), (code, reason), caught.exception)
    return check()


@behaviour(('Pod', 'spec.restartPolicy', 'Always'), ('Pod', 'spec.containers.0.imagePullPolicy', 'IfNotPresent'), ('Pod', 'status.phase', 'Pending'),
           ('Pod', 'spec.terminationGracePeriodSeconds', 30), ('Deployment', 'spec.replicas', 1), ('Deployment', 'spec.strategy.type', 'RollingUpdate'),
           ('StatefulSet', 'spec.podManagementPolicy', 'OrderedReady'), ('DaemonSet', 'spec.revisionHistoryLimit', 10), ('Job', 'spec.backoffLimit', 6),
           ('CronJob', 'spec.concurrencyPolicy', 'Allow'), ('Service', 'spec.type', 'ClusterIP'), ('Service', 'spec.ports.0.targetPort', 80),
           ('NetworkPolicy', 'spec.policyTypes', ['Ingress']), ('PersistentVolumeClaim', 'spec.volumeMode', 'Filesystem'),
           ('HorizontalPodAutoscaler', 'spec.minReplicas', 1), ('Cache', 'spec.replicas', 1), ('ReplicaSet', 'spec.replicas', 1), ('Secret', 'type', 'Opaque'))
def creates_with_defaults(test, cluster, kind, path, value):
    test.assertEqual(at(cluster.create(made(kind)), path), value)
    test.assertEqual(at(cluster.get(kind, 'one'), path), value)


@behaviour(('Deployment', {'replicas': 3}), ('StatefulSet', {'replicas': 2, 'readyReplicas': 1}), ('Cache', {'phase': 'Ready'}),
           ('Service', {'loadBalancer': {'ingress': [{'ip': '192.0.2.7', 'ipMode': 'VIP'}]}}), ('Pod', {'phase': 'Running'}), ('Job', {'active': 1, 'ready': 0}),
           ('PersistentVolumeClaim', {'phase': 'Bound'}), ('ReplicaSet', {'replicas': 1}), ('DaemonSet', {'numberReady': 1, 'currentNumberScheduled': 1,
           'numberMisscheduled': 0, 'desiredNumberScheduled': 1}), ('Ingress', {'loadBalancer': {'ingress': [{'hostname': 'x.example.com'}]}}))
def updates_status_apart_from_the_rest(test, cluster, kind, status):
    spec = {'type': 'LoadBalancer'} if kind == 'Service' else None
    cluster.create(made(kind, labels={'a': 'b'}, spec=spec))
    one = cluster.get(kind, 'one')
    one['status'] = {**one.get('status', {}), **status}
    one['metadata']['labels'] = {'a': 'changed'}
    told = cluster.put(one, 'status')
    for key, value in status.items():
        test.assertEqual(told['status'][key], value)
    # And an update of the object leaves the status as it was.
    one = cluster.get(kind, 'one')
    one['status'] = {}
    one['metadata']['annotations'] = {'seen': 'true'}
    told = cluster.put(one)
    for key, value in status.items():
        test.assertEqual(told['status'][key], value)
    test.assertEqual(told['metadata']['annotations']['seen'], 'true')


@behaviour('ConfigMap', 'Secret', 'Service', 'Deployment', 'Cache', 'ServiceAccount', 'StatefulSet', 'Lease')
def waits_for_finalizers(test, cluster, kind):
    one = made(kind)
    one['metadata']['finalizers'] = ['suite.example.com/cleanup']
    cluster.create(one)
    cluster.delete(kind, 'one')
    dying = cluster.get(kind, 'one')
    test.assertIn('deletionTimestamp', dying['metadata'])
    with refuses(test, 422, 'Invalid'):
        cluster.patch(kind, 'one', {'metadata': {'finalizers': ['suite.example.com/cleanup', 'suite.example.com/late']}})
    dying['metadata']['finalizers'] = []
    cluster.put(dying)
    test.assertFalse(cluster.exists(kind, 'one'))


@behaviour(('Deployment', 'ReplicaSet'), ('ReplicaSet', 'Pod'), ('Cache', 'StatefulSet'), ('Cache', 'Secret'), ('CronJob', 'Job'), ('ConfigMap', 'ConfigMap'))
def keeps_owner_references(test, cluster, owner_kind, kind):
    owner = cluster.create(made(owner_kind, 'owner'))
    reference = {'apiVersion': owner['apiVersion'], 'kind': owner_kind, 'name': 'owner', 'uid': owner['metadata']['uid'], 'controller': True,
                 'blockOwnerDeletion': True}
    owned = made(kind, 'owned')
    owned['metadata']['ownerReferences'] = [reference]
    cluster.create(owned)
    with refuses(test, 422, 'Invalid') as caught:
        cluster.patch(kind, 'owned', {'metadata': {'ownerReferences': [reference, {**reference, 'uid': 'another', 'name': 'another'}]}})
    test.assertIn('Only one reference can have Controller set to true', caught.exception.message)
    # As in other test environments nobody collects what is left behind.
    cluster.delete(owner_kind, 'owner', {'propagationPolicy': 'Background'})
    test.assertEqual(cluster.get(kind, 'owned')['metadata']['ownerReferences'], [reference])


@behaviour(('ConfigMap', 1), ('ConfigMap', 5), ('Cache', 2), ('Cache', 5), ('Deployment', 3), ('Secret', 4), ('Service', 2), ('Lease', 3))
def retries_after_a_conflict(test, cluster, kind, others):
    mine = cluster.create(made(kind))
    for number in range(others):
        cluster.patch(kind, 'one', {'metadata': {'annotations': {'other': str(number)}}})
    mine['metadata']['annotations'] = {'mine': 'yes'}
    with refuses(test, 409, 'Conflict') as caught:
        cluster.put(mine)
    test.assertIn('please apply your changes to the latest version and try again', caught.exception.message)
    fresh = cluster.get(kind, 'one')
    fresh['metadata']['annotations']['mine'] = 'yes'
    test.assertEqual(cluster.put(fresh)['metadata']['annotations'], {'other': str(others - 1), 'mine': 'yes'})


@behaviour(('ConfigMap', 1), ('ConfigMap', 7), ('Pod', 3), ('Cache', 1), ('Cache', 4), ('Deployment', 2), ('Secret', 3), ('Service', 2))
def tells_changes_in_their_order(test, cluster, kind, count):
    start = cluster.list(kind)['metadata']['resourceVersion']
    wanted = []
    for number in range(count):
        name = f'n{number}'
        cluster.create(made(kind, name, labels={'suite': 'watch'}))
        cluster.patch(kind, name, {'metadata': {'labels': {'seen': 'yes'}}})
        wanted += [('ADDED', name), ('MODIFIED', name)]
        if kind != 'Pod':  # which would wait for its kubelet
            cluster.delete(kind, name)
            wanted.append(('DELETED', name))
    told = cluster.watch(kind, len(wanted), resourceVersion=start, labelSelector='suite=watch')
    test.assertEqual([(event['type'], event['object']['metadata']['name']) for event in told], wanted)
    versions = [int(event['object']['metadata']['resourceVersion']) for event in told]
    test.assertEqual(versions, sorted(set(versions)))


@behaviour(('ConfigMap', {'data': {'k': 'a'}}, {'data': {'k': 'b'}}, 'data.k'), ('Deployment', {'spec': {'replicas': 2}}, {'spec': {'replicas': 5}}, 'spec.replicas'),
           ('Cache', {'spec': {'replicas': 2}}, {'spec': {'replicas': 3}}, 'spec.replicas'), ('Secret', {'data': {'k': 'YQ=='}}, {'data': {'k': 'Yg=='}}, 'data.k'),
           ('Service', {'spec': {'selector': {'app': 'a'}}}, {'spec': {'selector': {'app': 'b'}}}, 'spec.selector'),
           ('StatefulSet', {'spec': {'replicas': 0}}, {'spec': {'replicas': 4}}, 'spec.replicas'))
def applies_with_owners_of_fields(test, cluster, kind, first, second, path):
    def one(fields):
        out = made(kind, **({} if 'spec' in fields else fields))
        if 'spec' in fields:
            out['spec'].update(fields['spec'])
        return out

    applied = cluster.apply(one(first), 'operator')
    test.assertEqual([entry['manager'] for entry in applied['metadata']['managedFields']], ['operator'])
    with refuses(test, 409, 'Conflict') as caught:
        cluster.apply(one(second), 'somebody')
    test.assertRegex(caught.exception.message, 'conflicts? with "operator"')
    test.assertIn(path, caught.exception.message)
    taken = cluster.apply(one(second), 'somebody', force=True)
    test.assertEqual(at(taken, path), at(second, path))
    # What it applies no more is gone if nobody else wants it.
    with refuses(test, 409, 'Conflict'):
        cluster.apply(one(first), 'operator')


SELECTED = {'a': {'app': 'web', 'tier': 'front'}, 'b': {'app': 'web', 'tier': 'back'}, 'c': {'app': 'db'}, 'd': {}}


@behaviour(('app=web', 'ab'), ('app!=web', 'cd'), ('app', 'abc'), ('!app', 'd'), ('app in (web,db)', 'abc'), ('app notin (web)', 'cd'),
           ('app=web,tier=back', 'b'), ('app=web,tier!=back', 'a'), ('tier', 'ab'), ('app==db', 'c'), ('app in (web),!tier', ''), ('', 'abcd'))
def lists_by_labels(test, cluster, selector, wanted):
    for name, labels in SELECTED.items():
        cluster.create(made('Secret', name, labels={**labels, 'suite': 'yes'}))
    test.assertEqual(''.join(cluster.names('Secret', labelSelector='suite,' + selector if selector else 'suite')), wanted)


@behaviour(({}, 'spec.engine: Required value'), ({'engine': 'mysql'}, 'Unsupported value: "mysql"'), ({'engine': 'redis', 'replicas': -1}, 'greater than or equal to 0'),
           ({'engine': 'redis', 'replicas': 10}, 'less than or equal to 9'), ({'engine': 'redis', 'replicas': '3'}, 'must be of type integer: "string"'),
           ({'engine': 'redis', 'host': 'UPPER'}, "should match '^[a-z.]+$'"), ({'engine': 'redis', 'host': 'a' * 21}, 'may not be more than 20 bytes'),
           ({'engine': 'redis', 'users': [{'name': n} for n in 'abcd']}, 'must have at most 3 items'),
           ({'engine': 'redis', 'users': [{'name': 'a'}, {'name': 'a'}]}, 'Duplicate value'), ({'engine': 'redis', 'users': [{}]}, 'spec.users[0].name: Required value'),
           ({'engine': 'redis', 'users': [{'name': ''}]}, 'should be at least 1 chars long'),
           ({'engine': 'memcached', 'persistence': {'enabled': True}}, 'memcached keeps nothing'),
           ({'engine': 'redis', 'memory': True}, 'spec.memory'), ({'engine': 'redis', 'persistence': []}, 'must be of type object: "array"'))
def refuses_what_the_schema_does(test, cluster, spec, message):
    with refuses(test, 422, 'Invalid') as caught:
        cluster.create({'apiVersion': 'suite.example.com/v1', 'kind': 'Cache', 'metadata': {'name': 'one'}, 'spec': spec})
    test.assertIn(message, caught.exception.message)
    test.assertEqual(cluster.names('Cache'), [])


@behaviour(('Cache', 0), ('Cache', 7), ('Deployment', 3), ('Deployment', 0), ('ReplicaSet', 2), ('StatefulSet', 4))
def scales(test, cluster, kind, replicas):
    cluster.create(made(kind))
    scale = cluster.get(kind, 'one', 'scale')
    scale['spec']['replicas'] = replicas
    test.assertEqual(cluster.call('PUT', cluster.path(kind, 'one', 'scale'), scale)['spec'].get('replicas', 0), replicas)
    test.assertEqual(cluster.get(kind, 'one')['spec'].get('replicas'), replicas)
    test.assertEqual(cluster.patch(kind, 'one', {'spec': {'replicas': 1}}, subresource='scale')['spec']['replicas'], 1)


@behaviour(('Cache', {'spec': {'replicas': 4}}, 1), ('Cache', {'metadata': {'labels': {'a': 'b'}}}, 0), ('Deployment', {'spec': {'replicas': 4}}, 1),
           ('Deployment', {'metadata': {'labels': {'a': 'b'}}}, 0), ('Deployment', {'metadata': {'annotations': {'a': 'b'}}}, 1), ('Deployment', {'spec': {'replicas': 1}}, 0),
           ('Deployment', {'spec': {'template': {'metadata': {'annotations': {'restarted': 'now'}}}}}, 1), ('StatefulSet', {'spec': {'replicas': 2}}, 1),
           ('DaemonSet', {'spec': {'minReadySeconds': 3}}, 1), ('Job', {'spec': {'parallelism': 2}}, 1), ('CronJob', {'spec': {'suspend': True}}, 1))
def counts_generations(test, cluster, kind, patch, added):
    before = cluster.create(made(kind))['metadata']['generation']
    test.assertEqual(cluster.patch(kind, 'one', patch)['metadata']['generation'], before + added)


@behaviour('Normal', 'Warning')
def records_events(test, cluster, kind_of_event):
    cache = cluster.create(made('Cache'))
    involved = {'apiVersion': cache['apiVersion'], 'kind': 'Cache', 'name': 'one', 'namespace': cluster.namespace, 'uid': cache['metadata']['uid']}
    event = {'kind': 'Event', 'apiVersion': 'v1', 'metadata': {'name': 'one.17a', 'namespace': cluster.namespace}, 'involvedObject': involved,
             'reason': 'Scaled', 'message': 'to 3', 'type': kind_of_event, 'count': 1, 'source': {'component': 'suite'},
             'firstTimestamp': '2026-01-02T03:04:05Z', 'lastTimestamp': '2026-01-02T03:04:05Z'}
    cluster.create(event)
    test.assertEqual(cluster.patch('Event', 'one.17a', {'count': 2, 'lastTimestamp': '2026-01-02T03:05:05Z'}, STRATEGIC)['count'], 2)
    test.assertEqual(cluster.names('Event', fieldSelector=f'involvedObject.name=one,type={kind_of_event}'), ['one.17a'])
    test.assertEqual(cluster.names('Event', fieldSelector='involvedObject.name=two'), [])


@behaviour(('a', 'b', False), ('a', 'b', True), ('b', 'a', True), ('replica-0', 'replica-1', False))
def elects_one_leader(test, cluster, leader, other, expired):
    renewed = '2026-01-02T03:04:05.000000Z' if expired else time.strftime('%Y-%m-%dT%H:%M:%S.000000Z', time.gmtime())
    lease = made('Lease', spec={'holderIdentity': leader, 'acquireTime': renewed, 'renewTime': renewed, 'leaseTransitions': 0})
    cluster.create(lease)
    with refuses(test, 409, 'AlreadyExists'):
        cluster.create(made('Lease', spec={'holderIdentity': other}))
    seen_by_other = cluster.get('Lease', 'one')
    test.assertEqual(seen_by_other['spec']['holderIdentity'], leader)
    if expired:
        seen_by_other['spec'].update(holderIdentity=other, leaseTransitions=1)
        test.assertEqual(cluster.put(seen_by_other)['spec']['holderIdentity'], other)
        return
    # The leader renews between the other's look and its attempt.
    cluster.put(cluster.get('Lease', 'one'))
    renewing = cluster.get('Lease', 'one')
    renewing['spec']['renewTime'] = '2099-01-02T03:04:05.000000Z'
    cluster.put(renewing)
    seen_by_other['spec']['holderIdentity'] = other
    with refuses(test, 409, 'Conflict'):
        cluster.put(seen_by_other)


@behaviour(('ConfigMap', {'data': {'a': '1'}}, {'data': {'a': '2'}}), ('ConfigMap', {'data': {'a': '1'}}, {'data': {'b': '1'}}),
           ('ConfigMap', {'binaryData': {'a': 'AQ=='}}, {'binaryData': {'a': 'Ag=='}}), ('Secret', {'stringData': {'a': '1'}}, {'stringData': {'a': '2'}}))
def rolls_out_when_configuration_changes(test, cluster, kind, before, after):
    def checksum():
        one = cluster.get(kind, 'one')
        return hashlib.sha256(json.dumps([one.get('data'), one.get('binaryData')], sort_keys=True).encode()).hexdigest()

    def reconcile():
        return cluster.patch('Deployment', 'one', {'spec': {'template': {'metadata': {'annotations': {'checksum': checksum()}}}}}, STRATEGIC)

    cluster.create(made(kind, **before))
    cluster.create(made('Deployment'))
    first = reconcile()['metadata']
    again = reconcile()['metadata']
    test.assertEqual((again['generation'], again['resourceVersion']), (first['generation'], first['resourceVersion']))
    cluster.patch(kind, 'one', after)
    test.assertEqual(reconcile()['metadata']['generation'], first['generation'] + 1)


@behaviour('ConfigMap', 'Secret')
def keeps_what_is_immutable(test, cluster, kind):
    field = {'ConfigMap': 'data', 'Secret': 'stringData'}[kind]
    cluster.create(made(kind, immutable=True, **{field: {'a': '1'}}))
    with refuses(test, 422, 'Invalid') as caught:
        cluster.patch(kind, 'one', {field: {'a': '2'}})
    test.assertIn('field is immutable when `immutable` is set', caught.exception.message)
    cluster.delete(kind, 'one')


@behaviour(('Opaque', {'a': 'b'}, None), ('kubernetes.io/basic-auth', {'username': 'u'}, None), ('kubernetes.io/ssh-auth', {'ssh-privatekey': 'k'}, None),
           ('kubernetes.io/dockerconfigjson', {'.dockerconfigjson': '{}'}, None), ('kubernetes.io/ssh-auth', {}, 'data[ssh-privatekey]: Required value'),
           ('kubernetes.io/dockerconfigjson', {'.dockerconfigjson': '{'}, 'Invalid value'), ('kubernetes.io/tls', {'tls.crt': ''}, 'data[tls.key]: Required value'))
def checks_secrets_by_their_type(test, cluster, kind_of_secret, texts, problem):
    secret = made('Secret', type=kind_of_secret, stringData=texts)
    if problem is None:
        data = cluster.create(secret)['data']
        test.assertEqual({key: base64.b64decode(value).decode() for key, value in data.items()}, texts)
        with refuses(test, 422, 'Invalid'):
            cluster.patch('Secret', 'one', {'type': 'suite.example.com/other'})
        return
    with refuses(test, 422, 'Invalid') as caught:
        cluster.create(secret)
    test.assertIn(problem, caught.exception.message)


@behaviour('Succeeded', 'Failed', 'Running')
def follows_a_pod_that_a_fake_kubelet_runs(test, cluster, end):
    node = f'node-{cluster.namespace}'
    cluster.call('POST', '/api/v1/nodes', {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': node}})
    cluster.create(made('Pod'))
    cluster.call('POST', cluster.path('Pod', 'one', 'binding'), {'apiVersion': 'v1', 'kind': 'Binding', 'metadata': {'name': 'one'},
                                                                'target': {'apiVersion': 'v1', 'kind': 'Node', 'name': node}})
    test.assertEqual(cluster.names('Pod', fieldSelector=f'spec.nodeName={node}'), ['one'])
    conditions = {item['type']: item['status'] for item in cluster.get('Pod', 'one')['status']['conditions']}
    test.assertEqual(conditions, {'PodScheduled': 'True'})
    ready = {'status': {'phase': 'Running', 'podIP': '10.1.2.3', 'podIPs': [{'ip': '10.1.2.3'}], 'conditions': [{'type': 'Ready', 'status': 'True'}]}}
    told = cluster.patch('Pod', 'one', ready, STRATEGIC, 'status')
    test.assertEqual({item['type'] for item in told['status']['conditions']}, {'PodScheduled', 'Ready'})
    if end != 'Running':
        cluster.patch('Pod', 'one', {'status': {'phase': end}}, STRATEGIC, 'status')
        test.assertEqual(cluster.names('Pod', fieldSelector=f'status.phase={end}'), ['one'])
    dying = cluster.delete('Pod', 'one')
    if end == 'Running':  # the kubelet stops it, and says so by deleting it at once
        test.assertEqual(dying['metadata']['deletionGracePeriodSeconds'], 30)
        cluster.delete('Pod', 'one', {'gracePeriodSeconds': 0, 'preconditions': {'uid': dying['metadata']['uid']}})
    test.assertFalse(cluster.exists('Pod', 'one'))


@behaviour(1, 3)
def reports_a_deployment_as_ready(test, cluster, replicas):
    one = cluster.create(made('Deployment', spec={'replicas': replicas}))
    one['status'] = {'observedGeneration': one['metadata']['generation'], 'replicas': replicas, 'updatedReplicas': replicas, 'readyReplicas': replicas,
                     'availableReplicas': replicas, 'conditions': [{'type': 'Available', 'status': 'True', 'reason': 'MinimumReplicasAvailable', 'message': ''}]}
    cluster.put(one, 'status')
    seen = cluster.get('Deployment', 'one')
    test.assertEqual(seen['status']['observedGeneration'], seen['metadata']['generation'])
    test.assertEqual(cluster.get('Deployment', 'one', 'scale')['status'], {'replicas': replicas, 'selector': 'app=x'})
    one['status']['availableReplicas'] = replicas + 1
    one['metadata'].pop('resourceVersion')
    with refuses(test, 422, 'Invalid'):
        cluster.put(one, 'status')


@behaviour((5, 2), (6, 3), (4, 10), (7, 1), (9, 4))
def lists_in_pages(test, cluster, objects, limit):
    names = [f'n{number}' for number in range(objects)]
    for name in names:
        cluster.create(made('Secret', name, labels={'suite': 'pages'}))
    got, more, pages = [], None, 0
    while True:
        query = {'limit': limit, 'labelSelector': 'suite=pages', **({'continue': more} if more else {})}
        page = cluster.list('Secret', **query)
        got += [one['metadata']['name'] for one in page['items']]
        pages += 1
        more = page['metadata'].get('continue')
        if not more:
            break
        if pages == 1:
            cluster.create(made('Secret', 'zzz', labels={'suite': 'pages'}))  # the list is of one moment
    test.assertEqual((got, pages), (names, -(-objects // limit)))


@behaviour(('Pod', 'status.phase=Pending', ['one', 'two']), ('Pod', 'metadata.name=two', ['two']), ('Pod', 'metadata.name!=two', ['one']),
           ('Pod', 'spec.nodeName=', ['one', 'two']), ('Secret', 'type=Opaque', ['one', 'two']), ('Cache', 'spec.engine=redis', ['one', 'two']),
           ('Cache', 'spec.engine=valkey', []))
def lists_by_fields(test, cluster, kind, selector, wanted):
    for name in ('one', 'two'):
        cluster.create(made(kind, name))
    test.assertEqual(cluster.names(kind, fieldSelector=selector), wanted)
    with refuses(test, 400, 'BadRequest'):
        cluster.names(kind, fieldSelector='spec.nosuch=1')


@behaviour('ConfigMap', 'Secret', 'Cache', 'Deployment')
def deletes_collections(test, cluster, kind):
    for name, group in (('a', 'x'), ('b', 'x'), ('c', 'y')):
        cluster.create(made(kind, name, labels={'group': group}))
    cluster.call('DELETE', cluster.path(kind), labelSelector='group=x')
    test.assertEqual(cluster.names(kind, labelSelector='group'), ['c'])


@behaviour('ConfigMap', 'Cache', 'Deployment', 'Service', 'Pod')
def tries_without_doing(test, cluster, kind):
    told = cluster.create(made(kind), dryRun='All')
    test.assertIn('uid', told['metadata'])
    test.assertFalse(cluster.exists(kind, 'one'))
    kept = cluster.create(made(kind))
    cluster.patch(kind, 'one', {'metadata': {'labels': {'a': 'b'}}}, dryRun='All')
    cluster.delete(kind, 'one', dryRun='All')
    test.assertEqual(cluster.get(kind, 'one')['metadata']['resourceVersion'], kept['metadata']['resourceVersion'])


CONTAINERS = {'spec': {'template': {'spec': {'containers': [{'name': 'sidecar', 'image': 's:1'}]}}}}


@behaviour((MERGE, {'data': {'a': None, 'c': '3'}}, {'b': '2', 'c': '3'}), (STRATEGIC, {'data': {'a': 'x'}}, {'a': 'x', 'b': '2'}),
           (JSON_PATCH, [{'op': 'remove', 'path': '/data/a'}], {'b': '2'}), (JSON_PATCH, [{'op': 'move', 'from': '/data/a', 'path': '/data/z'}], {'b': '2', 'z': '1'}),
           (JSON_PATCH, [{'op': 'test', 'path': '/data/a', 'value': '1'}, {'op': 'replace', 'path': '/data/a', 'value': '9'}], {'a': '9', 'b': '2'}),
           (JSON_PATCH, [{'op': 'test', 'path': '/data/a', 'value': 'other'}], None))
def patches(test, cluster, content, patch, wanted):
    cluster.create(made('ConfigMap', data={'a': '1', 'b': '2'}))
    if wanted is None:
        with refuses(test, 422, 'Invalid'):
            cluster.patch('ConfigMap', 'one', patch, content)
        return
    test.assertEqual(cluster.patch('ConfigMap', 'one', patch, content)['data'], wanted)


@behaviour((STRATEGIC, ['sidecar', 'main']), (MERGE, ['sidecar']))
def merges_containers_by_their_names(test, cluster, content, names):
    cluster.create(made('Deployment'))
    told = cluster.patch('Deployment', 'one', CONTAINERS, content)
    test.assertEqual(sorted(one['name'] for one in told['spec']['template']['spec']['containers']), sorted(names))


@behaviour('Pod', 'Secret', 'Job', 'Cache')
def makes_up_names(test, cluster, kind):
    names = set()
    for _ in range(3):
        one = made(kind)
        one['metadata'] = {'generateName': 'run-'}
        names.add(cluster.create(one)['metadata']['name'])
    test.assertEqual(len(names), 3)
    test.assertTrue(all(name.startswith('run-') and len(name) == 9 for name in names), names)


@behaviour('ConfigMap', 'Pod', 'Cache', 'Deployment')
def knows_what_is_not_there(test, cluster, kind):
    with refuses(test, 404, 'NotFound'):
        cluster.get(kind, 'nothing')
    with refuses(test, 404, 'NotFound'):
        cluster.delete(kind, 'nothing')
    elsewhere = Cluster(cluster.server, 'no-such-namespace')
    try:
        with refuses(test, 404, 'NotFound') as caught:
            elsewhere.create(made(kind))
        test.assertIn('namespaces "no-such-namespace" not found', caught.exception.message)
    finally:
        elsewhere.close()


@behaviour(({}, lambda spec: spec['clusterIP'].startswith('10.')), ({'clusterIP': 'None'}, lambda spec: spec['clusterIP'] == 'None'),
           ({'type': 'NodePort'}, lambda spec: 30000 <= spec['ports'][0]['nodePort'] <= 32767),
           ({'type': 'ExternalName', 'externalName': 'x.example.com'}, lambda spec: 'clusterIP' not in spec))
def gives_services_their_addresses(test, cluster, spec, holds):
    told = cluster.create(made('Service', spec=spec))['spec']
    test.assertTrue(holds(told), told)
    other = cluster.create(made('Service', 'two', spec=spec))['spec']
    if told.get('clusterIP', 'None') != 'None':
        test.assertNotEqual(told['clusterIP'], other['clusterIP'])


@behaviour(('get', True), ('list', False), ('create', False), ('delete', False))
def lets_operators_do_what_roles_allow(test, cluster, verb, allowed):
    cluster.create(made('Secret'))
    cluster.create({'kind': 'Role', 'apiVersion': 'rbac.authorization.k8s.io/v1', 'metadata': {'name': 'reader'},
                    'rules': [{'apiGroups': [''], 'resources': ['secrets'], 'verbs': ['get']}]})
    cluster.create({'kind': 'RoleBinding', 'apiVersion': 'rbac.authorization.k8s.io/v1', 'metadata': {'name': 'reader'},
                    'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'reader'},
                    'subjects': [{'kind': 'User', 'name': 'operator', 'apiGroup': 'rbac.authorization.k8s.io'}]})

    def attempt():
        if verb == 'create':
            return cluster.create(made('Secret', 'two'), user='operator')
        if verb == 'list':
            return cluster.list('Secret', user='operator')
        return {'get': cluster.get, 'delete': cluster.delete}[verb]('Secret', 'one', user='operator')

    if allowed:
        attempt()
        return
    with refuses(test, 403, 'Forbidden') as caught:
        attempt()
    test.assertIn(f'User "operator" cannot {verb} resource "secrets" in API group "" in the namespace "{cluster.namespace}"', caught.exception.message)


@behaviour(('Deployment', 'spec.selector', {'matchLabels': {'app': 'y'}}), ('StatefulSet', 'spec.serviceName', 'other'), ('Job', 'spec.completions', 5),
           ('Pod', 'spec.hostNetwork', True), ('Service', 'spec.clusterIP', '10.0.0.77'), ('Cache', 'spec.engine', 'valkey'),
           ('PersistentVolumeClaim', 'spec.accessModes', ['ReadOnlyMany']))
def keeps_what_cannot_change(test, cluster, kind, path, value):
    cluster.create(made(kind))
    before = cluster.get(kind, 'one')
    changed = copy.deepcopy(before)
    at(changed, path.rpartition('.')[0])[path.rpartition('.')[2]] = value
    with refuses(test, 422, 'Invalid'):
        cluster.put(changed)
    test.assertEqual(cluster.get(kind, 'one'), before)


@behaviour(('Deployment', 'Strict'), ('Deployment', 'Ignore'), ('Cache', 'Strict'), ('Cache', 'Ignore'), ('ConfigMap', 'Strict'), ('Pod', 'Ignore'))
def finds_fields_that_do_not_exist(test, cluster, kind, validation):
    one = made(kind)
    one.setdefault('spec', {})['replicsa'] = 3
    if validation == 'Strict':
        with refuses(test, 400, 'BadRequest') as caught:
            cluster.create(one, fieldValidation='Strict')
        test.assertIn('unknown field "spec', caught.exception.message)
        return
    test.assertNotIn('replicsa', cluster.create(one, fieldValidation='Ignore')['spec'])


@behaviour((0, 2), (2, 5), (5, 0), (3, 3))
def reconciles_until_nothing_is_left_to_do(test, cluster, first, then):
    def reconcile():
        cache = cluster.get('Cache', 'one')
        have = set(cluster.names('Pod', labelSelector='cache=one'))
        want = {f'one-{number}' for number in range(cache['spec']['replicas'])}
        for name in want - have:
            pod = made('Pod', name, labels={'cache': 'one'})
            pod['metadata']['ownerReferences'] = [{'apiVersion': cache['apiVersion'], 'kind': 'Cache', 'name': 'one', 'uid': cache['metadata']['uid'],
                                                   'controller': True}]
            cluster.create(pod)
        for name in have - want:
            cluster.delete('Pod', name, {'gracePeriodSeconds': 0})
        status = {'phase': 'Ready', 'replicas': len(want), 'observedGeneration': cache['metadata']['generation']}
        if cache.get('status') != status:
            cluster.patch('Cache', 'one', {'status': status}, subresource='status')
        return len(want ^ have)

    cluster.create(made('Cache', spec={'replicas': first}))
    test.assertEqual((reconcile(), reconcile()), (first, 0))
    cluster.patch('Cache', 'one', {'spec': {'replicas': then}})
    test.assertEqual((reconcile(), reconcile()), (abs(then - first), 0))
    seen = cluster.get('Cache', 'one')
    test.assertEqual(seen['status'], {'phase': 'Ready', 'replicas': then, 'observedGeneration': seen['metadata']['generation']})
    before = seen['metadata']['resourceVersion']
    reconcile()
    test.assertEqual(cluster.get('Cache', 'one')['metadata']['resourceVersion'], before)


@behaviour(('configmaps', 'ConfigMap'), ('count/caches.suite.example.com', 'Cache'), ('secrets', 'Secret'), ('count/deployments.apps', 'Deployment'))
def keeps_within_quotas(test, cluster, resource, kind):
    if kind == 'ConfigMap':  # every namespace is given one, soon after it is there
        strake.wait_for(lambda: cluster.names('ConfigMap'))
    used = len(cluster.names(kind))
    cluster.create(made('ResourceQuota', 'quota', spec={'hard': {resource: str(used + 1)}}))

    def counted():
        return cluster.get('ResourceQuota', 'quota').get('status', {}).get('used', {}).get(resource)

    strake.wait_for(lambda: counted() == str(used))
    cluster.create(made(kind))
    with refuses(test, 403, 'Forbidden') as caught:
        cluster.create(made(kind, 'two'))
    test.assertIn(f'exceeded quota: quota, requested: {resource}=1, used: {resource}={used + 1}, limited: {resource}={used + 1}', caught.exception.message)


@behaviour('True', 'False')
def tells_watchers_of_bookmarks_and_of_what_was_there(test, cluster, initial):
    for name in ('a', 'b'):
        cluster.create(made('Cache', name))
    query = {'sendInitialEvents': 'true', 'resourceVersionMatch': 'NotOlderThan', 'allowWatchBookmarks': 'true'} if initial == 'True' else {}
    events = cluster.watch('Cache', 3 if query else 2, **query)
    test.assertEqual([event['object']['metadata'].get('name') for event in events[:2]], ['a', 'b'])
    if query:
        test.assertEqual((events[2]['type'], events[2]['object']['metadata']['annotations']), ('BOOKMARK', {'k8s.io/initial-events-end': 'true'}))


@behaviour((1, 0, 429), (0, 0, 201), (1, 2, 201))
def evicts_pods_within_their_budget(test, cluster, needed, healthy, code):
    cluster.create(made('Pod', labels={'app': 'x'}, spec={'nodeName': 'somewhere'}))
    cluster.patch('Pod', 'one', {'status': {'phase': 'Running', 'conditions': [{'type': 'Ready', 'status': 'True'}]}}, STRATEGIC, 'status')
    cluster.create(made('PodDisruptionBudget', spec={'minAvailable': needed}))
    cluster.patch('PodDisruptionBudget', 'one', {'status': {'disruptionsAllowed': max(0, healthy - needed) if needed else 1, 'currentHealthy': healthy,
                                                 'desiredHealthy': needed, 'expectedPods': 1, 'observedGeneration': 1}}, subresource='status')
    eviction = {'apiVersion': 'policy/v1', 'kind': 'Eviction', 'metadata': {'name': 'one'}}
    if code == 429:
        with refuses(test, 429, 'TooManyRequests'):
            cluster.call('POST', cluster.path('Pod', 'one', 'eviction'), eviction)
        return
    cluster.call('POST', cluster.path('Pod', 'one', 'eviction'), eviction)
    test.assertIn('DisruptionTarget', [item['type'] for item in cluster.get('Pod', 'one')['status']['conditions']])


# --- the suite, twice -----------------------------------------------------------------------------------------------------

class Suite(unittest.TestCase):
    """A server for each test of the table, or one for all and a namespace for each."""

    def cluster(self):
        raise NotImplementedError

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='strake-operator-suite-')
        cls.definitions = os.path.join(cls.folder, 'caches.json')
        with open(cls.definitions, 'w') as file:
            json.dump(CACHES, file)
        cls.began = time.monotonic()
        cls.ran = 0

    @classmethod
    def tearDownClass(cls):
        print(f'{cls.__doc__} {cls.ran} tests in {time.monotonic() - cls.began:.1f} s')
        shutil.rmtree(cls.folder)


class OneServerATest(Suite):
    """Each with a server of its own:"""

    def cluster(self):
        server = TestServer('--apply', self.definitions)
        self.addCleanup(server.stop)
        return Cluster(server, 'default')


class OneNamespaceATest(Suite):
    """Each with a namespace of one server:"""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = TestServer('--apply', cls.definitions)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        super().tearDownClass()

    def cluster(self):
        out = Cluster(self.server, f'test-{self.ran}')
        out.call('POST', '/api/v1/namespaces', {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': out.namespace}})
        return out


def add_tests(suite):
    for function, cases in BEHAVIOURS:
        for number, case in enumerate(cases):
            def run(self, function=function, case=case):
                type(self).ran += 1
                cluster = self.cluster()
                self.addCleanup(cluster.close)
                function(self, cluster, *case)
            setattr(suite, f'test_{function.__name__}_{number}', run)


add_tests(OneServerATest)
add_tests(OneNamespaceATest)


class Table(unittest.TestCase):
    def test_has_two_hundred_tests(self):
        self.assertGreaterEqual(sum(len(cases) for _, cases in BEHAVIOURS), 200)


if __name__ == '__main__':
    unittest.main()
