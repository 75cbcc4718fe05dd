// Turns the page of a post into one file that loads nothing: pictures are data: URLs, URLs are absolute.
import { warning } from '../contract/warnings.ts';
import type { PictureFile } from '../ports/pictures.ts';
import { warningsHtml } from '../render/html/warnings.ts';
import { type MarkupOptions, standAlone } from './markup.ts';
import type { KeptPictures } from './pictures.ts';

export interface SingleFileOptions extends Pick<MarkupOptions, 'origin' | 'proxiesPictures'> {
  readonly pictures: KeptPictures;
}

/** The file has no header fields, so the page itself says that it loads nothing. */
const POLICY =
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; style-src \'unsafe-inline\'">';

/** Icons, other forms and link previews. */
const LOADED = /<link (?!rel="canonical")[^>]*>\n?|<meta (?:property=|name="twitter)[^>]*>\n?/g;

export const dataUrl = ({ mimeType, bytes }: PictureFile): string =>
  `data:${mimeType};base64,${bytes.toString('base64')}`;

/** @param page a page of a post @returns HTML */
export const writeSingleFile = (page: string, { pictures, ...options }: SingleFileOptions): string => {
  const urls = new Map<string, string>();
  for (const [url, file] of pictures.files) urls.set(url, dataUrl(file));
  const notes = pictures.omitted === 0 ? '' : warningsHtml([warning('pictures_omitted')], undefined);
  const [head = '', ...body] = page.split('<body>');
  return [
    standAlone(head.replace(LOADED, '').replace('<meta charset="utf-8">', `$&\n${POLICY}`), {
      ...options,
      sourceOf: () => undefined,
    }),
    standAlone(body.join('<body>'), { ...options, sourceOf: (url) => urls.get(url) }).replace(
      /<main[^>]*>/,
      (tag) => `${tag}\n${notes}`,
    ),
  ].join('<body>');
};

/** @returns by URL how often the page shows a picture */
export const pagePictures = (
  page: string,
  options: Pick<MarkupOptions, 'origin' | 'proxiesPictures'>,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const sourceOf = (url: string): undefined => void counts.set(url, (counts.get(url) ?? 0) + 1);
  standAlone(page, { ...options, sourceOf });
  return counts;
};
