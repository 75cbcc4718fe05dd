// Selects what a link preview or a quotation shows of a post.
import { isPost } from '../../model/conversation.ts';
import { isSameHandle } from '../../model/handle.ts';
import type { Media, Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { isBlank } from '../../model/visible-text.ts';
import {
  COMMUNITY_NOTE,
  choiceResult,
  nameAndHandle,
  pollState,
  postCounts,
  SENSITIVE,
  tombstoneSentence,
  withoutOpenVotes,
} from './labels.ts';
import { isVideoFile, largestAvatar, mediumPicture, resolutionOf, type SizedFile, stillUrl } from './media-files.ts';
import { articleBeginning } from './post-facts.ts';
import { withoutLeadingMentions, withoutQuoteUrl } from './repeats.ts';
import { type ShownCard, type ShownPart, shownParts } from './shown-post.ts';
import { translatedPost } from './translation.ts';

/** A picture from a host of X. */
export interface PreviewPicture extends SizedFile {
  readonly alt?: string | undefined;
}

const names = [
  ['photo', 'Photo', 'photos'],
  ['video', 'Video', 'videos'],
  ['gif', 'GIF', 'GIFs'],
] as const;

/** @returns for example `2 photos, Video` */
export const describeMedia = (media: readonly Media[]): string =>
  names
    .flatMap(([type, one, many]) => {
      const count = media.filter((item) => item.type === type).length;
      return count === 0 ? [] : [count === 1 ? one : `${count} ${many}`];
    })
    .join(', ');

/** The text of the post; if it is empty, its article, poll, media and card. Plain text of any length. */
export const previewText = (post: Post): string => {
  const { article, poll, media, card } = post;
  const { text } = withoutQuoteUrl(post);
  if (text.trim() !== '') return text;
  const facts = [
    article === undefined ? '' : [article.title, articleBeginning(article)].filter((part) => part !== '').join('\n\n'),
    poll === undefined ? '' : `Poll: ${poll.choices.map(({ label }) => label).join(' · ')}`,
    describeMedia(media),
    card?.title ?? '',
  ];
  return facts.filter((fact) => fact !== '').join('\n');
};

/** @returns the post with its translation in place of its text, if it is wanted */
const inLanguage = (post: Post, isTranslated: boolean): Post =>
  isTranslated && post.translation !== undefined ? translatedPost(post, post.translation) : post;

const quoteLine = (quote: NonNullable<Post['quote']>, isTranslated: boolean): string => {
  if ('unavailable' in quote) return tombstoneSentence(quote.reason, 'The quoted post');
  if (!isPost(quote)) return 'Quotes a post.';
  const by = quote.author === undefined ? 'Quote' : `Quote of ${nameAndHandle(quote.author)}`;
  const words = previewText(inLanguage(quote, isTranslated));
  return words === '' ? by : `${by}: ${words}`;
};

const cardLine = ({ title, description = '', label, domain }: ShownCard): string => {
  const words = [title ?? '', description].filter((part) => part !== '').join(' – ');
  return `${label ?? 'Link'}: ${words === '' ? domain : `${words} (${domain})`}`;
};

export interface PreviewOptions {
  /** A translation takes the place of its text. @default false */
  readonly isTranslated?: boolean | undefined;
  /** Who wrote the post is shown, with what changes from read to read: its figures, and those of an open poll. @default false */
  readonly showsFigures?: boolean;
}

const partLine = (
  part: ShownPart,
  post: Post,
  { showsFigures = false, isTranslated = false }: PreviewOptions,
): string => {
  switch (part.kind) {
    case 'media':
      // A preview shows the files themselves, unless it may not, or cannot.
      return mayShow(post) && part.media.some((media) => pictureOf(media) !== undefined)
        ? ''
        : describeMedia(part.media);
    case 'poll': {
      const poll = showsFigures ? part.poll : withoutOpenVotes(part.poll);
      const choices = poll.choices.map((choice) => choice.label + choiceResult(choice)).join(' · ');
      return `Poll${pollState(poll)}${choices === '' ? '' : `: ${choices}`}`;
    }
    case 'quote':
      return quoteLine(part.quote, isTranslated);
    case 'card':
      return cardLine(part.card);
    case 'note':
      return `${COMMUNITY_NOTE}: ${part.note.text}`;
    default:
      return part satisfies never;
  }
};

/** What a post shows, in words: its text, then a line for each other part. Plain texts of any length; a blank one says nothing. */
export const previewLines = (post: Post, options: PreviewOptions = {}): readonly string[] => {
  const { article, author, in_reply_to: parent, metrics, reposted_by: reposter, sensitive } = post;
  const isNamed = (handle: string): boolean => isSameHandle(handle, parent?.handle);
  const source = inLanguage(post, options.isTranslated ?? false);
  const { text } = withoutQuoteUrl(withoutLeadingMentions(source, isNamed));
  const lines = shownParts(post, { hasBody: false }).map((part) => partLine(part, post, options));
  const words = [
    text,
    article === undefined ? '' : articleBeginning(article),
    ...(isBlank(text) && article === undefined && isBlank(lines.join('')) ? [describeMedia(post.media)] : []),
  ];
  return [
    ...words,
    ...lines,
    sensitive ? SENSITIVE : '',
    parent?.handle === undefined || isNamed(author?.handle ?? '') ? '' : `In reply to @${parent.handle}`,
    reposter === undefined ? '' : `Reposted by ${nameAndHandle(reposter)}`,
    // The title has the words of the author: the title of an article does not name the author, and no title has the handle.
    options.showsFigures && author !== undefined ? nameAndHandle(author) + postCounts(metrics) : '',
  ];
};

const pictureOf = (item: Media): PreviewPicture | undefined => {
  const url = stillUrl(item);
  if (url === undefined) return undefined;
  // The still of a video has the proportions of the video, which is what a preview needs.
  const picture = mediumPicture(url, item);
  return picture && { ...picture, alt: item.alt_text };
};

/** A picture that X marks as sensitive is not shown without a click, and a link preview has no click. */
const mayShow = ({ sensitive }: Post): boolean => sensitive !== true;

/**
 * One picture per photo, then one still per video or GIF. If there are none: the cover of the article, its first picture, or
 * the picture of the card.
 */
export const ownPictures = (post: Post): readonly PreviewPicture[] => {
  if (!mayShow(post)) return [];
  const { media, article, card, broadcast } = post;
  const photosFirst = [
    ...media.filter(({ type }) => type === 'photo'),
    ...media.filter(({ type }) => type !== 'photo'),
  ];
  const pictures = photosFirst.map(pictureOf).filter((picture) => picture !== undefined);
  if (pictures.length > 0) return pictures;
  const { cover_url: cover, cover_width: width, cover_height: height } = article ?? {};
  const image = card?.image_url ?? broadcast?.thumbnail_url;
  const other =
    (cover === undefined ? undefined : mediumPicture(cover, { width, height })) ??
    article?.blocks.map((block) => (block.type === 'media' ? pictureOf(block.media) : undefined)).find(Boolean) ??
    (image === undefined ? undefined : mediumPicture(image));
  return other === undefined ? [] : [other];
};

const quotedPost = ({ quote }: Post): Post | undefined => (isPost(quote) ? quote : undefined);

/** The pictures of the post; if it has none, those of the post that it quotes. */
export const previewPictures = (post: Post): readonly PreviewPicture[] => {
  const own = ownPictures(post);
  const quote = quotedPost(post);
  return own.length > 0 || quote === undefined || !mayShow(post) ? own : ownPictures(quote);
};

/** The picture of an account. @returns undefined if it is unknown or not from a host of X */
export const previewAvatar = ({ avatar_url: url }: Pick<User, 'avatar_url'>): PreviewPicture | undefined =>
  url === undefined ? undefined : largestAvatar(url);

/** A higher rate stalls in chats. */
const MAX_BITS_PER_SECOND = 5_000_000;

const playable = ({ url, variants = [] }: Media): string | undefined => {
  const files = [...variants]
    .filter((variant) => isVideoFile(variant.url))
    .sort((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0));
  const file = files.find(({ bitrate = 0 }) => bitrate <= MAX_BITS_PER_SECOND) ?? files.at(-1);
  return file?.url ?? (isVideoFile(url) ? url : undefined);
};

/** The size of the file that the URL names. The size of the media is that of its largest variant. */
const sizeOfFile = (url: string, { width, height }: Media): Omit<SizedFile, 'url'> =>
  resolutionOf(url) ?? { width, height };

/** The first video or GIF that link previews can play: an MP4 file from the host of X. */
export const ownVideo = (post: Post): SizedFile | undefined => {
  const video = mayShow(post) ? post.media.find(({ type }) => type !== 'photo') : undefined;
  const url = video && playable(video);
  return video === undefined || url === undefined ? undefined : { url, ...sizeOfFile(url, video) };
};

/** The video of the post; if it has no picture and no video, that of the post that it quotes. */
export const previewVideo = (post: Post): SizedFile | undefined => {
  const quote = quotedPost(post);
  return quote === undefined || !mayShow(post) || ownPictures(post).length > 0
    ? ownVideo(post)
    : (ownVideo(post) ?? ownVideo(quote));
};
