// A profile with its posts -> the representation that was asked for.
import type { Profile } from '../model/profile.ts';
import type { User } from '../model/user.ts';
import { autolink, destination, type Ink, inline, paragraphs } from './escape.ts';
import { excerptOf } from './html-head.ts';
import { link } from './html-parts.ts';
import { type List, type Piece, pieceOf } from './list.ts';
import { avatarHtml, avatarOf, listHtml } from './list-html.ts';
import { postItems } from './list-posts.ts';
import { escapeHtml } from './page.ts';
import { content, heading } from './post.ts';
import * as html from './post-html.ts';
import { withArticleMarkdown } from './represent.ts';
import { type PageWanted, representList } from './represent-list.ts';
import { shortenWords } from './shorten.ts';
import { userCounts } from './wording.ts';
import { bytes, day } from './words.ts';

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
    joined === undefined ? '' : `Joined ${day(joined)}`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
};

type Part = 'title' | 'bio' | 'facts' | 'counts' | 'link';

const parts: Readonly<Record<Part, (ink: Ink, user: User) => string>> = {
  title: (ink, user) => `# ${heading(ink, user)}`,
  bio: (ink, { bio }) => paragraphs(ink, bio ?? '', []),
  facts: (ink, user) => factsOf(user, { words: (words) => inline(ink, words), address: autolink }),
  counts: (_, user) => userCounts(user).join(' · '),
  link: (ink, { handle, url }) => `[${inline(ink, `@${handle}`, 'brackets')} on X](${destination(url)})`,
};

const READING_ORDER: readonly Part[] = ['title', 'bio', 'facts', 'counts', 'link'];
const ORDER_OF_WORTH: readonly Part[] = ['link', 'counts', 'bio', 'facts'];

const headOf = (user: User, kept: readonly Part[] = READING_ORDER): Piece =>
  pieceOf((ink) =>
    READING_ORDER.filter((part) => kept.includes(part))
      .map((part) => parts[part](ink, user))
      .filter((block) => block !== '')
      .join('\n\n'),
  );

/** Fewer characters say nothing of anybody. */
const LEAST_BIO = 24;

const shortHead = (user: User, room: number): Piece => {
  const fits = (candidate: User, kept: readonly Part[]): boolean => bytes(headOf(candidate, kept).markdown) <= room;
  let kept: readonly Part[] = ['title'];
  let shown = fits(user, kept) ? user : { ...user, name: user.handle };
  for (const part of ORDER_OF_WORTH) {
    const more = [...kept, part];
    if (!fits(shown, more)) {
      if (part !== 'bio') continue;
      const bio = shortenWords(user.bio ?? '', (words) => fits({ ...shown, bio: words }, more))?.words;
      if (bio === undefined || bio.length < LEAST_BIO) continue;
      shown = { ...shown, bio };
    }
    kept = more;
  }
  return headOf(shown, kept);
};

const profileList = ({ profile, posts, next_cursor: cursor }: Profile): List => ({
  head: headOf(profile),
  subject: 'the profile',
  shortenHead: (room) => shortHead(profile, room),
  section: `## ${SECTION}`,
  ...postItems(posts, content),
  between: '\n\n---\n\n',
  none: NONE,
  cursor,
});

const profilePage = ({ profile, posts }: Profile, { address, next, messages }: PageWanted): string => {
  const name = html.titleOf(profile);
  const avatar = avatarOf(profile);
  const facts = factsOf(profile, { words: escapeHtml, address: (url) => link(url, escapeHtml(url)) });
  const counts = userCounts(profile).join(' · ');
  return listHtml({
    head: {
      type: 'profile',
      title: `${name} on X`,
      description: excerptOf(profile.bio ?? ''),
      canonical: profile.url,
      address,
      pictures: avatar === undefined ? [] : [{ url: avatar }],
      next,
    },
    heading: name,
    intro:
      html.text(profile.bio ?? '') +
      [avatarHtml(profile) + facts, counts, link(profile.url, escapeHtml(`@${profile.handle} on X`))]
        .filter((line) => line !== '')
        .map((line) => `<p class="by">${line}</p>`)
        .join(''),
    section: SECTION,
    items: posts.map((post) => `<article>${html.body(post)}</article>`),
    none: NONE,
    messages,
  });
};

export const representProfile = representList<Profile>({
  members: ({ profile, posts, next_cursor }): Profile => ({
    profile,
    posts: posts.map(withArticleMarkdown),
    next_cursor,
  }),
  list: profileList,
  page: profilePage,
});
