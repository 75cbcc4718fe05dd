// [bounds 6] Checks that an answer of any form is at most a small multiple of the provider answer plus a constant,
// and that twice the provider answer takes at most about twice the work, also if one part is referred to many times.
import { expect, test } from 'vitest';
import { FEED_FORMATS, type Format } from '../../../shared/contract/media-types.ts';
import { asRecord, type JsonRecord } from '../../../shared/model/json.ts';
import type { PostOrTombstone } from '../../../shared/model/post.ts';
import { createFollowsPresenter } from '../../../shared/reads/follows/present.ts';
import { presentOembed } from '../../../shared/reads/oembed/present.ts';
import { presentPost } from '../../../shared/reads/post/present.ts';
import { presentProfile } from '../../../shared/reads/profile/present.ts';
import { presentSearch } from '../../../shared/reads/search/present.ts';
import { createFxTwitterPostMapper } from '../../../shared/upstream/fxtwitter/map-post.ts';
import { mapUser } from '../../../shared/upstream/fxtwitter/map-user.ts';
import { asArray, asRecords } from '../../../shared/upstream/json-readers.ts';
import { type BigAnswer, bigAnswers } from '../../generators/big-answers.ts';
import { countWork } from '../../support/count-work.ts';
import { renderList, searchOf } from '../../support/list-models.ts';
import { conversationOf } from '../../support/post-models.ts';

const SIZE = 100_000;
/** Allows for sorting and binary searches. */
const MOST_GROWTH = 2.35;
/** A repeated part stands up to three times in a JSON body: in the blocks, in their Markdown and in `markdown`. */
const CONSTANT = 3 * 500_000;
/** A picture of 70 bytes becomes an element with several sizes. */
const MOST_TIMES = 12;

const forms: readonly Format[] = ['markdown', 'json', 'html', 'obsidian'];

const lengthsOfPost = (body: JsonRecord): readonly number[] => {
  const mapper = createFxTwitterPostMapper(0);
  const post = mapper.post(asRecord(body['status']) ?? {});
  if (post === undefined) throw new Error('an answer about a post has one');
  const entries = (name: string): PostOrTombstone[] => asArray(body[name]).flatMap((raw) => mapper.entry(raw) ?? []);
  const value = conversationOf(post, { thread: entries('thread'), replies: entries('replies') });
  return [
    ...forms.map((format) => renderList(presentPost, value, { format }).body.length),
    ...FEED_FORMATS.map((format) => renderList(presentSearch, searchOf({ posts: [post] }), { format }).body.length),
    ...[100, 1000].map((maxTokens) => renderList(presentPost, value, { maxTokens }).body.length),
    renderList(presentPost, value, { layout: 'unrolled' }).body.length,
    ...[undefined, 300].map((maxHeight) => renderList(presentOembed, { post, maxHeight }).body.length),
  ];
};

const lengthsOfPosts = (body: JsonRecord): readonly number[] => {
  const mapper = createFxTwitterPostMapper(0);
  const posts = asRecords(body['results']).flatMap((raw) => mapper.post(raw) ?? []);
  return [...forms.slice(0, 3), ...FEED_FORMATS].map(
    (format) => renderList(presentSearch, { query: 'fjord', feed: 'latest', posts }, { format }).body.length,
  );
};

const lengthsOfUsers = (body: JsonRecord): readonly number[] => {
  const users = asRecords(body['results']).flatMap((raw) => mapUser(raw) ?? []);
  const present = createFollowsPresenter('followers');
  return forms.slice(0, 3).map((format) => renderList(present, { handle: 'ada', users }, { format }).body.length);
};

const lengthsOfProfile = (body: JsonRecord): readonly number[] => {
  const profile = mapUser(body['user']);
  if (profile === undefined) throw new Error('an answer about a profile has one');
  return forms.slice(0, 3).map((format) => renderList(presentProfile, { profile, posts: [] }, { format }).body.length);
};

/** Maps an answer and renders it in every form. */
const lengthsOf: Readonly<Record<BigAnswer['kind'], (body: JsonRecord) => readonly number[]>> = {
  post: lengthsOfPost,
  posts: lengthsOfPosts,
  users: lengthsOfUsers,
  profile: lengthsOfProfile,
};

const measure = ({ kind, make }: BigAnswer, bytes: number) => {
  const text = JSON.stringify(make(bytes));
  const body = JSON.parse(text);
  let lengths: readonly number[] = [];
  const work = countWork(() => {
    lengths = lengthsOf[kind](body);
  });
  return { input: text.length, longest: Math.max(...lengths), work };
};

test.each(bigAnswers)('[bounds 6] $name: answer and work are at most a multiple of the provider answer', (answer) => {
  const [once, twice] = [measure(answer, SIZE), measure(answer, 2 * SIZE)];
  expect(once.longest).toBeLessThanOrEqual(CONSTANT + MOST_TIMES * once.input);
  expect(twice.longest).toBeLessThanOrEqual(CONSTANT + MOST_TIMES * twice.input);
  expect(twice.work / once.work).toBeLessThanOrEqual(MOST_GROWTH);
});
