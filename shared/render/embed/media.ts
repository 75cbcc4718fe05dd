// Photos and videos of an embed. A picture is shown when it is one of X and its size is known, since that is the room it
// takes; words that lead to it stand for any other.
import type { Media, Post } from '../../model/post.ts';
import { describeMedia } from '../content/link-preview.ts';
import { type Size, scaleToFit, sizesOf } from '../content/picture-sizes.ts';
import { escapeHtml } from '../html/page.ts';
import {
  allThatFit,
  BLOCK_GAP,
  type EmbedBlock,
  embedLinkStyle,
  estimateHeight,
  type FittingBlock,
  firstThatFits,
  fixedBlock,
  LINE_HEIGHT,
  lineBlock,
  noBlock,
} from './blocks.ts';

const { link, words } = embedLinkStyle;

/** The smallest size is sharp enough at the width of an embed. */
const imageOf = (media: Media, room: Size): EmbedBlock | undefined => {
  const picture = sizesOf(media).at(-1);
  if (picture === undefined) return undefined;
  const { width, height } = scaleToFit(picture, room);
  const alt = escapeHtml(media.alt_text ?? '');
  return { html: `<img src="${escapeHtml(picture.url)}" alt="${alt}" width="${width}" height="${height}"/>`, height };
};

/** A picture stands on the line, as a letter does. */
const SPACE_BELOW = 8;

const COLUMNS = 2;
const SPACE_BETWEEN = 8;

/**
 * As many photos in columns as there is room for.
 *
 * @param side how wide and how high each may be
 */
const grid =
  (photos: readonly Media[], side: number): FittingBlock =>
  (room) => {
    const shown: string[] = [];
    let above = BLOCK_GAP; // with all rows but the last
    let row = 0;
    for (const photo of photos) {
      const image = imageOf(photo, { width: side, height: side });
      if (image === undefined) continue;
      const beginsRow = shown.length % COLUMNS === 0;
      const nextAbove = beginsRow ? above + row : above;
      const nextRow = SPACE_BELOW + (beginsRow ? image.height : Math.max(row - SPACE_BELOW, image.height));
      if (nextAbove + nextRow > room) break;
      shown.push(link(photo.url, image.html));
      above = nextAbove;
      row = nextRow;
    }
    return shown.length === 0 ? undefined : { html: `<p>${shown.join(' ')}</p>`, height: above + row };
  };

const isShown = (media: Media): boolean => media.type === 'photo' && sizesOf(media).length > 0;

/** As many photos as there is room for, else how many there are. */
const photos = ({ media: all, url }: Post, width: number): FittingBlock => {
  const known = all.filter(isShown);
  if (known.length === 0) return noBlock;
  // One stands alone, several in columns.
  const side = known.length === 1 ? width : Math.max(1, Math.floor((width - SPACE_BETWEEN) / COLUMNS));
  return firstThatFits(grid(known, side), fixedBlock(lineBlock(link(url, describeMedia(known)))));
};

const mediaAsText = ({ type, url, alt_text: alt }: Media, width: number): FittingBlock => {
  const label = `${type === 'photo' ? 'Photo' : `Play ${type}`}${alt === undefined ? '' : `: ${alt}`}`;
  return fixedBlock({
    html: `<p dir="auto">${link(url, words(label))}</p>`,
    height: estimateHeight(label, width) + BLOCK_GAP,
  });
};

const video = (media: Media, width: number): FittingBlock => {
  const image = imageOf(media, { width, height: width });
  if (image === undefined) return noBlock;
  const html = `<p>${link(media.url, `${image.html}<br/>Play ${media.type}`)}</p>`;
  return fixedBlock({ html, height: image.height + SPACE_BELOW + LINE_HEIGHT + BLOCK_GAP });
};

export const mediaBlock = (post: Post, width: number): FittingBlock =>
  allThatFit([
    photos(post, width),
    ...post.media
      .filter((media) => !isShown(media))
      .map((media) => firstThatFits(media.type === 'photo' ? noBlock : video(media, width), mediaAsText(media, width))),
  ]);
