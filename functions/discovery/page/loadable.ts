// Decides from where the front page loads the pictures of a post: from X, or through the service, whose paths only a page of
// the service signs. The script takes them from the page of the post.
import { isPictureHost } from '../../../shared/render/content/media-files.ts';
import { fetchText } from '../../page/problem.ts';

/** @returns undefined if the picture cannot be loaded */
export type LoadableUrl = (url: string) => string | undefined;

const fromX: LoadableUrl = (url) => (isPictureHost(url) ? url : undefined);

/** The folder and the name of a file, without the suffixes by which X names its sizes: all of them have it. */
const NAME = /([^/]+\/[^/]+?)(?:_(?:x96|normal|bigger|mini|reasonably_small|\d+x\d+))?(?:\.\w+)?(?::\w+)?(?:\?.*)?$/;

const nameOf = (url: string): string | undefined => NAME.exec(url)?.[1];

/** Third-party text is escaped, so it has no attributes. */
const SIGNED = / (?:src|poster)="(\/assets\/[^"]+)/g;

/** @param path the permalink */
export const readLoadable = async (path: string, options: RequestInit): Promise<LoadableUrl> => {
  if (document.body.dataset['pictures'] === undefined) return fromX;
  const html = await fetchText(path, { ...options, headers: { Accept: 'text/html' } }).catch(() => '');
  const paths = new Map<string | undefined, string>();
  for (const [, path = ''] of html.matchAll(SIGNED)) paths.set(nameOf(path), path.replaceAll('&amp;', '&'));
  return (url) => (isPictureHost(url) ? paths.get(nameOf(url)) : undefined);
};
