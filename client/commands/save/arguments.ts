// Parses the arguments of `npm run save`.
import { commandLine } from '../../../infra/command/command-line.ts';
import { CommandError } from '../../../infra/command/output.ts';
import { parseId } from '../../../shared/model/handle.ts';
import { parseBoxArgument } from '../box-argument.ts';
import { parseOptions } from '../options.ts';

/** Written beside the note, by the values of `format`. */
export const EXTRA_FORMATS = ['epub', 'json', 'html'] as const;
export type ExtraFormat = (typeof EXTRA_FORMATS)[number];

export const USAGE = `usage: ${commandLine('save', 'URL… --out DIR [--thread] [--format FORMAT]… [--from FILE]')}
Saves each post or article as a note, HANDLE-ID.md in DIR: Markdown with front matter, pictures and videos in DIR/media.
  URL              the link or the id of a post
  --from FILE      the links of an export, or a link a line; lines that begin with # are left out
  --thread         the whole thread of a post as one note
  --format FORMAT  also writes ${EXTRA_FORMATS.join(', ')} beside the note
Files in DIR are never replaced: the same command continues where it was broken off, and tries again what failed.
What fails is named, and the rest is saved. Exit code 1: something failed.`;

export interface SaveArguments {
  readonly ids: readonly string[];
  /** A file with more of them. */
  readonly from: string | undefined;
  readonly out: string;
  readonly isThread: boolean;
  readonly formats: readonly ExtraFormat[];
}

/** @param origin of the service, whose links are also read @throws CommandError if the text names no post */
export const idOfPost = (text: string, origin?: string): string => {
  const id = parseId(text);
  if (id !== undefined) return id;
  const meaning = parseBoxArgument(text, origin);
  if (meaning.kind === 'post') return meaning.ref.id;
  throw new CommandError(`${text} is no post. For the posts of an account, run export, and pass its file with --from.`);
};

const isExtraFormat = (text: string): text is ExtraFormat => EXTRA_FORMATS.some((format) => format === text);

/** @returns undefined if the arguments are not as in USAGE @throws CommandError if the value of an argument is wrong */
export const parseSaveArguments = (args: readonly string[], origin?: string): SaveArguments | undefined => {
  const options = {
    out: { type: 'string' },
    from: { type: 'string' },
    thread: { type: 'boolean', default: false },
    format: { type: 'string', multiple: true },
  } as const;
  const parsed = parseOptions({ args: [...args], options, allowPositionals: true });
  if (parsed === undefined) return undefined;
  const { out, from, thread: isThread, format = [] } = parsed.values;
  const formats = format.filter(isExtraFormat);
  const isComplete = out && (parsed.positionals.length > 0 || from) && formats.length === format.length;
  if (!isComplete) return undefined;
  return { ids: parsed.positionals.map((text) => idOfPost(text, origin)), from, out, isThread, formats };
};
