"""API servers for tests: `cluster` is one for the test alone, `namespace` a place in one that all tests share."""
import contextlib
import json
import os
import pathlib
import subprocess
import uuid

import pytest
from kubernetes import client, config

CRDS = pathlib.Path(__file__).resolve().parents[2] / 'crd'
STRAKE = os.environ.get('STRAKE', 'strake')


@contextlib.contextmanager
def testserver(*args):
    """A client of a server that ends with the block, and with this process, however that ends."""
    with subprocess.Popen([STRAKE, 'testserver', *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError('strake testserver did not start; its message is above')
        with config.new_client_from_config(json.loads(line)['kubeconfig']) as api:
            yield api


@pytest.fixture
def cluster():
    with testserver('--apply', str(CRDS)) as api:
        yield api


@pytest.fixture(scope='session')
def shared_cluster():
    with testserver('--apply', str(CRDS)) as api:
        yield api


@pytest.fixture
def namespace(shared_cluster):
    core = client.CoreV1Api(shared_cluster)
    name = f'test-{uuid.uuid4().hex[:8]}'
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=name)))
    yield name
    core.delete_namespace(name)
