// Renders one block of Markdown and counts the invisible characters that it leaves out.
import type { Warning } from '../../model/resources.ts';
import type { PartPosition } from '../content/labels.ts';
import { createMarkdownContext, type MarkdownContext, type PostStyle } from './escape.ts';

export interface MarkdownBlock {
  readonly markdown: string;
  /** How many invisible characters were removed. */
  readonly removed: number;
}

export interface MarkdownDocument extends MarkdownBlock {
  /** Unset: the document is a list, which has pages. */
  readonly position?: PartPosition;
  /** Set if the document was truncated. */
  readonly warning?: Warning;
  /** The cursor of the page after the last item that the document shows. Unset: there is none. */
  readonly nextCursor?: string | undefined;
}

export const renderBlock = (write: (context: MarkdownContext) => string, style?: PostStyle): MarkdownBlock => {
  const context = createMarkdownContext('markdown', style);
  const markdown = write(context);
  return { markdown, removed: context.removed };
};
