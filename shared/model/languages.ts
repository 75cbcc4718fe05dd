// Validates language tags of posts, gives each tag one spelling, and lists the languages into which posts are translated. The
// edge function includes `canonicalLanguage`, so its code uses ES5 methods only.

const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** X uses these codes if it did not find a language: `und`, `zxx`, `art` and the private codes that start with `q`. */
const NO_LANGUAGE = /^(?:und|zxx|art|q[a-z]{2})$/;

/** @returns true if the tag has the form of RFC 5646 section 2.1 and names a language */
export const isLanguageTag = (tag: string): boolean => LANGUAGE_TAG.test(tag) && !NO_LANGUAGE.test(tag);

/** Tags that X writes in an old form, and their new one (BCP 47 section 3.4). */
export const renamedTags: readonly (readonly [old: string, current: string])[] = [
  ['in', 'id'],
  ['iw', 'he'],
];

/** The maximum of a tag (RFC 5646 section 4.4.1). */
export const MAX_LANGUAGE_CHARACTERS = 35;

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/;
const SIMPLIFIED = /^zh-(?:hans|cn|sg)(?:-|$)/;
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)(?:-|$)/;

/** Other tags and the one under which the provider has their language. */
const spellings: readonly (readonly [from: string, to: string])[] = [
  ['fil', 'tl'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['msa', 'ms'],
];

/**
 * @param text a language tag in any spelling, such as `pt-BR`
 * @returns the one spelling of its language: the primary subtag, or `zh-hans` or `zh-hant`; the same text if it is no tag
 */
export const canonicalLanguage = (text: string): string => {
  const tag = text.toLowerCase();
  if (tag.length > MAX_LANGUAGE_CHARACTERS || !TAG.test(tag)) return text;
  if (SIMPLIFIED.test(tag)) return 'zh-hans';
  if (TRADITIONAL.test(tag)) return 'zh-hant';
  const subtag = tag.split('-')[0] || tag;
  const spelling = renamedTags.concat(spellings).find((pair) => pair[0] === subtag);
  return spelling === undefined ? subtag : spelling[1];
};

/** FxTwitter takes codes of 2 or 5 characters. */
const TRANSLATED =
  'af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my ne nl no pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th tl tr uk ur uz vi zh zu zh-hans zh-hant';

/** The languages that FxTwitter's translators take, in the one spelling. */
export const languages: readonly string[] = /* @__PURE__ */ TRANSLATED.split(' ');

const subtagOf = (language: string): string | undefined => language.split('-')[0];

/** @returns true if the tag names the language, or the same language without a script */
export const isOfLanguage = (tag: string, language: string): boolean => {
  const named = canonicalLanguage(tag);
  return named === language || named === subtagOf(language) || subtagOf(named) === language;
};
