// Writes the exports that need all pages of a list: subscriptions, and conversations, whose later pages have what the posts of
// the earlier ones answer.

import { joinedTree, type Tree } from '../../../shared/model/conversation-tree.ts';
import { terminalJson } from '../../../shared/model/json.ts';
import { conversationGraph } from '../../../shared/render/data/graphml.ts';
import { POST_COLUMNS } from '../../../shared/render/data/post-columns.ts';
import { csvText } from '../../../shared/render/data/write-csv.ts';
import { followingOpml } from '../../../shared/render/feeds/opml.ts';
import { isConversation, pathOf } from '../list-target.ts';
import { textIn } from '../request.ts';
import { type ExportFormat, isWholeFormat } from './arguments.ts';
import type { WalkedPage } from './walk-list.ts';

/** @param target of the list */
export const isWrittenWhole = (target: string, format: ExportFormat | undefined): boolean =>
  isWholeFormat(format) || isConversation(target);

type Pages = readonly Pick<WalkedPage, 'items' | 'about'>[];

/** @param target of the accounts that a profile follows */
const opmlOf = (pages: Pages, target: string, origin: string | undefined): string => {
  const [, handle = ''] = /([^/]*)\/[^/]*$/.exec(pathOf(target)) ?? [];
  const accounts = pages.flatMap(({ items }) =>
    items.map(({ value }) => ({
      handle: textIn(value['handle']),
      name: textIn(value['name']),
      protected: value['protected'] === true,
    })),
  );
  return followingOpml(handle, accounts, { baseUrl: origin ?? '', isAlone: origin === undefined });
};

/** The service wrote the members by the type of a tree. */
const treeOfPage = ({ items, about }: Pages[number]): Tree =>
  ({ posts: items.map(({ value }) => value), missing: about['missing'] ?? [] }) as unknown as Tree;

const conversationOf = ([first, ...more]: Pages, format: ExportFormat | undefined): string => {
  if (first === undefined) return '';
  const { posts } = joinedTree([treeOfPage(first), ...more.map(treeOfPage)]);
  if (format === 'graphml') return conversationGraph(posts);
  if (format === 'csv') return csvText(POST_COLUMNS, posts);
  return posts.map((post) => `${terminalJson(JSON.stringify(post))}\n`).join('');
};

/**
 * @param pages of the whole list
 * @param origin of the feeds that OPML names; undefined: no service has feeds, so OPML has links to X
 */
export const wholeListText = (
  pages: Pages,
  target: string,
  format: ExportFormat | undefined,
  origin: string | undefined,
): string => (format === 'opml' ? opmlOf(pages, target, origin) : conversationOf(pages, format));
