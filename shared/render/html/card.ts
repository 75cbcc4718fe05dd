// Renders the preview of a link. The whole card is the link.
import type { Card } from '../../model/post.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { shownPicture } from '../content/picture-sizes.ts';
import { cardDomain } from '../content/post-facts.ts';
import { anyLinkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';

/** @param label of a card that is not a link preview, such as a broadcast @default the domain */
export const cardHtml = (card: Card, label?: string): string => {
  const { url, title, description, image_url: picture, image_alt: alt = '' } = card;
  const shown = picture === undefined ? undefined : shownPicture(picture);
  const image =
    shown === undefined
      ? ''
      : `<img src="${escapeHtml(visibleUrl(shown.src))}" width="136" height="136" alt="${escapeHtml(alt)}" loading="lazy" decoding="async">`;
  const small = (text: string, classes = ''): string =>
    text.trim() === '' ? '' : `<small${classes} dir="auto">${escapeHtml(text)}</small>`;
  const words = `<b dir="auto">${escapeHtml(title ?? url)}</b>${small(description ?? '', ' class="lines"')}${small(label ?? cardDomain(card))}`;
  return anyLinkHtml(url, `${image}<span>${words}</span>`, ' class="card"');
};
