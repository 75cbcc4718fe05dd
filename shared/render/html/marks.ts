// Marks the words of a search in the texts that it found.
import { visibleText } from '../../model/visible-text.ts';
import { wordPattern } from '../content/query-words.ts';
import { escapeHtml } from './escape.ts';

/** @returns a function that writes plain text as HTML with each of the words marked */
export const createWordMarker = (words: readonly string[]): ((text: string) => string) => {
  const pattern = wordPattern(words);
  if (pattern === undefined) return escapeHtml;
  return (source) => {
    // A word is whole only without the invisible characters in it.
    const text = visibleText(source);
    let html = '';
    let at = 0;
    for (const { 0: word, index } of text.matchAll(pattern)) {
      html += `${escapeHtml(text.slice(at, index))}<mark>${escapeHtml(word)}</mark>`;
      at = index + word.length;
    }
    return html + escapeHtml(text.slice(at));
  };
};
