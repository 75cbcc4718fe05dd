// Finds the language of a reader in a request whose parameters are not parsed: of the front page, a form or an error.
import { canonicalLanguage, languages } from '../model/languages.ts';
import type { Reading } from '../render/html/reading.ts';
import { type HttpEvent, singleQueryValue } from './event.ts';

/** @returns empty if the request names none of the languages of the service */
export const requestedReading = (event: HttpEvent): Reading => {
  const lang = canonicalLanguage(singleQueryValue(event, 'lang') ?? '');
  const isOnly = singleQueryValue(event, 'translation') === 'only';
  return languages.includes(lang) ? { lang, translation: isOnly ? 'only' : 'both' } : {};
};
