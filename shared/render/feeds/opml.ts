// Writes the feeds of accounts as a list of subscriptions (OPML 2.0), which feed readers import. Nothing depends on the time.
import { versionedPath } from '../../contract/operations.ts';
import { parseHandle, profileUrl } from '../../model/handle.ts';
import type { User } from '../../model/user.ts';
import { visibleLine, visibleUrl } from '../../model/visible-text.ts';
import { nameAndHandle } from '../content/labels.ts';
import { followTitles } from '../content/list-labels.ts';
import { element, emptyElement, textElement, type Xml, xmlDocument } from '../data/write-xml.ts';
import { type LinkBase, profilePath } from '../html/inner-links.ts';

/** An account, as far as it is known. */
export type Subscription = Pick<User, 'handle'> & Partial<Pick<User, 'name' | 'protected'>>;

/** The paths of RSS are those of nitter. Some handles have none, and old ones and protected accounts have no feed. */
const feedPath = ({ handle, protected: isProtected }: Subscription): string | undefined => {
  if (isProtected) return undefined;
  const path = profilePath(handle);
  if (path !== undefined) return `${path}/rss`;
  return parseHandle(handle) && `${versionedPath('listPosts').replace('{handle}', handle)}?format=rss`;
};

/** Without a service there is no feed. An account without a feed is a link, which readers do not import. */
const outline = (account: Subscription, { baseUrl, isAlone = false }: LinkBase): Xml => {
  const { handle, name = '' } = account;
  const title = name === '' ? `@${handle}` : nameAndHandle({ handle, name });
  const text = visibleLine(title) || `@${handle}`;
  const path = isAlone ? undefined : feedPath(account);
  const onX = visibleUrl(profileUrl(handle));
  if (path === undefined) return emptyElement('outline', { text, type: 'link', url: onX });
  const page = profilePath(handle);
  const htmlUrl = page === undefined ? onX : `${baseUrl}${page}`;
  return emptyElement('outline', { text, title: text, type: 'rss', xmlUrl: `${baseUrl}${path}`, htmlUrl });
};

export const opmlText = (title: string, accounts: readonly Subscription[], base: LinkBase): string =>
  xmlDocument(
    element('opml', { version: '2.0' }, [
      element('head', {}, [
        ...textElement('title', visibleLine(title)),
        ...textElement('docs', 'http://opml.org/spec2.opml'),
      ]),
      element(
        'body',
        {},
        accounts.map((account) => outline(account, base)),
      ),
    ]),
  );

/** @param accounts that the account with the handle follows */
export const followingOpml = (handle: string, accounts: readonly Subscription[], base: LinkBase): string =>
  opmlText(followTitles.following(handle), accounts, base);
