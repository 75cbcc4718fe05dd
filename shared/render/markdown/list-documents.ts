// Renders the lists of every resource as Markdown: the head, and each item as a block.
import { postUrl, xListPath } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type {
  LookupEntry,
  MergedTimeline,
  PostLookup,
  Profile,
  ProfilePosts,
  RelatedPosts,
  Reposters,
  SearchResults,
  UserList,
  XList,
} from '../../model/resources.ts';
import { PLACES, placesBefore } from '../../model/text-places.ts';
import type { User } from '../../model/user.ts';
import { truncateText } from '../content/cut.ts';
import { byteLength, formatCount, formatDay } from '../content/format.ts';
import { tombstoneSentence, userCounts, verifiedLabel } from '../content/labels.ts';
import { bioText, linkPlacesOf } from '../content/links.ts';
import {
  aboutFacts,
  type Engagement,
  engagementTitle,
  type Follows,
  feedTitles,
  followTitles,
  missingSentence,
  NO_LIST_POSTS,
  NO_PROFILE_POSTS,
  namesOf,
  noEngagements,
  noFollows,
  noTimelinePosts,
  PROFILE_POSTS,
  timelineTitle,
  xListTitle,
} from '../content/list-labels.ts';
import { handleLink } from './article.ts';
import { type MarkdownBlock, type MarkdownContext, type PostStyle, renderBlock } from './context.ts';
import { autolink, destination, escapeHeading, escapeLine, escapeParagraphs, escapeSpan } from './escape.ts';
import type { ListDocument } from './list.ts';
import { headedPost, postHeading, postMarkdown, withContext } from './post.ts';

type Items = Pick<ListDocument, 'items' | 'item' | 'between'>;

/** Each post under its own heading. */
const headedPosts = (posts: readonly Post[], style: PostStyle): Items => ({
  items: posts.map((post) => renderBlock((context) => headedPost(context, post), style)),
  item: 'post',
  between: '\n\n',
});

/** Posts of one account, which have no headings but for reposts. Titles of articles are below the headings of the list. */
const ownPosts = (
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

const userItems = (users: readonly User[]): Items => ({
  items: users.map((user) => renderBlock((context) => userItem(context, user))),
  item: 'account',
  between: '\n',
});

const headingOf = (text: string): MarkdownBlock => renderBlock((context) => `# ${escapeHeading(context, text)}`);

const inContext = (context: MarkdownContext, entry: Post): string => {
  const { above, post } = withContext(context, entry);
  return above + postMarkdown(context, post);
};

export const profilePostsDocument = ({ handle, kind, posts }: ProfilePosts, style: PostStyle): ListDocument => ({
  head: headingOf(timelineTitle(kind, handle)),
  ...ownPosts(posts, inContext, style),
  none: noTimelinePosts[kind],
});

export const timelineDocument = ({ handles, kind, missing, posts }: MergedTimeline, style: PostStyle): ListDocument => {
  const title = timelineTitle(kind, namesOf(handles));
  const head = (sentence: string): MarkdownBlock =>
    renderBlock((context) => {
      const note = sentence === '' ? '' : `\n\n*${escapeSpan(context, sentence)}*`;
      return `# ${escapeHeading(context, title)}${note}`;
    });
  return {
    head: head(missingSentence(missing)),
    ...(missing.length > 0 && {
      shortHead: {
        subject: 'the list of missing accounts',
        within: (maxBytes) => {
          const short = head(`Missing: ${formatCount(missing.length, 'account')}.`);
          return byteLength(short.markdown) <= maxBytes ? short : head('');
        },
      },
    }),
    ...headedPosts(posts, style),
    none: noTimelinePosts[kind],
  };
};

export const followsDocument = (follows: Follows, { handle, users }: UserList): ListDocument => ({
  head: headingOf(followTitles[follows](handle)),
  ...userItems(users),
  none: noFollows[follows],
});

const engagementHead = (engagement: Engagement, id: string): Pick<ListDocument, 'head' | 'none'> => ({
  head: renderBlock(() => `# ${engagementTitle(engagement)}\n\n[The post](${destination(postUrl(id))})`),
  none: noEngagements[engagement],
});

export const relatedPostsDocument = (
  engagement: 'replies' | 'quotes',
  { id, posts }: RelatedPosts,
  style: PostStyle,
): ListDocument => ({ ...engagementHead(engagement, id), ...headedPosts(posts, style) });

export const xListDocument = ({ id, posts }: XList, style: PostStyle): ListDocument => ({
  head: renderBlock(() => `# ${xListTitle(id)}\n\n[The list on X](${destination(`https://x.com${xListPath(id)}`)})`),
  ...headedPosts(posts, style),
  none: NO_LIST_POSTS,
});

export const repostersDocument = ({ id, users }: Reposters): ListDocument => ({
  ...engagementHead('reposts', id),
  ...userItems(users),
});

const unreadPost = ({ id, reason }: Exclude<LookupEntry, Post>): string => {
  const subject = `[This post](${postUrl(id)})`;
  const sentence = reason === 'failed' ? `${subject} could not be read.` : tombstoneSentence(reason, subject);
  return `### Unavailable\n\n*${sentence}*`;
};

export const postLookupDocument = ({ posts }: PostLookup, style: PostStyle): ListDocument => ({
  head: headingOf(formatCount(posts.length, 'post')),
  items: posts.map((entry) =>
    renderBlock((context) => ('unavailable' in entry ? unreadPost(entry) : headedPost(context, entry)), style),
  ),
  item: 'post',
  between: '\n\n',
  none: 'No posts were requested.',
  narrower: 'fewer ids',
});

export const searchDocument = (
  { query, feed, posts = [], users = [] }: SearchResults,
  style: PostStyle,
): ListDocument => {
  const head = (text: string): MarkdownBlock => headingOf(`Search: ${text}`);
  return {
    head: head(query),
    shortHead: {
      subject: 'the query',
      within: (maxBytes) =>
        head(truncateText(query, (text) => byteLength(head(text).markdown) <= maxBytes)?.text ?? '…'),
    },
    section: `## ${feedTitles[feed]}`,
    ...(feed === 'users' ? userItems(users) : headedPosts(posts, style)),
    none: feed === 'users' ? 'No accounts were found.' : 'No posts were found.',
  };
};

const profileFacts = (context: MarkdownContext, user: User): string => {
  const { protected: isProtected, location, website, created_at: joined, about = {} } = user;
  const badge = verifiedLabel(user);
  const place = escapeSpan(context, location ?? '');
  return [
    badge.charAt(0).toUpperCase() + badge.slice(1),
    isProtected ? 'Protected: only approved followers see the posts' : '',
    place === '' ? '' : `Location: ${place}`,
    website === undefined ? '' : `Website: ${autolink(website)}`,
    joined === undefined ? '' : `Joined ${formatDay(joined)}`,
    ...aboutFacts(about).map(({ before, name = '', after }) => before + escapeSpan(context, name) + after),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
};

type ProfileSection = 'title' | 'bio' | 'facts' | 'counts' | 'link';

const sections: Readonly<Record<ProfileSection, (context: MarkdownContext, user: User) => string>> = {
  title: (context, user) => `# ${postHeading(context, user)}`,
  bio: (context, user) => {
    const bio = bioText(user);
    return escapeParagraphs(context, bio.text, linkPlacesOf(bio));
  },
  facts: profileFacts,
  counts: (_, user) => userCounts(user).join(' · '),
  link: (context, { handle, url }) => `[${escapeSpan(context, `@${handle}`, 'brackets')} on X](${destination(url)})`,
};

const READING_ORDER: readonly ProfileSection[] = ['title', 'bio', 'facts', 'counts', 'link'];
/** The order in which sections are kept if not all fit. The title is always kept. */
const PRIORITY: readonly ProfileSection[] = ['link', 'counts', 'bio', 'facts'];

const profileHead = (user: User, kept: readonly ProfileSection[] = READING_ORDER): MarkdownBlock =>
  renderBlock((context) =>
    READING_ORDER.filter((section) => kept.includes(section))
      .map((section) => sections[section](context, user))
      .filter((block) => block !== '')
      .join('\n\n'),
  );

/** A shorter beginning of a bio is not informative. */
const MIN_BIO_CHARACTERS = 24;

/** @param maxBytes bound of the head; a title is written even if it exceeds the bound */
const shortProfileHead = (user: User, maxBytes: number): MarkdownBlock => {
  const fits = (candidate: User, kept: readonly ProfileSection[]): boolean =>
    byteLength(profileHead(candidate, kept).markdown) <= maxBytes;
  let kept: readonly ProfileSection[] = ['title'];
  let shown = fits(user, kept) ? user : { ...user, name: user.handle };
  for (const section of PRIORITY) {
    const more = [...kept, section];
    if (!fits(shown, more)) {
      if (section !== 'bio') continue;
      const { text, [PLACES]: places = [] } = bioText(user);
      const cut = truncateText(text, (bio) => fits({ ...shown, bio, [PLACES]: [] }, more));
      if (cut === undefined || cut.text.length < MIN_BIO_CHARACTERS) continue;
      shown = { ...shown, bio: cut.text, [PLACES]: placesBefore(places, cut.end) };
    }
    kept = more;
  }
  return profileHead(shown, kept);
};

export const profileDocument = ({ profile, posts }: Profile, style: PostStyle): ListDocument => ({
  head: profileHead(profile),
  shortHead: { subject: 'the profile', within: (maxBytes) => shortProfileHead(profile, maxBytes) },
  section: `## ${PROFILE_POSTS}`,
  ...ownPosts(posts, postMarkdown, style),
  none: NO_PROFILE_POSTS,
});
