// The client of the documentation: types are made from the description as it is served, its example is compiled against
// them and run against the service.
import { expect, onTestFinished, test } from 'vitest';
import { sendRequest, startTestService } from '../support/local-service.ts';
import { exampleIn } from './page-examples.ts';
import { generateTypescriptClient } from './typescript-client.ts';

test('[discovery 4] the example of the documentation compiles against the served description, and runs', async () => {
  const { origin } = await startTestService({ ALLOWANCE_BROWSE: '1000/60' });
  const page = await sendRequest(origin, '/docs/client', { headers: { accept: 'text/markdown' } });
  const example = exampleIn(page.body, 'ts');
  const client = await generateTypescriptClient((await sendRequest(origin, '/openapi.json')).body);
  onTestFinished(client.remove);
  await client.write('example.ts', example);

  expect(await client.compile()).toBe('');
  const printed = await client.run('example.ts', origin);
  expect(printed).toMatch(/^just setting up my twttr\n/);
  expect(printed).toContain('deleted: true');

  // The compiler is awake: what the description does not know, it refuses.
  await client.write('example.ts', example.replace('post.text', 'post.words'));
  expect(await client.compile()).toContain("Property 'words' does not exist");
});
