// Checks validators, freshness, variants and compression.
import { type Answer, listOf, requestText, responseHeader } from '../answer.ts';
import { type Check, requireRead, statusText } from '../check.ts';
import { JSON_ACCEPT, MARKDOWN_ACCEPT, postPermalink, postTarget } from './targets.ts';

/** The fields that 304 repeats. */
const REPEATED = ['cache-control', 'etag', 'vary', 'access-control-allow-origin'];

/** Freshness of a storable answer; operators choose the seconds. */
const STORABLE = /^public, max-age=\d+, s-maxage=\d+(?:, stale-while-revalidate=\d+, stale-if-error=\d+)?$/;

const MISMATCH = 'W/"no-such-tag"';

const etagOf = (answer: Answer): string => responseHeader(answer, 'etag') ?? '';

export const cachingChecks: readonly Check[] = [
  {
    name: 'conditional-requests',
    statement: '304 answers a matching If-None-Match and repeats the caching header fields',
    rows: ['caching 5', 'caching 6'],
    isInCanary: true,
    run: async (service, verify) => {
      const post = requireRead(await service.read(postTarget(service)));
      for (const full of [post, await service.read('/api')]) {
        const etag = etagOf(full);
        verify.holds(/^W\/"[^"]+"$|^"[^"]+"$/.test(etag), `ETag of ${requestText(full)} is ${etag || 'absent'}`);
        for (const [field, status] of [
          [etag, 304],
          [`${MISMATCH}, ${etag}`, 304],
          [MISMATCH, 200],
        ] as const) {
          const answer = await service.send(full.target, { headers: { 'If-None-Match': field } });
          verify.equals(answer.status, status, `${requestText(full)} with If-None-Match: ${field.slice(0, 60)}`);
          if (answer.status !== 304) continue;
          verify.equals(answer.bytes, 0, 'the body of 304, in bytes,');
          for (const name of REPEATED) {
            verify.equals(
              responseHeader(answer, name),
              responseHeader(full, name),
              `${name} of 304 for ${full.target}`,
            );
          }
        }
      }
      return 'a post and /api';
    },
  },
  {
    name: 'freshness',
    statement: 'Cacheable answers have a lifetime and a validator',
    rows: ['caching 4'],
    run: async (service, verify) => {
      const post = requireRead(await service.read(postTarget(service)));
      const answers = [
        post,
        await service.read('/api'),
        await service.read('/openapi.json'),
        await service.read('/docs'),
      ];
      for (const answer of answers) {
        const field = responseHeader(answer, 'cache-control') ?? 'absent';
        verify.holds(STORABLE.test(field), `Cache-Control of ${requestText(answer)} is ${field}`);
        verify.holds(etagOf(answer) !== '', `${requestText(answer)} has no ETag`);
      }
      return responseHeader(post, 'cache-control') ?? '';
    },
  },
  {
    name: 'variants',
    statement: 'JSON and Markdown of one URL are different answers with different tags, whichever was stored first',
    rows: ['caching 4', 'caching 8'],
    run: async (service, verify) => {
      const target = postTarget(service);
      const [markdown, json] = [
        requireRead(await service.read(target, MARKDOWN_ACCEPT)),
        requireRead(await service.read(target, JSON_ACCEPT)),
      ];
      verify.equals(responseHeader(markdown, 'content-type'), 'text/markdown; charset=utf-8', 'the type of Markdown');
      verify.equals(responseHeader(json, 'content-type'), 'application/json', 'the type of JSON');
      verify.holds(etagOf(markdown) !== etagOf(json), `both have the tag ${etagOf(json)}`);
      const other = await service.send(target, { headers: { Accept: MARKDOWN_ACCEPT, 'If-None-Match': etagOf(json) } });
      verify.equals(other.status, 200, 'Markdown with the tag of JSON');
      return 'two types, two tags';
    },
  },
  {
    name: 'unknown-parameters',
    statement: 'Unknown parameters do not change the answer',
    rows: ['caching 7'],
    run: async (service, verify) => {
      const plain = requireRead(await service.read(postTarget(service)));
      const tagged = await service.read(`${postTarget(service)}&utm_source=verify`);
      verify.holds(tagged.status === 200, statusText(tagged));
      verify.equals(etagOf(tagged), etagOf(plain), 'the ETag with utm_source');
      return 'utm_source is ignored';
    },
  },
  {
    name: 'same-bytes',
    statement: 'A permalink and its v1 route answer with the same bytes',
    rows: ['negotiation 4'],
    run: async (service, verify) => {
      const withoutTime = ({ body }: Answer): string => body.replace(/"fetched_at":"[^"]*"/, '');
      for (const accept of [MARKDOWN_ACCEPT, JSON_ACCEPT]) {
        const [v1, permalink] = [
          requireRead(await service.read(postTarget(service), accept)),
          requireRead(await service.read(postPermalink(service), accept)),
        ];
        verify.holds(withoutTime(v1) === withoutTime(permalink), `${accept} of permalink and v1 differ`);
      }
      return 'Markdown and JSON';
    },
  },
  {
    name: 'compression',
    statement: 'Large answers are compressed if Accept-Encoding allows, with Vary',
    rows: ['caching 18'],
    run: async (service, verify) => {
      const shown: string[] = [];
      // CloudFront compresses JSON itself; without CloudFront, only what the functions compress can be seen.
      const isAtEdge = service.origin.protocol === 'https:';
      for (const [target, accept] of [
        ['/docs', MARKDOWN_ACCEPT] as const,
        ...(isAtEdge ? [['/openapi.json', undefined] as const] : []),
      ]) {
        const plain = await service.read(target, accept);
        const packed = await service.send(target, {
          headers: { 'Accept-Encoding': 'gzip', ...(accept !== undefined && { Accept: accept }) },
        });
        verify.equals(responseHeader(packed, 'content-encoding'), 'gzip', `Content-Encoding of ${requestText(packed)}`);
        verify.holds(listOf(packed, 'vary').includes('accept-encoding'), `Vary of ${target} lacks Accept-Encoding`);
        verify.holds(packed.body === plain.body, `${target} has another body when compressed`);
        shown.push(`${target} ${plain.bytes} to ${packed.bytes} bytes`);
      }
      return shown.join(', ');
    },
  },
];
