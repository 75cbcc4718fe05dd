// Checks that the service reads real content: a post, a profile, a search, an embed and a feed. These checks spend at most
// seven units of the caller's allowances, and tell an outage of the provider from a fault of the service.
import { asRecord } from '../../model/json.ts';
import { codeOf, jsonOf, listMember, requestText, responseHeader, textMember } from '../answer.ts';
import { type Check, isProviderOutage, ProviderOutage, requireRead, statusText } from '../check.ts';
import {
  engagementTarget,
  JSON_ACCEPT,
  knownText,
  oembedTarget,
  postTarget,
  profileTarget,
  searchTarget,
} from './targets.ts';

export const readChecks: readonly Check[] = [
  {
    name: 'post',
    statement: 'The post that is known to exist is read; an outage is never reported as not found',
    rows: ['problems 4', 'problems 6', 'inputs 1'],
    isInCanary: true,
    run: async (service, verify) => {
      const answer = await service.read(postTarget(service), JSON_ACCEPT);
      if (isProviderOutage(answer)) {
        const isComplete = answer.status === 502 || responseHeader(answer, 'retry-after') === '30';
        verify.holds(isComplete, `Retry-After of 503 is ${responseHeader(answer, 'retry-after')}`);
        throw new ProviderOutage(statusText(answer));
      }
      const json = jsonOf(requireRead(answer));
      verify.equals(textMember(json['post'], 'id'), service.known.post, 'post.id');
      const text = knownText(service);
      if (text !== undefined) verify.equals(textMember(json['post'], 'text'), text, 'post.text');
      for (const name of ['source', 'fetched_at', 'markdown']) {
        verify.holds(textMember(json, name) !== undefined, `there is no ${name}`);
      }
      for (const name of ['ancestors', 'thread', 'replies', 'warnings']) {
        verify.holds(Array.isArray(json[name]), `${name} is not a list`);
      }
      return `post ${service.known.post} from ${textMember(json, 'source')}`;
    },
  },
  {
    name: 'profile',
    statement: 'The profile that is known to exist is read',
    rows: ['problems 4', 'keys 1'],
    isInCanary: true,
    run: async (service, verify) => {
      const answer = requireRead(await service.read(profileTarget(service), JSON_ACCEPT));
      const json = jsonOf(answer);
      const handle = textMember(json['profile'], 'handle')?.toLowerCase();
      verify.equals(handle, service.known.profile.toLowerCase(), 'profile.handle');
      verify.equals(responseHeader(answer, 'x-api-key-status'), 'anonymous', 'X-Api-Key-Status');
      verify.holds(Array.isArray(json['posts']), 'posts is not a list');
      return `@${service.known.profile} from ${textMember(json, 'source')}`;
    },
  },
  {
    name: 'search',
    statement: 'A search answers, and names its allowance without the state of one caller',
    rows: ['allowances 2', 'allowances 6'],
    run: async (service, verify) => {
      const answer = requireRead(await service.read(searchTarget(service), JSON_ACCEPT));
      const policy = responseHeader(answer, 'ratelimit-policy') ?? 'absent';
      verify.holds(/^"search";q=\d+;w=\d+/.test(policy), `RateLimit-Policy is ${policy}`);
      verify.equals(responseHeader(answer, 'ratelimit'), undefined, 'RateLimit of a storable answer');
      verify.holds(Array.isArray(jsonOf(answer)['posts']), 'posts is not a list');
      return `${listMember(jsonOf(answer), 'posts').length} posts, ${policy}`;
    },
  },
  {
    name: 'oembed',
    statement: 'oEmbed follows its standard, and its HTML has no script',
    rows: ['oembed 1', 'oembed 3', 'oembed 4'],
    run: async (service, verify) => {
      const json = jsonOf(requireRead(await service.read(oembedTarget(service))));
      verify.equals([json['version'], json['type']], ['1.0', 'rich'], 'version and type');
      const html = textMember(json, 'html') ?? '';
      verify.holds(html !== '' && !/<script|\son\w+=/i.test(html), 'html is empty or contains script');
      const narrow = jsonOf(requireRead(await service.read(`${oembedTarget(service)}&maxwidth=300`)));
      verify.holds(Number(narrow['width']) <= 300, `width is ${String(narrow['width'])} with maxwidth=300`);
      const wrong = await service.send(`${oembedTarget(service)}&maxwidth=wide`);
      verify.equals([wrong.status, codeOf(wrong)], [400, 'invalid_parameter'], requestText(wrong));
      return `${html.length} characters of HTML`;
    },
  },
  {
    name: 'feeds',
    statement: 'RSS and JSON Feed have their types and answer 304 if nothing changed',
    rows: ['lists 9'],
    run: async (service, verify) => {
      const target = `${profileTarget(service)}/posts`;
      const rss = requireRead(await service.read(`${target}?format=rss`));
      verify.equals(responseHeader(rss, 'content-type'), 'application/rss+xml; charset=utf-8', 'the type of RSS');
      verify.holds(
        /^<\?xml .*<rss version="2\.0".*<channel>.*<\/channel>\s*<\/rss>\s*$/s.test(rss.body),
        'RSS has another structure',
      );
      const ids = [...rss.body.matchAll(/<guid[^>]*>([^<]+)<\/guid>/g)].map(([, id]) => id);
      verify.equals(ids.length, rss.body.split('<item>').length - 1, 'the number of ids of items');
      verify.equals(new Set(ids).size, ids.length, 'the number of different ids');
      const etag = responseHeader(rss, 'etag') ?? '';
      const again = await service.send(rss.target, { headers: { 'If-None-Match': etag } });
      verify.equals(again.status, 304, 'RSS with its tag');
      const feed = requireRead(await service.read(`${target}?format=jsonfeed`));
      verify.equals(
        textMember(jsonOf(feed), 'version'),
        'https://jsonfeed.org/version/1.1',
        'the version of JSON Feed',
      );
      return `${ids.length} items`;
    },
  },
  {
    name: 'lookup',
    statement: 'Several posts are read at once',
    rows: ['lists 8'],
    run: async (service, verify) => {
      const { post } = service.known;
      const answer = requireRead(await service.read(`/api/v1/posts/lookup?ids=${post}&format=json`));
      const [first] = listMember(jsonOf(answer), 'posts');
      if (textMember(first, 'reason') === 'failed') throw new ProviderOutage('the lookup says failed');
      verify.equals(asRecord(first)?.['id'], post, 'the id of the post');
      return `post ${post}`;
    },
  },
  {
    name: 'engagements',
    statement: 'The replies, the quotes and the reposts of a post are lists',
    rows: ['lists 8'],
    isInCanary: true,
    run: async (service, verify) => {
      for (const [list, items] of [
        ['replies', 'posts'],
        ['quotes', 'posts'],
        ['reposts', 'users'],
      ] as const) {
        const answer = requireRead(await service.read(engagementTarget(service, list), JSON_ACCEPT));
        verify.equals(jsonOf(answer)['id'], service.known.post, `id of the ${list}`);
        verify.holds(Array.isArray(jsonOf(answer)[items]), `${items} of the ${list} is not a list`);
      }
      return 'replies, quotes and reposts';
    },
  },
];
