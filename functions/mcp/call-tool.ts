// Calls a tool with the arguments of a client, and answers in the form that the call requests.
import { useCases } from '../../shared/contract/use-cases.ts';
import { fitAnswer } from './fit-answer.ts';
import type { ToolContext } from './registry.ts';
import type { RunTool } from './run-tool.ts';
import { argumentNotes, effectiveMaxTokens, parametersFromArguments } from './tool-arguments.ts';
import type { ToolAnswer } from './tool-results.ts';
import type { ToolUseCase } from './tools.ts';

/** @throws Problem */
export type CallTool = (useCase: ToolUseCase, args: object, context: ToolContext) => Promise<ToolAnswer>;

export const createToolCaller =
  (runTool: RunTool): CallTool =>
  (useCase, args, context) =>
    runTool(
      {
        tool: useCases[useCase].tool,
        useCase,
        parameters: () => parametersFromArguments(useCase, args, context.baseUrl),
        write: (result, present, input) =>
          fitAnswer(result, present, {
            useCase,
            format: input.format === 'json' ? 'json' : 'markdown',
            tokens: effectiveMaxTokens(input.maxTokens),
            layout: 'layout' in input ? input.layout : undefined,
            argumentNotes: argumentNotes(useCase, args),
          }),
      },
      context,
    );
