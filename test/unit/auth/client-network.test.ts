import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientNetwork } from '../../../shared/auth/client-network.ts';
import { ipAddresses } from '../../generators/addresses.ts';
import { readRuns } from '../../generators/seed.ts';

const numRuns = readRuns(2000);

describe('[allowances 4] clientNetwork', () => {
  test.each([
    ['::ffff:1:2', '4:0.1.0.2'],
    ['[::ffff:198.51.100.7]:80', '4:198.51.100.7'],
    ['[2001:db8:1:2::9]', '6:2001:db8:1:2'],
    ['1:2:3:4:5:6:7::', '6:1:2:3:4'],
    ['::2:3:4:5:6:7:8', '6:0:2:3:4'],
    ['[fe80::1%25eth0]:443', '6:fe80:0:0:0'],
    ['::', '6:0:0:0:0'],
    ['::192.0.2.1', '6:0:0:0:0'],
  ])('%s is %s', (address, caller) => {
    expect(clientNetwork(address)).toBe(caller);
  });

  test('returns the network from which each spelling of an IP address was built', () => {
    fc.assert(
      fc.property(ipAddresses, ({ text, network }) => {
        expect([text, clientNetwork(text)]).toEqual([text, network]);
      }),
      { numRuns },
    );
  });

  test('returns a network for every text', () => {
    const part = fc.constantFrom(
      ...['198.51.100.7', ':', '::', 'ffff', '[', ']', '%', '.', '443', ' ', 'x', '0', '\0'],
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(clientNetwork(parts.join(''))).toMatch(/^(?:4:\d+\.\d+\.\d+\.\d+|6(?::[0-9a-f]{1,4}){4}|unknown)$/);
      }),
      { numRuns },
    );
  });
});
