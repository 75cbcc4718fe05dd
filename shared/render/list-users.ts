// Accounts as items of a list.
import type { User } from '../model/user.ts';
import { destination, type Ink, inline, line } from './escape.ts';
import { type List, type Piece, pieceOf } from './list.ts';
import { shortenWords } from './shorten.ts';
import { userCounts } from './wording.ts';
import { bytes } from './words.ts';

/** A name, a way to the account and its numbers on one line, what it says of itself on the next. */
const userItem = (ink: Ink, user: User): string => {
  const { name, handle, url, bio, verified, protected: isProtected } = user;
  const facts = [
    `**${inline(ink, name) || inline(ink, handle)}** ([${inline(ink, `@${handle}`, 'brackets')}](${destination(url)}))`,
    ...(verified ? ['verified'] : []),
    ...(isProtected ? ['protected'] : []),
    ...userCounts(user),
  ];
  const words = line(ink, bio ?? '');
  return `- ${facts.join(' · ')}${words === '' ? '' : `  \n  ${words}`}`;
};

const shortened = (user: User, room: number): Piece | undefined => {
  const written = (shorter: User): Piece => pieceOf((ink) => userItem(ink, shorter));
  const fits = (shorter: User): boolean => bytes(written(shorter).markdown) <= room;
  const bio = shortenWords(user.bio ?? '', (words) => fits({ ...user, bio: words }))?.words;
  const { handle, url } = user;
  const shorter = [
    { ...user, bio },
    { handle, url, name: handle },
  ].find(fits);
  return shorter === undefined ? undefined : written(shorter);
};

export const userItems = (users: readonly User[]): Pick<List, 'items' | 'item' | 'between' | 'shortenFirst'> => ({
  items: users.map((user) => pieceOf((ink) => userItem(ink, user))),
  item: 'account',
  between: '\n',
  shortenFirst: (room) => {
    const [first] = users;
    return first === undefined ? undefined : shortened(first, room);
  },
});
