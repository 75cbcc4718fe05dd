// Shows one post in its three formats, each with a curl command that repeats the request.
import { element, find, requirePart, setText } from '../../page/dom.ts';
import type { PostAnswer } from './api.ts';

const fill = (id: string, text: string): void => {
  find(`#${id}`, HTMLElement).textContent = text;
};

/** The sandboxed frame runs no script and inherits the Content-Security-Policy of this page. Links open a new tab. */
const frameOf = (html: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><base target="_blank"><link rel="stylesheet" href="${location.origin}/assets/style.css"><body class="embed">${html}`;

const titleOf = ({ author }: PostAnswer['post']): string =>
  author === undefined ? 'Post' : `${author.name} (@${author.handle})`;

const curl = (target: string): string => `curl '${location.origin}${target.replaceAll("'", '%27')}'`;

const warningList = (warnings: PostAnswer['warnings']): readonly Node[] =>
  warnings.map(({ message }) => element('li', message));

/** @returns the title of the post */
export const showPost = (answer: PostAnswer): string => {
  const { post, markdown, source, warnings } = answer;
  const title = titleOf(post);
  const { pathname } = new URL(post.url);
  setText('title', title);
  setText('source', `Answered by ${source}`);
  requirePart('warnings').replaceChildren(...warningList(warnings));
  fill('markdown', markdown);
  fill('markdown-curl', curl(pathname));
  fill('json', JSON.stringify(answer, null, 2));
  fill('json-curl', curl(`${pathname}?format=json`));
  fill('html-curl', curl(`/api/v1/oembed?url=${post.url}`));
  showEmbed('');
  requirePart('result').hidden = false;
  return title;
};

/** @param html the embed data of the post, from this service */
export const showEmbed = (html: string): void => {
  fill('html', html);
  find('iframe', HTMLIFrameElement).srcdoc = frameOf(html);
};
