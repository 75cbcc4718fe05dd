// The state and the results of one rendering of Markdown.
import type { TranslationChoice } from '../../contract/parameters.ts';
import type { Post } from '../../model/post.ts';
import type { Warning } from '../../model/resources.ts';
import type { PartPosition, ShownMetrics } from '../content/labels.ts';
import type { SeenThread } from '../content/own-threads.ts';

export type Dialect = 'markdown' | 'obsidian';

/** How the posts of a document are written. */
export interface PostStyle {
  /** The metrics in the lines of posts. @default all */
  readonly metrics?: ShownMetrics | undefined;
  /** Long texts are cut, as in the lists of pages. @default false */
  readonly isCut?: boolean;
  /** Names the whole post below a cut text. @default not named */
  readonly readOn?: ((post: Pick<Post, 'id' | 'author' | 'url'>) => string) | undefined;
  /** The threads of a list, by the id of their first post. @default none */
  readonly threads?: ReadonlyMap<string, SeenThread> | undefined;
  /** The level of the heading of an article. @default 2 */
  readonly titleLevel?: number;
  /** `only`: a translated post is shown without its original. @default 'both' */
  readonly translation?: TranslationChoice | undefined;
}

/** The state of one rendering. */
export interface MarkdownContext extends PostStyle {
  readonly dialect: Dialect;
  /** The number of invisible characters removed so far. */
  removed: number;
  readonly onRemoved: () => void;
}

export const createMarkdownContext = (dialect: Dialect, style: PostStyle = {}): MarkdownContext => {
  const context: MarkdownContext = {
    ...style,
    dialect,
    removed: 0,
    onRemoved: () => {
      context.removed += 1;
    },
  };
  return context;
};

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

/** Renders one block and counts the invisible characters that it leaves out. */
export const renderBlock = (write: (context: MarkdownContext) => string, style?: PostStyle): MarkdownBlock => {
  const context = createMarkdownContext('markdown', style);
  const markdown = write(context);
  return { markdown, removed: context.removed };
};
