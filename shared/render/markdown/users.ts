// Renders accounts, and lists of followers or followed accounts, as Markdown.

import type { UserList } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import { byteLength } from '../content/format.ts';
import { userCounts, verifiedLabel } from '../content/labels.ts';
import { type Follows, followTitles, noFollows } from '../content/list-labels.ts';
import { truncateText } from '../content/truncate.ts';
import { type MarkdownBlock, renderBlock } from './block.ts';
import { escapeHeading, escapeLine, escapeSpan, type MarkdownContext } from './escape.ts';
import type { ListDocument } from './list.ts';
import { handleLink } from './media.ts';

/** The first line has the name, a link and the counts; the second has the bio. */
const userItem = (context: MarkdownContext, user: User): string => {
  const { name, handle, bio, protected: isProtected } = user;
  const badge = verifiedLabel(user);
  const facts = [
    `**${escapeSpan(context, name) || escapeSpan(context, handle)}** (${handleLink(context, user)})`,
    ...(badge === '' ? [] : [badge]),
    ...(isProtected ? ['protected'] : []),
    ...userCounts(user),
  ];
  const bioLine = escapeLine(context, bio ?? '');
  return `- ${facts.join(' · ')}${bioLine === '' ? '' : `  \n  ${bioLine}`}`;
};

const renderUser = (user: User): MarkdownBlock => renderBlock((context) => userItem(context, user));

const shortened = (user: User, maxBytes: number): MarkdownBlock | undefined => {
  const fits = (shorter: User): boolean => byteLength(renderUser(shorter).markdown) <= maxBytes;
  const bio = truncateText(user.bio ?? '', (text) => fits({ ...user, bio: text }))?.text;
  const { handle, url } = user;
  const shorter = [
    { ...user, bio },
    { handle, url, name: handle },
  ].find(fits);
  return shorter === undefined ? undefined : renderUser(shorter);
};

export const userItems = (
  users: readonly User[],
): Pick<ListDocument, 'items' | 'item' | 'between' | 'shortenFirst'> => ({
  items: users.map(renderUser),
  item: 'account',
  between: '\n',
  shortenFirst: (maxBytes) => {
    const [first] = users;
    return first === undefined ? undefined : shortened(first, maxBytes);
  },
});

export const followsDocument = (follows: Follows, { handle, users }: UserList): ListDocument => {
  const head = renderBlock((context) => `# ${escapeHeading(context, followTitles[follows](handle))}`);
  return {
    head,
    subject: 'the title',
    shortenHead: () => head, // a handle is short
    section: '',
    ...userItems(users),
    none: noFollows[follows],
  };
};
