// Calls a tool with the arguments of a client, and answers in the form that the call requests.
import { fitAnswer } from './fit-answer.ts';
import type { ToolContext } from './registry.ts';
import type { RunTool } from './run-tool.ts';
import { argumentNotes, parametersFromArguments, useCaseOf } from './tool-arguments.ts';
import type { ToolAnswer } from './tool-results.ts';
import { MAX_TOOL_TOKENS, type Tool } from './tools.ts';

/** @throws Problem */
export type CallTool = (tool: Tool, args: object, context: ToolContext) => Promise<ToolAnswer>;

export const createToolCaller =
  (runTool: RunTool): CallTool =>
  (tool, args, context) => {
    const useCase = useCaseOf(tool, args);
    return runTool(
      {
        tool: tool.name,
        useCase,
        parameters: () => parametersFromArguments(tool, args, context.baseUrl),
        write: (result, present, input) =>
          fitAnswer(result, present, {
            useCase,
            format: input.format === 'json' ? 'json' : 'markdown',
            tokens: input.maxTokens ?? MAX_TOOL_TOKENS,
            layout: 'layout' in input ? input.layout : undefined,
            argumentNotes: argumentNotes(tool, args),
          }),
      },
      context,
    );
  };
