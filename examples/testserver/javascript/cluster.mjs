// An API server for tests. It needs nothing but node; @kubernetes/client-node reads `kubeconfig` by loadFromFile.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import https from 'node:https';
import {createInterface} from 'node:readline';

// A server that ends with stop(), and with this process, however that ends.
export async function startCluster(...args) {
  const server = spawn(process.env.STRAKE ?? 'strake', ['testserver', ...args], {stdio: ['pipe', 'pipe', 'inherit']});
  const failed = once(server, 'exit').then(([code]) => Promise.reject(new Error(`strake testserver ended with ${code}`)));
  const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), failed]);
  failed.catch(() => {});
  const {url, kubeconfig, certificateAuthority, clientCertificate, clientKey} = JSON.parse(line);
  const agent = new https.Agent({
    keepAlive: true,
    ca: readFileSync(certificateAuthority),
    cert: readFileSync(clientCertificate),
    key: readFileSync(clientKey),
  });

  // {status, body} of one request.
  function call(method, path, body, contentType = 'application/json') {
    return new Promise((resolve, reject) => {
      const request = https.request(url + path, {method, agent, headers: {'Content-Type': contentType}}, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => { text += piece; });
        response.on('end', () => resolve({status: response.statusCode, body: JSON.parse(text)}));
      });
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function stop() {
    agent.destroy();
    const ended = once(server, 'exit');
    server.stdin.end();
    await ended;
  }

  return {url, kubeconfig, call, stop};
}
