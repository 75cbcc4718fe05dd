// Decides from where the front page loads the pictures of a post: from X, or through the service, whose paths only a page of
// the service signs. The script takes them from the page of the post.
import { avatarVariant, isPictureHost } from '../../../shared/render/content/media-files.ts';
import { fetchText } from '../../page/problem.ts';

/** @returns undefined if the picture cannot be loaded */
export type LoadableUrl = (url: string) => string | undefined;

const fromX: LoadableUrl = (url) => (isPictureHost(url) ? url : undefined);

/** The part of a URL that all sizes of a picture share. */
const keyOf = (url: string): string => new URL(avatarVariant(url, 'x96')).pathname.replace(/:\w+$/, '');

/** Third-party text is escaped, so it has no attributes. */
const SIGNED = / (?:src|poster)="(\/assets\/\w+\/[^/"]+(\/[^?"]*)[^"]*)"/g;

/** @param path the permalink */
export const readLoadable = async (path: string, options: RequestInit): Promise<LoadableUrl> => {
  if (document.body.dataset['pictures'] === undefined) return fromX;
  const html = await fetchText(path, { ...options, headers: { Accept: 'text/html' } }).catch(() => '');
  const paths = new Map<string | undefined, string>();
  for (const [, path = '', key] of html.matchAll(SIGNED)) paths.set(key, path.replaceAll('&amp;', '&'));
  return (url) => (isPictureHost(url) ? paths.get(keyOf(url)) : undefined);
};
