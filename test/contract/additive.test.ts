// Compares the served /openapi.json with the released description (requirements: discovery), and tests the comparison
// with breaking and additive changes.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { breakingChanges } from '../support/api-changes.ts';
import { sampleOf } from '../support/full-form.ts';
import { createTestApp } from '../support/test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the changes edit members of a document of any shape
type Json = any;

const released: Json = JSON.parse(readFileSync(new URL('../../.ci/landed-openapi.json', import.meta.url), 'utf8'));

test('[discovery 7] GET /openapi.json has no breaking change against the released description', async () => {
  const served = (await createTestApp().get('/openapi.json')).json();
  expect(breakingChanges(released, served)).toEqual([]);
});

test('[discovery 7] GET /openapi.json keeps all released forms of quote', async () => {
  const served = (await createTestApp().get('/openapi.json')).json();
  const formsIn = ({ components }: Json): string[] =>
    components.schemas.Post.properties.quote.anyOf.map((form: Json) => form.$ref);
  expect(formsIn(served)).toEqual(expect.arrayContaining(formsIn(released)));
});

const changed = (change: (document: Json) => void): readonly string[] => {
  const document = structuredClone(released);
  change(document);
  return breakingChanges(released, document);
};

const search = (document: Json): Json => document.paths['/api/v1/search'].get;
const parameterAt = (document: Json, path: string, name: string): Json =>
  document.paths[path].get.parameters.find((parameter: Json) => parameter.name === name);
const parameterOf = (document: Json, name: string): Json => parameterAt(document, '/api/v1/search', name);
const schemaOf = (document: Json, name: string): Json => document.components.schemas[name];

/** The forms of a list item, inline or in a schema of their own. */
const formsOfItems = (document: Json, { items }: Json): Json[] =>
  items.anyOf ?? schemaOf(document, items.$ref.split('/').at(-1)).anyOf;

const SEARCH = 'GET /api/v1/search';
const OEMBED = 'GET /api/v1/oembed';

describe('[discovery 7] breaking changes', () => {
  test.each(
    sampleOf<readonly [string, (document: Json) => void, string]>([
      ['a removed route', (document) => delete document.paths['/api/v1/search'], '/api/v1/search: was removed'],
      ['a removed method', (document) => delete document.paths['/mcp'].post, 'POST /mcp: was removed'],
      [
        'a removed parameter',
        (document) => search(document).parameters.splice(1, 1),
        `${SEARCH}, parameter feed: was removed`,
      ],
      [
        'a renamed parameter',
        (document) => {
          parameterOf(document, 'limit').name = 'count';
        },
        `${SEARCH}, parameter limit: was removed`,
      ],
      [
        'a parameter that moves to a header',
        (document) => {
          parameterOf(document, 'cursor').in = 'header';
        },
        `${SEARCH}, parameter cursor: was removed`,
      ],
      [
        'a parameter that becomes required',
        (document) => {
          parameterOf(document, 'limit').required = true;
        },
        `${SEARCH}, parameter limit: is required now`,
      ],
      [
        'a new required parameter',
        (document) =>
          search(document).parameters.push({ name: 'lang', in: 'query', required: true, schema: { type: 'string' } }),
        `${SEARCH}, parameter lang: is new and required`,
      ],
      [
        'a parameter of another type',
        (document) => {
          parameterOf(document, 'limit').schema.type = 'string';
        },
        `${SEARCH}, parameter limit: its type changed`,
      ],
      [
        'a value that is no longer accepted',
        (document) => parameterOf(document, 'feed').schema.enum.splice(1, 1),
        `${SEARCH}, parameter feed: its values changed`,
      ],
      [
        'an enum where every value was accepted',
        (document) => {
          parameterOf(document, 'q').schema.enum = ['tide'];
        },
        `${SEARCH}, parameter q: its values changed`,
      ],
      [
        'a lower maximum',
        (document) => {
          parameterOf(document, 'limit').schema.maximum = 50;
        },
        `${SEARCH}, parameter limit: its bounds changed`,
      ],
      [
        'a higher minimum length',
        (document) => {
          parameterOf(document, 'q').schema.minLength = 2;
        },
        `${SEARCH}, parameter q: its bounds changed`,
      ],
      [
        'a maximum length that the pattern exceeds',
        (document) => {
          parameterAt(document, '/{handle}/followers', 'handle').schema.maxLength = 15;
        },
        'GET /{handle}/followers, parameter handle: its bounds changed',
      ],
      [
        'a maximum length beside a pattern without an end',
        (document) => {
          Object.assign(parameterAt(document, '/{handle}/followers', 'handle').schema, {
            pattern: '^@?[A-Za-z0-9_]+$',
            maxLength: 16,
          });
        },
        'GET /{handle}/followers, parameter handle: its bounds changed',
      ],
      [
        'an integer format for numbers that were not bounded',
        (document) => {
          parameterAt(document, '/api/v1/oembed', 'maxwidth').schema.format = 'int32';
        },
        `${OEMBED}, parameter maxwidth: its bounds changed`,
      ],
      [
        'a new pattern',
        (document) => {
          parameterOf(document, 'cursor').schema.pattern = '^[a-z]+$';
        },
        `${SEARCH}, parameter cursor: its bounds changed`,
      ],
      [
        'another default',
        (document) => {
          parameterOf(document, 'feed').schema.default = 'top';
        },
        `${SEARCH}, parameter feed: its default changed`,
      ],
      [
        'a key that becomes required',
        (document) => search(document).security.shift(),
        `${SEARCH}: no key no longer suffices`,
      ],
      ['a removed status', (document) => delete search(document).responses['304'], `${SEARCH}, 304: was removed`],
      [
        'a removed media type',
        (document) => delete search(document).responses['200'].content['text/markdown'],
        `${SEARCH}, 200: text/markdown was removed`,
      ],
      [
        'a removed header',
        (document) => delete search(document).responses['200'].headers['RateLimit-Policy'],
        `${SEARCH}, 200, header RateLimit-Policy: was removed`,
      ],
      [
        'a removed member',
        (document) => delete schemaOf(document, 'SearchBody').properties.query,
        `${SEARCH}, 200 application/json.query: was removed`,
      ],
      [
        'a removed member, deep in a body',
        (document) => delete schemaOf(document, 'PostMetrics').properties.likes,
        `${SEARCH}, 200 application/json.posts[].metrics.likes: was removed`,
      ],
      [
        'a member that may be absent now',
        (document) => {
          schemaOf(document, 'SearchBody').required = ['source'];
        },
        `${SEARCH}, 200 application/json.query: may be absent now`,
      ],
      [
        'a member of another type',
        (document) => {
          schemaOf(document, 'SearchBody').properties.query.type = 'integer';
        },
        `${SEARCH}, 200 application/json.query: its type changed`,
      ],
      [
        'a member that may be null now',
        (document) => {
          schemaOf(document, 'SearchBody').properties.query.type = ['string', 'null'];
        },
        `${SEARCH}, 200 application/json.query: its type changed`,
      ],
      [
        'a new value of a member with a closed set',
        (document) => schemaOf(document, 'SearchBody').properties.feed.enum.push('lists'),
        `${SEARCH}, 200 application/json.feed: its values changed`,
      ],
      [
        'a new form of a list item',
        (document) =>
          formsOfItems(document, schemaOf(document, 'PostBody').properties.replies).push({ type: 'string' }),
        'GET /api/v1/posts, 200 application/json.replies[]: has a form that it did not have',
      ],
      [
        'a problem without its code',
        (document) => delete schemaOf(document, 'Problem').properties.code,
        `${SEARCH}, 400 application/problem+json.code: was removed`,
      ],
      [
        'a request body that is no longer accepted',
        (document) => {
          schemaOf(document, 'JsonRpcMessages').anyOf.pop();
        },
        'POST /mcp, body application/json: a form is no longer accepted',
      ],
      [
        'an earlier sunset',
        (document) => {
          document['x-api-lifecycle'].deprecated_operations[0].sunset = '2027-01-01T00:00:00Z';
        },
        'convert: sunset is earlier',
      ],
      [
        'a shorter support window',
        (document) => {
          document['x-api-lifecycle'].minimum_support_window_months = 6;
        },
        'minimum_support_window_months: was shortened',
      ],
      [
        'a version that is dropped',
        (document) => {
          document['x-api-lifecycle'].supported_versions = ['v2'];
        },
        'v1: is not supported now',
      ],
    ]),
  )('breakingChanges reports %s', (_, change, line) => {
    expect(changed(change)).toContain(line);
  });
});

describe('[discovery 7] additive changes', () => {
  test.each(
    sampleOf<readonly [string, (document: Json) => void]>([
      ['no change', () => undefined],
      [
        'a new route',
        (document) => {
          document.paths['/api/v1/lists'] = document.paths['/api/v1/search'];
        },
      ],
      [
        'a new optional parameter',
        (document) => search(document).parameters.push({ name: 'lang', in: 'query', schema: { type: 'string' } }),
      ],
      ['another value of a parameter', (document) => parameterOf(document, 'feed').schema.enum.push('lists')],
      [
        'wider bounds',
        (document) => {
          Object.assign(parameterOf(document, 'limit').schema, { minimum: 0, maximum: 200 });
          delete parameterOf(document, 'q').schema.maxLength;
        },
      ],
      ['a default that is no longer declared', (document) => delete parameterOf(document, 'feed').schema.default],
      [
        'a length and a format that follow from the pattern and the bounds',
        (document) => {
          parameterAt(document, '/{handle}/followers', 'handle').schema.maxLength = 16;
          parameterAt(document, '/{handle}/status/{id}', 'id').schema.maxLength = 19;
          parameterOf(document, 'limit').schema.format = 'int32';
          parameterAt(document, '/api/v1/oembed', 'maxwidth').schema.format = 'int64';
        },
      ],
      [
        'a parameter that is optional now',
        (document) => {
          parameterOf(document, 'q').required = false;
        },
      ],
      [
        'a new member',
        (document) => {
          schemaOf(document, 'Post').properties.mood = { type: 'object' };
          schemaOf(document, 'Post').required.push('mood');
        },
      ],
      [
        'a new header, another status and another media type',
        (document) => {
          search(document).responses['200'].headers['Age'] = { schema: { type: 'integer' } };
          search(document).responses['418'] = { description: 'new' };
          search(document).responses['200'].content['application/rss+xml'] = { schema: { type: 'string' } };
        },
      ],
      [
        'another value of a header',
        (document) => {
          document.components.headers['Vary'].schema = { type: 'string', enum: ['Accept', 'Accept, Authorization'] };
        },
      ],
      [
        'other descriptions',
        (document) => {
          search(document).summary = 'Search';
          parameterOf(document, 'q').description = 'Words.';
          schemaOf(document, 'Post').description = 'A post.';
        },
      ],
      [
        'a component under another name',
        (document) => {
          document.components.schemas['Results'] = document.components.schemas['SearchBody'];
          search(document).responses['200'].content['application/json'].schema.$ref = '#/components/schemas/Results';
        },
      ],
      [
        'a later sunset',
        (document) => {
          document['x-api-lifecycle'].deprecated_operations[0].sunset = '2028-09-15T00:00:00Z';
        },
      ],
    ]),
  )('breakingChanges reports nothing for %s', (_, change) => {
    expect(changed(change)).toEqual([]);
  });
});
