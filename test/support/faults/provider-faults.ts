// Lists the 26 faults of a provider that `npm run measure -- faults` plants. Texts that must not reach a caller contain LEAKY.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sharedLink } from '../../generators/big-answers.ts';
import {
  type Behaviour,
  endless,
  gzipBomb,
  html,
  json,
  neverResponds,
  notHttp,
  reply,
  resetBeforeHeaders,
  slowHead,
  trickle,
} from '../fault-server.ts';
import { answerMissing, answerTruthfully, otherPath, type ProviderAnswer } from '../truthful-provider.ts';

/** A request that reached the provider. */
export interface ProviderExchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly answer: ProviderAnswer;
  /** The connection served another request before. */
  readonly isReused: boolean;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface ProviderFault {
  readonly name: string;
  /** `down`: the provider does not listen. */
  readonly plant: ((exchange: ProviderExchange) => void) | 'down';
  /** The fault cannot concern the subjects of one caller only. */
  readonly concernsAll?: true;
  /** Lists get a true answer about another subject, in which nothing shows the fault. */
  readonly lies?: true;
  /** The answer keeps a processor busy. */
  readonly isLarge?: true;
}

export const sendAnswer = (response: ServerResponse, { status, type, body }: ProviderAnswer): void =>
  void response.writeHead(status, { 'content-type': type }).end(body);

const behaving =
  (behaviour: Behaviour): ProviderFault['plant'] =>
  ({ incoming, response }) =>
    behaviour(incoming, response);

/** At least 1 byte and never all of them. */
const partOf = (body: string, random: () => number): string =>
  body.slice(0, 1 + Math.floor(random() * (body.length - 1)));

/** A true answer whose post or account has large members. The answer of the second provider gets none. */
const withMembers = (body: string, ofPost: object, ofUser: object): string => {
  const answer = JSON.parse(body);
  const enlarged = (entry: object | undefined): object | undefined =>
    entry === undefined ? undefined : { ...entry, ...('screen_name' in entry ? ofUser : ofPost) };
  return JSON.stringify({
    ...answer,
    status: enlarged(answer.status),
    user: enlarged(answer.user),
    results: answer.results?.map(enlarged),
  });
};

const DOTS = '. '.repeat(500_000);
const SHARING = sharedLink(300_000);

const sendLarge =
  (ofPost: object, ofUser: object): ProviderFault['plant'] =>
  ({ response, answer }) =>
    sendAnswer(response, { ...answer, body: withMembers(answer.body, ofPost, ofUser) });

export const providerFaults: readonly ProviderFault[] = [
  { name: 'connection refused', plant: 'down', concernsAll: true },
  { name: 'reset before the head', plant: behaving(resetBeforeHeaders) },
  {
    name: 'reset in the body',
    plant({ incoming, response, answer, random }) {
      response.writeHead(answer.status, { 'content-type': answer.type, 'content-length': answer.body.length });
      response.write(partOf(answer.body, random), () => incoming.socket.resetAndDestroy());
    },
  },
  {
    name: 'stale connection',
    concernsAll: true,
    // The provider has closed each connection that served a request, and the client does not know it yet.
    plant({ incoming, response, answer, isReused }) {
      if (isReused) incoming.socket.resetAndDestroy();
      else sendAnswer(response, answer);
    },
  },
  { name: 'no answer', plant: behaving(neverResponds) },
  {
    name: 'head after 2 s',
    plant: ({ incoming, response, answer }) => slowHead(2000, () => sendAnswer(response, answer))(incoming, response),
  },
  { name: 'trickling body', plant: behaving(trickle()) },
  { name: 'endless body', isLarge: true, plant: behaving(endless(512)) },
  { name: 'gzip bomb', isLarge: true, plant: behaving(gzipBomb()) },
  {
    name: 'truncated JSON',
    plant: ({ response, answer, random }) => sendAnswer(response, { ...answer, body: partOf(answer.body, random) }),
  },
  { name: 'not HTTP', plant: behaving(notHttp) },
  { name: '200 with a login page', plant: behaving(html(200)) },
  { name: '200 without a body', plant: behaving(reply(200)) },
  { name: '200 of another shape', plant: behaving(json({ data: { items: ['LEAKY'] }, ok: true })) },
  {
    name: '200 about another subject',
    lies: true,
    plant: ({ response, path }) => sendAnswer(response, answerTruthfully(otherPath(path))),
  },
  { name: 'redirect to itself', plant: ({ response, path }) => void response.writeHead(302, { location: path }).end() },
  { name: '400', plant: behaving(json({ code: 400, message: 'LEAKY' }, 400)) },
  { name: '401', plant: behaving(json({ code: 401, message: 'LEAKY' }, 401)) },
  { name: '404 as for missing data', plant: ({ response, path }) => sendAnswer(response, answerMissing(path)) },
  { name: '404 with HTML', plant: behaving(html(404)) },
  { name: '429', plant: behaving(json({ code: 429, message: 'LEAKY' }, 429)), concernsAll: true },
  {
    name: '429, Retry-After: 8',
    plant: behaving(json({ code: 429, message: 'LEAKY' }, 429, { 'retry-after': 8 })),
    concernsAll: true,
  },
  { name: '500', plant: behaving(json({ code: 500, message: 'LEAKY' }, 500)) },
  { name: 'article of 300 kB, one link', isLarge: true, plant: sendLarge(SHARING, { description: DOTS }) },
  { name: 'texts of 1 MB', isLarge: true, plant: sendLarge({ community_note: { text: DOTS } }, { location: DOTS }) },
  { name: '503, Retry-After: 120', plant: behaving(reply(503, 'LEAKY', { 'retry-after': 120 })) },
];
