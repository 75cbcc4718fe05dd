// Builds the photos and videos of an embed. A picture is shown only if it is from a host of X and its size is known,
// because the size decides the height. A text link stands for any other picture.
import type { Media } from '../../model/post.ts';
import { mediaLabel, mediaText } from '../content/labels.ts';
import { describeMedia } from '../content/link-preview.ts';
import { type Size, scaleToFit, sizesOf } from '../content/media-files.ts';
import { type Html, html, joinHtml } from '../html/html.ts';
import {
  allThatFit,
  BLOCK_GAP,
  type EmbedBlock,
  type FittingBlock,
  firstThatFits,
  fixedBlock,
  LINE_HEIGHT,
  lineBlock,
  noBlock,
  paragraphBlock,
} from './blocks.ts';
import { embedLinkHtml, plainHtml } from './post-lines.ts';

/** The smallest size is sharp enough at the width of an embed. */
const imageOf = (media: Media, bounds: Size): EmbedBlock | undefined => {
  const picture = sizesOf(media).at(-1);
  if (picture === undefined) return undefined;
  const { width, height } = scaleToFit(picture, bounds);
  const alt = media.alt_text ?? '';
  return { html: html`<img src="${picture.url}" alt="${alt}" width="${width}" height="${height}"/>`, height };
};

/** An inline image sits on the baseline, so the line has space for descenders below it. */
const SPACE_BELOW = 8;

const COLUMNS = 2;
const SPACE_BETWEEN = 8;

/**
 * As many photos in columns as fit.
 *
 * @param side the largest width and height of one photo
 */
const grid =
  (photos: readonly Media[], side: number): FittingBlock =>
  (maxHeight) => {
    const images: Html[] = [];
    let heightAbove = BLOCK_GAP; // of all rows but the last
    let rowHeight = 0;
    for (const photo of photos) {
      const image = imageOf(photo, { width: side, height: side });
      if (image === undefined) continue;
      const startsRow = images.length % COLUMNS === 0;
      const nextAbove = startsRow ? heightAbove + rowHeight : heightAbove;
      const nextRow = SPACE_BELOW + (startsRow ? image.height : Math.max(rowHeight - SPACE_BELOW, image.height));
      if (nextAbove + nextRow > maxHeight) break;
      images.push(embedLinkHtml(photo.url, image.html));
      heightAbove = nextAbove;
      rowHeight = nextRow;
    }
    return images.length === 0
      ? undefined
      : { html: html`<p>${joinHtml(images, ' ')}</p>`, height: heightAbove + rowHeight };
  };

const isShown = (media: Media): boolean => media.type === 'photo' && sizesOf(media).length > 0;

/** As many photos as fit; if none fits, their number. */
const photos = (media: readonly Media[], url: string, width: number): FittingBlock => {
  const shown = media.filter(isShown);
  if (shown.length === 0) return noBlock;
  // A single photo takes the whole width.
  const side = shown.length === 1 ? width : Math.max(1, Math.floor((width - SPACE_BETWEEN) / COLUMNS));
  return firstThatFits(grid(shown, side), fixedBlock(lineBlock(embedLinkHtml(url, describeMedia(shown)))));
};

const mediaAsText = (media: Media, width: number): FittingBlock => {
  const text = mediaText(media);
  return fixedBlock(paragraphBlock(embedLinkHtml(media.url, plainHtml(text)), text, width));
};

const video = (media: Media, width: number): FittingBlock => {
  const image = imageOf(media, { width, height: width });
  if (image === undefined) return noBlock;
  const still = html`<p>${embedLinkHtml(media.url, html`${image.html}<br/>${mediaLabel(media.type)}`)}</p>`;
  return fixedBlock({ html: still, height: image.height + SPACE_BELOW + LINE_HEIGHT + BLOCK_GAP });
};

/** A picture as a link to another page. */
export const pictureBlock = (picture: Media, url: string, width: number): FittingBlock => {
  const image = imageOf(picture, { width, height: width });
  return image === undefined
    ? noBlock
    : fixedBlock({
        html: html`<p>${embedLinkHtml(url, image.html)}</p>`,
        height: image.height + SPACE_BELOW + BLOCK_GAP,
      });
};

/**
 * @param url of the post
 * @param mayShow the post is not marked as sensitive: a page of another site has no veil, so its media are links
 */
export const mediaBlock = (media: readonly Media[], url: string, width: number, mayShow: boolean): FittingBlock =>
  mayShow
    ? allThatFit([
        photos(media, url, width),
        ...media
          .filter((item) => !isShown(item))
          .map((item) => firstThatFits(item.type === 'photo' ? noBlock : video(item, width), mediaAsText(item, width))),
      ])
    : allThatFit(media.map((item) => mediaAsText(item, width)));
