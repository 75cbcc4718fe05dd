// Tests the loader of bundles: what a bundle sees, and the compiled code that is kept beside it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadBundle } from '../../infra/local/load-bundle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SOURCE = `
  exports.answer = () => process.env.ANSWER;
  exports.fails = () => { throw new Error('here'); };
  exports.place = [__dirname, __filename];
  exports.path = require('node:path').basename(__filename);`;

const bundle = (source = SOURCE): string => {
  const file = join(temporaryFolder(), 'index.cjs');
  writeFileSync(file, source);
  return file;
};

const load = (file: string, answer = '42') => loadBundle(file, { env: { ANSWER: answer } });

const call = (exported: object, name: string): unknown => Reflect.apply(Reflect.get(exported, name), undefined, []);

test('a bundle sees its own process, its path, and the modules of Node', () => {
  const file = bundle();
  const exported = load(file);
  expect(call(exported, 'answer')).toBe('42');
  expect(exported).toMatchObject({ place: [join(file, '..'), file], path: 'index.cjs' });
});

test('two loads of a bundle share nothing', () => {
  const file = bundle();
  const [one, other] = [load(file, 'one'), load(file, 'other')];
  expect([call(one, 'answer'), call(other, 'answer')]).toEqual(['one', 'other']);
});

test('the compiled code is kept beside the bundle, and the next load gives the same', () => {
  const file = bundle();
  load(file);
  const kept = readFileSync(`${file}.compiled`);
  expect(call(load(file), 'answer')).toBe('42');
  expect(readFileSync(`${file}.compiled`).equals(kept)).toBe(true);
});

test('compiled code that V8 does not accept is ignored and replaced', () => {
  const file = bundle();
  writeFileSync(`${file}.compiled`, 'of another version');
  expect(call(load(file), 'answer')).toBe('42');
  expect(readFileSync(`${file}.compiled`, 'latin1')).not.toContain('of another version');
  expect(readdirSync(dirname(file)).toSorted()).toEqual(['index.cjs', 'index.cjs.compiled']);
});

test('a bundle that throws leaves no compiled code', () => {
  const file = bundle('throw new Error("invalid setting");');
  expect(() => load(file)).toThrow('invalid setting');
  expect(existsSync(`${file}.compiled`)).toBe(false);
});

test('an error names the line of the bundle, also from kept code', () => {
  const file = bundle();
  for (let loads = 0; loads < 2; loads += 1) {
    const exported = load(file);
    const thrown = (): void => void call(exported, 'fails');
    expect(thrown).toThrow(expect.objectContaining({ stack: expect.stringContaining('index.cjs:3:') }));
  }
});
