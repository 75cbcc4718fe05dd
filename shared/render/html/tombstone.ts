// Renders the sentence that stands for a post that cannot be read.
import type { TombstoneReason } from '../../model/post.ts';
import { goneSentence } from '../content/labels.ts';
import { decorativeSymbol } from './symbols.ts';

/** @param what the subject of the sentence, with a capital letter */
export const tombstoneHtml = (reason: TombstoneReason, what: string): string =>
  `<p class="gone">${decorativeSymbol('wall')}<span>${goneSentence(reason, what)}</span></p>`;
