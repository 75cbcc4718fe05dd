// Measures the CPU time of this process per provider call: the client of the service against the global fetch, with the
// same server in another process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { asRecord } from '../../shared/model/json.ts';
import { createJsonClient } from '../../shared/upstream/json-client.ts';
import { clocksOf, readingAt } from '../../test/support/clocks.ts';
import { conversationFixture } from '../../test/support/long-conversation.ts';
import { microseconds, microsecondsRow, type Row, ratioRow, requireText } from './measure.ts';

const UPSTREAM_BAR = 0.6;

const SERVER = `
const { createServer } = require('node:http');
let body = '';
process.stdin.on('data', (chunk) => { body += chunk; }).on('end', () => {
  const bytes = Buffer.from(body);
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
});`;

export const upstreamRows = async (): Promise<Row[]> => {
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    server.stdin.end(conversationFixture(1).json);
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${port.toString().trim()}/`;
    const client = createJsonClient({
      source: 'bench',
      userAgent: 'Postern/bench',
      ...clocksOf(Date.now),
      log: () => undefined,
      random: Math.random,
    });
    const tasks = {
      client: () => client.get({ kind: 'any', url }, { deadline: readingAt(Date.now() + 8000), calls: { retries: 0 } }),
      fetch: async () => (await fetch(url, { headers: { accept: 'application/json' } })).json(),
    };
    const { text } = asRecord(asRecord(JSON.parse(conversationFixture(1).json))?.['status']) ?? {};
    requireText(JSON.stringify(text), { client: await tasks.client(), fetch: await tasks.fetch() });
    const us = await microseconds(tasks);
    return [
      microsecondsRow('provider call, CPU', us.client),
      ratioRow('provider call, CPU / global fetch', us.client / us.fetch, UPSTREAM_BAR),
    ];
  } finally {
    server.kill();
  }
};
