"""The Python client's list, watch and patch on custom objects. Prints what it saw; arguments: kubeconfig."""
import sys
import threading

from kubernetes import client, config, watch

config.load_kube_config(sys.argv[1])
api = client.CustomObjectsApi()
where = dict(group='e2e.example.com', version='v1', namespace='default', plural='widgets')


def body(name, **spec):
    return {'apiVersion': 'e2e.example.com/v1', 'kind': 'Widget', 'metadata': {'name': name}, 'spec': spec}


api.create_namespaced_custom_object(**where, body=body('first', size=1))
listed = api.list_namespaced_custom_object(**where)
print('LISTED', [item['metadata']['name'] for item in listed['items']])


def change():
    api.create_namespaced_custom_object(**where, body=body('second', size=2))
    api.patch_namespaced_custom_object(**where, name='first', body={'spec': {'size': 5}})
    api.delete_namespaced_custom_object(**where, name='second')


threading.Timer(0.3, change).start()
watcher = watch.Watch()
seen = 0
for event in watcher.stream(api.list_namespaced_custom_object, **where,
                            resource_version=listed['metadata']['resourceVersion'], timeout_seconds=60):
    print(event['type'], event['object']['metadata']['name'], event['object']['spec']['size'])
    seen += 1
    if seen == 3:
        watcher.stop()
core = client.CoreV1Api()
print('NAMESPACES', sorted(n.metadata.name for n in core.list_namespace().items))
try:
    api.create_namespaced_custom_object(**where, body=body('bad', size=99))
except client.ApiException as refused:
    print('REFUSED', refused.status, 'should be less than or equal to 10' in refused.body)
