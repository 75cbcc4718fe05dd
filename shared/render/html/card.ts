// Renders the preview of a link. The whole card is the link.
import type { Card } from '../../model/post.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { shownPicture } from '../content/picture-sizes.ts';
import { anyLinkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';

const domainOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '');

export const cardHtml = ({ url, title, description, image_url: picture }: Card): string => {
  const shown = picture === undefined ? undefined : shownPicture(picture);
  const image =
    shown === undefined
      ? ''
      : `<img src="${escapeHtml(visibleUrl(shown.src))}" width="136" height="136" alt="" loading="lazy" decoding="async">`;
  const small = (text: string, classes = ''): string =>
    text.trim() === '' ? '' : `<small${classes} dir="auto">${escapeHtml(text)}</small>`;
  const words = `<b dir="auto">${escapeHtml(title ?? url)}</b>${small(description ?? '', ' class="lines"')}${small(domainOf(url))}`;
  return anyLinkHtml(url, `${image}<span>${words}</span>`, ' class="card"');
};
