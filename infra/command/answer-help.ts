// Answers `--help` of the npm commands.
import { readFileSync } from 'node:fs';

/** The head comment of the program, which says what it does and lists its options. */
const headComment = (): string =>
  readFileSync(process.argv[1] ?? '', 'utf8')
    .split(/^(?!\/\/)/m, 1)
    .join('')
    .replace(/^\/\/ ?/gm, '')
    .replaceAll('`', '')
    .trimEnd();

/** Prints the usage and ends the program if `--help` is among its arguments. It is called before anything else is done. */
export const answerHelp = (usage: string = headComment()): void => {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  console.log(usage);
  process.exit(0);
};
