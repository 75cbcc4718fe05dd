// Renders a profile with its posts as Markdown.
import type { Profile } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import { byteLength } from '../content/format.ts';
import { userCounts } from '../content/labels.ts';
import { NO_PROFILE_POSTS, PROFILE_POSTS, profileFacts } from '../content/list-labels.ts';
import { truncateText } from '../content/truncate.ts';
import { type MarkdownBlock, renderBlock } from './block.ts';
import { autolink, destination, escapeParagraphs, escapeSpan, type MarkdownContext, type PostStyle } from './escape.ts';
import type { ListDocument } from './list.ts';
import { postHeading, postMarkdown } from './post.ts';
import { ITEM_TITLE_LEVEL, postItems } from './posts.ts';

type ProfileSection = 'title' | 'bio' | 'facts' | 'counts' | 'link';

const sections: Readonly<Record<ProfileSection, (context: MarkdownContext, user: User) => string>> = {
  title: (context, user) => `# ${postHeading(context, user)}`,
  bio: (context, { bio }) => escapeParagraphs(context, bio ?? '', []),
  facts: (context, user) => profileFacts(user, { text: (plain) => escapeSpan(context, plain), link: autolink }),
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
      const bio = truncateText(user.bio ?? '', (text) => fits({ ...shown, bio: text }, more))?.text;
      if (bio === undefined || bio.length < MIN_BIO_CHARACTERS) continue;
      shown = { ...shown, bio };
    }
    kept = more;
  }
  return profileHead(shown, kept);
};

export const profileDocument = ({ profile, posts }: Profile, style: PostStyle): ListDocument => ({
  head: profileHead(profile),
  subject: 'the profile',
  shortenHead: (maxBytes) => shortProfileHead(profile, maxBytes),
  section: `## ${PROFILE_POSTS}`,
  ...postItems(posts, postMarkdown, { ...style, titleLevel: ITEM_TITLE_LEVEL }),
  between: '\n\n---\n\n',
  none: NO_PROFILE_POSTS,
});
