// Validates language tags of posts.

const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** X uses these codes if it did not find a language: `und`, `zxx`, `art` and the private codes that start with `q`. */
const NO_LANGUAGE = /^(?:und|zxx|art|q[a-z]{2})$/;

/** Tags that X writes in an old form, and their new one (BCP 47 section 3.4). */
export const renamedTags: readonly (readonly [old: string, current: string])[] = [
  ['in', 'id'],
  ['iw', 'he'],
];

/** @returns true if the tag has the form of RFC 5646 section 2.1 and names a language */
export const isLanguageTag = (tag: string): boolean => LANGUAGE_TAG.test(tag) && !NO_LANGUAGE.test(tag);
