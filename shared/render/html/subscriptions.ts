// Renders how the accounts of a page are followed in a feed reader.
import { urlOfFormat } from '../../contract/query-string.ts';
import { innerLinkHtml } from './elements.ts';
import { originOf } from './head.ts';
import { type Html, html } from './html.ts';

export interface Subscriptions {
  /** The URL of the page. */
  readonly url: string;
  /** Path and query of the list whose format `rss` has the posts of all accounts; unset: each account has a feed of its own. */
  readonly feed?: string | undefined;
  /** Path and query of the list whose format `opml` names the feed of each account. */
  readonly opml: string;
}

/** The address of the feed is there to be pasted into a feed reader: one tap marks it whole. */
export const subscriptionsHtml = ({ url, feed, opml }: Subscriptions): Html => {
  const rss = feed && urlOfFormat(feed, 'rss');
  const link = rss && html`${innerLinkHtml(rss, 'RSS')} · `;
  const address = rss && html`<br><code>${originOf(url) + rss}</code>`;
  return html`<p class="hint addr">For a feed reader: ${link}${innerLinkHtml(urlOfFormat(opml, 'opml'), 'OPML')}${address}</p>`;
};
