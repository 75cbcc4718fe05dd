// Writes lists with the texts of strangers, as CSV and as NDJSON, for `.ci/data`: posts and accounts with formulas and with what
// readers of CSV are known to misread, and the formulas without an apostrophe, which a spreadsheet must compute.
//
//   node test/tools/write-tables.ts FOLDER
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFindings, treeOf } from '../../shared/model/conversation-tree.ts';
import type { Post } from '../../shared/model/post.ts';
import type { User } from '../../shared/model/user.ts';
import { presentConversation } from '../../shared/reads/conversation/present.ts';
import { createFollowsPresenter } from '../../shared/reads/follows/present.ts';
import { createRelatedPostsPresenter } from '../../shared/reads/paging/present-related.ts';
import { formulas } from '../generators/formulas.ts';
import { hostileFragments } from '../generators/hostile-text.ts';
import { nastyStrings } from '../generators/nasty-strings.ts';
import { fullUser, recordedPosts, recordedUsers, renderList } from '../support/list-models.ts';
import { postOf } from '../support/post-models.ts';

const presentQuotes = createRelatedPostsPresenter('quotes');
const [folder = '.'] = process.argv.slice(2);

/** As the readers of provider answers give them: well-formed. */
const texts = [...new Set([...formulas, ...hostileFragments, ...nastyStrings].map((text) => text.toWellFormed()))];

const idAt = (index: number): string => String(9_223_372_036_854_775_807n - BigInt(index));

const accountOf = (text: string, index: number): User =>
  fullUser({ id: idAt(index), handle: `ada_${index}`, name: text, bio: text, location: text });

const listedPost = (text: string, index: number): Post =>
  postOf({
    id: idAt(index),
    text,
    author: accountOf(text, index),
    client: text,
    in_reply_to: { id: idAt(index + 1), name: text },
    quote: postOf({ text, author: accountOf(text, index) }),
    poll: { choices: [{ label: text, votes: 1, percentage: 100 }], total_votes: 1 },
    community_note: { text },
    article: { title: text, blocks: [{ type: 'code', text }] },
  });

const posts = [
  ...recordedPosts('search/default_feed'),
  ...texts.map(listedPost),
  postOf({ text: 'long '.repeat(40_000) }),
];
/** A conversation with the same texts, in which each post answers one of those before it. */
const conversation = () => {
  const members = texts.map((text, index) => {
    const id = String(1_900_000_000_000_000_000n + BigInt(index));
    const to = String(1_900_000_000_000_000_000n + BigInt(Math.floor(index / 3)));
    return { ...listedPost(text, index), id, in_reply_to: index === 0 ? undefined : { id: to } };
  });
  const [root, ...answers] = members;
  if (root === undefined) throw new Error('no texts');
  const findings = createFindings();
  for (const answer of answers) findings.add(answer);
  const { posts: tree, missing } = treeOf(root, findings, true);
  const found = tree.length - 1;
  return { root: root.id, posts: [...tree], missing: [...missing], completeness: { found, said: found } };
};

const users = [...recordedUsers('followers/ada_larsson_count100'), ...texts.map(accountOf)];

for (const format of ['csv', 'ndjson', 'graphml'] as const) {
  const write = (name: string, { body }: { readonly body: string }): void =>
    writeFileSync(join(folder, `${name}.${format}`), body);
  write('conversation', renderList(presentConversation, conversation(), { format }));
  if (format === 'graphml') continue;
  write('posts', renderList(presentQuotes, { id: '7', posts }, { format }));
  write('accounts', renderList(createFollowsPresenter('followers'), { handle: 'ada', users }, { format }));
}
writeFileSync(
  join(folder, 'single.json'),
  JSON.stringify(posts.map((each) => renderList(presentQuotes, { id: '7', posts: [each] }, { format: 'csv' }).body)),
);
writeFileSync(
  join(folder, 'computed.csv'),
  ['text', ...formulas.map((text) => `"${text.replaceAll('"', '""')}"`), ''].join('\r\n'),
);
console.log(`${formulas.length} formulas, ${posts.length} posts, ${users.length} accounts`);
