// Checks what is true of every answer, over the answers to all other checks.
import { isWellFormedApiKey } from '../../auth/api-key.ts';
import { type Answer, codeOf, jsonOf, linesOf, listOf, requestText, responseHeader, textMember } from '../answer.ts';
import { type Check, statusText } from '../check.ts';
import type { Service } from '../service.ts';

const PROBLEM = 'application/problem+json';
const CHALLENGES = ['www-authenticate', 'proxy-authenticate', 'x-amzn-remapped-www-authenticate'];
const EXPOSED = ['deprecation', 'sunset', 'link'];

const isError = ({ status }: Answer): boolean => status >= 400;
const isHead = ({ probe }: Answer): boolean => probe.method === 'HEAD';
const isPrivate = ({ target }: Answer): boolean => /^\/(?:api\/)?admin(?:[/?]|$)/.test(target);

/** Answers where `text/html` wins are pages outside of the API. */
const mayBePage = ({ probe, target }: Answer): boolean =>
  /text\/html/.test(probe.headers?.['Accept'] ?? '') &&
  !/^\/(?:api|mcp|openapi\.json|\.well-known)(?:[/?]|$)/.test(target);

type Common = Pick<Check, 'name' | 'statement' | 'rows' | 'isInCanary'> & {
  /** The answers that are judged. @default all */
  readonly among?: (answer: Answer) => boolean;
  /** @default 'answers' */
  readonly subject?: 'errors';
  readonly holds: (answer: Answer) => boolean;
  /** Names the other answers. */
  readonly fault: string;
};

/** Names each request whose answer does not hold once. */
const checkOfAll = ({ among = () => true, subject, holds, fault, ...check }: Common): Check => ({
  ...check,
  isLast: true,
  run: async ({ answers }, verify) => {
    const judged = answers.filter(among);
    const failing = judged.filter((answer) => !holds(answer)).map(statusText);
    verify.equals([...new Set(failing)], [], fault);
    return `${judged.length} ${subject ?? 'answers'}`;
  },
});

const isPublic = (answer: Answer): boolean => !isPrivate(answer);

/** Errors of JSON-RPC have their own form. */
const isRpcError = (answer: Answer): boolean => textMember(jsonOf(answer), 'jsonrpc') === '2.0';

const isProblemDocument = (answer: Answer): boolean => {
  const { status, type, title, resolution, instance } = jsonOf(answer);
  return (
    responseHeader(answer, 'content-type') === PROBLEM &&
    status === answer.status &&
    codeOf(answer) !== undefined &&
    [type, title, resolution, instance].every((member) => typeof member === 'string')
  );
};

const secretsOf = (service: Service): readonly string[] => {
  const sent = service.answers.flatMap(({ probe, target }) => [
    ...Object.values(probe.headers ?? {}).flatMap((value) => value.split(' ')),
    ...new URLSearchParams(target.split('?')[1]).values(),
  ]);
  return [...new Set([...sent.filter(isWellFormedApiKey), ...(service.key === undefined ? [] : [service.key])])];
};

export const everyAnswerChecks: readonly Check[] = [
  checkOfAll({
    name: 'problem-documents',
    statement: 'Every error is a problem document with a code, a title and a resolution',
    rows: ['problems 1', 'platform 1'],
    isInCanary: true,
    among: (answer) => isError(answer) && !isHead(answer) && !mayBePage(answer) && !isRpcError(answer),
    subject: 'errors',
    holds: isProblemDocument,
    fault: 'errors that are no problem documents',
  }),
  checkOfAll({
    name: 'no-server-errors',
    statement: 'No request is answered with 500 or 504',
    rows: ['problems 6'],
    isInCanary: true,
    holds: ({ status }) => status !== 500 && status !== 504,
    fault: 'server errors',
  }),
  checkOfAll({
    name: 'no-challenge',
    statement: 'No answer has a WWW-Authenticate header',
    rows: ['problems 9'],
    isInCanary: true,
    holds: (answer) => CHALLENGES.every((name) => linesOf(answer, name).length === 0),
    fault: 'answers with a challenge',
  }),
  checkOfAll({
    name: 'no-cookies',
    statement: 'No public answer sets a cookie',
    rows: ['cors 1'],
    isInCanary: true,
    among: isPublic,
    holds: (answer) => linesOf(answer, 'set-cookie').length === 0,
    fault: 'answers with a cookie',
  }),
  checkOfAll({
    name: 'cors',
    statement: 'Every origin may read every public answer and its lifecycle header fields, without credentials',
    rows: ['cors 1', 'cors 2', 'cors 4'],
    isInCanary: true,
    among: isPublic,
    holds: (answer) =>
      responseHeader(answer, 'access-control-allow-origin') === '*' &&
      responseHeader(answer, 'access-control-allow-credentials') === undefined &&
      EXPOSED.every((name) => listOf(answer, 'access-control-expose-headers').includes(name)),
    fault: 'answers that a page of another origin cannot read',
  }),
  checkOfAll({
    name: 'common-headers',
    statement: 'Every answer has a request id, nosniff, Cache-Control and at most one Link line',
    rows: ['problems 8', 'lifecycle 4', 'platform 2'],
    among: ({ status }) => status !== 304,
    holds: (answer) =>
      responseHeader(answer, 'x-request-id') !== undefined &&
      responseHeader(answer, 'x-content-type-options') === 'nosniff' &&
      responseHeader(answer, 'cache-control') !== undefined &&
      linesOf(answer, 'link').length <= 1,
    fault: 'answers that lack a header field',
  }),
  checkOfAll({
    name: 'unstored-errors',
    statement: 'No cache stores refused requests, spent allowances and outages',
    rows: ['caching 3'],
    isInCanary: true,
    among: (answer) => isError(answer) && answer.status !== 404 && answer.status !== 403,
    subject: 'errors',
    holds: (answer) => /\bno-store\b/.test(responseHeader(answer, 'cache-control') ?? ''),
    fault: 'errors that a cache may store',
  }),
  {
    name: 'no-secrets',
    statement: 'No answer repeats a key that was sent',
    rows: ['keys 12'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const secrets = secretsOf(service);
      const isClean = ({ body, lines }: Answer): boolean =>
        !secrets.some((secret) => body.includes(secret) || lines.some(([, value]) => value.includes(secret)));
      const found = service.answers
        .filter((answer) => !isClean(answer))
        .map((answer) => requestText(answer).split('?')[0]);
      verify.equals([...new Set(found)], [], 'answers that repeat a key');
      return `${secrets.length} keys, ${service.answers.length} answers`;
    },
  },
];
