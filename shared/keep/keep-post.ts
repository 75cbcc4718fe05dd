// Makes the files of a post that readers keep: a book, a page in one file, a citation. Functions load this module on demand,
// because few requests want a file.
import { MAX_KEPT_BYTES } from '../contract/bounds.ts';
import type { KeptForm } from '../contract/media-types.ts';
import { ownThread } from '../model/conversation.ts';
import { isLanguageTag } from '../model/languages.ts';
import type { ProxyPath } from '../model/picture-hosts.ts';
import type { Post } from '../model/post.ts';
import type { Conversation } from '../model/resources.ts';
import type { PicturePorts } from '../ports/pictures.ts';
import type { UseCaseResult } from '../ports/upstream.ts';
import { nameAndHandle } from '../render/content/labels.ts';
import { mediumPicture } from '../render/content/media-files.ts';
import { citedTitle, type FileName, postFileName } from '../render/content/post-title.ts';
import type { Html } from '../render/html/html.ts';
import type { ViewContext } from '../render/presenters/view.ts';
import { bookOf, sensitivePictures } from './book.ts';
import { bookPictures, writeEpub } from './epub.ts';
import { pagePictures, writeSingleFile } from './markup.ts';
import { NO_PICTURES, type PictureBounds, readPictures } from './pictures.ts';

/** A file of a post. */
export interface KeptFile {
  /** Text, or bytes in base64. */
  readonly body: string;
  readonly isBase64Encoded: boolean;
  readonly fileName: FileName;
  /** A later answer may have pictures that this one lacks. */
  readonly isIncomplete: boolean;
}

export interface KeepRequest<T> extends Pick<PictureBounds, 'admit'> {
  readonly form: KeptForm;
  /** Renders the result, or less of it, so that the response fits. */
  fitted<R>(render: (shown: UseCaseResult<T>) => R, bytesOf: (rendered: R) => number): R;
  /** @returns a complete page */
  page(shown: UseCaseResult<T>): Html;
  readonly urls: Pick<ViewContext, 'baseUrl' | 'isAlone' | 'reading'>;
  readonly proxyPath: ProxyPath | undefined;
}

const BASE64_BYTES = 3;
const BASE64_CHARACTERS = 4;
const base64Length = (bytes: number): number => Math.ceil(bytes / BASE64_BYTES) * BASE64_CHARACTERS;

/** A picture adds this to an archive besides its bytes: headers, its place in the manifest and its element. */
const ENTRY_BYTES = 500;
/** `data:image/jpeg;base64,` */
const DATA_URL_BYTES = 23;

/** @param request.signal ends the reading of pictures: the others are links */
type Keep = (request: KeepRequest<Conversation> & PicturePorts & Pick<PictureBounds, 'signal'>) => Promise<KeptFile>;

const keepEpub: Keep = async ({ fitted, urls, proxyPath, readPicture, ...bounds }) => {
  const options = { links: urls, proxyPath };
  const draft = fitted(
    (shown) => {
      const book = bookOf(shown.value, shown.warnings, urls.reading);
      return { shown, book, bytes: writeEpub(book, { ...options, pictures: NO_PICTURES }) };
    },
    ({ bytes }) => base64Length(bytes.length),
  );
  const { shown, book } = draft;
  const hidden = new Set([...sensitivePictures(shown.value)].map((url) => mediumPicture(url)?.url));
  const pictures = await readPictures(
    [...bookPictures(book, options)].filter((url) => !hidden.has(url)),
    readPicture,
    { ...bounds, maxBytes: MAX_KEPT_BYTES - draft.bytes.length, sizeOf: (_, bytes) => bytes + ENTRY_BYTES },
  );
  return {
    body: writeEpub(book, { ...options, pictures }).toString('base64'),
    isBase64Encoded: true,
    fileName: postFileName(ownThread(shown.value).first, '.epub'),
    isIncomplete: pictures.hasFailed,
  };
};

const keepHtml: Keep = async ({ fitted, page: pageOf, urls, proxyPath, readPicture, ...bounds }) => {
  const options = { links: urls, proxyPath };
  const draft = fitted(
    (shown) => {
      const page = pageOf(shown);
      return { shown, page, body: String(writeSingleFile(page, { ...options, pictures: NO_PICTURES })) };
    },
    ({ body }) => Buffer.byteLength(JSON.stringify(body)),
  );
  const counts = pagePictures(draft.page, options);
  const pictures = await readPictures(counts.keys(), readPicture, {
    ...bounds,
    maxBytes: MAX_KEPT_BYTES - Buffer.byteLength(draft.body),
    sizeOf: (url, bytes) => (counts.get(url) ?? 1) * (DATA_URL_BYTES + base64Length(bytes)),
  });
  return {
    body: String(writeSingleFile(draft.page, { ...options, pictures })),
    isBase64Encoded: false,
    fileName: postFileName(ownThread(draft.shown.value).first, '.html'),
    isIncomplete: pictures.hasFailed,
  };
};

// Cites a post as CSL-JSON (Citation Style Language 1.0.2).

const dateParts = (instant: string): readonly number[] => instant.slice(0, 10).split('-').map(Number);

/** @returns one item, in the list that readers of CSL-JSON want */
const cslOf = (post: Post): readonly object[] => {
  const { id, url, author, created_at: created, lang } = post;
  return [
    {
      id: `x-${id}`,
      type: post.article === undefined ? 'post' : 'post-weblog',
      title: citedTitle(post) || `Post ${id}`,
      ...(author && { author: [{ literal: nameAndHandle(author) }] }),
      ...(created && { issued: { 'date-parts': [dateParts(created)] } }),
      'container-title': 'X',
      URL: url,
      ...(lang !== undefined && isLanguageTag(lang) && { language: lang }),
      number: id,
    },
  ];
};

const keepCsl: Keep = async ({ fitted }) => {
  const post = fitted(
    ({ value }) => value.post,
    () => 0,
  );
  return {
    body: `${JSON.stringify(cslOf(post))}\n`,
    isBase64Encoded: false,
    fileName: postFileName(post, '.json'),
    isIncomplete: false,
  };
};

const writers: Readonly<Record<KeptForm, Keep>> = { epub: keepEpub, html: keepHtml, csl: keepCsl };

export const keepPost: Keep = (request) => writers[request.form](request);
