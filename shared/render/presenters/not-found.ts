// Presents "no such route" to people and to agents that read Markdown. Programs get the problem document.
import { escapeHtml } from '../html/escape.ts';
import { htmlPage } from '../html/page.ts';

export interface DirectoryEntry {
  readonly href: string;
  readonly rel: string;
  readonly title: string;
}

export interface NotFoundPage {
  readonly title: string;
  readonly resolution: string;
  readonly links: readonly DirectoryEntry[];
}

/** The relation of documents for people (RFC 8631). */
const FOR_PEOPLE = 'service-doc';

export const presentNotFound = ({
  title,
  resolution,
  links,
}: NotFoundPage): { readonly html: string; readonly markdown: string } => {
  const forPeople = links.toSorted((a, b) => Number(b.rel === FOR_PEOPLE) - Number(a.rel === FOR_PEOPLE));
  const rows = forPeople.map(
    ({ href, title: label }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></li>`,
  );
  return {
    html: htmlPage({
      title,
      main: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(resolution)}</p>\n<ul>\n${rows.join('\n')}\n</ul>`,
    }),
    markdown: `# ${title}\n\n${resolution}\n\n${links.map(({ href, title: label }) => `- [${label}](${href})`).join('\n')}\n`,
  };
};
