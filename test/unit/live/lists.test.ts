import { describe, expect, test } from 'vitest';
import { liveLists } from '../../../shared/live/lists.ts';

const position = { provider: 'fxtwitter', size: 20, begun: false, barren: 0, seen: [] };
const list = ['followers', 'jack'];
const quiet = (CURSOR_SECRETS: string) => liveLists({ CURSOR_SECRETS }, () => undefined).cursors;

describe('CURSOR_SECRETS', () => {
  test.each(['', ',', ' , '])('"%s" stops the start: every instance must open what another one sealed', (value) => {
    expect(() => quiet(value)).toThrow(/^CURSOR_SECRETS must be a secret, or several separated by commas$/);
  });

  test('of several, the first one seals and all of them open', () => {
    const both = quiet('new, old');
    expect(both.open(list, quiet('old').seal(list, position))).toEqual(position);
    expect(quiet('new').open(list, both.seal(list, position))).toEqual(position);
    expect(quiet('old').open(list, both.seal(list, position))).toBeUndefined();
  });
});
