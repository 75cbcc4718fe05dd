// Checks the header fields of the deprecated aliases, and that no other route has them.
import { deprecationField, lifecycleLinks, lifecycles, sunsetField } from '../../contract/lifecycle.ts';
import { type Answer, linesOf, requestText, responseHeader } from '../answer.ts';
import { type Check, requireRead } from '../check.ts';
import type { Service } from '../service.ts';
import { convertTarget, JSON_ACCEPT, MARKDOWN_ACCEPT, postTarget } from './targets.ts';

const isAlias = ({ target }: Answer): boolean => /^\/api\/(?:convert|browse)(?:\?|$)/.test(target);

/** Requests of every status that costs nothing, with the route of the successor; undefined if none can be named. */
const aliasRequests = (service: Service) =>
  [
    [{ target: convertTarget(service) }, '/api/v1/posts'],
    [{ target: '/api/convert' }, '/api/v1/posts'],
    [{ target: convertTarget(service), method: 'HEAD' }, '/api/v1/posts'],
    [{ target: convertTarget(service), method: 'OPTIONS' }, '/api/v1/posts'],
    [{ target: '/api/convert', method: 'POST' }, '/api/v1/posts'],
    [{ target: '/api/browse' }, undefined],
    [{ target: '/api/browse?resource=posts' }, undefined],
    [{ target: '/api/browse?resource=profile' }, undefined],
    [{ target: '/api/browse?resource=search' }, '/api/v1/search'],
    [{ target: '/api/convert', headers: { 'X-Forwarded-Host': 'forged.example' } }, '/api/v1/posts'],
  ] as const;

/** The values of the field; a comma inside `<>` separates nothing. */
const linkValues = (answer: Answer): readonly string[] => (responseHeader(answer, 'link') ?? '').split(/,\s*(?=<)/);

export const lifecycleChecks: readonly Check[] = [
  {
    name: 'lifecycle',
    statement: 'Every answer of an alias has Deprecation, Sunset and one Link line with the successor',
    rows: ['lifecycle 1', 'lifecycle 2', 'lifecycle 4', 'lifecycle 5', 'lifecycle 6', 'lifecycle 7', 'lifecycle 8'],
    isInCanary: true,
    run: async (service, verify) => {
      const base = await service.baseUrl();
      const requests = aliasRequests(service);
      for (const [{ target, ...probe }, successor] of requests) {
        const answer = await service.send(target, probe);
        const name = requestText(answer);
        verify.equals(linesOf(answer, 'deprecation'), [deprecationField(lifecycles.convert)], `Deprecation of ${name}`);
        verify.equals(linesOf(answer, 'sunset'), [sunsetField(lifecycles.convert)], `Sunset of ${name}`);
        verify.equals(linesOf(answer, 'link').length, 1, `the number of Link lines of ${name}`);
        const values = linkValues(answer);
        for (const value of lifecycleLinks(base))
          verify.holds(values.includes(value), `Link of ${name} lacks ${value}`);
        const named = values.filter((value) => value.includes('successor-version'));
        const expected = successor === undefined ? [] : [`<${base}${successor}>; rel="successor-version"`];
        verify.equals(named, expected, `the successor of ${name}`);
      }
      return `${requests.length} answers`;
    },
  },
  {
    name: 'alias-body',
    statement: 'An alias answers as its successor does',
    rows: ['lifecycle 16', 'lifecycle 15'],
    run: async (service, verify) => {
      for (const accept of [MARKDOWN_ACCEPT, JSON_ACCEPT]) {
        const [alias, successor] = await Promise.all([
          service.read(convertTarget(service), accept),
          service.read(postTarget(service), accept),
        ]);
        requireRead(successor);
        requireRead(alias);
        for (const name of ['content-type', 'etag', 'cache-control', 'vary']) {
          verify.equals(
            responseHeader(alias, name),
            responseHeader(successor, name),
            `${name} of ${requestText(alias)}`,
          );
        }
      }
      return 'Markdown and JSON have the tags of the successor';
    },
  },
  {
    name: 'no-other-deprecation',
    statement: 'No other route sends Deprecation or Sunset',
    rows: ['lifecycle 12', 'lifecycle 17'],
    isLast: true,
    run: async (service, verify) => {
      await service.send('/api/convert/');
      const others = service.answers.filter((answer) => !isAlias(answer));
      const found = others.filter(
        (answer) => linesOf(answer, 'deprecation').length + linesOf(answer, 'sunset').length > 0,
      );
      verify.equals([...new Set(found.map(requestText))], [], 'answers with Deprecation or Sunset');
      return `${others.length} answers`;
    },
  },
];
