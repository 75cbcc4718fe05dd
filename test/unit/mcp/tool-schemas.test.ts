// Checks the bundle of the registry: the schemas of results are constants, and what made them stays at home.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { toolSchemas, toolSchemasPlugin } from '../../../infra/build/tool-schemas-plugin.ts';

const REGISTRY = `
  import { toolSchemas } from 'postern:tool-schemas';
  import { createRegistry } from './functions/mcp/create-registry.ts';
  export const registry = (ports) => createRegistry(ports, toolSchemas);
`;

test('the registry comes without packages', async () => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: REGISTRY, resolveDir: fileURLToPath(new URL('../../../', import.meta.url)), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    charset: 'utf8',
    plugins: [toolSchemasPlugin()],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  expect(Object.keys(metafile.inputs).filter((path) => path.includes('node_modules'))).toEqual([]);
  // Written as a program writes it: names without quotes.
  expect(outputFiles[0]?.text).toContain('Newest first, without reposts and replies.');
});

test('results are described member by member, and stay open', () => {
  const { post, profile, users, search } = toolSchemas();
  const provenance = ['source', 'fetched_at', 'warnings'];
  expect(post['required']).toEqual([...provenance, 'post', 'ancestors', 'thread', 'replies']);
  expect(profile['required']).toEqual([...provenance, 'profile', 'posts']);
  expect(users['required']).toEqual([...provenance, 'handle', 'users']);
  expect(search['required']).toEqual([...provenance, 'query', 'feed']);
  for (const schema of [post, profile, users, search]) {
    expect(schema['properties']).not.toHaveProperty('markdown');
    expect(JSON.stringify(schema)).not.toMatch(/additionalProperties|"enum"|\$ref/);
  }
});
