// Compares with golden files what the service reads of a response of each provider, and what is left when a member of the
// response is absent, empty or of another type. `npm run update -- golden` writes the files again; review their diff.
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../../shared/model/json.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { Outcome, PostRequest } from '../../../shared/ports/upstream.ts';
import { createFxTwitter } from '../../../shared/upstream/fxtwitter/provider.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import type { Provider, ProviderOptions } from '../../../shared/upstream/provider.ts';
import { createSyndication } from '../../../shared/upstream/syndication/provider.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { article } from '../../support/constructed/fxtwitter-article.ts';
import * as fxTwitter from '../../support/constructed/fxtwitter-bodies.ts';
import * as syndication from '../../support/constructed/syndication-bodies.ts';
import * as xApi from '../../support/constructed/x-api-bodies.ts';
import { indented, type Json, memberTable, type Read } from '../../support/member-table.ts';
import { json, type ListRequest, providerCalling, readList } from '../../support/provider-calls.ts';
import { whole } from '../../support/whole.ts';
import { spelled } from '../../support/x-api-words.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');
const BUDGET = { deadline: readingAt(NOW + 8000), calls: { retries: 0 } };

type Create = (options: ProviderOptions) => Provider;

/** The first responses have the body; there is no further one. */
const providerWith = (create: Create, body: Json, count = 1): Provider => {
  const answers = Array.from({ length: count }, () => json(body));
  const next = (): FetchResult => answers.pop() ?? { kind: 'failed', why: 'no further response' };
  return providerCalling(create, next, NOW, 'constructed');
};

const plain = <T>(outcome: Outcome<T>): unknown =>
  outcome.kind === 'found' ? { ...outcome, warnings: outcome.warnings.map(({ code }) => code) } : outcome;

const isAlone = ({ ancestors, thread, replies }: Conversation): boolean =>
  ancestors.length + thread.length + replies.length === 0;

/** A post without a conversation is shown by itself. */
const shown = (outcome: Outcome<Conversation>): unknown =>
  outcome.kind === 'found' && isAlone(outcome.value)
    ? plain({ ...outcome, value: outcome.value.post })
    : plain(outcome);

const ALONE: Omit<PostRequest, 'id'> = { thread: 'off', replies: 'off' };

const post =
  (create: Create, id: string, request = ALONE): Read =>
  async (body) => {
    const outcome = await providerWith(create, body).readPost?.({ id, ...request }, BUDGET);
    return outcome && shown(outcome);
  };

/** The id of the post that a response is about. */
const idIn = ({ id_str, status, data }: Json): string => {
  const raw = [status, data].find(isRecord);
  return String(id_str ?? raw?.['id']);
};

const ownPost = (create: Create, body: Json, request = ALONE): Read => post(create, idIn(body), request);

const listed =
  (create: Create, request: ListRequest): Read =>
  async (body) =>
    readList(providerWith(create, body), request, { size: 20 }, BUDGET)?.then(plain);

const search = (create: Create): Read => listed(create, { list: 'search', query: 'tide', feed: 'latest' });

const followers = listed(createFxTwitter, { list: 'followers', handle: 'ada' });

const profile =
  (create: Create): Read =>
  async (body) =>
    providerWith(create, body, 2).readProfile?.('ada_larsson', BUDGET).then(plain);

const FULL = { thread: 'full', replies: 'top' } as const;

const golden = (name: string, extension: string): string => `../../golden/upstream/${name}.${extension}`;

const expectGolden = async (
  name: string,
  body: Json,
  read: Read,
  further: Readonly<Record<string, readonly unknown[]>> = {},
): Promise<void> => {
  await expect(indented(await read(body))).toMatchFileSnapshot(golden(name, 'json'));
  await expect(await memberTable(body, read, further)).toMatchFileSnapshot(golden(name, 'members.txt'));
};

describe('FxTwitter', () => {
  const REASONS = ['deleted', 'suspended', 'private', 'blocked', 'withheld', 'unavailable', 'constructor'];

  test.each<[string, Json, Record<string, readonly unknown[]>]>([
    [
      'text',
      fxTwitter.text,
      {
        'status.author.verification.type': ['organization', 'government', 'business'],
        'status.translation.text': ['\n'],
        'status.created_timestamp': ['1773136802'],
      },
    ],
    [
      'media',
      fxTwitter.media,
      {
        'status.quote.reason': REASONS,
        'status.poll.ends_at': ['2026-08-25T00:00:00Z', '2026-08-25T00:00:01Z'],
        'status.poll.choices.0.percentage': [100, 100.5],
      },
    ],
    ['broadcast', fxTwitter.broadcast, { 'status.media.broadcast.state': ['ENDED', 'SOON'] }],
    ['article', article, {}],
  ])('a post is read with its members: %s', async (name, body, further) => {
    await expectGolden(`fxtwitter-${name}`, body, ownPost(createFxTwitter, body), further);
  });

  test('a conversation is read with its members', async () => {
    const { conversation } = fxTwitter;
    const further = { 'thread.0.reason': REASONS, code: [401, 404, 400, 429, 500] };
    await expectGolden('fxtwitter-conversation', conversation, ownPost(createFxTwitter, conversation, FULL), further);
  });

  const CODES = { code: [400, 401, 404, 429, 500] };

  test.each([
    ['search', fxTwitter.posts, search(createFxTwitter)],
    ['search-empty', fxTwitter.noPosts, search(createFxTwitter)],
    ['followers', fxTwitter.users, followers],
    ['followers-empty', fxTwitter.noUsers, followers],
    ['profile', fxTwitter.profile, profile(createFxTwitter)],
  ])('a page or a profile is read with its members: %s', async (name, body, read) => {
    await expectGolden(`fxtwitter-${name}`, body, read, CODES);
  });
});

test('a profile that cannot be read has a reason', async () => {
  const { missingProfile } = fxTwitter;
  await expectGolden('fxtwitter-missing-profile', missingProfile, profile(createFxTwitter), {
    code: [200, 400, 401],
    reason: ['deactivated', 'deleted', 'withheld', 'constructor'],
  });
});

describe('the syndication CDN', () => {
  test.each<[string, Json, Record<string, readonly unknown[]>]>([
    ['text', syndication.text, { 'user.verified': ['true'], 'user.is_blue_verified': ['true'] }],
    [
      'media',
      syndication.media,
      { 'mediaDetails.0.media_url_https': ['https://pbs.twimg.com/media/a?format=jpg&name=small'] },
    ],
    [
      'poll',
      syndication.poll,
      { 'card.binding_values.end_datetime_utc.string_value': ['2026-08-25T00:00:01Z', '2026-08-24T23:59:59Z'] },
    ],
    ['player', syndication.player, {}],
  ])('a post is read with its members: %s', async (name, body, further) => {
    await expectGolden(`syndication-${name}`, body, ownPost(createSyndication, body, FULL), further);
  });

  test('a tombstone is read with its members', async () => {
    const { tombstone } = syndication;
    await expectGolden('syndication-tombstone', tombstone, post(createSyndication, '20'), {
      'tombstone.text.text': [
        'This Post is from a suspended account.',
        'You cannot see it, because the owner LIMITS WHO CAN VIEW their Posts.',
        'Age-restricted adult content.',
      ],
    });
  });
});

describe('the official API', () => {
  const ID = '2031309083243446753';

  test.each<[string, Json, Record<string, readonly unknown[]>]>([
    ['text', xApi.text, { 'includes.users.0.verified_type': ['business', 'government', 'none'] }],
    [
      'media',
      xApi.media,
      {
        'includes.polls.0.end_datetime': ['2026-08-25T00:00:00Z'],
        'includes.polls.0.voting_status': ['closed'],
        'data.public_metrics.like_count': [null],
      },
    ],
    ['reply', xApi.reply, { 'data.entities.urls.0.expanded_url': ['https://x.com/eve_moe/status/1/video/1'] }],
    ['repost', xApi.repost, {}],
  ])('a post is read with its members: %s', async (name, body, further) => {
    await expectGolden(`x-api-${name}`, body, ownPost(createXApi, body), further);
  });

  test.each(Object.entries({ text: xApi.text, media: xApi.media, reply: xApi.reply, repost: xApi.repost }))(
    '[provider-faults 15] a post in older words is the same post: %s',
    async (_, body) => {
      const older = spelled(body, 'older');
      expect(older).not.toEqual(body);
      expect(whole(await ownPost(createXApi, older)(older))).toBe(whole(await ownPost(createXApi, body)(body)));
    },
  );

  test('a missing post is read with its members', async () => {
    await expectGolden('x-api-missing', xApi.missing, post(createXApi, ID), {
      'errors.0.type': ['https://api.twitter.com/2/problems/resource-not-found'],
      'errors.0.detail': ['The account is Suspended.'],
      'errors.0.resource_id': [`${ID}0`],
    });
  });

  test('a missing profile is read with its members', async () => {
    await expectGolden('x-api-missing-profile', xApi.missingProfile, profile(createXApi), {
      'errors.0.value': ['ada_larsson'],
      'errors.1.detail': ['User has been suspended.', 'unsuspended'],
    });
  });

  test('a page and a profile are read with their members', async () => {
    await expectGolden('x-api-search', xApi.posts, search(createXApi));
    await expectGolden('x-api-profile', xApi.profile, profile(createXApi), { 'data.username': ['ADA_LARSSON'] });
  });
});
