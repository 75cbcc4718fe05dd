// Converts the Markdown of the documentation to HTML.
import MarkdownIt from 'markdown-it';

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');

const withoutMarkup = (inline: string): string => inline.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

type Renderer = ReturnType<typeof MarkdownIt>;
type Token = ReturnType<Renderer['parse']>[number];

const contentOf = (token: Token | undefined): string => token?.content ?? '';

const isHeading = ({ type }: Token): boolean => type === 'heading_open';

/** @returns the text of the last heading before `index`, without markup */
const headingAbove = (tokens: readonly Token[], index: number): string => {
  const position = tokens.slice(0, index).findLastIndex(isHeading);
  return withoutMarkup(contentOf(tokens[position + 1]));
};

/** The `h1` is the title of the page. Only sections get a link. */
const isSection = ({ tag }: Token): boolean => tag !== 'h1';

/** Gives every heading an id. The `type` of a problem document links to the section with its id. */
const addHeadings = ({ renderer, utils: { escapeHtml } }: Renderer): void => {
  renderer.rules['heading_open'] = (tokens, index) => {
    const [token, inline] = tokens.slice(index);
    if (token === undefined) return '';
    return `${isSection(token) ? '<div class="head">' : ''}<${token.tag} id="${slug(contentOf(inline))}">`;
  };
  renderer.rules['heading_close'] = (tokens, index) => {
    const [inline, token] = tokens.slice(index - 1);
    if (token === undefined || !isSection(token)) return '</h1>\n';
    const text = contentOf(inline);
    const label = escapeHtml(`Link to ${withoutMarkup(text)}`);
    return `</${token.tag}><a class="anchor" href="#${slug(text)}" aria-label="${label}">#</a></div>\n`;
  };
};

/** Makes scrollable elements focusable and gives them names (WCAG 2.1.1 and 4.1.2). */
const addScrolling = ({ renderer, utils: { escapeHtml } }: Renderer): void => {
  const attributes = (kind: string, tokens: readonly Token[], index: number): string =>
    `tabindex="0" role="group" aria-label="${escapeHtml(`${kind}: ${headingAbove(tokens, index)}`)}"`;
  renderer.rules['table_open'] = (tokens, index) =>
    `<div class="table" ${attributes('Table', tokens, index)}><table>\n`;
  renderer.rules['table_close'] = () => '</table></div>\n';
  // Column alignment would be an inline style, and the Content-Security-Policy forbids inline styles.
  renderer.rules['th_open'] = () => '<th>';
  renderer.rules['td_open'] = () => '<td>';
  renderer.rules['fence'] = (tokens, index) =>
    `<pre ${attributes('Code', tokens, index)}><code>${escapeHtml(contentOf(tokens[index]))}</code></pre>\n`;
  renderer.rules['code_block'] = renderer.rules['fence'];
};

const createRenderer = (): Renderer => {
  const markdownIt = new MarkdownIt();
  // All URLs come from the project, and the placeholder in them must stay unencoded.
  markdownIt.normalizeLink = (url) => url;
  addHeadings(markdownIt);
  addScrolling(markdownIt);
  return markdownIt;
};

const markdownIt = createRenderer();

/** @returns the content of the page body */
export const markdownToHtml = (markdown: string): string => markdownIt.render(markdown);
