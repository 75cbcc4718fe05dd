// A profile with its posts -> the representation that was asked for.
import type { Profile } from '../../model/profile.ts';
import type { User } from '../../model/user.ts';
import { byteLength, formatDay } from '../content/format.ts';
import { userCounts } from '../content/labels.ts';
import { truncateText } from '../content/truncate.ts';
import { linkHtml } from '../html/elements.ts';
import { cutExcerpt } from '../html/head.ts';
import { avatarHtml, avatarUrl, listHtml } from '../html/list.ts';
import { escapeHtml } from '../html/page.ts';
import * as html from '../html/post.ts';
import { type MarkdownBlock, renderBlock } from '../markdown/block.ts';
import { autolink, destination, escapeParagraphs, escapeSpan, type MarkdownContext } from '../markdown/escape.ts';
import type { ListDocument } from '../markdown/list.ts';
import { postItems } from '../markdown/list-posts.ts';
import { postHeading, postMarkdown } from '../markdown/post.ts';
import { withArticleMarkdown } from './article-member.ts';
import { createListPresenter, type ListPageOptions } from './list-presenter.ts';

const SECTION = 'Posts';
const NONE = 'No posts are listed.';
const PROTECTED = 'Protected: only approved followers see the posts';

/** Facts in words. @param shown how what the owner wrote is shown */
const factsOf = (
  { verified, protected: isProtected, location, website, created_at: joined }: User,
  shown: { readonly words: (words: string) => string; readonly address: (url: string) => string },
): string => {
  const place = shown.words(location ?? '');
  return [
    verified ? 'Verified' : '',
    isProtected ? PROTECTED : '',
    place === '' ? '' : `Location: ${place}`,
    website === undefined ? '' : `Website: ${shown.address(website)}`,
    joined === undefined ? '' : `Joined ${formatDay(joined)}`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
};

type ProfileSection = 'title' | 'bio' | 'facts' | 'counts' | 'link';

const parts: Readonly<Record<ProfileSection, (ink: MarkdownContext, user: User) => string>> = {
  title: (ink, user) => `# ${postHeading(ink, user)}`,
  bio: (ink, { bio }) => escapeParagraphs(ink, bio ?? '', []),
  facts: (ink, user) => factsOf(user, { words: (words) => escapeSpan(ink, words), address: autolink }),
  counts: (_, user) => userCounts(user).join(' · '),
  link: (ink, { handle, url }) => `[${escapeSpan(ink, `@${handle}`, 'brackets')} on X](${destination(url)})`,
};

const READING_ORDER: readonly ProfileSection[] = ['title', 'bio', 'facts', 'counts', 'link'];
const ORDER_OF_WORTH: readonly ProfileSection[] = ['link', 'counts', 'bio', 'facts'];

const headOf = (user: User, kept: readonly ProfileSection[] = READING_ORDER): MarkdownBlock =>
  renderBlock((ink) =>
    READING_ORDER.filter((part) => kept.includes(part))
      .map((part) => parts[part](ink, user))
      .filter((block) => block !== '')
      .join('\n\n'),
  );

/** Fewer characters say nothing of anybody. */
const MIN_BIO_CHARACTERS = 24;

const shortHead = (user: User, room: number): MarkdownBlock => {
  const fits = (candidate: User, kept: readonly ProfileSection[]): boolean =>
    byteLength(headOf(candidate, kept).markdown) <= room;
  let kept: readonly ProfileSection[] = ['title'];
  let shown = fits(user, kept) ? user : { ...user, name: user.handle };
  for (const part of ORDER_OF_WORTH) {
    const more = [...kept, part];
    if (!fits(shown, more)) {
      if (part !== 'bio') continue;
      const bio = truncateText(user.bio ?? '', (words) => fits({ ...shown, bio: words }, more))?.words;
      if (bio === undefined || bio.length < MIN_BIO_CHARACTERS) continue;
      shown = { ...shown, bio };
    }
    kept = more;
  }
  return headOf(shown, kept);
};

const profileList = ({ profile, posts, next_cursor: cursor }: Profile): ListDocument => ({
  head: headOf(profile),
  subject: 'the profile',
  shortenHead: (room) => shortHead(profile, room),
  section: `## ${SECTION}`,
  ...postItems(posts, postMarkdown),
  between: '\n\n---\n\n',
  none: NONE,
  cursor,
});

const profilePage = ({ profile, posts }: Profile, { url, next, messages }: ListPageOptions): string => {
  const name = html.userTitle(profile);
  const avatar = avatarUrl(profile);
  const facts = factsOf(profile, { words: escapeHtml, address: (website) => linkHtml(website, escapeHtml(website)) });
  const counts = userCounts(profile).join(' · ');
  return listHtml({
    head: {
      type: 'profile',
      title: `${name} on X`,
      description: cutExcerpt(profile.bio ?? ''),
      canonical: profile.url,
      address: url,
      pictures: avatar === undefined ? [] : [{ url: avatar }],
      next,
    },
    heading: name,
    intro:
      html.textHtml(profile.bio ?? '') +
      [avatarHtml(profile) + facts, counts, linkHtml(profile.url, escapeHtml(`@${profile.handle} on X`))]
        .filter((line) => line !== '')
        .map((line) => `<p class="by">${line}</p>`)
        .join(''),
    section: SECTION,
    items: posts.map((post) => `<article>${html.bodyHtml(post)}</article>`),
    none: NONE,
    messages,
  });
};

export const presentProfile = createListPresenter<Profile>({
  members: ({ profile, posts, next_cursor }): Profile => ({
    profile,
    posts: posts.map(withArticleMarkdown),
    next_cursor,
  }),
  list: profileList,
  page: profilePage,
});
