// Runs `npm run measure -- hostile-texts`: renders generated texts in every form, and lets two independent parsers judge each
// document. Prints the figures, and exits with 1 if a text forged structure or was changed.
//
//   --texts 100000  the number of texts
//   --only 12       judges one group of texts again; the seed is FUZZ_SEED
//   --answers       measures instead what the largest provider answers cost in each form, in processes of their own
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { hostileText } from '../../test/generators/hostile-text.ts';
import { casesOf, readSeed } from '../../test/generators/seed.ts';
import { forms, judgeForm, TEXTS_OF_A_GROUP } from '../../test/support/judge-texts.ts';
import { environmentWith, noneOf, publishMeasurement } from '../write-measurement.ts';
import { publishAnswers } from './answers.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '100000' },
    only: { type: 'string' },
    answers: { type: 'boolean', default: false },
  },
});

const MAX_PRINTED = 10;
const REPORT_EVERY = 10_000;

const seed = readSeed();
const groupOf = casesOf(fc.array(hostileText, { minLength: TEXTS_OF_A_GROUP, maxLength: TEXTS_OF_A_GROUP }), seed);
const tallies = forms.map((form) => ({ form, documents: 0, shown: 0, divided: 0, findings: 0 }));
const countFindings = (): number => tallies.reduce((sum, { findings }) => sum + findings, 0);

const judgeGroup = (number: number): void => {
  const texts = groupOf(number);
  for (const tally of tallies) {
    const { findings, documents, shown, divided } = judgeForm(tally.form, texts);
    tally.documents += documents;
    tally.shown += shown;
    tally.divided += divided;
    for (const { form, reader, difference } of findings) {
      tally.findings += 1;
      if (countFindings() > MAX_PRINTED) continue;
      console.log(
        `FUZZ_SEED=${seed} npm run measure -- hostile-texts --only ${number}\n  ${form}, ${reader}: ${difference}`,
      );
    }
  }
};

if (values.answers) await publishAnswers();
else if (values.only !== undefined) judgeGroup(Number(values.only));
else {
  const groups = Math.ceil(Number(values.texts) / TEXTS_OF_A_GROUP);
  for (let number = 0; number < groups; number += 1) {
    judgeGroup(number);
    const done = (number + 1) * TEXTS_OF_A_GROUP;
    if (done % REPORT_EVERY < TEXTS_OF_A_GROUP) console.log(`${done} texts, findings: ${countFindings()}`);
  }
  publishMeasurement('hostile-texts', {
    command: `npm run measure -- hostile-texts --texts ${values.texts}`,
    environment: environmentWith(`seed ${seed}`),
    bars: [
      {
        name: 'Hostile texts: texts in each form',
        value: Math.min(...tallies.map(({ shown }) => shown)),
        unit: 'count',
        bar: Number(values.texts),
        direction: 'atLeast',
      },
      noneOf('Hostile texts: documents with forged structure or changed text', countFindings()),
    ],
    tables: [
      {
        columns: [
          'Form',
          'Documents',
          'Texts shown',
          'Shown in parts, because the form cuts long texts',
          'Parsers',
          'Findings',
        ],
        rows: tallies.map(({ form, documents, shown, divided, findings }) => [
          form.name,
          String(documents),
          String(shown),
          String(divided),
          Object.keys(form.readers).join(', '),
          String(findings),
        ]),
      },
    ],
  });
}
if (countFindings() > 0) process.exitCode = 1;
