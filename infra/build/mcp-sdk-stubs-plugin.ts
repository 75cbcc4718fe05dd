// Bundles the low-level Server of the MCP SDK without the JSON Schema validator that the SDK creates by default. The
// validator is a package with a public name, so aliases are enough: no file of the SDK is replaced.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { createStubsPlugin, type StubbedDependency } from './stubs-plugin.ts';

const stubFile = (name: string): string => fileURLToPath(new URL(`./stubs/${name}.ts`, import.meta.url));

export const mcpSdkStubs: StubbedDependency = {
  name: 'mcp-sdk',
  declaredIn: 'infra/build/mcp-sdk-stubs-plugin.ts',
  testedIn: 'test/infra/mcp-sdk-bundle.test.ts',
  reviewedVersions: { '@modelcontextprotocol/sdk': '1.32.2' },
  stubs: {},
  aliases: {
    ajv: {
      reason: '136 kB; the server compiles schemas only for elicitation, and functions/mcp passes its own validator',
      file: stubFile('ajv'),
    },
    'ajv-formats': { reason: 'it only extends ajv', file: stubFile('ajv-formats') },
  },
};

export const mcpSdkStubsPlugin = (dependency: StubbedDependency = mcpSdkStubs): Plugin => createStubsPlugin(dependency);
