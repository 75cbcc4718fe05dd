// Shows the timeline of several accounts: as Markdown and JSON, and in every format.
import { isSameHandle } from '../../model/handle.ts';
import type { MergedTimeline } from '../../model/resources.ts';
import { byteLength, formatCount } from '../../render/content/format.ts';
import { missingSentence, namesOf, noTimelinePosts, timelineTitle } from '../../render/content/list-labels.ts';
import { opmlText } from '../../render/feeds/opml.ts';
import { writeFeed } from '../../render/feeds/write-feed.ts';
import { mergedTimelinePath, pageLink, timelineUrlOnX } from '../../render/html/inner-links.ts';
import { type MarkdownBlock, type PostStyle, renderBlock } from '../../render/markdown/context.ts';
import { escapeHeading, escapeSpan } from '../../render/markdown/escape.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headedPosts } from '../../render/markdown/list-items.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';
import { timelineHtml } from './page.ts';

const timelineDocument = ({ handles, kind, missing, posts }: MergedTimeline, style: PostStyle): ListDocument => {
  const title = timelineTitle(kind, namesOf(handles));
  const head = (sentence: string): MarkdownBlock =>
    renderBlock((context) => {
      const note = sentence === '' ? '' : `\n\n*${escapeSpan(context, sentence)}*`;
      return `# ${escapeHeading(context, title)}${note}`;
    });
  return {
    head: head(missingSentence(missing)),
    ...(missing.length > 0 && {
      shortHead: {
        subject: 'the list of missing accounts',
        within: (maxBytes) => {
          const short = head(`Missing: ${formatCount(missing.length, 'account')}.`);
          return byteLength(short.markdown) <= maxBytes ? short : head('');
        },
      },
    }),
    ...headedPosts(posts, style),
    none: noTimelinePosts[kind],
  };
};

export const timelineData: ListData<MergedTimeline> = { document: timelineDocument };

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
