import { describe, expect, test } from 'vitest';
import { asDeployed } from '../../../shared/http/event.ts';
import { event } from '../../support/event.ts';

const TARGET = '/jack/status/20';

/** As the local API of SAM sends it. */
const samEvent = (secretName: string) => {
  const deployed = event(TARGET, { secret: null, headers: { accept: 'text/markdown' } });
  const { accept } = deployed.headers;
  return {
    ...deployed,
    routeKey: deployed.routeKey.replace('ANY', 'GET'),
    headers: { Accept: accept, [secretName]: 'local' },
  };
};

test.each(['X-Origin-Secret', 'X-ORIGIN-SECRET', 'x-Origin-secret'])(
  'an event of the local API of SAM is read as the deployed one, with %s',
  (name) => {
    expect(asDeployed(samEvent(name))).toMatchObject({
      routeKey: 'ANY /{handle}/status/{id}',
      headers: { accept: 'text/markdown', 'x-origin-secret': 'local' },
    });
  },
);

describe('an event of API Gateway', () => {
  test('is not copied', () => {
    const deployed = event(TARGET);
    expect(asDeployed(deployed)).toBe(deployed);
  });

  test('$default stays $default without an origin secret', () => {
    expect(asDeployed({ ...event('/no/where', { secret: null }) }).routeKey).toBe('$default');
  });
});
