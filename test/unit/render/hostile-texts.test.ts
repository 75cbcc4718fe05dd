// Judges hostile texts in every form with two parsers each. `npm run measure -- hostile-texts` judges 100,000.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileFragments, hostileText } from '../../generators/hostile-text.ts';
import { readRuns } from '../../generators/seed.ts';
import { cases, sampleOf } from '../../support/full-form.ts';
import { type Form, forms, judgeDocument, judgeForm, TEXTS_OF_A_GROUP } from '../../support/judge-texts.ts';

const groups = fc.array(hostileText, { minLength: TEXTS_OF_A_GROUP, maxLength: TEXTS_OF_A_GROUP });

test.each(forms.map((form) => [form.name, form] as const))(
  '[text 1] [text 2] [text 3] [text 4] [text 5] [text 8] [text 9] [text 10] [lists 9] two parsers find hostile texts unchanged and no forged structure: %s',
  (_, form) => {
    expect(judgeForm(form, sampleOf(hostileFragments)).findings).toEqual([]);
    fc.assert(
      fc.property(groups, (texts) => {
        const { findings, shown } = judgeForm(form, texts);
        expect(findings).toEqual([]);
        expect(shown).toBe(texts.length);
      }),
      { numRuns: readRuns(cases(100, 1000) / TEXTS_OF_A_GROUP) },
    );
  },
);

const unescapeXml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test.each(forms.map((form) => [form.name, form] as const))(
  'both parsers find the forgery of a renderer that escapes nothing: %s',
  (_, form) => {
    const texts = ['<b>forged</b> *forged* [x](https://evil.example)', '# forged', '"><script>x</script>'];
    const render: Form['render'] = (...args) => unescapeXml(form.render(...args)).replaceAll(/\\([^\w\s"])/g, '$1');
    const { findings } = judgeDocument({ ...form, render }, texts);
    expect(findings.map(({ reader }) => reader)).toEqual(Object.keys(form.readers));
  },
);
