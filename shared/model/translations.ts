// Decides which translations are of a language, and which posts can have one.
import { isPost, isTombstone } from './conversation.ts';
import { canonicalLanguage, isOfLanguage } from './languages.ts';
import type { Post, PostOrTombstone, Translation } from './post.ts';
import { isBlank } from './visible-text.ts';

/** @param lang a language of languages.ts @returns false if the translation is into another language, or from the same one */
export const isTranslationInto = (
  lang: string,
  { source_lang: source = '', target_lang: target = lang }: Translation,
): boolean => isOfLanguage(target, lang) && canonicalLanguage(source) !== lang;

/** Leaves out translations into other languages, which the provider also sends. Also of quoted posts. */
export const withoutOtherLanguages = <Entry extends PostOrTombstone>(entry: Entry, lang: string): Entry => {
  if (isTombstone(entry)) return entry;
  const { translation, quote }: Post = entry;
  const isOther = translation !== undefined && !isTranslationInto(lang, translation);
  const quoted = isPost(quote) ? withoutOtherLanguages(quote, lang) : quote;
  if (!isOther && quoted === quote) return entry;
  return { ...entry, ...(isOther && { translation: undefined }), ...(quoted !== undefined && { quote: quoted }) };
};

/** @returns true if the post has words, and X does not say that they are in the language */
export const isTranslatable = ({ text, lang }: Pick<Post, 'text' | 'lang'>, into: string): boolean =>
  !isBlank(text) && canonicalLanguage(lang ?? '') !== into;
