"""kubectl's imperative commands for the built-in kinds that run programs, against `strake testserver`: what makes, changes, shows and ends them."""
import json
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

import strake
from kubectl_test import NEW_ENOUGH, VERSION

NODE = {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'n1', 'labels': {'kubernetes.io/hostname': 'n1'}}}
POD = {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p', 'labels': {'app': 'p'}},
       'spec': {'nodeName': 'n1', 'containers': [{'name': 'c', 'image': 'busybox'}]}}


@unittest.skipUnless(NEW_ENOUGH, f'kubectl 1.30 or newer is wanted, there is {VERSION}')
class Imperative(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.mkdtemp(prefix='strake-kubectl-kinds-')
        cls.server = subprocess.Popen([strake.BINARY, 'testserver'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        cls.env = {**os.environ, 'KUBECONFIG': json.loads(cls.server.stdout.readline())['kubeconfig'], 'HOME': cls.home}

    @classmethod
    def tearDownClass(cls):
        cls.server.stdin.close()
        cls.server.wait(strake.DEADLINE)
        cls.server.stdout.close()
        shutil.rmtree(cls.home, ignore_errors=True)

    def setUp(self):
        self.namespace = self._testMethodName.removeprefix('test_').replace('_', '-')[:60].rstrip('-')
        self.plain('create', 'namespace', self.namespace)
        self.addCleanup(self.plain, 'delete', 'namespace', self.namespace, '--wait=false')

    def plain(self, *args, expect=0, env=None, **options):
        done = subprocess.run(['kubectl', *args], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**self.env, **(env or {})}, timeout=strake.DEADLINE, **options)
        self.assertEqual(done.returncode, expect, (args, done.stdout, done.stderr))
        self.said = done.stderr
        return done.stdout

    def kubectl(self, *args, **options):
        return self.plain('-n', self.namespace, *args, **options)

    def get(self, what, path):
        return self.kubectl('get', what, '-o', f'jsonpath={path}')

    def make(self, *objects, **options):
        return self.kubectl('create', '-f', '-', input=json.dumps({'apiVersion': 'v1', 'kind': 'List', 'items': objects}), **options)

    # --- create

    def test_create_makes_what_runs_programs(self):
        self.assertEqual(self.kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=2', '--port=80'), 'deployment.apps/web created\n')
        self.assertEqual(self.get('deploy/web', '{.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort} {.metadata.generation}'),
                         '2 80 1')
        self.assertEqual(self.kubectl('create', 'job', 'once', '--image=busybox', '--', 'date'), 'job.batch/once created\n')
        self.assertEqual(self.get('job/once', '{.spec.template.spec.restartPolicy} {.spec.completions} {.spec.parallelism} {.spec.backoffLimit}'),
                         'Never 1 1 6')
        self.assertEqual(self.kubectl('create', 'cronjob', 'often', '--image=busybox', '--schedule=*/5 * * * *', '--', 'date'),
                         'cronjob.batch/often created\n')
        self.assertEqual(self.kubectl('create', 'job', 'now', '--from=cronjob/often'), 'job.batch/now created\n')
        self.assertEqual(self.get('job/now', '{.metadata.ownerReferences[0].kind} {.metadata.annotations.cronjob\\.kubernetes\\.io/instantiate}'),
                         'CronJob manual')
        self.kubectl('create', 'deployment', 'web', '--image=nginx', expect=1)
        self.assertEqual(self.said, 'error: failed to create deployment: deployments.apps "web" already exists\n')
        self.kubectl('create', 'cronjob', 'bad', '--image=i', '--schedule=nope', expect=1)
        self.assertIn('spec.schedule: Invalid value: "nope"', self.said)

    def test_run_makes_pods(self):
        self.assertEqual(self.kubectl('run', 'one', '--image=busybox', '--restart=Never', '--labels=app=one', '--env=K=V', '--', 'sleep', '1'),
                         'pod/one created\n')
        self.assertEqual(self.get('pod/one', '{.spec.containers[0].args} {.spec.containers[0].env} {.spec.restartPolicy} {.status.phase} {.status.qosClass}'),
                         '["sleep","1"] [{"name":"K","value":"V"}] Never Pending BestEffort')
        self.assertEqual(self.kubectl('run', 'two', '--image=nginx', '--port=80', '--expose'), 'service/two created\npod/two created\n')
        self.assertEqual(self.get('svc/two', '{.spec.selector.run} {.spec.ports[0].port}'), 'two 80')
        self.kubectl('run', 'Bad', '--image=nginx', expect=1)
        self.assertIn('The Pod "Bad" is invalid', self.said)

    def test_create_makes_services_of_every_type(self):
        self.kubectl('create', 'service', 'clusterip', 'c', '--tcp=80:8080')
        self.kubectl('create', 'service', 'clusterip', 'headless', '--clusterip=None')
        self.kubectl('create', 'service', 'nodeport', 'n', '--tcp=80', '--node-port=30123')
        self.kubectl('create', 'service', 'loadbalancer', 'l', '--tcp=80')
        self.kubectl('create', 'service', 'externalname', 'e', '--external-name=db.example.com')
        rows = {line.split()[0]: line.split()[1:] for line in self.kubectl('get', 'svc', '--no-headers').splitlines()}
        self.assertEqual(rows['c'][0], 'ClusterIP')
        self.assertTrue(rows['c'][1].startswith('10.0.0.'), rows)
        self.assertEqual(rows['headless'][:3], ['ClusterIP', 'None', '<none>'])
        self.assertEqual((rows['n'][0], rows['n'][3]), ('NodePort', '80:30123/TCP'))
        self.assertEqual((rows['l'][0], rows['l'][2]), ('LoadBalancer', '<pending>'))
        self.assertEqual(rows['e'][:3], ['ExternalName', '<none>', 'db.example.com'])
        self.kubectl('create', 'service', 'nodeport', 'm', '--tcp=80', '--node-port=30123', expect=1)
        self.assertIn('spec.ports[0].nodePort: Invalid value: 30123: provided port is already allocated', self.said)

    def test_create_makes_what_surrounds_them(self):
        said = [self.kubectl('create', *words) for words in (
            ('ingress', 'i', '--class=x', '--rule=a.example.com/path*=web:80,tls=sec', '--annotation=a=b'),
            ('ingress', 'd', '--default-backend=web:http'),
            ('poddisruptionbudget', 'b', '--selector=app=web', '--min-available=50%'),
            ('quota', 'q', '--hard=pods=10,services=5'),
            ('configmap', 'm', '--from-literal=a=b'),
            ('secret', 'generic', 's', '--from-literal=a=b'),
            ('secret', 'docker-registry', 'r', '--docker-username=u', '--docker-password=p', '--docker-server=s'),
            ('serviceaccount', 'sa'),
            ('role', 'ro', '--verb=get', '--resource=pods,deployments.apps', '--resource-name=a'),
            ('rolebinding', 'rb', '--role=ro', '--serviceaccount=default:sa'))]
        self.assertEqual(''.join(said).split()[::2], [
            'ingress.networking.k8s.io/i', 'ingress.networking.k8s.io/d', 'poddisruptionbudget.policy/b', 'resourcequota/q', 'configmap/m',
            'secret/s', 'secret/r', 'serviceaccount/sa', 'role.rbac.authorization.k8s.io/ro', 'rolebinding.rbac.authorization.k8s.io/rb'])
        self.assertEqual(self.get('ingress/i', '{.spec.rules[0].http.paths[0].pathType} {.spec.tls[0].secretName} {.spec.ingressClassName}'), 'Prefix sec x')
        self.assertEqual(self.get('pdb/b', '{.spec.minAvailable}'), '50%')
        self.assertRegex(self.kubectl('create', 'token', 'sa'), r'^eyJ')
        for words, kind in ((('priorityclass', 'kinds-p', '--value=10', '--description=d'), 'priorityclass'),
                            (('clusterrole', 'kinds-c', '--verb=get', '--non-resource-url=/x'), 'clusterrole'),
                            (('clusterrolebinding', 'kinds-b', '--clusterrole=kinds-c', '--user=u'), 'clusterrolebinding')):
            self.assertIn('created', self.plain('create', *words))
            self.addCleanup(self.plain, 'delete', kind, words[1])

    def test_a_dry_run_makes_nothing(self):
        shown = json.loads(self.kubectl('create', 'deployment', 'web', '--image=nginx', '--dry-run=server', '-o', 'json'))
        self.assertEqual(shown['spec']['progressDeadlineSeconds'], 600)
        self.assertEqual(self.kubectl('get', 'deploy', '-o', 'name'), '')

    # --- change

    def test_expose_scale_and_autoscale(self):
        self.kubectl('create', 'deployment', 'web', '--image=nginx', '--port=80')
        self.assertEqual(self.kubectl('expose', 'deployment', 'web', '--target-port=8080', '--port=80', '--type=NodePort'), 'service/web exposed\n')
        self.assertEqual(self.get('svc/web', '{.spec.selector.app} {.spec.ports[0].targetPort} {.spec.type}'), 'web 8080 NodePort')
        self.assertEqual(self.kubectl('scale', 'deployment', 'web', '--replicas=5'), 'deployment.apps/web scaled\n')
        self.assertEqual(self.get('deploy/web', '{.spec.replicas} {.metadata.generation}'), '5 2')
        self.kubectl('scale', 'deployment', 'web', '--replicas=3', '--current-replicas=2', expect=1)
        self.assertEqual(self.said, 'error: Expected replicas to be 2, was 5\n')
        self.assertEqual(self.kubectl('autoscale', 'deployment', 'web', '--min=2', '--max=5', '--cpu-percent=70'),
                         'horizontalpodautoscaler.autoscaling/web autoscaled\n')
        self.assertIn('cpu: <unknown>/70%', self.kubectl('get', 'hpa', 'web'))
        self.kubectl('autoscale', 'deployment', 'web', '--name=b', '--min=9', '--max=5', expect=1)
        self.assertIn('max', self.said)

    def test_set_changes_templates(self):
        self.kubectl('create', 'deployment', 'web', '--image=nginx')
        self.assertEqual(self.kubectl('set', 'image', 'deployment/web', 'nginx=nginx:2'), 'deployment.apps/web image updated\n')
        self.assertEqual(self.kubectl('set', 'env', 'deployment/web', 'A=1', 'B=2'), 'deployment.apps/web env updated\n')
        self.assertEqual(self.kubectl('set', 'env', 'deployment/web', 'A-'), 'deployment.apps/web env updated\n')
        self.assertEqual(self.kubectl('set', 'resources', 'deployment/web', '--limits=cpu=1,memory=64Mi', '--requests=cpu=500m'),
                         'deployment.apps/web resource requirements updated\n')
        self.assertEqual(self.kubectl('set', 'serviceaccount', 'deployment', 'web', 'sa'), 'deployment.apps/web serviceaccount updated\n')
        spec = json.loads(self.get('deploy/web', '{.spec.template.spec}'))
        self.assertEqual(spec['containers'][0]['image'], 'nginx:2')
        self.assertEqual(spec['containers'][0]['env'], [{'name': 'B', 'value': '2'}])
        self.assertEqual(spec['containers'][0]['resources'], {'limits': {'cpu': '1', 'memory': '64Mi'}, 'requests': {'cpu': '500m'}})
        self.assertEqual((spec['serviceAccountName'], spec['serviceAccount']), ('sa', 'sa'))
        self.kubectl('create', 'service', 'clusterip', 's', '--tcp=80')
        self.assertEqual(self.kubectl('set', 'selector', 'service', 's', 'app=other'), 'service/s selector updated\n')
        self.assertEqual(self.get('svc/s', '{.spec.selector}'), '{"app":"other"}')
        self.kubectl('create', 'rolebinding', 'rb', '--clusterrole=view', '--user=u')
        self.assertEqual(self.kubectl('set', 'subject', 'rolebinding', 'rb', '--user=v'), 'rolebinding.rbac.authorization.k8s.io/rb subjects updated\n')

    def test_label_and_annotate(self):
        self.make(NODE | {'metadata': {'name': 'labelled'}}, POD)
        self.addCleanup(self.plain, 'delete', 'node', 'labelled')
        self.assertEqual(self.kubectl('label', 'pod', 'p', 'tier=front'), 'pod/p labeled\n')
        self.kubectl('label', 'pod', 'p', 'tier=back', expect=1)
        self.assertIn("'tier' already has a value (front), and --overwrite is false", self.said)
        self.assertEqual(self.kubectl('label', 'pod', 'p', 'tier=back', '--overwrite'), 'pod/p labeled\n')
        self.assertEqual(self.kubectl('label', 'pod', 'p', 'tier-'), 'pod/p unlabeled\n')
        self.kubectl('label', 'pod', 'p', 'tier=not a label', expect=1)
        self.assertEqual(self.kubectl('annotate', 'pod', '--all', 'note=n'), 'pod/p annotated\n')
        self.assertEqual(self.get('pods', '{.items[*].metadata.annotations.note}'), 'n')
        self.assertEqual(self.kubectl('get', 'pods', '-l', 'app in (p,q)', '-o', 'name'), 'pod/p\n')
        self.assertEqual(self.kubectl('get', 'pods', '--field-selector=spec.nodeName=n1', '-o', 'name'), 'pod/p\n')

    def test_patches_of_three_types(self):
        self.kubectl('create', 'deployment', 'web', '--image=nginx')
        self.kubectl('patch', 'deployment', 'web', '-p', '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}')
        self.assertEqual(self.get('deploy/web', '{.spec.template.spec.containers[*].name}'), 'side nginx')
        self.kubectl('patch', 'deployment', 'web', '--type=merge', '-p', '{"spec":{"replicas":4}}')
        self.kubectl('patch', 'deployment', 'web', '--type=json', '-p', '[{"op":"remove","path":"/spec/template/spec/containers/0"}]')
        self.assertEqual(self.get('deploy/web', '{.spec.template.spec.containers[*].name} {.spec.replicas}'), 'nginx 4')
        self.assertEqual(self.kubectl('patch', 'deployment', 'web', '-p', '{"spec":{"replicas":4}}'), 'deployment.apps/web patched (no change)\n')
        self.kubectl('patch', 'deployment', 'web', '--subresource=status', '--type=merge', '-p', '{"status":{"replicas":4}}')
        self.assertEqual(self.get('deploy/web', '{.status.replicas}'), '4')
        self.kubectl('patch', 'deployment', 'web', '-p', '{"spec":{"selector":{"matchLabels":{"app":"x"}}}}', expect=1)
        self.assertIn('field is immutable', self.said)

    def test_edit_replace_and_apply(self):
        self.kubectl('create', 'deployment', 'web', '--image=nginx')
        editor = os.path.join(self.home, 'editor')
        with open(editor, 'w') as file:
            file.write('#!/bin/sh\nsed -i "s/replicas: 1/replicas: 7/" "$1"\n')
        os.chmod(editor, stat.S_IRWXU)
        self.assertEqual(self.kubectl('edit', 'deployment', 'web', env={'EDITOR': editor}), 'deployment.apps/web edited\n')
        self.assertEqual(self.get('deploy/web', '{.spec.replicas}'), '7')
        self.assertIn('no changes made', self.kubectl('edit', 'deployment', 'web', env={'EDITOR': 'true'}) + self.said)
        shown = json.loads(self.kubectl('get', 'deployment', 'web', '-o', 'json'))
        shown['spec']['replicas'] = 8
        self.assertEqual(self.kubectl('replace', '-f', '-', input=json.dumps(shown)), 'deployment.apps/web replaced\n')
        self.kubectl('replace', '-f', '-', input=json.dumps(shown), expect=1)
        self.assertIn('the object has been modified', self.said)
        before = self.get('deploy/web', '{.metadata.uid}')
        for key in ('uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields'):
            shown['metadata'].pop(key, None)
        shown['spec']['selector'] = {'matchLabels': {'app': 'new'}}
        shown['spec']['template']['metadata']['labels'] = {'app': 'new'}
        self.kubectl('replace', '-f', '-', input=json.dumps(shown), expect=1)
        self.assertIn('field is immutable', self.said)
        self.kubectl('replace', '--force', '-f', '-', input=json.dumps(shown))
        self.assertNotEqual(self.get('deploy/web', '{.metadata.uid}'), before)
        text = json.dumps({**POD, 'spec': {'containers': [{'name': 'c', 'image': 'a'}]}})
        self.assertEqual(self.kubectl('apply', '-f', '-', input=text), 'pod/p created\n')
        self.assertEqual(self.kubectl('apply', '-f', '-', input=text), 'pod/p unchanged\n')
        self.assertEqual(self.kubectl('apply', '-f', '-', input=text.replace('"a"', '"b"')), 'pod/p configured\n')
        self.assertEqual(self.kubectl('apply', '--server-side', '--force-conflicts', '-f', '-', input=text), 'pod/p serverside-applied\n')
        self.assertEqual(self.kubectl('diff', '-f', '-', input=text), '')
        self.assertRegex(self.kubectl('diff', '-f', '-', input=text.replace('"image": "a"', '"image": "z"'), expect=1), r'(?m)^\+.*image: z$')

    # --- nodes

    def test_nodes_are_tainted_cordoned_and_drained(self):
        self.make(NODE | {'metadata': {'name': 'drained'}})
        self.addCleanup(self.plain, 'delete', 'node', 'drained')
        self.assertEqual(self.plain('taint', 'node', 'drained', 'k=v:NoSchedule'), 'node/drained tainted\n')
        self.assertIn('k', self.get('node/drained', '{.spec.taints[*].key}').split())
        self.assertEqual(self.plain('taint', 'node', 'drained', 'k=w:NoSchedule', '--overwrite'), 'node/drained modified\n')
        self.assertEqual(self.plain('taint', 'node', 'drained', 'k-'), 'node/drained untainted\n')
        self.assertEqual(self.plain('cordon', 'drained'), 'node/drained cordoned\n')
        self.assertIn('SchedulingDisabled', self.plain('get', 'node', 'drained'))
        self.assertEqual(self.plain('uncordon', 'drained'), 'node/drained uncordoned\n')
        alone = {**POD, 'spec': {**POD['spec'], 'nodeName': 'drained', 'terminationGracePeriodSeconds': 0}}
        self.make(alone)
        self.plain('drain', 'drained', expect=1)
        self.assertIn('that declare no controller', self.said)
        # A pod that runs may not be evicted while nobody has counted its budget.
        self.kubectl('patch', 'pod', 'p', '--subresource=status', '-p', '{"status":{"phase":"Running"}}')
        self.kubectl('create', 'pdb', 'b', '--selector=app=p', '--min-available=1')
        self.plain('drain', 'drained', '--force', '--timeout=2s', expect=1)
        self.assertIn("Cannot evict pod as it would violate the pod's disruption budget", self.said)
        self.kubectl('delete', 'pdb', 'b')
        drained = self.plain('drain', 'drained', '--force', '--timeout=60s')
        self.assertIn(f'evicting pod {self.namespace}/p\npod/p evicted\nnode/drained drained\n', drained)
        self.assertEqual(self.kubectl('get', 'pods', '-o', 'name'), '')

    # --- rollouts

    def test_rollouts_as_far_as_nobody_rolls(self):
        self.kubectl('create', 'deployment', 'web', '--image=nginx')
        self.assertIn('Waiting for deployment spec update to be observed', self.kubectl('rollout', 'status', 'deployment/web', '--watch=false'))
        self.assertEqual(self.kubectl('rollout', 'restart', 'deployment/web'), 'deployment.apps/web restarted\n')
        self.assertRegex(self.get('deploy/web', '{.spec.template.metadata.annotations}'), 'kubectl.kubernetes.io/restartedAt')
        self.assertEqual(self.kubectl('rollout', 'pause', 'deployment/web'), 'deployment.apps/web paused\n')
        self.assertEqual(self.kubectl('rollout', 'resume', 'deployment/web'), 'deployment.apps/web resumed\n')
        self.assertIn('No rollout history found', self.kubectl('rollout', 'history', 'deployment/web') + self.said)
        self.kubectl('rollout', 'undo', 'deployment/web', expect=1)
        self.assertIn('no rollout history found for deployment "web"', self.said)
        # With the replica sets of a controller, as a test would write them.
        uid = self.get('deploy/web', '{.metadata.uid}')
        for revision, image in (('1', 'nginx:1'), ('2', 'nginx')):
            self.make({'apiVersion': 'apps/v1', 'kind': 'ReplicaSet',
                       'metadata': {'name': f'web-{revision}', 'labels': {'app': 'web', 'pod-template-hash': revision},
                                    'annotations': {'deployment.kubernetes.io/revision': revision},
                                    'ownerReferences': [{'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web', 'uid': uid, 'controller': True}]},
                       'spec': {'replicas': 0, 'selector': {'matchLabels': {'app': 'web', 'pod-template-hash': revision}},
                                'template': {'metadata': {'labels': {'app': 'web', 'pod-template-hash': revision}},
                                             'spec': {'containers': [{'name': 'nginx', 'image': image}]}}}})
        self.assertRegex(self.kubectl('rollout', 'history', 'deployment/web'), r'(?s)REVISION.*1 .*2 ')
        self.assertEqual(self.kubectl('rollout', 'undo', 'deployment/web', '--to-revision=1'), 'deployment.apps/web rolled back\n')
        self.assertEqual(self.get('deploy/web', '{.spec.template.spec.containers[0].image}'), 'nginx:1')

    # --- show

    def test_get_shows_columns_of_every_kind(self):
        kinds = self.plain('api-resources', '--verbs=list', '--namespaced', '-o', 'name').split()
        self.assertIn('pods', kinds)
        self.assertIn('deployments.apps', kinds)
        self.make(POD)
        self.kubectl('create', 'deployment', 'web', '--image=nginx')
        self.assertEqual(self.kubectl('get', 'deploy').split()[:5], ['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE'])
        self.assertEqual(self.kubectl('get', 'deploy', '-o', 'wide').splitlines()[0].split(),
                         ['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE', 'CONTAINERS', 'IMAGES', 'SELECTOR'])
        self.assertEqual(self.kubectl('get', 'pods', '-o', 'wide').splitlines()[0].split(),
                         ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE', 'IP', 'NODE', 'NOMINATED', 'NODE', 'READINESS', 'GATES'])
        self.assertEqual(self.kubectl('get', 'pods', '-o', 'custom-columns=N:.metadata.name,I:.spec.containers[*].image').split(),
                         ['N', 'I', 'p', 'busybox'])
        self.assertEqual(self.kubectl('get', 'all', '-o', 'name'), 'pod/p\ndeployment.apps/web\n')
        self.kubectl('get', ','.join(kinds), '-o', 'wide')
        self.assertIn('kind: List', self.kubectl('get', ','.join(kinds), '-o', 'yaml'))

    def test_describe_shows_each(self):
        self.kubectl('create', 'deployment', 'web', '--image=nginx')
        self.kubectl('create', 'service', 'clusterip', 's', '--tcp=80')
        self.kubectl('create', 'ingress', 'i', '--rule=a.example.com/=s:80')
        self.kubectl('create', 'job', 'j', '--image=busybox')
        self.kubectl('create', 'cronjob', 'cj', '--image=busybox', '--schedule=@daily')
        self.kubectl('create', 'quota', 'q', '--hard=pods=3')
        self.kubectl('create', 'pdb', 'b', '--selector=app=web', '--max-unavailable=1')
        self.kubectl('autoscale', 'deployment', 'web', '--max=3')
        self.make(POD)
        for what, wanted in (('deployment/web', 'RollingUpdateStrategy'), ('service/s', 'IP Family Policy:'), ('ingress/i', 'a.example.com'),
                             ('job/j', 'Parallelism:'), ('cronjob/cj', '@daily'), ('quota/q', 'pods'), ('pdb/b', 'Max unavailable:'),
                             ('hpa/web', 'Max replicas:'), ('pod/p', 'QoS Class:')):
            self.assertIn(wanted, self.kubectl('describe', what), what)

    def test_explain_knows_the_fields(self):
        self.assertIn('<[]Container>', self.plain('explain', 'pod.spec'))
        self.assertIn('<LabelSelector>', self.plain('explain', 'deployment.spec'))
        self.assertIn('matchLabels', self.plain('explain', 'deployment.spec', '--recursive'))
        self.assertIn('VERSION:    v2', self.plain('explain', 'hpa', '--api-version=autoscaling/v2'))
        self.plain('explain', 'pod.spec.nope', expect=1)
        self.assertIn('field "nope" does not exist', self.said)

    def test_wait_hears_of_changes(self):
        self.make(POD)
        waiting = subprocess.Popen(['kubectl', '-n', self.namespace, 'wait', '--for=condition=Ready', 'pod/p', '--timeout=60s'], env=self.env,
                                   stdout=subprocess.PIPE, text=True)
        self.kubectl('patch', 'pod', 'p', '--subresource=status', '-p', '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}')
        self.assertEqual(waiting.communicate(timeout=strake.DEADLINE)[0], 'pod/p condition met\n')
        self.kubectl('wait', "--for=jsonpath={.status.phase}=Pending", 'pod/p', '--timeout=60s')
        self.kubectl('wait', '--for=condition=Nope', 'pod/p', '--timeout=1s', expect=1)
        self.assertIn('timed out waiting for the condition', self.said)

    def test_what_needs_a_kubelet_says_so(self):
        self.make(POD)
        for words in (('logs', 'p'), ('exec', 'p', '--', 'ls'), ('top', 'pods'), ('top', 'nodes')):
            self.kubectl(*words, expect=1)
            self.assertTrue(self.said, words)
        self.kubectl('top', 'pods', expect=1)
        self.assertEqual(self.said, 'error: Metrics API not available\n')

    # --- end

    def test_delete_in_every_way(self):
        self.make(POD)
        # A pod on a node ends when its kubelet says so.
        self.kubectl('delete', 'pod', 'p', '--wait=false', '--grace-period=30')
        self.assertEqual(self.get('pod/p', '{.metadata.deletionGracePeriodSeconds}'), '30')
        self.assertIn('Terminating', self.kubectl('get', 'pod', 'p'))
        self.kubectl('delete', 'pod', 'p', '--grace-period=0', '--force')
        self.assertIn('Immediate deletion does not wait for confirmation', self.said)
        self.assertEqual(self.kubectl('get', 'pods', '-o', 'name'), '')
        self.kubectl('run', 'q', '--image=busybox')
        self.assertEqual(self.kubectl('delete', 'pod', 'q', '--now'), f'pod "q" deleted\n')
        self.kubectl('create', 'deployment', 'a', '--image=nginx')
        self.kubectl('create', 'deployment', 'b', '--image=nginx')
        self.assertEqual(self.kubectl('delete', 'deployment', '-l', 'app=a'), 'deployment.apps "a" deleted\n')
        self.assertEqual(self.kubectl('delete', 'deployments,services', '--all'), 'deployment.apps "b" deleted\n')
        self.kubectl('delete', 'deployment', 'nope', expect=1)
        self.assertEqual(self.said, 'Error from server (NotFound): deployments.apps "nope" not found\n')
        self.assertEqual(self.kubectl('delete', 'deployment', 'nope', '--ignore-not-found'), '')


if __name__ == '__main__':
    unittest.main()
