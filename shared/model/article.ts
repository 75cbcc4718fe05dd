// Telling whole articles from their beginnings.
import type { Post } from './post.ts';

/** Whether of the article of a post only the title and at most a few words are known. */
export const isArticlePreview = ({ article }: Post): boolean => article !== undefined && article.blocks.length === 0;
