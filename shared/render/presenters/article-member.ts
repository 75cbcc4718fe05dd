// Adds the member `markdown` to the articles of a JSON body.
import { isTombstone } from '../../model/conversation.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { articleMarkdown } from '../markdown/article.ts';
import { createMarkdownContext } from '../markdown/escape.ts';

export const withArticleMarkdown = <Entry extends PostOrTombstone>(entry: Entry): Entry => {
  if (isTombstone(entry)) return entry;
  const post: Post = entry;
  const { article, quote } = post;
  const quoted = quote !== undefined && 'metrics' in quote ? withArticleMarkdown(quote) : quote;
  if (article === undefined && quoted === quote) return entry;
  return {
    ...entry,
    ...(quoted !== undefined && { quote: quoted }),
    ...(article !== undefined &&
      article.blocks.length > 0 && {
        article: { ...article, markdown: articleMarkdown(createMarkdownContext('markdown'), article) },
      }),
  };
};
