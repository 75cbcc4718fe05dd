// Describes where a post comes from and what belongs to it: community, broadcast, translation, publisher of a video.
import { isTombstone } from '../../model/conversation.ts';
import { isSameHandle } from '../../model/handle.ts';
import type {
  Article,
  ArticleBlock,
  ArticleSpan,
  Broadcast,
  Card,
  Community,
  Media,
  Post,
  PostOrTombstone,
} from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { isBlank } from '../../model/visible-text.ts';
import { formatDay } from './format.ts';

// Extracts the structure and the plain text of articles.

export const spansText = (spans: readonly ArticleSpan[]): string => spans.map(({ text }) => text).join('');

/** @returns an empty string for blocks without spans */
const blockText = (block: ArticleBlock): string => ('spans' in block ? spansText(block.spans) : '');

/** The blocks without those whose text is blank, such as an empty line of the editor. */
export const shownBlocks = (blocks: readonly ArticleBlock[]): readonly ArticleBlock[] =>
  blocks.filter((block) => !('spans' in block) || !isBlank(blockText(block)));

export const LOWEST_HEADING = 6;

/** @param titleLevel the level of the title of the article */
export const headingLevel = (level: number, titleLevel: number): number =>
  Math.min(LOWEST_HEADING, Math.max(1, level) + titleLevel);

/** The preview of an article, or the text of its first block that has any. */
export const articleBeginning = ({ preview_text: preview, blocks }: Article): string =>
  preview ?? blocks.map(blockText).find((text) => text.trim() !== '') ?? '';

/** The text of all blocks, with code. */
export const articleText = ({ blocks }: Article): string =>
  blocks.map((block) => (block.type === 'code' ? block.text : blockText(block))).join('\n');

export const communityUrl = ({ id }: Community): string => `https://x.com/i/communities/${id}`;

/** @returns the name; a common noun if the provider has only the id */
export const communityName = ({ name }: Community): string => name ?? 'a community';

/** The posts of a conversation are in one community, which the document names at the post that was asked for. */
export const withoutCommunity = <Entry extends PostOrTombstone>(
  entries: readonly Entry[],
  community: Community | undefined,
): readonly Entry[] =>
  community === undefined
    ? entries
    : entries.map((entry) =>
        isTombstone(entry) || entry.community?.id !== community.id ? entry : { ...entry, community: undefined },
      );

const broadcastLabels: ReadonlyMap<string | undefined, string> = new Map([
  ['live', 'Live broadcast'],
  ['ended', 'Ended broadcast'],
]);

/** The state is that of the time of reading. */
export const broadcastLabel = ({ state }: Broadcast): string => broadcastLabels.get(state) ?? 'Broadcast';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '');

const SHORT_LINK_HOST = 't.co';

/** The host that the link leads to. The domain that the page itself names counts only if a short link hides the host. */
export const cardDomain = ({ url, domain }: Card): string => {
  const host = hostOf(url);
  return host === SHORT_LINK_HOST ? (domain ?? host) : host;
};

/** @returns the publisher of a video; undefined if it is the author of the post */
export const otherPublisher = ({ publisher }: Media, author: User | undefined): User | undefined =>
  isSameHandle(publisher?.handle, author?.handle) ? undefined : publisher;

/** @returns the time at which the article was published, if it is of another day than the post */
export const articlePublication = ({ article, created_at: created }: Post): string | undefined => {
  const published = article?.published_at;
  const isKnown = published === undefined || (created !== undefined && formatDay(created) === formatDay(published));
  return isKnown ? undefined : published;
};

/** @returns the time of the last change of the article, if it is of another day than its publication */
export const articleChange = ({ article, created_at: created }: Post): string | undefined => {
  const changed = article?.modified_at;
  const published = article?.published_at ?? created;
  const isKnown = changed === undefined || (published !== undefined && formatDay(published) === formatDay(changed));
  return isKnown ? undefined : changed;
};
