// Writes the tree of a conversation as GraphML 1.1: nodes are the posts, and edges lead from an answer or a quote to the post that
// it answers or quotes, as far as the tree has it.
import { answeredBy, idOfQuote } from '../../model/conversation.ts';
import type { TreePost } from '../../model/resources.ts';
import { element, emptyElement, textElement, type Xml, xmlDocument } from './write-xml.ts';

type Value = string | number | null | undefined;

interface Key {
  readonly type: 'string' | 'int' | 'long';
  read(post: TreePost): Value;
}

/** The data of nodes, in the order of the document. Counts of views exceed 32 bits. */
const keys = {
  url: { type: 'string', read: ({ url }) => url },
  author: { type: 'string', read: ({ author }) => author?.handle },
  author_id: { type: 'string', read: ({ author }) => author?.id },
  author_name: { type: 'string', read: ({ author }) => author?.name },
  created_at: { type: 'string', read: ({ created_at: created }) => created },
  lang: { type: 'string', read: ({ lang }) => lang },
  text: { type: 'string', read: ({ text }) => text },
  depth: { type: 'int', read: ({ depth }) => depth },
  in_reply_to: { type: 'string', read: ({ in_reply_to: answered }) => answered?.id },
  quoted_id: { type: 'string', read: ({ quote }) => idOfQuote(quote) },
  replies_known: { type: 'int', read: ({ replies_known: known }) => known },
  replies_said: { type: 'int', read: ({ replies_said: said }) => said },
  likes: { type: 'long', read: ({ metrics }) => metrics.likes },
  reposts: { type: 'long', read: ({ metrics }) => metrics.reposts },
  quotes: { type: 'long', read: ({ metrics }) => metrics.quotes },
  views: { type: 'long', read: ({ metrics }) => metrics.views },
} as const satisfies Readonly<Record<string, Key>>;

const rows: readonly (readonly [name: string, key: Key])[] = Object.entries(keys);

/** Ids of XML begin with a letter only where they have the type ID: those of GraphML are NMTOKEN. */
const nodeOf = (post: TreePost): Xml =>
  element(
    'node',
    { id: post.id },
    rows.flatMap(([name, { read }]) => {
      const value = read(post);
      return value === undefined || value === null ? [] : textElement('data', String(value), { key: name });
    }),
  );

/** @param kind of what the first post is to the second */
const edgeOf = (source: string, target: string, kind: 'answers' | 'quotes'): Xml =>
  element('edge', { source, target }, textElement('data', kind, { key: 'kind' }));

const keyElement = (name: string, domain: 'node' | 'edge', type: Key['type']): Xml =>
  emptyElement('key', { id: name, for: domain, 'attr.name': name, 'attr.type': type });

export const conversationGraph = (posts: readonly TreePost[]): string => {
  const ids = new Set(posts.map(({ id }) => id));
  const edges = posts.flatMap((post) => {
    const answered = answeredBy(post);
    const quoted = idOfQuote(post.quote);
    return [
      ...(answered !== undefined && ids.has(answered) ? [edgeOf(post.id, answered, 'answers')] : []),
      ...(quoted !== undefined && ids.has(quoted) ? [edgeOf(post.id, quoted, 'quotes')] : []),
    ];
  });
  return xmlDocument(
    element('graphml', { xmlns: 'http://graphml.graphdrawing.org/xmlns' }, [
      ...rows.map(([name, { type }]) => keyElement(name, 'node', type)),
      keyElement('kind', 'edge', 'string'),
      element('graph', { id: 'conversation', edgedefault: 'directed' }, [...posts.map(nodeOf), ...edges]),
    ]),
  );
};
