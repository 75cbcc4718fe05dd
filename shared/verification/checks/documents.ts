// Checks the documents that describe the service, and that they agree with each other.
import { lifecycles, versionPolicy } from '../../contract/lifecycle.ts';
import { DAY_MILLISECONDS } from '../../model/instant-text.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import { type Answer, jsonOf, listMember, responseHeader, textMember } from '../answer.ts';
import { type Check, statusText, type Verifier } from '../check.ts';
import type { Service } from '../service.ts';

const OPENAPI = '/openapi.json';
const INDEX = '/api';
const CATALOG = '/.well-known/api-catalog';

const SUCCESSOR_RESOURCES = ['followers', 'following', 'profile', 'search'];

const mediaType = (field: string | undefined): string => (field ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

const readDocument = async (service: Service, verify: Verifier, path: string, type: string): Promise<Answer> => {
  const answer = await service.read(path);
  verify.holds(answer.status === 200, `${statusText(answer)}, expected 200`);
  verify.equals(mediaType(responseHeader(answer, 'content-type')), type, `the type of ${path}`);
  return answer;
};

/** A URL of the service as a target; undefined if it leads elsewhere. */
const targetOf = (url: string, base: string): string | undefined =>
  url.startsWith(`${base}/`) ? url.slice(base.length) : undefined;

/** Checks that each URL leads to this service, answers 200, and has the type that its document claims. */
const followLinks = async (
  service: Service,
  verify: Verifier,
  links: readonly { readonly url: string; readonly type?: string | undefined }[],
): Promise<void> => {
  const base = await service.baseUrl();
  await Promise.all(
    links.map(async ({ url, type }) => {
      const target = targetOf(url, base);
      if (target === undefined) return verify.holds(false, `${url} is not below ${base}`);
      const answer = await service.read(target);
      verify.holds(answer.status === 200, `${statusText(answer)}, but a document names it`);
      if (type !== undefined) verify.equals(mediaType(responseHeader(answer, 'content-type')), mediaType(type), url);
    }),
  );
};

interface Dates {
  readonly path: string | undefined;
  readonly deprecation: string | undefined;
  readonly sunset: string | undefined;
  readonly successors: readonly string[];
}

const datesOf = (rows: readonly JsonRecord[]): readonly Dates[] =>
  rows.map((row) => ({
    path: textMember(row, 'path'),
    deprecation: textMember(row, 'deprecation'),
    sunset: textMember(row, 'sunset'),
    successors: [
      ...(typeof row['successor'] === 'string' ? [row['successor']] : []),
      ...Object.keys(asRecord(row['successors']) ?? {}).toSorted(),
    ],
  }));

const EXPECTED_DATES: readonly Dates[] = [
  { path: '/api/convert', ...lifecycles.convert, successors: ['/api/v1/posts'] },
  { path: '/api/browse', ...lifecycles.browse, successors: SUCCESSOR_RESOURCES },
];

export const documentChecks: readonly Check[] = [
  {
    name: 'description',
    statement: '/openapi.json is OpenAPI 3.1 with the lifecycle of the API and one optional bearer scheme',
    rows: ['discovery 4', 'discovery 5', 'keys 15'],
    isInCanary: true,
    run: async (service, verify) => {
      const json = jsonOf(await readDocument(service, verify, OPENAPI, 'application/json'));
      const lifecycle = asRecord(json['x-api-lifecycle']) ?? {};
      verify.holds(/^3\.1\.\d+$/.test(textMember(json, 'openapi') ?? ''), 'openapi is not 3.1');
      verify.equals(lifecycle['current_major_version'], versionPolicy.currentMajorVersion, 'current_major_version');
      verify.equals(lifecycle['minimum_support_window_months'], versionPolicy.minimumSupportWindowMonths, 'the window');
      verify.holds(listMember(lifecycle, 'deprecation_signals').length >= 3, 'deprecation_signals lacks a signal');
      const schemes = Object.values(asRecord(asRecord(json['components'])?.['securitySchemes']) ?? {});
      verify.equals(
        schemes.map((row) => `${textMember(row, 'type')} ${textMember(row, 'scheme')}`),
        ['http bearer'],
        'the schemes',
      );
      const paths = Object.keys(asRecord(json['paths']) ?? {});
      verify.holds(paths.includes('/api/v1/posts'), 'there is no /api/v1/posts');
      return `version ${await service.version()}, ${paths.length} paths`;
    },
  },
  {
    name: 'lifecycle-documents',
    statement: '/openapi.json, /api and the versioning page have the same lifecycle dates',
    rows: ['discovery 6', 'lifecycle 14'],
    run: async (service, verify) => {
      const [openapi, index, page] = await Promise.all([
        service.read(OPENAPI),
        service.read(INDEX),
        service.read('/docs/versioning', 'text/html'),
      ]);
      const described = datesOf(listMember(jsonOf(openapi)['x-api-lifecycle'], 'deprecated_operations'));
      const indexed = datesOf(listMember(jsonOf(index)['versioning'], 'deprecated_aliases'));
      verify.equals(described, EXPECTED_DATES, 'x-api-lifecycle');
      verify.equals(indexed, EXPECTED_DATES, 'versioning in /api');
      verify.holds(page.status === 200, statusText(page));
      for (const date of [lifecycles.convert.deprecation, lifecycles.convert.sunset]) {
        verify.holds(page.body.includes(date.slice(0, 10)), `/docs/versioning does not name ${date.slice(0, 10)}`);
      }
      return `${lifecycles.convert.deprecation.slice(0, 10)} and ${lifecycles.convert.sunset.slice(0, 10)} in three places`;
    },
  },
  {
    name: 'index',
    statement: '/api lists the routes of /openapi.json and has its version',
    rows: ['discovery 3', 'discovery 4'],
    run: async (service, verify) => {
      const json = jsonOf(await readDocument(service, verify, INDEX, 'application/json'));
      verify.equals(textMember(json, 'version'), await service.version(), 'the version of /api');
      const routes = listMember(json, 'routes').flatMap((row) => textMember(row, 'path') ?? []);
      const missing: string[] = [];
      for (const path of routes) if (!(await service.hasRoute(path))) missing.push(path);
      verify.equals(missing, [], 'routes that /openapi.json lacks');
      verify.holds(routes.length > 0, '/api lists no routes');
      return `${routes.length} routes, base_url ${await service.baseUrl()}`;
    },
  },
  {
    name: 'api-catalog',
    statement: 'The API catalog is a link set by GET and HEAD, and its links have the declared types',
    rows: ['discovery 1'],
    run: async (service, verify) => {
      const answer = await readDocument(service, verify, CATALOG, 'application/linkset+json');
      verify.holds(
        /profile="[^"]+rfc9727"/.test(responseHeader(answer, 'content-type') ?? ''),
        'the type lacks the profile',
      );
      verify.holds(/rel="?api-catalog/.test(responseHeader(answer, 'link') ?? ''), 'Link lacks rel="api-catalog"');
      const relations = listMember(jsonOf(answer), 'linkset').flatMap(({ anchor: _, ...rest }) => Object.values(rest));
      verify.holds(relations.length > 0 && relations.every(Array.isArray), 'a relation is not a list');
      const links = relations.flatMap((relation) => listMember({ relation }, 'relation'));
      const linked = links.map((link) => ({ url: textMember(link, 'href') ?? '', type: textMember(link, 'type') }));
      await followLinks(service, verify, linked);
      const head = await service.send(CATALOG, { method: 'HEAD' });
      verify.equals(head.status, 200, `HEAD ${CATALOG}`);
      return `${linked.length} links`;
    },
  },
  {
    name: 'machine-surfaces',
    statement: 'ard.json lists every machine interface with URLs of this deployment',
    rows: ['discovery 2', 'discovery 3'],
    run: async (service, verify) => {
      const answer = await readDocument(service, verify, '/.well-known/ard.json', 'application/json');
      const entries = listMember(jsonOf(answer), 'entries');
      const linked = entries.flatMap((entry) => {
        const url = textMember(entry, 'url');
        return url === undefined ? [] : [{ url, type: textMember(entry, 'type') }];
      });
      await followLinks(service, verify, linked);
      const base = await service.baseUrl();
      const listed = linked.map(({ url }) => url);
      for (const path of [OPENAPI, INDEX, CATALOG, '/mcp/server-card', '/llms.txt']) {
        verify.holds(listed.includes(`${base}${path}`), `${path} is not listed`);
      }
      verify.holds(answer.body.includes(`${base}/api/v1/oembed`), 'oEmbed is not listed');
      return `${entries.length} interfaces`;
    },
  },
  {
    name: 'server-card',
    statement: 'The MCP server card names /mcp of this deployment and its version',
    rows: ['discovery 3'],
    run: async (service, verify) => {
      const card = jsonOf(await readDocument(service, verify, '/mcp/server-card', 'application/mcp-server-card+json'));
      verify.equals(textMember(card, 'version'), await service.version(), 'the version of the server card');
      const urls = listMember(card, 'remotes').map((remote) => textMember(remote, 'url'));
      verify.equals(urls, [`${await service.baseUrl()}/mcp`], 'its remotes');
      return `${urls}`;
    },
  },
  {
    name: 'overview',
    statement: '/llms.txt links pages of this deployment that exist',
    rows: ['discovery 3'],
    run: async (service, verify) => {
      const { body } = await readDocument(service, verify, '/llms.txt', 'text/plain');
      const links = [...body.matchAll(/\]\(([^()\s]+)\)/g)].map(([, url = '']) => ({ url: url.replace(/#.*/, '') }));
      const base = await service.baseUrl();
      verify.holds(body.startsWith('# '), '/llms.txt does not begin with a heading');
      verify.holds(links.length > 0, '/llms.txt has no links');
      await followLinks(
        service,
        verify,
        links.filter(({ url }) => url.startsWith(base)),
      );
      return `${links.length} links`;
    },
  },
  {
    name: 'security-txt',
    statement: 'security.txt names a contact and has not expired (RFC 9116)',
    rows: ['discovery 3'],
    isInCanary: true,
    run: async (service, verify) => {
      const { body } = await readDocument(service, verify, '/.well-known/security.txt', 'text/plain');
      const expires = Date.parse(/^Expires: (.+)$/m.exec(body)?.[1] ?? '');
      verify.holds(/^Contact: \S+/m.test(body), 'there is no Contact');
      verify.holds(expires > service.wall.now(), `Expires is ${/^Expires: (.+)$/m.exec(body)?.[1] ?? 'absent'}`);
      return `valid for ${Math.floor((expires - service.wall.now()) / DAY_MILLISECONDS)} days`;
    },
  },
];
