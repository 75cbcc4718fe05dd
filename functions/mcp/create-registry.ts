// Creates the registry of tools, resources and prompts on the use cases of REST.
import type { PicturePorts } from '../../shared/ports/pictures.ts';
import { InvalidParams, type Registry, SERVER_INFO } from './registry.ts';
import { createResourceReader, getPrompt, INSTRUCTIONS, prompts, resourcesOf, resourceTemplates } from './resources.ts';
import { createToolCaller, createToolRunner, type ToolPorts } from './run-tool.ts';
import { failureNotes, readArguments } from './tool-arguments.ts';
import { toolResult } from './tool-results.ts';
import { findTool, toolListings, tools } from './tools.ts';

const NO_SUCH_TOOL = `There is no such tool. There are: ${tools.map((tool) => tool.name).join(', ')}.`;

export const createRegistry = (ports: ToolPorts & PicturePorts): Registry => {
  const callTool = createToolCaller(createToolRunner(ports), ports);
  const { isAlone = false } = ports.settings;
  return {
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
    tools: toolListings,
    resources: resourcesOf(isAlone),
    resourceTemplates,
    prompts,

    async callTool(name, given, context) {
      const tool = findTool(name);
      if (tool === undefined) throw new InvalidParams(NO_SUCH_TOOL);
      const args = readArguments(tool, given, context.baseUrl);
      return toolResult(
        () => callTool(args, context),
        context.baseUrl,
        (code) => failureNotes(args, code),
      );
    },

    readResource: createResourceReader(callTool, isAlone),
    getPrompt,
  };
};
