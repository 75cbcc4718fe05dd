import { describe, expect, test } from 'vitest';
import { listsFromEnvironment } from '../../../shared/composition/lists.ts';

const position = { provider: 'fxtwitter', size: 20, isPartial: false, emptyPages: 0, recentFingerprints: [] };
const list = ['followers', 'jack'];
const quiet = (CURSOR_SECRETS: string) => listsFromEnvironment({ CURSOR_SECRETS }, () => undefined).cursors;

describe('CURSOR_SECRETS', () => {
  test.each(['', ',', ' , '])('"%s" stops the start: every instance must open what another one sealed', (value) => {
    expect(() => quiet(value)).toThrow(/^CURSOR_SECRETS must be a secret, or several separated by commas$/);
  });

  test('of several, the first one seals and all of them open', () => {
    const both = quiet('new, old');
    expect(both.decode(list, quiet('old').encode(list, position))).toEqual(position);
    expect(quiet('new').decode(list, both.encode(list, position))).toEqual(position);
    expect(quiet('old').decode(list, both.encode(list, position))).toBeUndefined();
  });
});
