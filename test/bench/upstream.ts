// Measures the CPU time of this process per provider call: the client of the service against the global fetch, with the
// same server in another process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { asRecord } from '../../shared/model/json.ts';
import { createJsonClient } from '../../shared/upstream/json-client.ts';
import { conversationFixture } from './fixture.ts';
import { median, type Row, requireText } from './measure.ts';

const UPSTREAM_BAR = 0.6;
const CALLS = 1000;
const ROUNDS = 9;
/** Rounds until both sides are compiled. */
const WARM_UP = 3;

const SERVER = `
const { createServer } = require('node:http');
let body = '';
process.stdin.on('data', (chunk) => { body += chunk; }).on('end', () => {
  const bytes = Buffer.from(body);
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
});`;

const cpuPerCall = async (call: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
};

export const upstreamRows = async (): Promise<Row[]> => {
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    server.stdin.end(conversationFixture(1).json);
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${port.toString().trim()}/`;
    const client = createJsonClient({
      source: 'bench',
      userAgent: 'Postern/bench',
      clock: Date.now,
      log: () => undefined,
      random: Math.random,
    });
    const callWithClient = () => client.get({ kind: 'any', url }, { deadline: Date.now() + 8000, retries: 0 });
    const callWithFetch = async () => (await fetch(url, { headers: { accept: 'application/json' } })).json();
    const { text } = asRecord(asRecord(JSON.parse(conversationFixture(1).json))?.['status']) ?? {};
    requireText(JSON.stringify(text), { client: await callWithClient(), fetch: await callWithFetch() });
    const samples = { client: [] as number[], fetch: [] as number[] };
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const clientCpu = await cpuPerCall(callWithClient);
      const fetchCpu = await cpuPerCall(callWithFetch);
      if (round < 0) continue;
      samples.client.push(clientCpu);
      samples.fetch.push(fetchCpu);
    }
    return [
      { name: 'provider call, CPU', value: median(samples.client), unit: 'us' },
      {
        name: 'provider call, CPU / global fetch',
        value: median(samples.client) / median(samples.fetch),
        unit: 'ratio',
        bar: UPSTREAM_BAR,
      },
    ];
  } finally {
    server.kill();
  }
};
