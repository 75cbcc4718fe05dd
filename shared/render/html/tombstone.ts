// Renders the sentence that stands for a post that cannot be read.
import type { TombstoneReason } from '../../model/post.ts';
import { goneSentence } from '../content/labels.ts';

/** An opening that is walled up. */
const WALL = '<svg viewBox="0 0 20 23" aria-hidden="true"><path d="M1 22V10a9 9 0 0 1 18 0v12z"/></svg>';

/** @param what the subject of the sentence, with a capital letter */
export const tombstoneHtml = (reason: TombstoneReason, what: string): string =>
  `<p class="gone">${WALL}<span>${goneSentence(reason, what)}</span></p>`;
