// Checks the choice of the representation.
import { codeOf, headerOf, requestText } from '../answer.ts';
import { type Check, requireRead } from '../check.ts';
import { BROWSER_ACCEPT, postPermalink, postTarget } from './targets.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json';
const HTML = 'text/html; charset=utf-8';

/** Accept of a v1 route, and the type that it chooses; undefined: nothing is acceptable. */
const V1: readonly (readonly [string, string | undefined])[] = [
  ['*/*', MARKDOWN],
  ['application/json', JSON_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE],
  ['text/markdown;q=0.5, application/json', JSON_TYPE],
  ['application/json;q=0.1, */*;q=0.2', MARKDOWN],
  ['text/plain', MARKDOWN],
  [BROWSER_ACCEPT, MARKDOWN],
  ['image/png, audio/*', undefined],
  ['text/html', undefined],
];

export const negotiationChecks: readonly Check[] = [
  {
    name: 'accept',
    statement: 'Accept chooses Markdown or JSON, on a permalink also a page; 406 if nothing is acceptable',
    rows: ['negotiation 1', 'negotiation 3', 'negotiation 5'],
    run: async (service, verify) => {
      const target = postTarget(service);
      requireRead(await service.read(target));
      for (const [accept, type] of V1) {
        const answer = await service.read(target, accept);
        const seen = answer.status === 406 ? codeOf(answer) : headerOf(answer, 'content-type');
        verify.equals(seen, type ?? 'not_acceptable', requestText(answer));
      }
      const page = await service.read(postPermalink(service), BROWSER_ACCEPT);
      verify.equals(headerOf(page, 'content-type'), HTML, requestText(page));
      return `${V1.length + 1} values of Accept`;
    },
  },
  {
    name: 'format',
    statement: 'format overrides Accept',
    rows: ['negotiation 2'],
    run: async (service, verify) => {
      for (const [format, accept, type] of [
        ['json', 'text/markdown', JSON_TYPE],
        ['markdown', 'application/json', MARKDOWN],
        ['obsidian', 'application/json', MARKDOWN],
      ] as const) {
        const answer = requireRead(await service.read(`${postTarget(service)}&format=${format}`, accept));
        verify.equals(headerOf(answer, 'content-type'), type, requestText(answer));
      }
      return 'json, markdown and obsidian';
    },
  },
];
