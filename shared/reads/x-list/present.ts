// Shows the posts of a list of X in every format. No source gives the name of a list.
import { xListPath } from '../../model/handle.ts';
import type { XList } from '../../model/resources.ts';
import { writeFeed } from '../../render/feeds/write-feed.ts';
import { type Html, html } from '../../render/html/html.ts';
import { pageLink } from '../../render/html/inner-links.ts';
import { type ListPageOptions, postListHtml } from '../../render/html/list.ts';
import { type PostStyle, renderBlock } from '../../render/markdown/context.ts';
import { destination } from '../../render/markdown/escape.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headedPosts } from '../../render/markdown/list-items.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';

const titleOf = (id: string): string => `List ${id}`;

const NO_POSTS = 'No posts of this list are listed.';

const urlOnX = (id: string): string => `https://x.com${xListPath(id)}`;

const xListDocument = ({ id, posts }: XList, style: PostStyle): ListDocument => ({
  head: renderBlock(() => `# ${titleOf(id)}\n\n[The list on X](${destination(urlOnX(id))})`),
  ...headedPosts(posts, style),
  none: NO_POSTS,
});

const xListHtml = ({ id, posts }: XList, options: ListPageOptions): Html => {
  const title = titleOf(id);
  return postListHtml({
    ...options,
    title,
    canonical: urlOnX(id),
    feed: xListPath(id),
    posts,
    none: NO_POSTS,
    top: html`<div class="about"><h1>${title}</h1></div>`,
  });
};

export const xListData: ListData<XList> = { document: xListDocument };

export const presentXList = /* @__PURE__ */ createListPresenter<'xList'>(xListData, {
  html: xListHtml,
  feed: ({ id, posts }, format, urls) =>
    writeFeed(format, {
      ...urls,
      id: urlOnX(id),
      title: titleOf(id),
      description: `Posts of list ${id} on X.`,
      home: pageLink(urls, xListPath(id)) ?? urlOnX(id),
      posts,
    }),
});
