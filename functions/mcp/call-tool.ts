// Calls a tool with the arguments of a client, and answers in the form that the call requests.
import type { PostInput } from '../../shared/contract/inputs.ts';
import { useCases } from '../../shared/contract/use-cases.ts';
import { fitAnswer } from './fit-answer.ts';
import type { ToolContext } from './registry.ts';
import type { RunTool } from './run-tool.ts';
import { argumentNotes, parametersFromArguments, useCaseOf } from './tool-arguments.ts';
import type { ToolAnswer } from './tool-results.ts';
import { MAX_TOOL_TOKENS, type Tool } from './tools.ts';

/** @throws Problem */
export type CallTool = (tool: Tool, args: object, context: ToolContext) => Promise<ToolAnswer>;

const wayToPart =
  ({ ref: { id }, replies }: PostInput) =>
  (part: number): string =>
    `call ${useCases.readPost.tool} with id "${id}", replies "${replies}", part ${part} and the same other arguments`;

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
            ...('thread' in input && { part: input.part, wayTo: wayToPart(input) }),
            metrics: 'metrics' in input ? input.metrics : undefined,
            argumentNotes: argumentNotes(tool, args),
          }),
      },
      context,
    );
  };
