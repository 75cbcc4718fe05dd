// Renders the frame of every HTML page: no script, one inline style, light and dark, readable on a phone.
import { visibleText } from '../../model/visible-text.ts';

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export const escapeHtml = (text: string): string =>
  visibleText(text).replace(/[&<>"']/g, (character) => entities.get(character) ?? '');

const style =
  ':root{color-scheme:light dark;background:light-dark(#fcfcfa,#101513);color:light-dark(#17201c,#e5eae7)}a{color:light-dark(#0f5f4e,#7fd3b4)}' +
  'header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;padding-bottom:.75rem;border-bottom:1px solid #8886}.home{font-weight:650;text-decoration:none}' +
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:48rem;margin:0 auto;padding:1rem 1rem 4rem;overflow-wrap:anywhere}' +
  'nav a{margin-right:1rem}header nav a{margin:0 0 0 1rem}h1,h2{line-height:1.25}h2{margin-top:2rem}pre{overflow-x:auto;padding:.75rem;border:1px solid #8886;border-radius:.4rem}' +
  'code{font-size:.925em}table{border-collapse:collapse;display:block;overflow-x:auto}th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #8886;overflow-wrap:normal}' +
  'img{max-width:100%;height:auto;border-radius:.5rem}article{margin:0 0 2rem}.text{white-space:pre-wrap}blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid}footer,.by{opacity:.8}.by img{width:3rem;margin-right:.75rem;vertical-align:middle}' +
  'a:focus-visible{outline:2px solid;outline-offset:2px}';

export interface Page {
  /** Plain text. */
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** HTML of additional elements of the head. */
  readonly head?: string;
  /** HTML of links beside the link to the front page. */
  readonly links?: string;
  readonly lang?: string;
}

export const htmlPage = ({ title, body, head = '', links = '', lang = 'en' }: Page): string => `<!doctype html>
<html lang="${escapeHtml(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}<style>${style}</style>
</head>
<body>
<header lang="en"><a class="home" href="/">Postern</a>${links === '' ? '' : `<nav aria-label="Other forms">${links}</nav>`}</header>
${body}
</body>
</html>
`;
