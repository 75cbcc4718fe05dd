// Sends a request for each type that /openapi.json lists for a route through the edge function and the cache.
import { expect, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { localOptions, shareService } from '../support/local-service.ts';

const { get } = shareService(localOptions(AMPLE_ALLOWANCES));

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly example?: string | number;
}

interface Content {
  readonly schema?: { readonly description?: string };
}

interface Described {
  readonly get?: {
    readonly parameters?: readonly Parameter[];
    readonly responses: { readonly 200?: { readonly content?: Readonly<Record<string, Content>> } };
  };
}

/** Each names what is read; a route needs one that it has. */
const SUBJECTS = ['resource', 'url', 'ids', 'handles', 'q'];

/** An alias reads what a parameter names. */
const readOfAlias = (format: string | undefined): Readonly<Record<string, string>> =>
  format === 'opml' ? { resource: 'following', handle: 'ada_larsson' } : { resource: 'search', q: 'tide' };

/** @returns the path with the examples of the description */
const exampleOf = (path: string, parameters: readonly Parameter[], format: string | undefined): string => {
  const example = (name: string): string => String(parameters.find((each) => each.name === name)?.example ?? '');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => example(name));
  const subject = SUBJECTS.find((name) => parameters.some((each) => each.name === name && each.in === 'query'));
  const query =
    subject === 'resource' ? readOfAlias(format) : subject === undefined ? {} : { [subject]: example(subject) };
  return `${filled}?${new URLSearchParams({ ...query, ...(format && { format }) })}`;
};

const ONLY_BY_FORMAT = /^Only with format=(\w+)/;

test('[negotiation 7] Accept gives each type that the description lists, or the description marks it', async () => {
  const { paths } = (await get('/openapi.json')).json() as { readonly paths: Readonly<Record<string, Described>> };
  const given: Record<string, number> = {};
  const marked = new Set<string>();
  for (const [path, { get: operation }] of Object.entries(paths)) {
    const { 200: answer } = operation?.responses ?? {};
    for (const [type, { schema }] of Object.entries(answer?.content ?? {})) {
      const [, format] = ONLY_BY_FORMAT.exec(schema?.description ?? '') ?? [];
      const target = exampleOf(path, operation?.parameters ?? [], format);
      const accept = format === undefined ? type : 'image/png';
      const first = await get(target, { headers: { accept } });
      const again = await get(target, { headers: { accept: `${accept}, text/x-unknown` } });
      for (const { status, headers } of [first, again])
        expect({ path, status, type: headers['content-type']?.split(';')[0] }).toEqual({ path, status: 200, type });
      expect([path, type, again.cache]).toEqual([path, type, 'Hit']);
      if (format === undefined) given[type] = (given[type] ?? 0) + 1;
      else marked.add(format);
    }
  }
  for (const type of ['application/rss+xml', 'application/atom+xml', 'application/feed+json'])
    expect(given[type], type).toBeGreaterThanOrEqual(16);
  expect([...marked]).toEqual(
    expect.arrayContaining(['atom', 'csl', 'csv', 'epub', 'jsonfeed', 'ndjson', 'opml', 'rss']),
  );
});
