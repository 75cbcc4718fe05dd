// Converts the Markdown of the documentation to HTML.
import MarkdownIt from 'markdown-it';
import { type Html, trustedHtml } from '../../shared/render/html/html.ts';
import { codeBlockHtml } from './code-blocks.ts';

/** The id of a section. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');

export const withoutMarkup = (inline: string): string =>
  inline.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

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

/** The first heading of the tables that say which routes, limits and errors a read has: most readers skip them. */
const FOLDED = 'Property';
const FOLD = '<details class="fold"><summary>Routes, limits and errors</summary>\n';

const isFolded = (tokens: readonly Token[], index: number): boolean => {
  const heading = tokens.slice(index).findIndex(({ type }) => type === 'th_open');
  return heading !== -1 && contentOf(tokens[index + heading + 1]) === FOLDED;
};

const nameColumns = (tokens: readonly Token[]): void => {
  let headings: string[] = [];
  let column = 0;
  let end = '</table></div>\n';
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') {
      headings = [];
      token.content = isFolded(tokens, index) ? FOLD : '';
      end = `</table></div>\n${token.content === '' ? '' : '</details>\n'}`;
    } else if (token.type === 'table_close') token.content = end;
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open') headings.push(withoutMarkup(contentOf(tokens[index + 1])));
    else if (token.type === 'td_open') {
      token.attrSet('data-column', headings[column] ?? '');
      column += 1;
    }
  }
};

/** Makes tables focusable if they scroll (WCAG 2.1.1 and 4.1.2). On a phone each cell shows the name of its column. */
const addTables = ({ core, renderer, utils: { escapeHtml } }: Renderer): void => {
  core.ruler.push('columns', ({ tokens }) => nameColumns(tokens));
  renderer.rules['table_open'] = (tokens, index) =>
    `${contentOf(tokens[index])}<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(`Table: ${headingAbove(tokens, index)}`)}"><table>\n`;
  renderer.rules['table_close'] = (tokens, index) => contentOf(tokens[index]);
  // Column alignment would be an inline style, and the Content-Security-Policy forbids inline styles.
  renderer.rules['th_open'] = () => '<th scope="col">';
  renderer.rules['td_open'] = (tokens, index) => {
    const column = String(tokens[index]?.attrGet('data-column') ?? '');
    return column === '' ? '<td>' : `<td data-column="${escapeHtml(column)}">`;
  };
};

const addCode = ({ renderer, utils: { escapeHtml } }: Renderer): void => {
  renderer.rules['fence'] = (tokens, index) =>
    codeBlockHtml({
      code: contentOf(tokens[index]),
      tag: tokens[index]?.info ?? '',
      heading: headingAbove(tokens, index),
      id: `code-${tokens.slice(0, index).filter(({ type }) => type === 'fence').length + 1}`,
      escapeHtml,
    });
};

const createRenderer = (): Renderer => {
  const markdownIt = new MarkdownIt();
  // All URLs come from the project, and the placeholder in them must stay unencoded.
  markdownIt.normalizeLink = (url) => url;
  addHeadings(markdownIt);
  addTables(markdownIt);
  addCode(markdownIt);
  return markdownIt;
};

const markdownIt = createRenderer();

/** The tokens of a page, for other forms of it. */
export const parseMarkdown = (markdown: string): readonly Token[] => markdownIt.parse(markdown, {});

/** @returns the content of the page body */
export const markdownToHtml = (markdown: string): Html => trustedHtml(markdownIt.render(markdown));
