// Adds posts to the answers of FxTwitter about a conversation that do not belong to it.
//
// FxTwitter puts every module of X's timeline into `replies`, in no reliable order: advertisements, and the posts that X
// recommends below a conversation ("More Tweets", "Discover more"). They answer nothing and have more likes than the replies.
// A recommended post can be by the author of the conversation, and answer another thread of theirs.
import { isRecord, type JsonRecord } from '../../shared/model/json.ts';

const intruderId = (number: number): string => `77700${String(number).padStart(14, '0')}`;

const intruder = (number: number, by: string, to?: string): JsonRecord => ({
  type: 'status',
  id: intruderId(number),
  url: `https://x.com/${by}/status/${intruderId(number)}`,
  text: `Not of this conversation: ${number}`,
  author: { screen_name: by, name: by },
  source: 'Twitter Web App',
  likes: 90_000 + number,
  reposts: 1,
  replies: 1,
  replying_to: to === undefined ? null : { screen_name: by, status: to },
});

const authorOf = (status: unknown): string => {
  const author = isRecord(status) ? status['author'] : undefined;
  return isRecord(author) && typeof author['screen_name'] === 'string' ? author['screen_name'] : 'ada';
};

/** An advertisement, recommended posts, and recommended posts of the author, each with an answer of its author. */
const intrudersFor = (author: string): readonly JsonRecord[] => [
  intruder(1, 'kettle_shop'),
  intruder(2, 'cat_daily'),
  intruder(3, 'cat_daily', intruderId(2)),
  intruder(4, author),
  intruder(5, author, intruderId(4)),
];

/** @param body of an answer of FxTwitter; one without replies stays as it is */
export const withIntruders = <Body>(body: Body): Body => {
  if (!isRecord(body) || !Array.isArray(body['replies'])) return body;
  const [first, ...others] = intrudersFor(authorOf(body['status']));
  return { ...body, replies: [first, ...body['replies'], ...others] };
};
