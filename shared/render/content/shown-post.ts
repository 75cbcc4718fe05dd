// Describes what a post shows below its text: each part in the order of reading, and nothing twice. Pages, Markdown, embeds,
// feeds and link previews are made of it: a form says how a part is written, and the compiler asks each form for every part.
import { isPost } from '../../model/conversation.ts';
import type { Article, ArticleBlock, Card, CommunityNote, Media, Poll, Post } from '../../model/post.ts';
import { isPlaylist, playableFile } from './media-files.ts';
import { broadcastLabel, cardDomain } from './post-facts.ts';

/** A preview of a link, or a broadcast. */
export interface ShownCard extends Card {
  /** Of a broadcast. Unset: the card is a preview of another page. */
  readonly label?: string | undefined;
  /** The host, as people read it. */
  readonly domain: string;
}

export type ShownPart =
  /** In the order of the post, all in one part. */
  | { readonly kind: 'media'; readonly media: readonly Media[] }
  | { readonly kind: 'poll'; readonly poll: Poll }
  | { readonly kind: 'quote'; readonly quote: NonNullable<Post['quote']> }
  | { readonly kind: 'card'; readonly card: ShownCard }
  | { readonly kind: 'note'; readonly note: CommunityNote };

/** No reader plays a playlist: a video that X has only so leads to the post on X, which plays it. */
const linked = (media: Media, url: string): Media =>
  isPlaylist(media) ? { ...media, url: playableFile(media) ?? url } : media;

const linkedBlock = (block: ArticleBlock, url: string): ArticleBlock =>
  block.type === 'media' && isPlaylist(block.media) ? { ...block, media: linked(block.media, url) } : block;

/** The article of a post, whose forms have a place of their own for it. */
export const shownArticle = ({ article, url }: Post): Article | undefined =>
  article?.blocks.some((block) => block.type === 'media' && isPlaylist(block.media))
    ? { ...article, blocks: article.blocks.map((block) => linkedBlock(block, url)) }
    : article;

/** The name of a file: the query of its URL says only how it is sent. */
const fileOf = (url: string): string => url.split('?', 1)[0] ?? '';

/** A video keeps its file where it is shared. A photo that somebody uploads again has another file. */
const videosIn = (media: readonly Media[]): readonly string[] =>
  media.flatMap(({ type, url }) => (type === 'photo' ? [] : [fileOf(url)]));

const withoutVideos = (media: readonly Media[], shown: ReadonlySet<string>): readonly Media[] =>
  media.filter(({ type, url }) => type === 'photo' || !shown.has(fileOf(url)));

const articleMedia = (article: Article | undefined): readonly Media[] =>
  article?.blocks.flatMap((block) => (block.type === 'media' ? [block.media] : [])) ?? [];

/** @param hasBody the form shows the blocks of the article, and the videos among them */
const shownMedia = ({ media, article, url }: Post, hasBody: boolean): readonly Media[] => {
  const others =
    article === undefined || !hasBody ? media : withoutVideos(media, new Set(videosIn(articleMedia(article))));
  return others.some(isPlaylist) ? others.map((item) => linked(item, url)) : others;
};

const BROADCAST = /\/i\/broadcasts\/(\w+)/;

/** X names a broadcast with several hosts. */
const isSamePage = (a: string, b: string): boolean => {
  const [, id] = BROADCAST.exec(a) ?? [];
  return a === b || (id !== undefined && id === BROADCAST.exec(b)?.[1]);
};

const cardOf = (card: Card, label?: string): ShownCard => ({ ...card, label, domain: cardDomain(card) });

/** The preview of the link, and the broadcast. A card can be the preview of the broadcast, or of a file that the post shows. */
const shownCards = ({ card, broadcast, media }: Post): readonly ShownCard[] => {
  const label = broadcast && broadcastLabel(broadcast);
  if (card !== undefined && broadcast !== undefined && isSamePage(card.url, broadcast.url))
    return [cardOf(card, label)];
  const isFile = card !== undefined && media.some(({ url }) => fileOf(url) === fileOf(card.url));
  return [
    ...(card === undefined || isFile ? [] : [cardOf(card)]),
    ...(broadcast === undefined
      ? []
      : [
          cardOf(
            {
              url: broadcast.url,
              ...(broadcast.thumbnail_url !== undefined && { image_url: broadcast.thumbnail_url }),
            },
            label,
          ),
        ]),
  ];
};

/** The quoted post without the videos that the post itself shows. */
const shownQuote = (quote: NonNullable<Post['quote']>, media: readonly Media[]): NonNullable<Post['quote']> => {
  if (!isPost(quote)) return quote;
  const videos = videosIn(media);
  return videos.length === 0 ? quote : { ...quote, media: [...withoutVideos(quote.media, new Set(videos))] };
};

/**
 * What stands below the text of a post, and below its article.
 *
 * @param hasBody the form shows the whole article, not only its beginning
 */
export const shownParts = (post: Post, { hasBody }: { readonly hasBody: boolean }): readonly ShownPart[] => {
  const { poll, quote, card, broadcast, community_note: note } = post;
  const parts: ShownPart[] = [];
  const media = shownMedia(post, hasBody);
  if (media.length > 0) parts.push({ kind: 'media', media });
  if (poll !== undefined) parts.push({ kind: 'poll', poll });
  if (quote !== undefined) parts.push({ kind: 'quote', quote: shownQuote(quote, post.media) });
  if (card !== undefined || broadcast !== undefined)
    for (const shown of shownCards(post)) parts.push({ kind: 'card', card: shown });
  if (note !== undefined) parts.push({ kind: 'note', note });
  return parts;
};
