// Measures what the largest provider answers cost in each form, each in a process of its own.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { listen, stop } from '../../infra/local/listen.ts';
import { MAX_RESPONSE_BYTES } from '../../shared/contract/bounds.ts';
import { BIG_ID, type BigAnswer, bigAnswers } from '../../test/generators/big-answers.ts';
import { environmentWith, noneOf, publishMeasurement } from '../write-measurement.ts';
import type { AnswerCost, AnswerRequest, AnswerTask } from './answer-process.ts';

type Kind = BigAnswer['kind'];

interface AnswerForm {
  readonly name: string;
  /** Undefined: the form does not show such a subject. */
  requestOf(kind: Kind, isWarmUp: boolean): AnswerRequest | undefined;
}

const WARM_UP_ID = '1700000000000000020';

const targetOf = (kind: Kind, isWarmUp: boolean): string => {
  switch (kind) {
    case 'post':
      return `/ada/status/${isWarmUp ? WARM_UP_ID : BIG_ID}`;
    case 'posts':
      return `/search?q=${isWarmUp ? 'warmup' : 'fjord'}`;
    case 'users':
      return `/${isWarmUp ? 'warmup' : 'ada'}/followers`;
    case 'profile':
      return `/${isWarmUp ? 'warmup' : 'ada'}`;
    default:
      return kind satisfies never;
  }
};

const accepting =
  (accept: string, query = '') =>
  (kind: Kind, isWarmUp: boolean): AnswerRequest => {
    const target = targetOf(kind, isWarmUp);
    return { target: `${target}${query === '' ? '' : `${target.includes('?') ? '&' : '?'}${query}`}`, accept };
  };

const TOOLS: Readonly<Record<Kind, (isWarmUp: boolean) => readonly [name: string, args: object]>> = {
  post: (isWarmUp) => ['x_get_post', { id: isWarmUp ? WARM_UP_ID : BIG_ID }],
  posts: (isWarmUp) => ['x_search_posts', { q: isWarmUp ? 'warmup' : 'fjord' }],
  users: (isWarmUp) => ['x_list_followers', { handle: isWarmUp ? 'warmup' : 'ada' }],
  profile: (isWarmUp) => ['x_get_profile', { handle: isWarmUp ? 'warmup' : 'ada' }],
};

const calling =
  (more: object) =>
  (kind: Kind, isWarmUp: boolean): AnswerRequest => {
    const [name, args] = TOOLS[kind](isWarmUp);
    const params = { name, arguments: { ...args, ...more } };
    return { target: '/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
  };

const only =
  (kinds: readonly Kind[], requestOf: AnswerForm['requestOf']): AnswerForm['requestOf'] =>
  (kind, isWarmUp) =>
    kinds.includes(kind) ? requestOf(kind, isWarmUp) : undefined;

const answerForms: readonly AnswerForm[] = [
  { name: 'Markdown', requestOf: accepting('text/markdown') },
  { name: 'max_tokens', requestOf: accepting('text/markdown', 'max_tokens=1000') },
  { name: 'JSON', requestOf: accepting('application/json') },
  { name: 'HTML', requestOf: accepting('text/html') },
  { name: 'Obsidian', requestOf: only(['post'], accepting('*/*', 'format=obsidian')) },
  {
    name: 'oEmbed',
    requestOf: only(['post'], (kind, isWarmUp) => ({
      target: `/oembed?url=${encodeURIComponent(`https://x.com${targetOf(kind, isWarmUp)}`)}`,
    })),
  },
  { name: 'RSS', requestOf: only(['posts'], accepting('*/*', 'format=rss')) },
  { name: 'MCP', requestOf: calling({}) },
  { name: 'MCP JSON', requestOf: calling({ format: 'json' }) },
];

interface MeasuredAnswer extends Partial<AnswerCost> {
  readonly answer: string;
  readonly form: string;
}

const isWarmUpPath = (url: string): boolean => url.includes('warmup') || url.includes(WARM_UP_ID);

const SMALL_BYTES = 4000;
const BIG_BYTES = 2_000_000;
/** More than any answer that is measured. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const runTask = (task: AnswerTask): Promise<AnswerCost | undefined> =>
  new Promise((resolve) => {
    const file = fileURLToPath(new URL('./answer-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--max-old-space-size=1024', file, JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
    });
    child.on('close', () => resolve(text === '' ? undefined : JSON.parse(text)));
  });

const MEGABYTE = 1_000_000;
/** A process that died took more. */
const MOST = Number.POSITIVE_INFINITY;

const MOST_MILLISECONDS = 1000;
const MOST_MEGABYTES = 300;

const MOST_TURNS = 3;

/** Other programs on the machine make a process slower, so a task beyond its bar is measured again. */
const measureTask = async (task: AnswerTask): Promise<AnswerCost | undefined> => {
  let cost: AnswerCost | undefined;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const measured = await runTask(task);
    if (cost === undefined || (measured !== undefined && measured.cpuMilliseconds < cost.cpuMilliseconds))
      cost = measured;
    const { cpuMilliseconds = MOST } = cost ?? {};
    if (cpuMilliseconds <= MOST_MILLISECONDS) break;
  }
  return cost;
};

async function* measureAnswers(): AsyncGenerator<MeasuredAnswer> {
  for (const answer of bigAnswers) {
    const big = JSON.stringify(answer.make(BIG_BYTES));
    const small = JSON.stringify(answer.make(SMALL_BYTES)).replaceAll(BIG_ID, WARM_UP_ID);
    const server = createServer((request, response) => {
      const body = isWarmUpPath(request.url ?? '') ? small : big;
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const baseUrl = await listen(server, '127.0.0.1', 0);
    for (const { name, requestOf } of answerForms) {
      const requests = [requestOf(answer.kind, true), requestOf(answer.kind, false)].filter((one) => one !== undefined);
      if (requests.length === 0) continue;
      const cost = await measureTask({ baseUrl, maxBodyBytes: MAX_BODY_BYTES, requests });
      yield { answer: answer.name, form: name, ...cost };
    }
    await stop(server);
  }
}

const secondsOf = ({ cpuMilliseconds = MOST }: MeasuredAnswer): number => cpuMilliseconds / 1000;
const megabytesOf = ({ memoryBytes = MOST }: MeasuredAnswer): number => memoryBytes / MEGABYTE;

const textOf = (measured: MeasuredAnswer): string =>
  `${secondsOf(measured).toFixed(2)} s, ${Math.round(megabytesOf(measured))} MB`;

/** Prints a line for each answer and form. */
export const publishAnswers = async (): Promise<void> => {
  const all: MeasuredAnswer[] = [];
  for await (const measured of measureAnswers()) {
    const { answer, form, status = 'died', bytes = 0 } = measured;
    console.log(
      `${answer.padEnd(44)} ${form.padEnd(10)} ${status} ${(bytes / MEGABYTE).toFixed(2)} MB in ${textOf(measured)}`,
    );
    all.push(measured);
  }
  const isWrong = ({ status, bytes = MOST }: MeasuredAnswer): boolean => status !== 200 || bytes > MAX_RESPONSE_BYTES;
  publishMeasurement('answers', {
    command: 'npm run measure -- hostile-texts --answers',
    environment: environmentWith(`answers of ${BIG_BYTES / MEGABYTE} MB`),
    bars: [
      noneOf('large provider answers without an answer of 200, at most 5.5 MB', all.filter(isWrong).length),
      {
        name: 'most CPU time for a large provider answer',
        value: Math.max(...all.map(secondsOf)),
        unit: 's',
        bar: MOST_MILLISECONDS / 1000,
      },
      {
        name: 'most memory for a large provider answer',
        value: Math.max(...all.map(megabytesOf)),
        unit: 'MB',
        bar: MOST_MEGABYTES,
      },
    ],
    tables: [
      {
        columns: ['Provider answer', ...answerForms.map(({ name }) => name)],
        rows: [...new Set(all.map(({ answer }) => answer))].map((answer) => [
          answer,
          ...answerForms.map(({ name }) => {
            const measured = all.find((candidate) => candidate.answer === answer && candidate.form === name);
            return measured === undefined ? '' : textOf(measured);
          }),
        ]),
      },
    ],
  });
};
