// A server without Postern, as the floor of the local service: it reads the provider's paths that a request names by undici,
// parses each answer and sends all of them as JSON, compressed as the local service compresses.
import { createServer } from 'node:http';
import { Agent } from 'undici';
import { compressed } from '../../infra/local/edge-compression.ts';
import { listen } from '../../infra/local/listen.ts';
import { answerMessages } from '../../test/support/processes.ts';

const { provider }: { readonly provider: string } = JSON.parse(process.argv[2] ?? '');

const agent = new Agent();

const server = createServer(async (request, response) => {
  const paths = new URL(request.url ?? '', 'http://plain.example').searchParams.getAll('path');
  const answers = await Promise.all(
    paths.map(async (path) => (await agent.request({ origin: provider, path, method: 'GET' })).body.json()),
  );
  const plain = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(answers)),
  };
  const { headers, body } = await compressed(plain, request.headers['accept-encoding']);
  response.writeHead(200, headers).end(body);
});

answerMessages({ origin: await listen(server, '127.0.0.1', 0) }, async () => {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system };
});
