// Runs the use case of a tool for one caller, in the same steps as REST.
import { MAX_TEXT_CHARACTERS } from '../../shared/contract/mcp.ts';
import { toProblem } from '../../shared/contract/problems.ts';
import { MAX_RESPONSE_BYTES } from '../../shared/contract/response-size.ts';
import { useCases } from '../../shared/contract/use-cases.ts';
import { responseBytes } from '../../shared/http/fit-response.ts';
import { logProblem } from '../../shared/http/log-problem.ts';
import { runUseCase } from '../../shared/http/run-use-case.ts';
import type { FairUsePorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts } from '../../shared/ports/upstream.ts';
import { bindPosts } from '../bindings/posts.ts';
import { bindProfiles } from '../bindings/profiles.ts';
import { bindSearch } from '../bindings/search.ts';
import type { ToolContext } from './registry.ts';
import { effectiveMaxTokens, parametersFromArguments } from './tool-arguments.ts';
import { fitAnswer, type ToolAnswer } from './tool-results.ts';
import type { ToolUseCase } from './tools.ts';

export type ToolPorts = HttpPorts & UpstreamPorts & CursorPorts & FairUsePorts;

/** The share of the text in a response. It is a string in JSON that is itself a JSON string, so escapes double twice. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_CHARACTERS;

/** @throws Problem, whatever goes wrong */
export type RunTool = (useCase: ToolUseCase, args: object, context: ToolContext) => Promise<ToolAnswer>;

export const createToolRunner = (ports: ToolPorts): RunTool => {
  const { cursors, fairUse, log } = ports;
  const bindings = { ...bindPosts(ports), ...bindProfiles(ports), ...bindSearch(ports) };
  const dependencies = { bindings, decodeCursor: cursors.decode, fairUse };

  return async (useCase, args, { baseUrl, clientAddress, messages, caller }) => {
    // The responses of a batch share the size of one HTTP response.
    const maxBytes = Math.floor(MAX_RESPONSE_BYTES / messages) - MAX_TEXT_BYTES;
    try {
      return await runUseCase<ToolUseCase, ToolAnswer>(dependencies, {
        caller: caller(),
        clientAddress,
        baseUrl,
        resolveUseCase: () => useCase,
        parameters: () => parametersFromArguments(useCase, args, baseUrl),
        createWriter: (_, input) => ({
          urls: { baseUrl, pageUrl: () => baseUrl },
          write: (view) =>
            fitAnswer(useCase, view, {
              tokens: effectiveMaxTokens(input.maxTokens),
              layout: 'layout' in input ? input.layout : undefined,
            }),
          bytesOf: ({ structuredContent }) => responseBytes(JSON.stringify(structuredContent), maxBytes),
          maxBytes,
        }),
      });
    } catch (error) {
      const thrown = toProblem(error);
      logProblem(log, thrown, { tool: useCases[useCase].tool });
      throw thrown;
    }
  };
};
