import assert from 'node:assert/strict';
import {after, before, beforeEach, describe, it} from 'node:test';
import {fileURLToPath} from 'node:url';

import {startCluster} from './cluster.mjs';

const crds = fileURLToPath(new URL('../../crd', import.meta.url));

describe('gardens', () => {
  let cluster;
  let gardens;
  let count = 0;

  before(async () => { cluster = await startCluster('--apply', crds); });
  after(() => cluster.stop());
  beforeEach(async () => {
    const name = `test-${++count}`;
    const made = await cluster.call('POST', '/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
    assert.equal(made.status, 201);
    gardens = `/apis/example.strake.dev/v1/namespaces/${name}/gardens`;
  });

  const garden = (spec) => ({apiVersion: 'example.strake.dev/v1', kind: 'Garden', metadata: {name: 'kitchen'}, spec});

  it('get their defaults', async () => {
    const {status, body} = await cluster.call('POST', gardens, garden({plants: [{name: 'mint'}]}));
    assert.equal(status, 201);
    assert.deepEqual(body.spec, {beds: 1, plants: [{name: 'mint', count: 1}]});
  });

  it('need a bed for their plants', async () => {
    const {status, body} = await cluster.call('POST', gardens, garden({beds: 0, plants: [{name: 'mint'}]}));
    assert.equal(status, 422);
    assert.match(body.message, /plants need at least one bed/);
  });

  it('tell who changed them meanwhile', async () => {
    const {body} = await cluster.call('POST', gardens, garden({beds: 2}));
    await cluster.call('PATCH', `${gardens}/kitchen`, {spec: {beds: 3}}, 'application/merge-patch+json');
    const late = await cluster.call('PUT', `${gardens}/kitchen`, {...body, spec: {beds: 9}});
    assert.equal(late.status, 409);
    assert.equal(late.body.reason, 'Conflict');
  });
});
