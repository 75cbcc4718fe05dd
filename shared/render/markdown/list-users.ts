// Accounts as items of a list.
import type { User } from '../../model/user.ts';
import { byteLength } from '../content/format.ts';
import { userCounts } from '../content/labels.ts';
import { truncateText } from '../content/truncate.ts';
import { type MarkdownBlock, renderBlock } from './block.ts';
import { destination, escapeLine, escapeSpan, type MarkdownContext } from './escape.ts';
import type { ListDocument } from './list.ts';

/** A name, a way to the account and its numbers on one line, what it says of itself on the next. */
const userItem = (ink: MarkdownContext, user: User): string => {
  const { name, handle, url, bio, verified, protected: isProtected } = user;
  const facts = [
    `**${escapeSpan(ink, name) || escapeSpan(ink, handle)}** ([${escapeSpan(ink, `@${handle}`, 'brackets')}](${destination(url)}))`,
    ...(verified ? ['verified'] : []),
    ...(isProtected ? ['protected'] : []),
    ...userCounts(user),
  ];
  const words = escapeLine(ink, bio ?? '');
  return `- ${facts.join(' · ')}${words === '' ? '' : `  \n  ${words}`}`;
};

const shortened = (user: User, room: number): MarkdownBlock | undefined => {
  const written = (shorter: User): MarkdownBlock => renderBlock((ink) => userItem(ink, shorter));
  const fits = (shorter: User): boolean => byteLength(written(shorter).markdown) <= room;
  const bio = truncateText(user.bio ?? '', (words) => fits({ ...user, bio: words }))?.words;
  const { handle, url } = user;
  const shorter = [
    { ...user, bio },
    { handle, url, name: handle },
  ].find(fits);
  return shorter === undefined ? undefined : written(shorter);
};

export const userItems = (
  users: readonly User[],
): Pick<ListDocument, 'items' | 'item' | 'between' | 'shortenFirst'> => ({
  items: users.map((user) => renderBlock((ink) => userItem(ink, user))),
  item: 'account',
  between: '\n',
  shortenFirst: (room) => {
    const [first] = users;
    return first === undefined ? undefined : shortened(first, room);
  },
});
