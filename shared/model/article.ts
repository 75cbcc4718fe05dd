// Tells complete articles from previews.
import type { Post } from './post.ts';

/** A preview has the title and possibly the first words of an article. */
export const isArticlePreview = ({ article }: Post): boolean => article !== undefined && article.blocks.length === 0;
