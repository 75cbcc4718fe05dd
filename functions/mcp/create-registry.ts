// The registry: everything the MCP server has to offer, on the same reads as the REST routes.
import packageJson from '../../package.json' with { type: 'json' };
import { reads } from '../../shared/contract/operations.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { createAsk, type RegistryPorts } from './ask.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { promptGetter, prompts } from './prompts.ts';
import { InvalidParams, type Registry } from './registry.ts';
import { resourceReader, resources, resourceTemplates } from './resources.ts';
import { failure, success } from './results.ts';
import { listTools, type ToolSchemas, toolOf, toolReads } from './tools.ts';

const NO_SUCH_TOOL = `There is no such tool. There are: ${toolReads.map((read) => reads[read].tool).join(', ')}.`;

/** @param schemas of the tools' results, made when the bundle is built */
export const createRegistry = (ports: RegistryPorts, schemas: ToolSchemas): Registry => {
  const ask = createAsk(ports);
  const { baseUrl } = ports.settings;
  return {
    serverInfo: { name: 'postern', title: 'Postern', version: packageJson.version },
    instructions: INSTRUCTIONS,
    tools: listTools(schemas),
    resources,
    resourceTemplates,
    prompts,

    async callTool(name, args, context) {
      const read = toolOf(name);
      if (read === undefined) throw new InvalidParams(NO_SUCH_TOOL);
      try {
        return success(await ask(read, args, context));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return failure(error, context.baseUrl);
      }
    },

    readResource: resourceReader(ask),
    getPrompt: promptGetter(baseUrl === undefined ? undefined : new URL(baseUrl).origin),
  };
};
