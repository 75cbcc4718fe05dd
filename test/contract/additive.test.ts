// What has landed stays: /openapi.json as served is compared with the description that clients know (spec 9.2 and 9.3),
// and the comparison itself is tried on changes of both kinds.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { breakingChanges } from '../support/api-changes.ts';
import { createTestApp } from '../support/test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: hand-made changes reach into a document of any shape
type Json = any;

const landed: Json = JSON.parse(readFileSync(new URL('../../.ci/landed-openapi.json', import.meta.url), 'utf8'));

test('[spec 9.2 #81] /openapi.json as served breaks nothing that has landed', async () => {
  const served = (await createTestApp().get('/openapi.json')).json();
  expect(breakingChanges(landed, served)).toEqual([]);
});

test('[spec 9.2 #81] all forms of quote that have landed are there', async () => {
  const served = (await createTestApp().get('/openapi.json')).json();
  const formsIn = ({ components }: Json): string[] =>
    components.schemas.Post.properties.quote.anyOf.map((form: Json) => form.$ref);
  expect(formsIn(served)).toEqual(expect.arrayContaining(formsIn(landed)));
});

const changed = (change: (document: Json) => void): readonly string[] => {
  const document = structuredClone(landed);
  change(document);
  return breakingChanges(landed, document);
};

const search = (document: Json): Json => document.paths['/api/v1/search'].get;
const parameterOf = (document: Json, name: string): Json =>
  search(document).parameters.find((parameter: Json) => parameter.name === name);
const schemaOf = (document: Json, name: string): Json => document.components.schemas[name];

const SEARCH = 'GET /api/v1/search';

describe('[spec 9.2 #81] a breaking change is found', () => {
  test.each<readonly [string, (document: Json) => void, string]>([
    ['a removed route', (d) => delete d.paths['/api/v1/search'], '/api/v1/search: was removed'],
    ['a removed method', (d) => delete d.paths['/mcp'].post, 'POST /mcp: was removed'],
    ['a removed parameter', (d) => search(d).parameters.splice(1, 1), `${SEARCH}, parameter feed: was removed`],
    [
      'a renamed parameter',
      (d) => {
        parameterOf(d, 'limit').name = 'count';
      },
      `${SEARCH}, parameter limit: was removed`,
    ],
    [
      'a parameter that moves to a header',
      (d) => {
        parameterOf(d, 'cursor').in = 'header';
      },
      `${SEARCH}, parameter cursor: was removed`,
    ],
    [
      'a parameter that becomes required',
      (d) => {
        parameterOf(d, 'limit').required = true;
      },
      `${SEARCH}, parameter limit: is required now`,
    ],
    [
      'a new required parameter',
      (d) => search(d).parameters.push({ name: 'lang', in: 'query', required: true, schema: { type: 'string' } }),
      `${SEARCH}, parameter lang: is new and required`,
    ],
    [
      'a parameter of another type',
      (d) => {
        parameterOf(d, 'limit').schema.type = 'string';
      },
      `${SEARCH}, parameter limit: its type changed`,
    ],
    [
      'a value that is no longer accepted',
      (d) => parameterOf(d, 'feed').schema.enum.splice(1, 1),
      `${SEARCH}, parameter feed: its values changed`,
    ],
    [
      'values where any were accepted',
      (d) => {
        parameterOf(d, 'q').schema.enum = ['tide'];
      },
      `${SEARCH}, parameter q: its values changed`,
    ],
    [
      'a lower maximum',
      (d) => {
        parameterOf(d, 'limit').schema.maximum = 50;
      },
      `${SEARCH}, parameter limit: its bounds changed`,
    ],
    [
      'a higher minimum length',
      (d) => {
        parameterOf(d, 'q').schema.minLength = 2;
      },
      `${SEARCH}, parameter q: its bounds changed`,
    ],
    [
      'a new pattern',
      (d) => {
        parameterOf(d, 'cursor').schema.pattern = '^[a-z]+$';
      },
      `${SEARCH}, parameter cursor: its bounds changed`,
    ],
    [
      'another default',
      (d) => {
        parameterOf(d, 'feed').schema.default = 'top';
      },
      `${SEARCH}, parameter feed: its default changed`,
    ],
    ['a key that becomes necessary', (d) => search(d).security.shift(), `${SEARCH}: no key no longer suffices`],
    ['a removed status', (d) => delete search(d).responses['304'], `${SEARCH}, 304: was removed`],
    [
      'a removed media type',
      (d) => delete search(d).responses['200'].content['text/markdown'],
      `${SEARCH}, 200: text/markdown was removed`,
    ],
    [
      'a removed header',
      (d) => delete search(d).responses['200'].headers['RateLimit-Policy'],
      `${SEARCH}, 200, header RateLimit-Policy: was removed`,
    ],
    [
      'a removed member',
      (d) => delete schemaOf(d, 'SearchBody').properties.query,
      `${SEARCH}, 200 application/json.query: was removed`,
    ],
    [
      'a removed member, deep in a body',
      (d) => delete schemaOf(d, 'PostMetrics').properties.likes,
      `${SEARCH}, 200 application/json.posts[].metrics.likes: was removed`,
    ],
    [
      'a member that may be absent now',
      (d) => {
        schemaOf(d, 'SearchBody').required = ['source'];
      },
      `${SEARCH}, 200 application/json.query: may be absent now`,
    ],
    [
      'a member of another type',
      (d) => {
        schemaOf(d, 'SearchBody').properties.query.type = 'integer';
      },
      `${SEARCH}, 200 application/json.query: its type changed`,
    ],
    [
      'a member that may be null now',
      (d) => {
        schemaOf(d, 'SearchBody').properties.query.type = ['string', 'null'];
      },
      `${SEARCH}, 200 application/json.query: its type changed`,
    ],
    [
      'a value that a closed member did not have',
      (d) => schemaOf(d, 'SearchBody').properties.feed.enum.push('lists'),
      `${SEARCH}, 200 application/json.feed: its values changed`,
    ],
    [
      'a form that a list did not hold',
      (d) => schemaOf(d, 'PostBody').properties.replies.items.anyOf.push({ type: 'string' }),
      'GET /api/v1/posts, 200 application/json.replies[]: has a form that it did not have',
    ],
    [
      'a problem without its code',
      (d) => delete schemaOf(d, 'Problem').properties.code,
      `${SEARCH}, 400 application/problem+json.code: was removed`,
    ],
    [
      'a body of a request that is taken no more',
      (d) => {
        d.paths['/mcp'].post.requestBody.content['application/json'].schema.anyOf.pop();
      },
      'POST /mcp, body application/json: a form is no longer accepted',
    ],
    [
      'an earlier sunset',
      (d) => {
        d['x-api-lifecycle'].deprecated_operations[0].sunset = '2027-01-01T00:00:00Z';
      },
      'convert: sunset is earlier',
    ],
    [
      'a shorter support window',
      (d) => {
        d['x-api-lifecycle'].minimum_support_window_months = 6;
      },
      'minimum_support_window_months: was shortened',
    ],
    [
      'a version that is dropped',
      (d) => {
        d['x-api-lifecycle'].supported_versions = ['v2'];
      },
      'v1: is not supported now',
    ],
  ])('%s', (_, change, line) => {
    expect(changed(change)).toContain(line);
  });
});

describe('[spec 9.2 #81] an additive change passes', () => {
  test.each<readonly [string, (document: Json) => void]>([
    ['no change', () => undefined],
    [
      'a new route',
      (d) => {
        d.paths['/api/v1/lists'] = d.paths['/api/v1/search'];
      },
    ],
    [
      'a new optional parameter',
      (d) => search(d).parameters.push({ name: 'lang', in: 'query', schema: { type: 'string' } }),
    ],
    ['another value of a parameter', (d) => parameterOf(d, 'feed').schema.enum.push('lists')],
    [
      'wider bounds',
      (d) => {
        Object.assign(parameterOf(d, 'limit').schema, { minimum: 0, maximum: 200 });
        delete parameterOf(d, 'q').schema.maxLength;
      },
    ],
    ['a default that is no longer declared', (d) => delete parameterOf(d, 'format').schema.default],
    [
      'a parameter that is optional now',
      (d) => {
        parameterOf(d, 'q').required = false;
      },
    ],
    [
      'a new member',
      (d) => {
        schemaOf(d, 'Post').properties.community = { type: 'object' };
        schemaOf(d, 'Post').required.push('community');
      },
    ],
    [
      'a new header, another status and another media type',
      (d) => {
        search(d).responses['200'].headers['Age'] = { schema: { type: 'integer' } };
        search(d).responses['418'] = { description: 'new' };
        search(d).responses['200'].content['application/rss+xml'] = { schema: { type: 'string' } };
      },
    ],
    [
      'another value of a header',
      (d) => {
        d.components.headers['Vary'].schema = { type: 'string', enum: ['Accept', 'Accept, Authorization'] };
      },
    ],
    [
      'words',
      (d) => {
        search(d).summary = 'Search';
        parameterOf(d, 'q').description = 'Words.';
        schemaOf(d, 'Post').description = 'A post.';
      },
    ],
    [
      'a component under another name',
      (d) => {
        d.components.schemas['Results'] = d.components.schemas['SearchBody'];
        search(d).responses['200'].content['application/json'].schema.$ref = '#/components/schemas/Results';
      },
    ],
    [
      'a later sunset',
      (d) => {
        d['x-api-lifecycle'].deprecated_operations[0].sunset = '2028-09-15T00:00:00Z';
      },
    ],
  ])('%s', (_, change) => {
    expect(changed(change)).toEqual([]);
  });
});
