// Shows the timeline of several accounts in every format.
import { isSameHandle } from '../../model/handle.ts';
import { namesOf, timelineTitle } from '../../render/content/list-labels.ts';
import { opmlText } from '../../render/feeds/opml.ts';
import { writeFeed } from '../../render/feeds/write-feed.ts';
import { mergedTimelinePath, pageLink, timelineUrlOnX } from '../../render/html/inner-links.ts';
import { createListPresenter } from '../paging/list-presenter.ts';
import { timelineData } from './document.ts';
import { timelineHtml } from './page.ts';

export const presentTimeline = /* @__PURE__ */ createListPresenter<'timeline'>(timelineData, {
  html: timelineHtml,
  opml: ({ handles, missing, posts }, base) => {
    // An account that cannot be read has no feed, but one that failed has one.
    const readable = handles.filter(
      (handle) => !missing.some((account) => account.handle === handle && account.reason !== 'failed'),
    );
    const accounts = readable.map(
      (handle) => posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author ?? { handle },
    );
    return opmlText(`Timeline of @${namesOf(handles)}`, accounts, base);
  },
  feed: ({ handles, kind, posts }, format, urls) => {
    const home = mergedTimelinePath(handles, kind);
    const title = timelineTitle(kind, namesOf(handles));
    return writeFeed(format, {
      ...urls,
      id: timelineUrlOnX(handles.join(','), kind),
      title,
      description: `${title} on X.`,
      home: (home && pageLink(urls, home)) ?? urls.self ?? timelineUrlOnX(handles.join(','), kind),
      posts,
    });
  },
});
