// Cites a post as CSL-JSON (Citation Style Language 1.0.2).

import { isLanguageTag } from '../model/language-tag.ts';
import type { Post } from '../model/post.ts';
import { nameAndHandle } from '../render/content/labels.ts';
import { citedTitle } from '../render/content/post-title.ts';

const dateParts = (instant: string): readonly number[] => instant.slice(0, 10).split('-').map(Number);

/** @returns one item, in the list that readers of CSL-JSON want */
export const cslOf = (post: Post): readonly object[] => {
  const { id, url, author, created_at: created, lang } = post;
  return [
    {
      id: `x-${id}`,
      type: post.article === undefined ? 'post' : 'post-weblog',
      title: citedTitle(post) || `Post ${id}`,
      ...(author && { author: [{ literal: nameAndHandle(author) }] }),
      ...(created && { issued: { 'date-parts': [dateParts(created)] } }),
      'container-title': 'X',
      URL: url,
      ...(lang !== undefined && isLanguageTag(lang) && { language: lang }),
      number: id,
    },
  ];
};
