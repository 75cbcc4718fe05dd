// `node test/tools/edge-njs.ts NJS`: runs the built edge function on generated requests in V8, as the local service does,
// and in njs, of which the engine of CloudFront Functions is a version, and compares the results. Prints the time of the start of the
// script and of a request in njs, the shortest mean of several batches. Exits with 1 if a result differs. `--requests 4000` compares more. `FUZZ_SEED=random` generates others.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { edgeEvent, edgeScript } from '../../infra/local/edge-sandbox.ts';
import { type EdgeEvent, edgeEvents } from '../generators/edge-events.ts';
import { casesOf, readSeed } from '../generators/seed.ts';

const { values, positionals } = parseArgs({
  options: { requests: { type: 'string', default: '900' } },
  allowPositionals: true,
});
const [njs = 'njs'] = positionals;

const MAX_SHOWN = 5;
const MAX_LENGTH = 1000;

/** Lone surrogates do not exist in UTF-8, so they reach no function. JSON.stringify writes only those as escapes. */
const asSent = (event: EdgeEvent): string => JSON.stringify(event).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\\ufffd');

/** console.log of njs breaks lines of more than 2,048 bytes, so a result is several lines and a full stop. */
const ANSWER = `
const answer = (event) => {
  let result;
  try {
    result = JSON.stringify(handler(JSON.parse(event)));
  } catch (error) {
    result = JSON.stringify(String(error));
  }
  const text = encodeURIComponent(result);
  for (let at = 0; at < text.length; at += 2000) console.log(text.slice(at, at + 2000));
  console.log('.');
};`;

const BATCHES = 10;
const BATCH = 200;

/** Runs after `load`, a function that runs the script and returns the edge function. */
const TIMES = `
const shortest = (run) => {
  let least = Infinity;
  for (let batch = 0; batch < ${BATCHES}; batch++) {
    const start = Date.now();
    for (let count = 0; count < ${BATCH}; count++) run();
    least = Math.min(least, Date.now() - start);
  }
  return (1000 * least / ${BATCH}).toFixed(0) + ' us';
};
const edgeFunction = load();
console.log('start ' + shortest(load) + ', request ' + shortest(() => edgeFunction(JSON.parse(ORDINARY))));`;

const ORDINARY = JSON.stringify(
  edgeEvent({
    method: 'GET',
    target: '/jack/status/20?thread=off&utm_source=a',
    rawHeaders: [
      'Host',
      'postern.test',
      'Accept',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'User-Agent',
      'Mozilla/5.0',
    ],
    viewerIp: '192.0.2.1',
  }),
);

const next = casesOf(edgeEvents, readSeed());
const events = Array.from({ length: Number(values.requests) }, (_, number) => asSent(next(number)));

const folder = mkdtempSync(join(tmpdir(), 'edge-njs-'));
try {
  const source = await buildEdge();
  const script = join(folder, 'run.js');
  writeFileSync(
    script,
    `${source}\n${ANSWER}\n${events.map((event) => `answer(${JSON.stringify(event)});`).join('\n')}`,
  );
  const output = execFileSync(njs, [script], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const inNjs = output
    .split('\n.\n')
    .slice(0, -1)
    .map((text): unknown => JSON.parse(decodeURIComponent(text.replaceAll('\n', ''))));
  const inV8 = edgeScript(source);
  const different = events.flatMap((event, number) => {
    const expected = inV8(JSON.parse(event));
    return isDeepStrictEqual(inNjs[number], expected) ? [] : [{ number, expected, seen: inNjs[number] }];
  });
  for (const { number, expected, seen } of different.slice(0, MAX_SHOWN))
    console.log(number, ...[expected, seen].map((result) => String(JSON.stringify(result)).slice(0, MAX_LENGTH)));
  writeFileSync(
    script,
    `const ORDINARY = ${JSON.stringify(ORDINARY)};\nconst load = () => { ${source}\nreturn handler; };\n${TIMES}`,
  );
  console.log(execFileSync(njs, [script], { encoding: 'utf8' }).trim());
  const equal = events.length - different.length;
  console.log(`${equal} of ${events.length} requests equal`);
  const { CI_FIGURE: figure } = process.env;
  if (figure !== undefined) writeFileSync(figure, `${equal} ${different.length} 0\n`);
  if (different.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
