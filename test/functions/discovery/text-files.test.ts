// Tests robots.txt, the sitemap, llms.txt and security.txt.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documents } from '../../../shared/contract/documents.ts';
import { operationRows, queryNames } from '../../../shared/contract/operations.ts';
import { Post } from '../../../shared/model/post.ts';
import { chapters } from '../../../shared/publish/document.ts';
import { createTestApp } from '../../support/test-app.ts';

const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
const releasedOn = /^## \S+ - (\d{4}-\d{2}-\d{2})$/m.exec(changelog)?.[1] ?? '';

const fieldsOf = (text: string): readonly (readonly [string, string])[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', ...rest] = line.split(': ');
      return [name, rest.join(': ')];
    });

test('security.txt has the contact of the operator and ends 364 days after the release', async () => {
  const { get } = createTestApp({ operator: { securityContact: 'mailto:security@example.org' } });
  const answer = await get('/.well-known/security.txt');
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  const expires = new Date(Date.parse(releasedOn) + 364 * 86_400_000).toISOString().replace('.000', '');
  expect(fieldsOf(answer.body)).toEqual([
    ['Contact', 'mailto:security@example.org'],
    ['Expires', expires],
    ['Preferred-Languages', 'en'],
    ['Canonical', 'https://api.example.test/.well-known/security.txt'],
  ]);
});

test('security.txt names a section of the documentation if the operator has set no contact', async () => {
  const { get } = createTestApp();
  const [[, contact = ''] = []] = fieldsOf((await get('/.well-known/security.txt')).body);
  const { pathname, hash } = new URL(contact);
  const page = await get(pathname, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.body).toContain(`id="${hash.slice(1)}"`);
});

describe('[pages 9] the contact for complaints', () => {
  const operator = {
    abuseContact: 'mailto:abuse@example.org?subject=a&body=b',
    operatorName: 'Larsson & Söhne',
    logRetentionDays: 7,
  };
  const html = { headers: { accept: 'text/html' } };

  test('is a link on the page in both forms, with the name of the operator', async () => {
    const { get } = createTestApp({ operator });
    const page = (await get('/docs/removal', html)).body;
    expect(page).toContain('<a href="mailto:abuse@example.org?subject=a&amp;body=b">abuse@example.org</a>');
    expect(page).toContain('Larsson &amp; Söhne');
    const markdown = (await get('/docs/removal', { headers: { accept: 'text/markdown' } })).body;
    expect(markdown).toContain('[abuse@example.org](mailto:abuse@example.org?subject=a&body=b)');
    expect(markdown).toContain('Larsson & Söhne');
  });

  test.each([
    ['mail', operator, { name: 'Larsson & Söhne', email: 'abuse@example.org' }],
    ['a page', { ...operator, abuseContact: 'https://example.org/a' }, { url: 'https://example.org/a' }],
    ['the security contact', { securityContact: 'mailto:s@example.org' }, { email: 's@example.org' }],
    ['none', {}, { url: 'https://api.example.test/docs/removal#no-contact' }],
  ])('is in the OpenAPI description if it is %s', async (_, values, contact) => {
    const { info } = (await createTestApp({ operator: values }).get('/openapi.json')).json();
    expect(info).toMatchObject({ contact, termsOfService: 'https://api.example.test/docs/removal' });
  });

  test('receives reports of vulnerabilities if there is no other contact', async () => {
    const { get } = createTestApp({ operator });
    expect((await get('/.well-known/security.txt')).body).toMatch(/^Contact: mailto:abuse@example\.org\?/);
  });

  test('is missing, and the page says how to find one', async () => {
    const page = (await createTestApp().get('/docs/removal', html)).body;
    expect(page).toContain('href="https://api.example.test/docs/removal#no-contact">no contact is given</a>');
    expect(page).toContain('id="no-contact"');
  });

  test.each([
    [operator, 'The log is kept for 7 days.'],
    [{ logRetentionDays: 1 }, 'The log is kept for 1 day.'],
    [{}, 'The log is kept until the operator deletes it.'],
  ])('stands beside what is logged: %j', async (values, sentence) => {
    expect((await createTestApp({ operator: values }).get('/docs/privacy')).body).toContain(sentence);
  });

  test.each(['/', '/docs', '/search', '/jack', '/jack/status/20', '/jack/followers', '/jack/nope'])(
    'and the page about privacy are in the footer of %s',
    async (path) => {
      const [, footer = ''] = (await createTestApp().get(path, html)).body.split('<footer');
      expect(footer).toContain('href="/docs/removal"');
      expect(footer).toContain('href="/docs/privacy"');
    },
  );
});

/** A crawler that follows RFC 9309 obeys the longest rule of those for its name. */
const mayRequest = (robots: string, product: string, path: string): boolean => {
  const groups = robots.split('\n\n').map((group) => ({
    agents: [...group.matchAll(/^User-agent: (.+)$/gm)].map(([, agent = '']) => agent),
    rules: [...group.matchAll(/^(Allow|Disallow): (.+)$/gm)].map(([, kind, rule = '']) => ({ kind, rule })),
  }));
  const group =
    groups.find(({ agents }) => agents.includes(product)) ?? groups.find(({ agents }) => agents.includes('*'));
  const matching = (group?.rules ?? [])
    .filter(({ rule }) => new RegExp(`^${rule.split('*').map(RegExp.escape).join('.*')}`).test(path))
    .sort((a, b) => b.rule.length - a.rule.length);
  return matching[0]?.kind !== 'Disallow';
};

describe('[pages 7] robots.txt', () => {
  const POST = '/ada_larsson/status/20';

  test.each([
    ['googlebot', false],
    ['gptbot', false],
    ['twitterbot', true],
    ['slackbot', true],
  ])('%s may read posts and documents, and searches and further pages: %s', async (product, readsAll) => {
    const { body } = await createTestApp().get('/robots.txt');
    for (const path of ['/', '/docs/api', POST]) expect(mayRequest(body, product, path), path).toBe(true);
    for (const path of ['/search?q=a', '/search/rss?q=a', '/ada_larsson?cursor=a', '/ada_larsson?limit=5&cursor=a'])
      expect(mayRequest(body, product, path), path).toBe(readsAll);
    for (const path of ['/admin/', '/api/admin/keys']) expect(mayRequest(body, product, path), path).toBe(false);
  });

  test('an indexed service keeps crawlers out of the dashboard only', async () => {
    const { get } = createTestApp({ settings: { isIndexed: true } });
    const { body, headers } = await get('/robots.txt');
    expect(mayRequest(body, 'googlebot', '/search?q=a')).toBe(true);
    expect(mayRequest(body, 'googlebot', '/admin/')).toBe(false);
    expect(headers['etag']).not.toBe((await createTestApp().get('/robots.txt')).headers['etag']);
  });
});

test('the sitemap contains every page, and every page exists', async () => {
  const { get } = createTestApp();
  const answer = await get('/sitemap.xml');
  expect(answer.headers['content-type']).toBe('application/xml');
  const urls = [...answer.body.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url = '']) => url);
  expect(urls).toEqual(['home' as const, ...chapters].map((name) => `https://api.example.test${documents[name].path}`));
  for (const url of urls) expect((await get(new URL(url).pathname)).status, url).toBe(200);
});

test('the links of llms.txt exist', async () => {
  const { get } = createTestApp();
  const { body, headers } = await get('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const links = [...body.matchAll(/^- \[.+?\]\((.+?)\)/gm)].map(([, url = '']) => new URL(url));
  expect(links.length).toBeGreaterThan(10);
  for (const { pathname } of links) expect((await get(pathname)).status, pathname).toBe(200);
});

test('llms-full.txt has at most 60 kB, and tells an agent how to call the service, but nothing about its operation', async () => {
  const { get } = createTestApp({ settings: { baseUrl: `https://${'postern.'.repeat(6)}example` } });
  const { body } = await get('/llms-full.txt');
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000);
  for (const [, operation] of operationRows) {
    if (operation.surface !== 'versioned' || operation.path === '/api/v1/oembed') continue;
    for (const name of [`GET ${operation.path}`, ...queryNames(operation), ...Object.keys(Post.shape)])
      expect(body).toContain(`\`${name}\``);
  }
  expect(body).not.toMatch(/npm run|CloudFront|`OPTIONS`/);
});

describe('what the front page tells a browser', () => {
  const { get } = createTestApp();
  const linked = async (rel: string) => {
    const page = await get('/', { headers: { accept: 'text/html' } });
    const [, type = '', path = ''] =
      new RegExp(`<link rel="${rel}"(?: type="([^"]+)")? href="([^"]+)"`).exec(page.body) ?? [];
    const answer = await get(path);
    expect(answer.status).toBe(200);
    if (type !== '') expect(answer.headers['content-type']).toBe(type);
    return { answer, policy: page.headers['content-security-policy'] };
  };
  /** The answer to a text in the box. */
  const boxed = async (parameter: string) =>
    (await get(`/?${parameter}=${encodeURIComponent('https://x.com/jack/status/20')}`)).headers['location'];

  test('[pages 8] a shared link of an installed front page leads to its permalink', async () => {
    const { answer, policy } = await linked('manifest');
    expect(policy).toContain("manifest-src 'self'");
    expect(answer.headers['content-type']).toBe('application/manifest+json');
    const manifest = answer.json();
    expect(manifest).toMatchObject({ start_url: '/', scope: '/', share_target: { action: '/', method: 'GET' } });
    const { text } = (manifest['share_target'] as { readonly params: { readonly text: string } }).params;
    expect(await boxed(text)).toBe('/jack/status/20');
    for (const { src, type } of manifest['icons'] as readonly { readonly src: string; readonly type: string }[])
      expect((await get(src)).headers['content-type']).toBe(type);
  });

  test('[pages 8] a search of the browser is a text in the box', async () => {
    const { answer } = await linked('search');
    const [, template = ''] = /type="text\/html" template="(.*?)"/.exec(answer.body) ?? [];
    const url = new URL(template.replace('{searchTerms}', 'x'));
    expect(url.origin + url.pathname).toBe('https://api.example.test/');
    expect(await boxed([...url.searchParams.keys()].join())).toBe('/jack/status/20');
  });
});
