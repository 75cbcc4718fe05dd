// Names the files of posts. Third parties wrote the words, so a name must be safe on every file system.
import type { Post } from '../../model/post.ts';
import { byteLength } from './format.ts';
import { noteTitle } from './post-title.ts';

/** A name with its extension, safe on every file system. */
export interface FileName {
  readonly name: string;
  /** The same for clients that read only ASCII. */
  readonly ascii: string;
}

const EXTENSION = '.md';

/** File systems allow 255 bytes. */
const MAX_NAME_BYTES = 180;

/** Characters with a meaning in paths, in Windows, in links of Obsidian, or in header fields. */
const UNSAFE = /[\\/:*?"<>|#^[\]%`$\u0000-\u001f\u007f-\u009f]+/g;
/** A file whose name starts with a dot is hidden. A name that starts with a hyphen can pass for an option. */
const START = /^[\s.~-]+/;
/** Windows drops dots and spaces at the end. */
const END = /[\s.]$/;
/** Windows reserves these names, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

const withoutEnd = (name: string): string => {
  let end = name.length;
  while (END.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
};

/** Whole characters only. */
const bounded = (name: string): string => {
  let kept = '';
  let bytes = 0;
  for (const character of name) {
    bytes += byteLength(character);
    if (bytes > MAX_NAME_BYTES) break;
    kept += character;
  }
  return kept;
};

const safeName = (title: string): string => {
  const name = withoutEnd(
    bounded(title.replace(/: /g, ' - ').replace(UNSAFE, ' ').replace(/\s+/g, ' ').replace(START, '')),
  );
  return RESERVED.test(name) ? `_${name}` : name;
};

const NOT_ASCII = /[^\u0020-\u007e]/g;
const LETTER_NOT_ASCII = /(?=[\p{L}\p{N}])[^\u0020-\u007e]/u;

/** Drops accents and symbols. @returns an empty string if letters would be lost */
const asciiName = (name: string): string => {
  const folded = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-');
  return LETTER_NOT_ASCII.test(folded) ? '' : safeName(folded.replace(NOT_ASCII, ' ')).replace(/ (?=[,;.!])/g, '');
};

/** The title of a post as the name of a Markdown file. */
export const noteFileName = (post: Post): FileName => {
  const plain = `${post.author?.handle ?? 'post'}-${post.id}`;
  const name = safeName(noteTitle(post)) || plain;
  return { name: name + EXTENSION, ascii: (asciiName(name) || plain) + EXTENSION };
};
