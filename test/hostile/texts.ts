// Runs `npm run hostile-texts`: renders generated texts in every form, and lets two independent parsers judge each document.
// Prints the figures, and exits with 1 if a text forged structure or was changed.
//
//   --texts 100000  the number of texts
//   --only 12       judges one group of texts again; the seed is FUZZ_SEED
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { hostileText } from '../generators/hostile-text.ts';
import { casesOf, readSeed } from '../generators/seed.ts';
import { environmentWith, writeMeasurement } from '../tools/write-measurement.ts';
import { forms, judgeForm, TEXTS_OF_A_GROUP } from './judge-texts.ts';

const { values } = parseArgs({ options: { texts: { type: 'string', default: '100000' }, only: { type: 'string' } } });

const MAX_PRINTED = 10;
const REPORT_EVERY = 10_000;

const seed = readSeed();
const groupOf = casesOf(fc.array(hostileText, { minLength: TEXTS_OF_A_GROUP, maxLength: TEXTS_OF_A_GROUP }), seed);
const found = new Map<string, number>();

const judgeGroup = (number: number): void => {
  const texts = groupOf(number);
  for (const form of forms)
    for (const { form: name, reader, difference } of judgeForm(form, texts)) {
      found.set(name, (found.get(name) ?? 0) + 1);
      if (found.values().reduce((sum, count) => sum + count, 0) > MAX_PRINTED) continue;
      console.log(`FUZZ_SEED=${seed} npm run hostile-texts -- --only ${number}\n  ${name}, ${reader}: ${difference}`);
    }
};

if (values.only !== undefined) judgeGroup(Number(values.only));
else {
  const groups = Math.ceil(Number(values.texts) / TEXTS_OF_A_GROUP);
  for (let number = 0; number < groups; number += 1) {
    judgeGroup(number);
    const done = (number + 1) * TEXTS_OF_A_GROUP;
    if (done % REPORT_EVERY < TEXTS_OF_A_GROUP) console.log(`${done} texts, forms with findings: ${found.size}`);
  }
  const texts = groups * TEXTS_OF_A_GROUP;
  const forged = found.values().reduce((sum, count) => sum + count, 0);
  writeMeasurement('hostile-texts', {
    command: `npm run hostile-texts -- --texts ${values.texts}`,
    environment: environmentWith(`seed ${seed}`),
    bars: [
      {
        name: 'Hostile texts: texts in each form',
        value: texts,
        unit: 'count',
        bar: Number(values.texts),
        direction: 'atLeast',
      },
      { name: 'Hostile texts: documents with forged structure or changed text', value: forged, unit: 'count', bar: 0 },
    ],
    tables: [
      {
        columns: ['Form', 'Documents', 'Parsers', 'Findings'],
        rows: forms.map(({ name, readers }) => [
          name,
          String(groups),
          Object.keys(readers).join(', '),
          String(found.get(name) ?? 0),
        ]),
      },
    ],
  });
  console.log(
    `${texts} texts in ${forms.length} forms, FUZZ_SEED=${seed}: ${forged} documents with forged structure or changed text`,
  );
}
if (found.size > 0) process.exitCode = 1;
