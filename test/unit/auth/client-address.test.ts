import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientNetwork } from '../../../shared/auth/client-network.ts';

describe('[allowances 4] clientNetwork', () => {
  test.each([
    ['198.51.100.7', '4:198.51.100.7'],
    ['198.51.100.7:443', '4:198.51.100.7'],
    [' 198.51.100.7 ', '4:198.51.100.7'],
    ['0.0.0.0', '4:0.0.0.0'],
    ['255.255.255.255:65535', '4:255.255.255.255'],
    ['::ffff:198.51.100.7', '4:198.51.100.7'],
    ['::FFFF:198.51.100.7', '4:198.51.100.7'],
    ['::ffff:c633:6407', '4:198.51.100.7'],
    ['::ffff:1:2', '4:0.1.0.2'],
    ['0:0:0:0:0:ffff:c633:6407', '4:198.51.100.7'],
    ['[::ffff:198.51.100.7]', '4:198.51.100.7'],
    ['[::ffff:198.51.100.7]:80', '4:198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '6:2001:db8:1:2'],
    ['2001:DB8:1:2::', '6:2001:db8:1:2'],
    ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '6:2001:db8:1:2'],
    ['[2001:db8:1:2::9]', '6:2001:db8:1:2'],
    ['[2001:db8:1:2::9]:443', '6:2001:db8:1:2'],
    ['2001:db8::1', '6:2001:db8:0:0'],
    ['2001:db8::', '6:2001:db8:0:0'],
    ['1::5:6:7:8', '6:1:0:0:0'],
    ['1:2:3:4:5:6:7::', '6:1:2:3:4'],
    ['::2:3:4:5:6:7:8', '6:0:2:3:4'],
    ['fe80::1%eth0', '6:fe80:0:0:0'],
    ['[fe80::1%25eth0]:443', '6:fe80:0:0:0'],
    ['::1', '6:0:0:0:0'],
    ['::', '6:0:0:0:0'],
    ['::192.0.2.1', '6:0:0:0:0'],
  ])('%s is %s', (address, caller) => {
    expect(clientNetwork(address)).toBe(caller);
  });

  const hextet = fc.nat(0xffff);
  const groups = fc.array(hextet, { minLength: 8, maxLength: 8 });

  test('returns one network for all addresses of a /64, and another network for another /64', () => {
    fc.assert(
      fc.property(groups, groups, hextet, (mine, other, difference) => {
        fc.pre(mine.slice(0, 4).some((group) => group !== 0) && difference !== 0);
        const text = (parts: readonly number[]) => parts.map((group) => group.toString(16)).join(':');
        const caller = clientNetwork(text(mine));
        expect(clientNetwork(text([...mine.slice(0, 4), ...other.slice(4)]))).toBe(caller);
        const elsewhere = mine.with(3, (mine[3] ?? 0) ^ difference);
        expect(clientNetwork(text(elsewhere))).not.toBe(caller);
      }),
    );
  });

  test('returns one network for every spelling of an address', () => {
    fc.assert(
      fc.property(groups, fc.nat(7), fc.nat(7), fc.boolean(), (address, from, length, isUpper) => {
        const zeroed = address.map((group, index) => (index >= from && index <= from + length ? 0 : group));
        const full = zeroed.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const before = zeroed.slice(0, from).map((group) => group.toString(16));
        const after = zeroed.slice(from + length + 1).map((group) => group.toString(16));
        const short = `${before.join(':')}::${after.join(':')}`;
        const spelled = isUpper ? short.toUpperCase() : short;
        expect(clientNetwork(`[${spelled}]:8080`)).toBe(clientNetwork(full));
      }),
    );
  });

  test('returns a network for every text', () => {
    const fragments = fc.constantFrom(
      '198.51.100.7',
      ':',
      '::',
      'ffff',
      '[',
      ']',
      '%',
      '.',
      '443',
      ' ',
      'x',
      '0',
      '\u0000',
    );
    const hostile = fc.oneof(
      fc.array(fragments).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        expect(clientNetwork(text)).toMatch(/^(?:4:\d+\.\d+\.\d+\.\d+|6(?::[0-9a-f]{1,4}){4}|unknown)$/);
      }),
      { numRuns: 2000 },
    );
  });
});
