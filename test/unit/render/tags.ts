// Parses the tags of an HTML page strictly.

const TAG = /<(?:!doctype html|(\/?[a-z][a-z0-9]*)((?: [a-z:-]+(?:="[^"<>]*")?)*))\/?>/iy;
const TEXT = /[^<]+/y;

/** Lists the tags with their attribute names in order; throws if a part is neither a tag of that form nor text. */
export const tagsOf = (html: string): string[] => {
  const tags: string[] = [];
  let at = 0;
  while (at < html.length) {
    TAG.lastIndex = at;
    TEXT.lastIndex = at;
    const tag = TAG.exec(html);
    const match = tag ?? TEXT.exec(html);
    if (match === null) throw new Error(`broken at ${html.slice(at, at + 40)}`);
    if (tag !== null) tags.push(`${tag[1] ?? 'doctype'}${(tag[2] ?? '').replace(/="[^"]*"/g, '')}`);
    at += match[0].length;
  }
  return tags;
};
