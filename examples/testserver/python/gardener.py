"""A small operator: each Garden gets a config map with its plan, and a phase."""
from kubernetes import client, watch

GARDENS = {'group': 'example.strake.dev', 'version': 'v1', 'plural': 'gardens'}


def plan_of(garden):
    meta = garden['metadata']
    owner = client.V1OwnerReference(api_version=garden['apiVersion'], kind=garden['kind'], name=meta['name'], uid=meta['uid'], controller=True)
    plants = garden['spec'].get('plants', [])
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=f'{meta["name"]}-plan', owner_references=[owner]),
                              data={plant['name']: str(plant['count']) for plant in plants})


def reconcile(api, namespace, name):
    """Brings what is there in line with what the Garden asks for."""
    gardens, core = client.CustomObjectsApi(api), client.CoreV1Api(api)
    garden = gardens.get_namespaced_custom_object(namespace=namespace, name=name, **GARDENS)
    plan = plan_of(garden)
    try:
        core.create_namespaced_config_map(namespace, plan)
    except client.ApiException as refused:
        if refused.status != 409:
            raise
        core.replace_namespaced_config_map(plan.metadata.name, namespace, plan)
    phase = 'Growing' if plan.data else 'Dug'
    if garden.get('status', {}).get('phase') != phase:
        gardens.patch_namespaced_custom_object_status(namespace=namespace, name=name, body={'status': {'phase': phase}}, **GARDENS)


def run(api, namespace, done):
    """Reconciles at each change, until `done` of what was changed."""
    gardens = client.CustomObjectsApi(api)
    watcher = watch.Watch()
    for event in watcher.stream(gardens.list_namespaced_custom_object, namespace=namespace, timeout_seconds=60, **GARDENS):
        if event['type'] != 'DELETED':
            reconcile(api, namespace, event['object']['metadata']['name'])
        if done(event):
            watcher.stop()
