// Renders the items of lists as Markdown: posts and accounts, each as a block.
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { userCounts, verifiedLabel } from '../content/labels.ts';
import { handleLink } from './article.ts';
import { type MarkdownBlock, type MarkdownContext, type PostStyle, renderBlock } from './context.ts';
import { escapeHeading, escapeLine, escapeSpan } from './escape.ts';
import type { ListDocument } from './list.ts';
import { headedPost } from './post.ts';

export type Items = Pick<ListDocument, 'items' | 'item' | 'between'>;

/** Each post under its own heading. */
export const headedPosts = (posts: readonly Post[], style: PostStyle): Items => ({
  items: posts.map((post) => renderBlock((context) => headedPost(context, post), style)),
  item: 'post',
  between: '\n\n',
});

/** Posts of one account, which have no headings but for reposts. Titles of articles are below the headings of the list. */
export const ownPosts = (
  posts: readonly Post[],
  write: (context: MarkdownContext, post: Post) => string,
  style: PostStyle,
): Items => ({
  items: posts.map((post) =>
    renderBlock((context) => (post.reposted_by === undefined ? write : headedPost)(context, post), {
      ...style,
      titleLevel: 3,
    }),
  ),
  item: 'post',
  between: '\n\n---\n\n',
});

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

export const userItems = (users: readonly User[]): Items => ({
  items: users.map((user) => renderBlock((context) => userItem(context, user))),
  item: 'account',
  between: '\n',
});

export const headingOf = (text: string): MarkdownBlock => renderBlock((context) => `# ${escapeHeading(context, text)}`);
