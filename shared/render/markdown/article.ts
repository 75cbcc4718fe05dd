// Renders the body of an article as Markdown.
import type { Article, ArticleBlock, ArticleSpan } from '../../model/post.ts';
import { headingLevel, spansText } from '../content/post-facts.ts';
import { autolink, blockquote, escapeHeading, fenced, type MarkdownContext } from './escape.ts';
import { mediaMarkdown } from './media.ts';
import { spansMarkdown, visibleSpans } from './styled-text.ts';

/** The title of an article is a heading of this level, unless the context has another one. */
export const TITLE_LEVEL = 2;

const onOneLine = (spans: readonly ArticleSpan[]): ArticleSpan[] =>
  spans.map((span) => ({ ...span, text: span.text.replace(/\s+/g, ' ') }));

const block = (context: MarkdownContext, entry: ArticleBlock, number: number): string => {
  switch (entry.type) {
    case 'paragraph':
      return spansMarkdown(context, visibleSpans(context, entry.spans));
    case 'heading': {
      const text = escapeHeading(context, spansText(entry.spans));
      return text === '' ? '' : `${'#'.repeat(headingLevel(entry.level, context.titleLevel ?? TITLE_LEVEL))} ${text}`;
    }
    case 'quote': {
      const text = spansMarkdown(context, visibleSpans(context, entry.spans));
      return text === '' ? '' : blockquote(text);
    }
    case 'list_item': {
      const text = spansMarkdown(context, onOneLine(visibleSpans(context, entry.spans)));
      return text === '' ? '' : `${entry.ordered ? `${number}.` : '-'} ${text}`;
    }
    case 'code':
      return fenced(context, entry.text, entry.language);
    case 'media':
      return mediaMarkdown(context, entry.media);
    case 'post':
      return autolink(entry.url);
    case 'divider':
      return '---';
    default:
      return entry satisfies never;
  }
};

const listKind = (entry: ArticleBlock): string => (entry.type === 'list_item' ? `list ${entry.ordered}` : entry.type);

/** Items of one list are on adjacent lines; a blank line separates all other blocks. */
export const articleMarkdown = (context: MarkdownContext, { blocks }: Pick<Article, 'blocks'>): string => {
  let markdown = '';
  let kind = '';
  let number = 1;
  for (const entry of blocks) {
    const continuesList = entry.type === 'list_item' && listKind(entry) === kind;
    const rendered = block(context, entry, continuesList ? number + 1 : 1);
    if (rendered === '') continue;
    markdown += (markdown === '' ? '' : continuesList ? '\n' : '\n\n') + rendered;
    number = continuesList ? number + 1 : 1;
    kind = listKind(entry);
  }
  return markdown;
};
