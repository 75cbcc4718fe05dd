// "No such route" for people and for agents that read Markdown; programs get the problem document.
import { htmlPage } from './page.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const html = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

interface DirectoryLink {
  readonly href: string;
  readonly title: string;
}

const isLink = (value: unknown): value is DirectoryLink =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  typeof value.href === 'string' &&
  'title' in value &&
  typeof value.title === 'string';

/** @param document the problem document of the same answer */
export const notFoundPage = (
  document: Readonly<Record<string, unknown>>,
): { readonly html: string; readonly markdown: string } => {
  const title = String(document['title']);
  const resolution = String(document['resolution']);
  const links = Array.isArray(document['links']) ? document['links'].filter(isLink) : [];
  const base = /^https?:\/\/[^/]+/.exec(String(document['type']))?.[0] ?? '';
  const rows = links.map(({ href, title: name }) => `<li><a href="${html(href)}">${html(name)}</a></li>`).join('\n');
  return {
    html: htmlPage(
      `${title} · Postern`,
      `<h1>${title}</h1>\n<p>${html(resolution)}</p>\n<ul>\n${rows}\n</ul>\n`,
    ).replaceAll('{base_url}', base),
    markdown: `# ${title}\n\n${resolution}\n\n${links.map(({ href, title: name }) => `- [${name}](${href})`).join('\n')}\n`,
  };
};
