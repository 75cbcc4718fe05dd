// Shows a profile with its recent posts: as Markdown and JSON, and in every format.
import type { Profile } from '../../model/resources.ts';
import { PLACES, placesBefore } from '../../model/text-places.ts';
import type { User } from '../../model/user.ts';
import { truncateText } from '../../render/content/cut.ts';
import { byteLength, formatDay } from '../../render/content/format.ts';
import { userCounts, verifiedLabel } from '../../render/content/labels.ts';
import { bioText, linkPlacesOf } from '../../render/content/links.ts';
import { aboutFacts, NO_PROFILE_POSTS, PROFILE_POSTS } from '../../render/content/list-labels.ts';
import {
  type MarkdownBlock,
  type MarkdownContext,
  type PostStyle,
  renderBlock,
} from '../../render/markdown/context.ts';
import { autolink, destination, escapeParagraphs, escapeSpan } from '../../render/markdown/escape.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { ownPosts } from '../../render/markdown/list-items.ts';
import { postHeading, postMarkdown } from '../../render/markdown/post.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';
import { feedOfProfile } from '../profile-posts/present.ts';
import { profileHtml } from './page.ts';

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

const profileDocument = ({ profile, posts }: Profile, style: PostStyle): ListDocument => ({
  head: profileHead(profile),
  shortHead: { subject: 'the profile', within: (maxBytes) => shortProfileHead(profile, maxBytes) },
  section: `## ${PROFILE_POSTS}`,
  ...ownPosts(posts, postMarkdown, style),
  none: NO_PROFILE_POSTS,
});

export const profileData: ListData<Profile> = { document: profileDocument };

export const presentProfile = /* @__PURE__ */ createListPresenter<'profile'>(profileData, {
  html: profileHtml,
  feed: ({ profile, posts }, format, urls) =>
    feedOfProfile({ handle: profile.handle, kind: 'posts', posts }, format, urls, profile),
});
