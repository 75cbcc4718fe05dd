import { describe, expect, test } from 'vitest';
import { listsFromEnvironment } from '../../../shared/composition/lists.ts';

const position = { provider: 'fxtwitter', size: 20, isPartial: false, emptyPages: 0, recentFingerprints: [] };
const list = ['followers', 'jack'];
const quiet = (CURSOR_SECRETS: string) => listsFromEnvironment({ CURSOR_SECRETS }, () => undefined).cursors;

describe('CURSOR_SECRETS', () => {
  test.each(['', ',', ' , '])(
    'CURSOR_SECRETS "%s" stops the start, because all instances must share a secret',
    (value) => {
      expect(() => quiet(value)).toThrow(/^CURSOR_SECRETS must be a secret, or several separated by commas$/);
    },
  );

  test('the first of several CURSOR_SECRETS signs, and cursors of all secrets are accepted', () => {
    const both = quiet('new, old');
    expect(both.decode(list, quiet('old').encode(list, position))).toEqual(position);
    expect(quiet('new').decode(list, both.encode(list, position))).toEqual(position);
    expect(quiet('old').decode(list, both.encode(list, position))).toBeUndefined();
  });
});
