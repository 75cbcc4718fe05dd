// Checks what is true of every answer, over the answers to all other checks.
import { isWellFormedApiKey } from '../../auth/api-key.ts';
import {
  type Answer,
  type Check,
  codeOf,
  headerOf,
  jsonOf,
  linesOf,
  listOf,
  requestText,
  statusText,
  textMember,
} from '../check.ts';
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

/** @returns the requests whose answers do not hold, each once */
const failing = (answers: readonly Answer[], holds: (answer: Answer) => boolean): readonly string[] => [
  ...new Set(answers.filter((answer) => !holds(answer)).map(statusText)),
];

/** Errors of JSON-RPC have their own form. */
const isRpcError = (answer: Answer): boolean => textMember(jsonOf(answer), 'jsonrpc') === '2.0';

const errorsOf = ({ answers }: Service): readonly Answer[] => answers.filter(isError);

const isProblemDocument = (answer: Answer): boolean => {
  const { status, type, title, resolution, instance } = jsonOf(answer);
  return (
    headerOf(answer, 'content-type') === PROBLEM &&
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
  {
    name: 'problem-documents',
    statement: 'Every error is a problem document with a code, a title and a resolution',
    rows: ['problems 1', 'platform 1'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const errors = errorsOf(service).filter((answer) => !isHead(answer) && !mayBePage(answer) && !isRpcError(answer));
      verify.equals(failing(errors, isProblemDocument), [], 'errors that are no problem documents');
      return `${errors.length} errors`;
    },
  },
  {
    name: 'no-server-errors',
    statement: 'No request is answered with 500 or 504',
    rows: ['problems 6'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      verify.equals(
        failing(service.answers, ({ status }) => status !== 500 && status !== 504),
        [],
        'server errors',
      );
      return `${service.answers.length} answers`;
    },
  },
  {
    name: 'no-challenge',
    statement: 'No answer has a WWW-Authenticate header',
    rows: ['problems 9'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const holds = (answer: Answer) => CHALLENGES.every((name) => linesOf(answer, name).length === 0);
      verify.equals(failing(service.answers, holds), [], 'answers with a challenge');
      return `${service.answers.length} answers`;
    },
  },
  {
    name: 'no-cookies',
    statement: 'No public answer sets a cookie',
    rows: ['cors 1'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const open = service.answers.filter((answer) => !isPrivate(answer));
      verify.equals(
        failing(open, (answer) => linesOf(answer, 'set-cookie').length === 0),
        [],
        'answers with a cookie',
      );
      return `${open.length} answers`;
    },
  },
  {
    name: 'cors',
    statement: 'Every origin may read every public answer and its lifecycle header fields, without credentials',
    rows: ['cors 1', 'cors 2', 'cors 4'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const open = service.answers.filter((answer) => !isPrivate(answer));
      const holds = (answer: Answer): boolean =>
        headerOf(answer, 'access-control-allow-origin') === '*' &&
        headerOf(answer, 'access-control-allow-credentials') === undefined &&
        EXPOSED.every((name) => listOf(answer, 'access-control-expose-headers').includes(name));
      verify.equals(failing(open, holds), [], 'answers that a page of another origin cannot read');
      return `${open.length} answers`;
    },
  },
  {
    name: 'common-headers',
    statement: 'Every answer has a request id, nosniff, Cache-Control and at most one Link line',
    rows: ['problems 8', 'lifecycle 4', 'platform 2'],
    isLast: true,
    run: async (service, verify) => {
      const holds = (answer: Answer): boolean =>
        headerOf(answer, 'x-request-id') !== undefined &&
        headerOf(answer, 'x-content-type-options') === 'nosniff' &&
        headerOf(answer, 'cache-control') !== undefined &&
        linesOf(answer, 'link').length <= 1;
      const whole = service.answers.filter(({ status }) => status !== 304);
      verify.equals(failing(whole, holds), [], 'answers that lack a header field');
      return `${whole.length} answers`;
    },
  },
  {
    name: 'unstored-errors',
    statement: 'No cache stores refused requests, spent allowances and outages',
    rows: ['caching 3'],
    isLast: true,
    isInCanary: true,
    run: async (service, verify) => {
      const errors = errorsOf(service).filter(({ status }) => status !== 404 && status !== 403);
      const holds = (answer: Answer) => /\bno-store\b/.test(headerOf(answer, 'cache-control') ?? '');
      verify.equals(failing(errors, holds), [], 'errors that a cache may store');
      return `${errors.length} errors`;
    },
  },
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
