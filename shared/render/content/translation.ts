// Names the languages of posts, and shows a translation in the place of a text.

import { isPost, mapAround } from '../../model/conversation.ts';
import { canonicalLanguage, isLanguageTag } from '../../model/languages.ts';
import type { Post, PostOrTombstone, Translation } from '../../model/post.ts';
import type { Conversation, LookupEntry } from '../../model/resources.ts';
import { PLACES } from '../../model/text-places.ts';
import { isBlank } from '../../model/visible-text.ts';

let languageNames: Intl.DisplayNames | undefined;

/** @returns the English name of a language; undefined if the tag is not valid (BCP 47) */
export const languageName = (tag: string | undefined): string | undefined => {
  if (tag === undefined || !isLanguageTag(tag)) return undefined;
  languageNames ??= new Intl.DisplayNames('en', { type: 'language' });
  try {
    return languageNames.of(tag);
  } catch {
    return undefined;
  }
};

/** The language of all pages. */
export const PAGE_LANGUAGE = 'en';

/** @returns the English name of the language of a text; undefined if it is that of the pages or unknown, or if the text is blank */
export const foreignLanguage = ({ lang, text }: Pick<Post, 'lang' | 'text'>): string | undefined =>
  lang === undefined || isBlank(text) || canonicalLanguage(lang) === PAGE_LANGUAGE ? undefined : languageName(lang);

/** @returns plain text, for example `In English · translated from Japanese by grok` */
export const translationLabel = ({ source_lang: source, target_lang: target, provider }: Translation): string => {
  const from = languageName(source);
  const into = languageName(target);
  const rest = `ranslated${from === undefined ? '' : ` from ${from}`}${provider === undefined ? '' : ` by ${provider}`}`;
  return into === undefined ? `T${rest}` : `In ${into} · t${rest}`;
};

/** @returns plain text above the original of a translated post, for example `Original, in Japanese` */
export const originalLabel = ({ lang }: Post, { source_lang: source }: Translation): string => {
  const language = languageName(lang ?? source);
  return language === undefined ? 'Original' : `Original, in ${language}`;
};

/** The post with its translation as text, in which the provider names no places. The links of the original are known. */
export const translatedPost = (post: Post, { text, target_lang: lang }: Translation): Post => ({
  ...post,
  text,
  [PLACES]: undefined,
  lang,
  styles: undefined,
  decorations: undefined,
});

/** Leaves the text of a post out that has a translation, and that of its quote. */
export const withoutOriginal = <Entry extends PostOrTombstone | LookupEntry>(entry: Entry): Entry => {
  if ('unavailable' in entry) return entry;
  const { translation, quote }: Post = entry;
  const quoted = isPost(quote) ? withoutOriginal(quote) : quote;
  if (translation === undefined && quoted === quote) return entry;
  return { ...entry, ...(translation !== undefined && { text: '' }), ...(quoted !== undefined && { quote: quoted }) };
};

/** Leaves the text of each post out that has a translation. */
export const withoutOriginals = (conversation: Conversation): Conversation => ({
  ...mapAround(conversation, withoutOriginal),
  post: withoutOriginal(conversation.post),
});
