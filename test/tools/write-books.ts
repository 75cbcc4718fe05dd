// Writes books into a folder, for checkers that others wrote: FOLDER [HOSTILE], with this many books of hostile posts besides
// the recorded ones.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSeed } from '../generators/seed.ts';
import { hostileBook, keep, recordedBooks, richBooks } from '../support/kept-books.ts';

const [folder = 'books', hostile = '100'] = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const bookAt = hostileBook(readSeed());
const conversations = [
  ...(await recordedBooks()),
  ...richBooks,
  ...Array.from({ length: Number(hostile) }, (_, number) => bookAt(number)),
];
for (const [index, [name, conversation]] of conversations.entries()) {
  const { body } = await keep(conversation);
  const file = `${String(index + 1).padStart(5, '0')}-${name.replace(/[^a-z0-9]+/gi, '-')}.epub`;
  writeFileSync(join(folder, file), Buffer.from(body, 'base64'));
}
console.log(`${conversations.length} books`);
