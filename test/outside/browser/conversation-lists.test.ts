// Tests in Chromium that the page of a conversation of 300 posts is nested lists, as assistive technology gets them: each post
// at its level, in lists that have as many items as answers.
import type { Protocol } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { presentConversation } from '../../../shared/reads/conversation/present.ts';
import { largeTree, root } from '../../support/conversation-trees.ts';
import { pageUrlsAt, renderList } from '../../support/list-models.ts';
import { chromium } from './browsers.ts';
import { describeInBrowser } from './page-session.ts';

const tree = largeTree(300);
/** The posts below are on a page of their own. */
const DEEPEST = 24;
/** The lists below are folded. */
const OPEN_LEVELS = 4;

type Node = Protocol.Accessibility.AXNode;

const roleOf = (node: Node | undefined): unknown => node?.role?.value;

/** @returns the level of each item of a list, and the number of items of each list, in the order of the page */
const listsIn = (nodes: readonly Node[]) => {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const levels: number[] = [];
  const sizes: number[] = [];
  const visit = (node: Node, above: number): void => {
    const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
    const isList = roleOf(node) === 'list';
    if (isList) sizes.push(children.filter((child) => roleOf(child) === 'listitem').length);
    if (roleOf(node) === 'listitem') levels.push(above);
    for (const child of children) visit(child, isList ? above + 1 : above);
  };
  const [first] = nodes;
  if (first !== undefined) visit(first, 0);
  return { levels, sizes };
};

describeInBrowser(
  'the page of a conversation',
  (browser) => {
    test('[lists 19] has each post at its level, in lists with as many items as answers', async () => {
      const page = await browser().newPage();
      const { body } = renderList(presentConversation, tree, {
        format: 'html',
        ...pageUrlsAt(`/bo/status/${root.id}/conversation`),
      });
      await page.setContent(String(body));
      const session = await page.createCDPSession();
      const read = async () => listsIn((await session.send('Accessibility.getFullAXTree')).nodes);
      const depths = tree.posts.map(({ depth }) => depth).filter((depth) => depth < DEEPEST);
      const folded = await read();
      // The replies of the root that nothing gave are the last item.
      const withGap = (shown: readonly number[]) => [...shown.map((depth) => depth + 1), 2];
      expect(tree.missing.map(({ parent }) => parent)).toEqual([root.id]);
      expect(folded.levels).toEqual(withGap(depths.filter((depth) => depth < OPEN_LEVELS)));
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const open = await read();
      expect(open.levels).toEqual(withGap(depths));
      const answers = tree.posts.filter(({ depth, replies_known: known }) => known > 0 && depth < DEEPEST - 1);
      expect(open.sizes).toEqual([
        1,
        ...answers.map(({ id, replies_known: known }) => (id === root.id ? known + 1 : known)),
      ]);
      await page.close();
    });
  },
  [chromium],
);
