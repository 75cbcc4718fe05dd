// Markdown of the documentation -> HTML.
import MarkdownIt from 'markdown-it';

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');

const plain = (inline: string): string => inline.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

type Renderer = ReturnType<typeof MarkdownIt>;
type Token = ReturnType<Renderer['parse']>[number];

/** Of the inline token that follows or precedes. */
const contentOf = (token: Token | undefined): string => token?.content ?? '';

const isHeading = ({ type }: Token): boolean => type === 'heading_open';

/** The heading above, in plain words: what stands below it is called so. */
const headingAbove = (tokens: readonly Token[], index: number): string => {
  const place = tokens.slice(0, index).findLastIndex(isHeading);
  return plain(contentOf(tokens[place + 1]));
};

/** Pages have one title; every section below it can be linked to. */
const isSection = ({ tag }: Token): boolean => tag !== 'h1';

/** Headings carry an id each: the `type` of a problem is the address of its section. */
const addHeadings = ({ renderer, utils: { escapeHtml } }: Renderer): void => {
  renderer.rules['heading_open'] = (tokens, index) => {
    const [token, inline] = tokens.slice(index);
    if (token === undefined) return '';
    return `${isSection(token) ? '<div class="head">' : ''}<${token.tag} id="${slug(contentOf(inline))}">`;
  };
  renderer.rules['heading_close'] = (tokens, index) => {
    const [inline, token] = tokens.slice(index - 1);
    if (token === undefined || !isSection(token)) return '</h1>\n';
    const words = contentOf(inline);
    const label = escapeHtml(`Link to ${plain(words)}`);
    return `</${token.tag}><a class="anchor" href="#${slug(words)}" aria-label="${label}">#</a></div>\n`;
  };
};

/** What scrolls must be reachable with the keyboard, and have a name there. */
const addScrolling = ({ renderer, utils: { escapeHtml } }: Renderer): void => {
  const attributes = (kind: string, tokens: readonly Token[], index: number): string =>
    `tabindex="0" role="group" aria-label="${escapeHtml(`${kind}: ${headingAbove(tokens, index)}`)}"`;
  renderer.rules['table_open'] = (tokens, index) =>
    `<div class="table" ${attributes('Table', tokens, index)}><table>\n`;
  renderer.rules['table_close'] = () => '</table></div>\n';
  // Alignment would be an inline style, which the policy of the pages forbids.
  renderer.rules['th_open'] = () => '<th>';
  renderer.rules['td_open'] = () => '<td>';
  renderer.rules['fence'] = (tokens, index) =>
    `<pre ${attributes('Code', tokens, index)}><code>${escapeHtml(contentOf(tokens[index]))}</code></pre>\n`;
  renderer.rules['code_block'] = renderer.rules['fence'];
};

const createRenderer = (): Renderer => {
  const markdownIt = new MarkdownIt();
  // Addresses are our own, and the placeholder in them must stay as it is.
  markdownIt.normalizeLink = (url) => url;
  addHeadings(markdownIt);
  addScrolling(markdownIt);
  return markdownIt;
};

const markdownIt = createRenderer();

/** @returns the body of a page */
export const markdownToHtml = (markdown: string): string => markdownIt.render(markdown);
