// Reads list files as people and other programs write them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkListFile, listLines } from '../../../client/commands/list-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LINK = 'https://x.com/ada/status/21';

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const fileOf = (content: string | Buffer): string => {
  const file = join(temporaryFolder(), 'list');
  writeFileSync(file, content);
  return file;
};

const linesOf = async (content: string | Buffer): Promise<readonly string[]> => {
  const file = fileOf(content);
  await checkListFile(file);
  return (await Array.fromAsync(listLines(file))).map(({ text }) => text);
};

const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with its mark': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-16 of PowerShell': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16, the large byte first': (text) => bigEndian(`\ufeff${text}`),
};

for (const [encoding, encode] of Object.entries(encodings))
  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const)
    test(`[commands 10] a list in ${encoding} with ${name} has its lines without comments and empty lines`, async () => {
      const lines = ['# mes favoris ✂ 🦅', '', LINK, '  ', '  # more', '22', '{"id":"23","text":"Ü 🦅 #24"}'];
      const expected = [LINK, '22', '{"id":"23","text":"Ü 🦅 #24"}'];
      expect(await linesOf(encode(lines.join(end)))).toEqual(expected);
      expect(await linesOf(encode(`${lines.join(end)}${end}`))).toEqual(expected);
    });

test('[commands 10] a list longer than what is read at once has every line, at every place of a character', async () => {
  for (let shift = 0; shift < 4; shift += 1) {
    const lines = Array.from({ length: 9000 }, (_, index) => `${'a'.repeat(shift)}Ü🦅${index}`);
    for (const encode of Object.values(encodings)) expect(await linesOf(encode(lines.join('\n')))).toEqual(lines);
  }
});

test.each([
  ['UTF-16 without its mark', Buffer.from(LINK, 'utf16le')],
  ['UTF-16 without its mark, the large byte first', bigEndian(LINK)],
  ['Latin-1', Buffer.from(`# gr\u00fc\u00dfe\n${LINK}\n`, 'latin1')],
  ['a picture', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(50, 0xff)])],
  ['half of a character of UTF-16', Buffer.from(`\ufeff${LINK}a`, 'utf16le').subarray(0, -1)],
  [
    'a list that ends in other bytes',
    Buffer.concat([Buffer.from(`${LINK}\n`.repeat(9000)), Buffer.from([0xfc, 0x0a])]),
  ],
])('[commands 10] %s is refused in one sentence', async (_, content) => {
  const file = fileOf(content);
  await expect(checkListFile(file)).rejects.toThrow(
    `${file} is no text in UTF-8, nor in UTF-16 with its byte order mark. Save it as UTF-8.`,
  );
});

test('[commands 10] an export that was broken off at any byte keeps its whole lines', async () => {
  const whole = Buffer.from('{"id":"21","text":"Ü 🦅"}\n{"id":"22","text":"Ü 🦅"}\n');
  for (let bytes = 0; bytes <= whole.length; bytes += 1) {
    const complete = whole.subarray(0, bytes).filter((byte) => byte === 0x0a).length;
    expect((await linesOf(whole.subarray(0, bytes))).slice(0, complete)).toHaveLength(complete);
  }
});

test('[commands 10] a file that is not there is refused in one sentence', async () => {
  const file = join(temporaryFolder(), 'none');
  await expect(checkListFile(file)).rejects.toThrow(/^\S+ cannot be read: ENOENT: /);
  expect(() => readFileSync(file)).toThrow();
});
