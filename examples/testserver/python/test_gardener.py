import pytest
from gardener import GARDENS, reconcile, run
from kubernetes import client


def create(api, namespace, name='kitchen', **spec):
    body = {'apiVersion': 'example.strake.dev/v1', 'kind': 'Garden', 'metadata': {'name': name}, 'spec': spec}
    return client.CustomObjectsApi(api).create_namespaced_custom_object(namespace=namespace, body=body, **GARDENS)


def phase(api, namespace, name='kitchen'):
    return client.CustomObjectsApi(api).get_namespaced_custom_object(namespace=namespace, name=name, **GARDENS)['status']['phase']


def test_the_definition_fills_in_defaults(shared_cluster, namespace):
    assert create(shared_cluster, namespace, plants=[{'name': 'mint'}])['spec'] == {'beds': 1, 'plants': [{'name': 'mint', 'count': 1}]}


def test_the_definition_refuses_what_it_must(shared_cluster, namespace):
    with pytest.raises(client.ApiException) as refused:
        create(shared_cluster, namespace, beds=0, plants=[{'name': 'mint'}])
    assert refused.value.status == 422
    assert 'plants need at least one bed' in refused.value.body


@pytest.mark.parametrize('plants, wanted', [([], 'Dug'), ([{'name': 'mint', 'count': 3}], 'Growing')])
def test_a_garden_gets_a_plan_and_a_phase(shared_cluster, namespace, plants, wanted):
    garden = create(shared_cluster, namespace, plants=plants)
    reconcile(shared_cluster, namespace, 'kitchen')
    plan = client.CoreV1Api(shared_cluster).read_namespaced_config_map('kitchen-plan', namespace)
    assert (plan.data or {}) == {plant['name']: str(plant['count']) for plant in plants}
    assert [owner.uid for owner in plan.metadata.owner_references] == [garden['metadata']['uid']]
    assert phase(shared_cluster, namespace) == wanted


def test_a_plan_follows_its_garden(shared_cluster, namespace):
    create(shared_cluster, namespace, plants=[{'name': 'mint'}])
    reconcile(shared_cluster, namespace, 'kitchen')
    client.CustomObjectsApi(shared_cluster).patch_namespaced_custom_object(namespace=namespace, name='kitchen', body={'spec': {'plants': [{'name': 'leek'}]}},
                                                                          **GARDENS)
    reconcile(shared_cluster, namespace, 'kitchen')
    assert client.CoreV1Api(shared_cluster).read_namespaced_config_map('kitchen-plan', namespace).data == {'leek': '1'}


def test_the_operator_follows_changes(cluster):
    for name in ('front', 'back'):
        create(cluster, 'default', name, plants=[{'name': 'mint'}])
    run(cluster, 'default', done=lambda event: event['object']['metadata']['name'] == 'back' and event['object'].get('status') == {'phase': 'Growing'})
    assert phase(cluster, 'default', 'back') == 'Growing'


def test_the_operator_survives_without_its_definition(cluster):
    # What would disturb every other test is harmless in a server of one's own.
    client.ApiextensionsV1Api(cluster).delete_custom_resource_definition('gardens.example.strake.dev')
    with pytest.raises(client.ApiException) as refused:
        reconcile(cluster, 'default', 'kitchen')
    assert refused.value.status == 404
