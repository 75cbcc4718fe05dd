// Shows the timeline of several accounts as Markdown and JSON.
import type { MergedTimeline } from '../../model/resources.ts';
import { byteLength, formatCount } from '../../render/content/format.ts';
import { missingSentence, namesOf, noTimelinePosts, timelineTitle } from '../../render/content/list-labels.ts';
import { type MarkdownBlock, type PostStyle, renderBlock } from '../../render/markdown/context.ts';
import { escapeHeading, escapeSpan } from '../../render/markdown/escape.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headedPosts } from '../../render/markdown/list-items.ts';
import type { ListData } from '../paging/list-presenter.ts';

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
