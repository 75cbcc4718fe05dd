// Reads lists of posts in the language of the reader. A list has the translations that the provider keeps and sends with the
// posts: no translator is asked, so a page costs what it costs without a language.
import type { ListInput } from '../../contract/list-inputs.ts';
import { UNTRANSLATED_LIST, warning } from '../../contract/warnings.ts';
import type { Post } from '../../model/post.ts';
import type { Warning } from '../../model/resources.ts';
import { isTranslatable, withoutOtherLanguages } from '../../model/translations.ts';
import type { Upstream, UpstreamPorts } from '../../ports/upstream.ts';

type Language = Pick<ListInput, 'lang'>;

/** @returns the language of the requests; empty if none was asked for, or the service translates nothing */
export const requestedLanguage = ({ lang }: Language, { upstream }: UpstreamPorts): { readonly lang?: string } =>
  lang === undefined || upstream.translatePost === undefined ? {} : { lang };

/** @returns the posts without translations into other languages */
export const inLanguage = <Item extends Post>(posts: readonly Item[], { lang }: Language): Item[] =>
  posts.map((post) => (lang === undefined ? post : withoutOtherLanguages(post, lang)));

/** @returns `listPosts` with the translations into the language of the reader, and none into others */
export const translatedLists = (input: Language, ports: UpstreamPorts): Upstream['listPosts'] => {
  const { upstream } = ports;
  const { lang } = requestedLanguage(input, ports);
  return async (request, ...rest) => {
    if (lang === undefined) return upstream.listPosts(request, ...rest);
    const outcome = await upstream.listPosts({ ...request, lang }, ...rest);
    if (outcome.kind !== 'found') return outcome;
    return { ...outcome, value: { ...outcome.value, items: inLanguage(outcome.value.items, input) } };
  };
};

/** Says that posts of a page are in other languages, and none has a translation. Otherwise each post says it itself. */
export const translationWarnings = (posts: readonly Post[], { lang }: Language): readonly Warning[] =>
  lang !== undefined &&
  posts.some((post) => isTranslatable(post, lang)) &&
  posts.every(({ translation }) => translation === undefined)
    ? [warning('translation_unavailable', UNTRANSLATED_LIST)]
    : [];
