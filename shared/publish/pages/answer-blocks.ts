// Writes recorded answers for the pages: problem documents, and one post in every format with the size of each answer.
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { keysOf } from '../../model/json.ts';
import { BYTES_PER_TOKEN } from '../../render/content/format.ts';
import {
  answers,
  type ComparedFormat,
  type ComparedPost,
  comparedPosts,
  type FormatRequest,
  formatRequests,
  problemRequests,
  type RecordedProblem,
} from '../examples.ts';
import { codeBlock, inlineCode, isNameIn, table } from './markdown-blocks.ts';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** The request of a problem and its complete answer. Of a problem that no single request causes, the answer only. */
export const problemBlock = (code: RecordedProblem): string => {
  const answer = codeBlock('json', json(answers.problems[code]));
  if (!isNameIn(problemRequests, code)) return answer;
  const { status }: { readonly status?: unknown } = answers.problems[code];
  return `${codeBlock('sh', `# ${String(status)} ${code}\ncurl '${B}${problemRequests[code]}'`)}\n\n${answer}`;
};

const curl = ({ target, headers = {}, body }: FormatRequest): string => {
  const url = `${B}${target}`;
  return [
    'curl',
    ...(body === undefined ? [] : ['-X POST']),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    target.includes('?') ? `'${url}'` : url,
    ...(body === undefined ? [] : [`-d '${body}'`]),
  ].join(' ');
};

/** A test compares the page with an answer of now, so the time of reading is left open. */
const withoutTime = (body: string): string => body.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '…');

const withoutLastLineEnd = (text: string): string => text.replace(/\n$/, '');

const mainElement = (page: string): string => /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '';

const shown = {
  markdown: (body) => codeBlock('markdown', withoutLastLineEnd(body)),
  json: (body) => codeBlock('json', json(JSON.parse(withoutTime(body)))),
  obsidian: (body) => codeBlock('markdown', withoutLastLineEnd(body)),
  html: (body) => codeBlock('html', mainElement(body)),
  oembed: (body) => codeBlock('json', json(JSON.parse(body))),
  mcp: (body) => codeBlock('json', json(JSON.parse(withoutTime(body)))),
} as const satisfies Readonly<Record<ComparedFormat, (body: string) => string>>;

/** The request of the compared post in a format, and its answer. */
export const formatBlock = (format: ComparedFormat): string =>
  `${codeBlock('sh', curl(formatRequests[format](comparedPosts.post)))}\n\n${shown[format](answers.formats[format].body)}`;

const labels = {
  markdown: 'Markdown',
  json: 'JSON',
  obsidian: 'Obsidian',
  html: 'HTML page',
  oembed: 'oEmbed',
  mcp: 'MCP',
} as const satisfies Readonly<Record<ComparedFormat, string>>;

const sizeText = (post: ComparedPost, format: ComparedFormat): string => {
  const bytes = answers.sizes[post][format];
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  return `${bytes.toLocaleString('en-US')} bytes, ${tokens.toLocaleString('en-US')} tokens`;
};

export const formatSizes = (): string =>
  table(
    ['Format', 'Media type', 'One post', 'A thread'],
    keysOf(labels).map((format) => [
      labels[format],
      inlineCode(answers.formats[format].contentType.replace(/;.*/, '')),
      sizeText('post', format),
      sizeText('thread', format),
    ]),
  );
