// The parts of the benchmark. Each runs in a process of its own, which run.ts forks, so that none changes the memory or the
// compiled code of another, and which sends its rows.
import type { Row } from './measure.ts';

export const parts: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  conversion: async () => (await import('./conversion.ts')).conversionRows(),
  lists: async () => (await import('./lists.ts')).listRows(),
  pipeline: async () => (await import('./http-pipeline.ts')).pipelineRows(),
  edge: async () => (await import('./edge.ts')).edgeRows(),
  upstream: async () => (await import('./upstream.ts')).upstreamRows(),
  access: async () => (await import('./access-control.ts')).accessRows(),
  mcp: async () => (await import('./mcp.ts')).mcpRows(),
  loopback: async () => (await import('./loopback.ts')).loopbackRows(),
  'start-up': async () => (await import('./start-up.ts')).startUpRows(),
};

const [name = ''] = process.argv.slice(2);
if (import.meta.main) process.send?.(await parts[name]?.(), () => process.exit());
