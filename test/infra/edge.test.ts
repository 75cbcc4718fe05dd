// Tests the built edge function in a context without Node.
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { edgeEvent, edgeScript } from '../../infra/local/edge-sandbox.ts';
import { TOOLS_PARAMETER } from '../../shared/contract/mcp.ts';
import { type Negotiation, negotiations } from '../../shared/contract/media-types.ts';
import { permalinkPaths } from '../../shared/contract/operations.ts';
import { negotiateFormat } from '../../shared/http/content-negotiation.ts';

const source = await buildEdge();
const run = edgeScript(source);

type Headers = Readonly<Record<string, string | readonly string[]>>;

const viewer = (target: string, headers: Headers = {}) =>
  run(
    edgeEvent({
      method: 'GET',
      target,
      rawHeaders: Object.entries({ Host: 'postern.test', ...headers }).flatMap(([name, values]) =>
        [values].flat().flatMap((value) => [name, value]),
      ),
      viewerIp: '2001:db8::7',
    }),
  );

const accepted = (target: string, accept?: string): string | undefined =>
  viewer(target, accept === undefined ? {} : { Accept: accept }).headers.accept?.value;

/** Accept as CloudFront forwards it to the origin. */
const query = (target: string): string =>
  Object.entries(viewer(target).querystring)
    .flatMap(([name, field]) => (field.multiValue ?? [field]).map(({ value }) => `${name}=${value}`))
    .join('&');

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

// esbuild guarantees the syntax; a method that the engine lacks throws only when it is called, in .ci/njs.
test('[platform 1] the script calls only what AWS documents for cloudfront-js-2.0', () => {
  const called = new Set<string>();
  new Visitor({
    CallExpression({ callee }) {
      if (callee.type === 'MemberExpression' && !callee.computed) called.add(callee.property.name);
      if (callee.type === 'Identifier') called.add(callee.name);
    },
  }).visit(parseSync('script.js', source).program);
  expect(
    [...called]
      .filter((name) => name.length > 2)
      .toSorted()
      .join(' '),
  ).toBe(
    'Number charAt charCodeAt concat decodeURIComponent edge encodeURIComponent every exec filter find forEach includes indexOf join keys map min reduce replace slice some sort split test toLowerCase trim',
  );
});

test('[caching 22] the script has fewer than 10,000 bytes, and its start splits no text', () => {
  expect(Buffer.byteLength(source)).toBeLessThan(10_000);
  // Counts what the start of the script and what a request call, in an engine whose methods count.
  const counting = `
    let calls = 0;
    for (const prototype of [String.prototype, Array.prototype, RegExp.prototype])
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const method = Object.getOwnPropertyDescriptor(prototype, name).value;
        if (typeof method === 'function' && name !== 'constructor')
          prototype[name] = function (...values) { calls += 1; return method.apply(this, values); };
      }`;
  const event = JSON.stringify(edgeEvent({ method: 'GET', target: '/jack', rawHeaders: [], viewerIp: '192.0.2.1' }));
  const counts = runInNewContext(`${counting}; ${source}; const start = calls; handler(${event}); [start, calls]`);
  const [start, withRequest] = counts;
  expect(start).toBe(0);
  expect(withRequest).toBeGreaterThan(20);
});

test('[inputs 7] [inputs 6] the parameters of the target stay where a redirect follows', () => {
  expect(query('/search/?q=a+b&utm=1&feed=top')).toBe('feed=top&q=a%20b');
  expect(query('/jack/status/20/?thread=off&x=1')).toBe('thread=off');
  expect(query('/hashtag/tide?f=live&src=x')).toBe('f=live');
  expect(query('/jack/search?q=tide&src=x')).toBe('q=tide');
  expect(query('/intent/follow?screen_name=jack&ref_src=x')).toBe('screen_name=jack');
  expect(query('/intent/like?user_id=12&tweet_id=20&in_reply_to=20')).toBe('in_reply_to=20&tweet_id=20&user_id=12');
  expect(query('/https://x.com/search?src=x&q=a&f=live')).toBe('f=live&q=a');
  expect(query('/no/where/?p=a')).toBe('');
});

test('[urls 17] each path below /i/web/status/{id} is that below /i/status/{id}', () => {
  const post = '/{handle}/status/{id}';
  const below = permalinkPaths.flatMap((path) => (path.startsWith(post) ? [path.slice(post.length)] : []));
  expect(below).toEqual(expect.arrayContaining(['', '/photo/{number}', '/{lang}', '/replies', '/conversation']));
  for (const suffix of below.map((path) => path.replace('{number}', '1').replace('{lang}', 'de'))) {
    const target = `${suffix}?format=json&cursor=a&utm=1`;
    expect(viewer(`/i/web/status/20${target}`)).toEqual(viewer(`/i/status/20${target}`));
    expect(viewer(`/i/web/status/20${target}`).uri).toBe(`/i/status/20${suffix}`);
  }
  expect(viewer('/i/web/settings').uri).toBe('/i/web/settings');
});

describe('Accept', () => {
  test.each([
    ['/api/v1/posts', undefined, 'text/markdown'],
    ['/api/v1/posts', '*/*', 'text/markdown'],
    ['/api/v1/posts', 'application/json, text/plain, */*', 'application/json'],
    ['/api/v1/posts', BROWSER, 'text/markdown'],
    ['/api/v1/posts', 'text/html', 'application/x-none'],
    ['/api/convert', 'Application/JSON;q=0.5, text/*;q=0.4', 'application/json'],
    ['/jack/status/20', BROWSER, 'text/html'],
    ['/jack/status/20', '*/*', 'text/markdown'],
    ['/jack/status/20/photo/1', 'application/json', 'application/json'],
    ['/jack/status/20', 'image/png', 'application/x-none'],
    ['/jack', BROWSER, 'text/html'],
    ['/jack/followers', '*/*', 'text/markdown'],
    ['/search', BROWSER, 'text/html'],
    ['/api/v1/profiles/jack/following', 'application/json', 'application/json'],
    ['/api/browse', BROWSER, 'text/markdown'],
    // The handle is invalid, so no route matches: Accept is normalized as for a 404.
    ['/favicon.png', '*/*', '*/*'],
    ['/favicon.png', BROWSER, 'text/html'],
    ['/sixteen_letters_', '*/*', '*/*'],
    ['/Login', '*/*', '*/*'],
    ['/@home/followers', '*/*', '*/*'],
    ['/h@ome/followers', '*/*', 'text/markdown'],
    ['/docs/status/20', '*/*', '*/*'],
    ['/jack/status/20/photo/0', '*/*', '*/*'],
    ['/jack/status/20/video/100', 'text/plain', '*/*'],
    ['/jack/status/20/photo/x', BROWSER, 'text/html'],
    ['/docs', '*/*', 'text/html'],
    ['/docs/errors', 'text/markdown', 'text/markdown'],
    ['/docs/errors', 'application/json', 'application/x-none'],
    ['/api', 'text/html', '*/*'],
    ['/no-where', BROWSER, 'text/html'],
    ['/no-where', 'text/markdown', 'text/markdown'],
    ['/no-where', 'image/png', '*/*'],
    ['/api/v2/posts', BROWSER, '*/*'],
    ['/api//v1/posts', BROWSER, '*/*'],
    ['/.well-known/nothing', 'text/markdown', '*/*'],
  ])('[caching 8] on %s, %s becomes %s', (path, accept, normalized) => {
    expect(accepted(path, accept)).toBe(normalized);
  });

  test('[caching 8] several Accept fields are one list', () => {
    expect(viewer('/api/v1/posts', { Accept: ['text/markdown;q=0.5', 'application/json'] }).headers.accept).toEqual({
      value: 'application/json',
    });
  });

  test('[caching 8] [negotiation 2] is replaced by */* when the parameter format is set', () => {
    expect(accepted('/api/v1/posts?format=json', 'text/markdown')).toBe('*/*');
    expect(accepted('/jack/status/20?format=obsidian', BROWSER)).toBe('*/*');
    expect(accepted('/docs?format=json', 'text/markdown')).toBe('text/markdown');
  });

  test.each(['format=', 'format=xml', 'format=json&format=json', 'format=json&%66ormat=markdown'])(
    '[pages 2] is the type that Accept chooses when ?%s selects none',
    (query) => {
      expect(accepted(`/jack/status/20?${query}`, BROWSER)).toBe('text/html');
      expect(accepted(`/jack/status/20?${query}`, '*/*')).toBe('text/markdown');
      expect(accepted(`/jack/status/20?${query}`, 'application/json')).toBe('application/json');
    },
  );

  test('[pages 2] is the type that Accept chooses when ?format=obsidian selects none, on lists', () => {
    for (const path of ['/jack', '/jack/followers', '/search'])
      expect(accepted(`${path}?format=obsidian`, BROWSER)).toBe('text/html');
    expect(accepted('/jack/status/20/photo/1?format=obsidian', BROWSER)).toBe('*/*');
    expect(accepted('/api/v1/search?format=obsidian', 'application/json')).toBe('application/json');
  });

  test.each([
    ['/?q=tide', '*/*', 'text/markdown'],
    ['/?q=%ff', undefined, 'text/markdown'],
    ['/?q=&q=', '*/*', 'text/markdown'],
    ['/?q=tide', BROWSER, 'text/html'],
    ['/?q=tide', 'application/json', 'application/json'],
    ['/?q=', '*/*', 'text/html'],
    ['/?q=+%E3%80%80%0A', '*/*', 'text/html'],
    ['/?url=tide', '*/*', 'text/html'],
    ['/docs?q=tide', '*/*', 'text/html'],
  ])('[pages 3] [pages 2] on the box, %s with %s, becomes %s', (target, accept, normalized) => {
    expect(accepted(target, accept)).toBe(normalized);
  });

  test('is unchanged for the MCP endpoint, which needs both types', () => {
    expect(accepted('/mcp', 'application/json, text/event-stream')).toBe('application/json, text/event-stream');
  });

  test('keeps only the query parameter tools of /mcp', () => {
    expect(query('/mcp?tools=research&utm=1&cursor=2')).toBe(`${TOOLS_PARAMETER}=research`);
    expect(query('/mcp?tools=a&tools=b&tools=c')).toBe('tools=a&tools=b');
    expect(query('/mcp/server-card?tools=research')).toBe('');
    expect(query('/no/where?tools=research')).toBe('');
  });

  const pathOf = {
    versioned: '/api/v1/posts',
    alias: '/api/convert',
    permalink: '/jack/status/20',
    page: '/docs',
    unknown: '/no-where',
  } as const;

  const accept = fc
    .array(
      fc.tuple(
        fc.constantFrom(
          ...'text/markdown application/json text/html text/plain text/* application/* */* image/png TEXT/HTML'.split(
            ' ',
          ),
          ...['junk', ''],
        ),
        fc.constantFrom('', '; q=1.000', ...';q=0 ;q=0.5 ;q=0.001 ;charset=utf-8 ;charset=utf-8;q=0.7 ;q=2'.split(' ')),
      ),
      { maxLength: 6 },
    )
    .map((ranges) => ranges.map((range) => range.join('')).join(', '));

  test.each(Object.entries(pathOf))(
    '[caching 8] on %s, the origin chooses the same format from the normalized header',
    (kind, path) => {
      const negotiation: Negotiation = negotiations[kind as keyof typeof pathOf];
      // For an unknown route, a problem document in JSON and one for */* are the same answer.
      const choice = (header: string | undefined) =>
        negotiateFormat(header, negotiation) ?? (kind === 'unknown' ? 'json' : undefined);
      fc.assert(
        fc.property(accept, (header) => {
          expect(choice(accepted(path, header))).toBe(choice(header));
        }),
        { numRuns: 500 },
      );
    },
  );
});

describe('the query', () => {
  test.each([
    ['/api/v1/posts?id=20&handle=jack&utm_source=x', 'handle=jack&id=20'],
    ['/api/v1/posts?handle=Jack&id=20', 'handle=jack&id=20'],
    [
      '/api/v1/posts?url=https%3A%2F%2Fx.com%2FJack%2Fstatus%2F20&fbclid=1',
      'url=https%3A%2F%2Fx.com%2FJack%2Fstatus%2F20',
    ],
    ['/api/v1/posts?format=json&format=markdown', 'format=json&format=markdown'],
    ['/api/v1/posts?format=json&%66ormat=markdown', 'format=json&format=markdown'],
    ['/api/v1/posts?id=&FORMAT=json', 'id='],
    ['/api/v1/posts?format', 'format='],
    ['/api/v1/posts?format[]=json&a[]=1&a;format=json', ''],
    ['/api/v1/posts?format=json;x=1', 'format=json%3Bx%3D1'],
    ['/api/v1/posts?__proto__=1&constructor=2&hasOwnProperty=3', ''],
    ['/api/v1/posts?%zz=1&%66%6f=2', ''],
    ['/jack/status/20?s=20&t=abc&url=https%3A%2F%2Fx.com%2Fa%2Fstatus%2F1&thread=off', 'thread=off'],
    ['/search?Q=x&limit=5&q=a+b&utm_source=y&handle=Jack', 'limit=5&q=a%20b'],
    ['/search?limit=%33&q=a%20b', 'limit=3&q=a%20b'],
    ['/search?q=%zz&limit=%33', 'limit=3&q=%zz'],
    ['/api/v1/posts?handle=%4Aack&id=2%30', 'handle=jack&id=20'],
    ['/api/v1/timeline?handles=%40Ada,+ada+%2CBO,ada&limit=5', 'handles=ada%2Cbo&limit=5'],
    // A list that the origin rejects stays wrong.
    ['/api/v1/timeline?handles=,b,,A,', 'handles=a%2Cb'],
    ['/api/v1/timeline?handles=B,,@@a,%E2%84%AA', 'handles=B%2C%2C%40%40a%2C%E2%84%AA'],
    ['/api/v1/timeline?handles=b,,@@a', 'handles=%40%40a%2Cb'],
    [`/api/v1/timeline?handles=A${',a'.repeat(500)}`, `handles=A${'%2Ca'.repeat(500)}`],
    ['/jack?handle=eve&cursor=AbC&limit=2', 'cursor=AbC&limit=2'],
    ['/api/browse?handle=Jack&resource=profile&url=x', 'handle=jack&resource=profile'],
    ['/jack/status/20?part=2&max_tokens=500', 'max_tokens=500&part=2'],
    ['/jack?part=2', ''],
    ['/jack/status/20?lang=PT-br', 'lang=pt'],
    ['/api/v1/posts?lang=zh%2DTW&id=20', 'id=20&lang=zh-hant'],
    ['/jack/status/20?lang=de_AT', 'lang=de_AT'],
    ['/docs?page=2', ''],
    ['/no-where?format=json', ''],
    ['//api/v1/posts?format=json', ''],
  ])('[caching 7] [parts 5] [caching 11] [languages 2] %s becomes "%s"', (target, canonical) => {
    expect(query(target)).toBe(canonical);
  });

  test('[caching 7] [caching 11] has the same order for every order of its names, without unknown names', () => {
    const pairs = ['handle=jack', 'id=20', 'format=json', 'thread=off', 'max_tokens=100'];
    const noise = fc.array(fc.stringMatching(/^(?:utm_[a-z]{1,5}|[A-Z]{1,4}|x%5B%5D)=[a-z0-9%&;]{0,6}$/), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.shuffledSubarray(pairs, { minLength: pairs.length }), noise, (order, added) => {
        expect(query(`/api/v1/posts?${[...added, ...order].join('&')}`)).toBe(
          'format=json&handle=jack&id=20&max_tokens=100&thread=off',
        );
      }),
    );
  });
});

describe('a query that is designed to cost time', () => {
  /** Parameters that no route has, or whose names must be decoded. */
  const unknown = (count: number, name = 'x'): string =>
    Array.from({ length: count }, (_, index) => `${name}${index.toString(36)}`).join('&');

  /** Counts the calls of decodeURIComponent for one request, which measure the work of the script. */
  const decodings = (target: string): number => {
    const counting = edgeScript(`
      var count = 0;
      var original = decodeURIComponent;
      decodeURIComponent = function (text) { count += 1; return original(text); };
      ${source}
      var inner = handler;
      handler = function (event) { count = 0; inner(event); return { uri: String(count) }; };
    `);
    return Number(counting(edgeEvent({ method: 'GET', target, rawHeaders: [], viewerIp: '192.0.2.1' })).uri);
  };

  test('costs the same above 100 parameters, whatever their number and the names of the route', () => {
    const costs = [100, 200, 400, 800, 1900].map((count) => decodings(`/api/v1/posts?${unknown(count, '%78')}`));
    expect(new Set(costs)).toEqual(new Set([100]));
    // Without known parameters nothing is decoded.
    expect(decodings(`/docs?${unknown(1900, '%78')}`)).toBe(0);
  });

  test('costs the same when one name is repeated, in one spelling or in many', () => {
    const costs = [200, 400, 800].map((count) => decodings(`/search?${'q=%41&'.repeat(count)}`));
    expect(new Set(costs).size).toBe(1);
    expect(costs[0]).toBeLessThan(10);
    const spelled = ['limit', '%6cimit', 'l%69mit', 'li%6dit', 'lim%69t', 'limi%74']
      .map((name) => `${name}=%33`)
      .join('&');
    expect(query(`/search?${spelled}&q=a`)).toBe('limit=3&limit=3&q=a');
  });

  test('counts only its first 100 parameters', () => {
    expect(query(`/search?${unknown(99)}&q=a`)).toBe('q=a');
    expect(query(`/search?${unknown(100)}&q=a`)).toBe('');
    expect(query(`/search?${unknown(98)}&q=a&limit=3&feed=top`)).toBe('limit=3&q=a');
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf', 'length'])(
    'the name %s is an unknown parameter',
    (name) => {
      expect(query(`/search?${name}=1&${name}=2&q=a&%5F%5Fproto__=3`)).toBe('q=a');
      expect(viewer(`/search?${name}=1`).querystring).toEqual({});
    },
  );

  test('Accept counts its first 100 types, at the edge as at the origin', () => {
    const rest = Array.from({ length: 100 }, (_, index) => `image/x${index}`).join();
    expect(accepted('/api/v1/posts', `application/json,${rest}`)).toBe('application/json');
    expect(accepted('/api/v1/posts', `${rest},application/json`)).toBe('application/x-none');
    expect(negotiateFormat(`${rest},application/json`, negotiations.versioned)).toBeUndefined();
  });
});

describe('the path', () => {
  test.each([
    ['/Jack/status/20', '/jack/status/20'],
    ['/@Jack/status/20', '/@jack/status/20'],
    ['/%40Jack/status/20/photo/1', '/%40jack/status/20/photo/1'],
    ['/Jack', '/jack'],
    ['/%40Jack/Followers', '/%40Jack/Followers'],
    ['/%40Jack/followers', '/%40jack/followers'],
    ['/api/v1/profiles/Jack/following', '/api/v1/profiles/jack/following'],
    ['/api/v1/profiles/ADMIN', '/api/v1/profiles/admin'],
    ['/Jack,', '/jack,'],
    ['/Jack,jack', '/jack,'],
    ['/Search,API/rss', '/api,search/rss'],
    // No list of handles, or a list that the origin rejects.
    ['/,', '/,'],
    ['/%20,@', '/%20,@'],
    ['/Jack,b-o', '/Jack,b-o'],
    ['/Jack,Bo/followers', '/jack,bo/followers'],
    ['/Jack,Bo/status/20', '/jack,bo/status/20'],
    ['/Jack,%250a', '/Jack,%250a'],
    ['/Jack,Bo/', '/-/Jack,Bo/'],
    [`/A${',a'.repeat(500)}`, `/A${',a'.repeat(500)}`],
    ['/Search', '/Search'],
    ['/API/status/20', '/API/status/20'],
    ['/API/v1/posts', '/API/v1/posts'],
    ['/jack/STATUS/20', '/jack/STATUS/20'],
    // `$default` answers these, whatever API Gateway does with a trailing slash.
    ['/api/v1/posts/', '/-/api/v1/posts/'],
    ['/Jack/', '/-/Jack/'],
    ['/%40jack/status/20/', '/-/%2540jack/status/20/'],
    ['/docs/', '/-/docs/'],
    ['/no/where/', '/no/where/'],
    ['//api/v1/posts', '/-//api/v1/posts'],
    ['/api/v1//posts', '/-/api/v1//posts'],
    ['/api/../api/v1/posts', '/-/api/../api/v1/posts'],
    ['/api/v1/.', '/-/api/v1/.'],
    ['/.%2e/api', '/-/.%252e/api'],
    ['/jack\\status\\20', '/-/jack\\status\\20'],
    ['/-/api', '/-/-/api'],
    ['/explore', '/-/explore'],
    ['/Explore', '/-/Explore'],
    ['/@Explore', '/@explore'],
    ['/Hashtag/media', '/-/Hashtag/media'],
    ['/hashtag/media', '/-/hashtag/media'],
    ['/hashtag', '/hashtag'],
    ['/-', '/-'],
    // The percent-encoding stays where it is needed: the origin rejects such a handle.
    ['/Jack/status/20/PT-br', '/jack/status/20/pt'],
    ['/Jack/status/20/zh-TW', '/jack/status/20/zh-hant'],
    // A page of X below a post has a route of its own, and no language has so many letters.
    ['/jack/status/20/likes', '/jack/status/20/likes'],
    ['/jack/status/20/rss', '/jack/status/20/rss'],
    ['/jack/status/20/replies', '/jack/status/20/replies'],
    ['/j%C3%A4ck/status/20', '/j%c3%a4ck/status/20'],
    ['/jack%0d%0a/status/20', '/jack%0d%0a/status/20'],
    ['/jack/status/20%20', '/jack/status/20%20'],
  ])('[caching 12] %s reaches the origin as %s', (path, uri) => {
    expect(viewer(path).uri).toBe(uri);
  });

  test('[timelines 1] [timelines 6] each set of handles has one cache key, whatever its spelling', () => {
    const orders = ['ada,bo,cy', 'ada,cy,bo', 'bo,ada,cy', 'bo,cy,ada', 'cy,ada,bo', 'cy,bo,ada'];
    const spellings = orders.flatMap((order) => [
      order,
      order.toUpperCase(),
      order.replaceAll(',', '%2C'),
      order.replaceAll(',', '%2c%20'),
      order.replace(/\w+/g, '@$&'),
      order.replace(/\w+/g, '%40$&'),
      `${order},`,
      `,,${order}`,
      `${order},${order.toUpperCase()}`,
    ]);
    const keyOf = (target: string): string => {
      const { uri, querystring, headers } = viewer(target, { accept: BROWSER });
      return JSON.stringify([uri, querystring, headers['accept']]);
    };
    for (const path of ['', '/with_replies', '/media', '/rss', '/with_replies/rss', '/media/rss']) {
      const keys = new Set(spellings.map((handles) => keyOf(`/${handles}${path}?limit=5&x=1`)));
      expect([...keys]).toEqual([
        JSON.stringify([
          `/ada,bo,cy${path}`,
          { limit: { value: '5' } },
          { value: path.endsWith('rss') ? '*/*' : 'text/html' },
        ]),
      ]);
    }
    const ofQuery = new Set(spellings.map((handles) => keyOf(`/api/v1/timeline?handles=${handles}`)));
    expect(ofQuery.size).toBe(1);
  });
});

describe('[platform 1] a request that the script cannot normalize', () => {
  const broken = (path: string) =>
    run({
      viewer: { ip: '2001:db8::7' },
      request: {
        method: 'GET',
        uri: path,
        // CloudFront never passes such a field.
        querystring: { format: null },
        headers: {
          host: { value: 'postern.test' },
          accept: { value: BROWSER },
          authorization: { value: 'Basic YTpi' },
          'x-origin-secret': { value: 'forged' },
          'x-viewer-ip': { value: '192.0.2.66' },
        },
        cookies: {},
      },
    });

  test('reaches the origin as it is', () => {
    for (const path of ['/Jack/status/20', '/api/v1/search']) {
      const request = broken(path);
      expect(request).toMatchObject({ uri: path, querystring: { format: null } });
      expect(request.headers.accept?.value).toBe(BROWSER);
    }
  });

  test('has the headers of the edge, x-viewer-error among them, and none that a viewer forged', () => {
    const { headers } = broken('/jack/status/20');
    expect(headers['x-viewer-error']).toEqual({ value: '1' });
    expect(headers['x-viewer-ip']).toEqual({ value: '2001:db8::7' });
    expect(headers['x-viewer-host']).toEqual({ value: 'postern.test' });
    expect(headers).not.toHaveProperty('x-origin-secret');
    expect(headers).not.toHaveProperty('authorization');
  });
});

describe('the other headers', () => {
  test.each(['Bearer pstn_x', 'bearer a', 'BEARER', 'Bearer,Bearer', 'Bearer  two words'])(
    'Authorization "%s" is kept',
    (value) => {
      expect(viewer('/', { Authorization: value }).headers.authorization).toEqual({ value });
    },
  );

  test.each(['Basic YTpi', 'Token x', 'Bearerx y', '', 'pstn_x'])('Authorization "%s" is removed', (value) => {
    expect(viewer('/', { Authorization: value }).headers).not.toHaveProperty('authorization');
  });

  // CloudFront answers 502 if the function adds one of its own headers ("Restrictions on all edge functions"), such as x-edge-*.
  test('are set and deleted only if CloudFront allows it', () => {
    const touched = new Set<string>();
    const recorder: ProxyHandler<object> = {
      set: (target, name, value) => touched.add(String(name)) && Reflect.set(target, name, value),
      deleteProperty: (target, name) => touched.add(String(name)) && Reflect.deleteProperty(target, name),
    };
    // CloudFront never passes such a field, and the function fails.
    for (const querystring of [{}, { format: null }]) {
      const headers = new Proxy({ host: { value: 'postern.test' }, authorization: { value: 'Basic YTpi' } }, recorder);
      const request = { method: 'GET', uri: '/jack/status/20', querystring, headers, cookies: {} };
      runInNewContext(`${source}\nhandler(event)`, { event: { viewer: { ip: '2001:db8::7' }, request } });
    }
    const headers = 'accept authorization x-origin-secret x-viewer-error x-viewer-host x-viewer-ip';
    expect([...touched].toSorted().join(' ')).toBe(headers);
  });
});
