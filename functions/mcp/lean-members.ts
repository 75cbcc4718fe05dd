// Reduces the members of a JSON body to those that a language model needs, and cleans their texts as Markdown is cleaned.
import { visibleText, visibleUrl } from '../../shared/model/visible-text.ts';

/**
 * `styles` and `decorations` are offsets in the text before it was cleaned. `blocks` repeat the `markdown` of an article. The others are
 * URLs of files that a model does not open.
 */
const OMITTED: ReadonlySet<string> = new Set([
  'avatar_url',
  'banner_url',
  'variants',
  'styles',
  'decorations',
  'blocks',
]);

const URL_MEMBER = /(?:^|_)url$|^website$/;

/** @param onRemoved called once for each invisible character that is left out */
export const leanMembers = (members: object, onRemoved: () => void): Readonly<Record<string, unknown>> => {
  const lean = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return URL_MEMBER.test(name) ? visibleUrl(value) : visibleText(value, onRemoved);
    if (Array.isArray(value)) return value.map((item) => lean(item, name));
    return typeof value === 'object' && value !== null ? leanObject(value) : value;
  };
  const leanObject = (value: object): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([name, member]) => member !== undefined && !OMITTED.has(name))
        .map(([name, member]) => [name, lean(member, name)]),
    );
  return leanObject(members);
};
