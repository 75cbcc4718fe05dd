// Creates the registry of tools, resources and prompts on the use cases of REST.
import packageJson from '../../package.json' with { type: 'json' };
import { Problem } from '../../shared/contract/problems.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { InvalidParams, type Registry } from './registry.ts';
import { createPromptGetter, createResourceReader, prompts, resources, resourceTemplates } from './resources.ts';
import { createToolCaller, createToolRunner, type ToolPorts } from './run-tool.ts';
import { argumentNotes } from './tool-arguments.ts';
import { failure, success } from './tool-results.ts';
import { findTool, toolListings, tools } from './tools.ts';

const NO_SUCH_TOOL = `There is no such tool. There are: ${tools.map((tool) => tool.name).join(', ')}.`;

export const createRegistry = (ports: ToolPorts): Registry => {
  const callTool = createToolCaller(createToolRunner(ports));
  const { baseUrl } = ports.settings;
  return {
    serverInfo: { name: 'postern', title: 'Postern', version: packageJson.version },
    instructions: INSTRUCTIONS,
    tools: toolListings,
    resources,
    resourceTemplates,
    prompts,

    async callTool(name, args, context) {
      const tool = findTool(name);
      if (tool === undefined) throw new InvalidParams(NO_SUCH_TOOL);
      try {
        return success(await callTool(tool, args, context));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return failure(error, context.baseUrl, argumentNotes(tool, args));
      }
    },

    readResource: createResourceReader(callTool),
    getPrompt: createPromptGetter(baseUrl === undefined ? undefined : new URL(baseUrl).origin),
  };
};
