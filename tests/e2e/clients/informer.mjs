// The JavaScript client's informer on custom objects. Prints what it saw; arguments: kubeconfig.
import * as k8s from '@kubernetes/client-node';

const config = new k8s.KubeConfig();
config.loadFromFile(process.argv[2]);
const api = config.makeApiClient(k8s.CustomObjectsApi);
const where = {group: 'e2e.example.com', version: 'v1', namespace: 'default', plural: 'widgets'};
const body = (name, size) => ({apiVersion: 'e2e.example.com/v1', kind: 'Widget', metadata: {name}, spec: {size}});

const path = '/apis/e2e.example.com/v1/namespaces/default/widgets';
const informer = k8s.makeInformer(config, path, () => api.listNamespacedCustomObject(where));
const seen = [];
let done = false;
const note = (what) => (object) => {
  seen.push(`${what} ${object.metadata.name} ${object.spec.size}`);
  if (seen.length === 1) change();
  if (seen.length === 4) {
    done = true;
    console.log(seen.join('\n'));
    informer.stop();
    process.exit(0);
  }
};
informer.on('add', note('ADD'));
informer.on('update', note('UPDATE'));
informer.on('delete', note('DELETE'));
informer.on('error', (error) => { if (done) return; console.log('ERROR', error.message ?? error); process.exit(1); });

async function change() {
  await api.createNamespacedCustomObject({...where, body: body('second', 2)});
  const second = await api.getNamespacedCustomObject({...where, name: 'second'});
  second.spec.size = 6;
  await api.replaceNamespacedCustomObject({...where, name: 'second', body: second});
  await api.deleteNamespacedCustomObject({...where, name: 'second'});
}

await api.createNamespacedCustomObject({...where, body: body('first', 1)});
await informer.start();
setTimeout(() => { console.log('TIMEOUT', seen); process.exit(1); }, 60000);
