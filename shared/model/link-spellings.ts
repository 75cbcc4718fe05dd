// Rewrites what people type in place of a link of X: links that somebody defaced so that nobody follows them, and links and
// handles with a part left out. The result is a text that box.ts reads, and the work is linear in the length of the text.
import { isKnownHost, parseWebUrl } from './x-urls.ts';

/** @returns `https://x.com/jack` for `hxxps://x[.]com/jack`; other texts as they are */
export const restoreLinks = (text: string): string =>
  text
    .replace(/\bhxxp(?=s?\b)/gi, 'http')
    .replace(/\[(?:\.|dot)\]|\((?:\.|dot)\)/gi, '.')
    .replace(/\[(:(?:\/\/)?)\]/g, '$1');

/** Without a host: `jack/status/20`, `/i/web/status/20`, also with a scheme. */
const POST_WITHOUT_HOST = /^(?:https?:\/\/|\/)?@?((?:\w{1,30}|i\/web)\/status(?:es)?\/[0-9]\S*)$/i;
/** `https://jack`. No site has a name without a point, and digits alone are an IP address. */
const HANDLE_AS_HOST = /^https?:\/\/@?(?!\d+\/?$)(\w{1,15})\/?$/i;
/** `@jack@x.com`, as the servers of the Fediverse name an account. */
const HANDLE_AT_HOST = /^@(\w{1,30})@([\w.]+)$/;

/** @returns the link of X that is meant; undefined if the text is none of these */
export const withHostOfX = (text: string): string | undefined => {
  const [, post] = POST_WITHOUT_HOST.exec(text) ?? [];
  if (post !== undefined) return `https://x.com/${post}`;
  const [, name, host] = HANDLE_AT_HOST.exec(text) ?? HANDLE_AS_HOST.exec(text) ?? [];
  const url = host === undefined ? undefined : parseWebUrl(host);
  const isMeant = name !== undefined && (host === undefined || (url !== undefined && isKnownHost(url, undefined)));
  return isMeant ? `https://x.com/@${name}` : undefined;
};
