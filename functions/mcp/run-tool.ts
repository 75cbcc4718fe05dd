// One read on behalf of one caller: admitted, charged, given back and represented as the REST routes do it.
import { parseInput } from '../../shared/contract/inputs.ts';
import { MAX_TEXT_CHARACTERS } from '../../shared/contract/mcp.ts';
import { problem, requestOutcome, toProblem } from '../../shared/contract/problems.ts';
import { MAX_RESPONSE_BYTES } from '../../shared/contract/response-size.ts';
import { type UseCaseInput, type UseCaseOutput, useCases } from '../../shared/contract/use-cases.ts';
import { fitResponse, responseBytes } from '../../shared/http/fit-response.ts';
import { logProblem } from '../../shared/http/log-problem.ts';
import type { UseCaseBindings } from '../../shared/http/operation-handler.ts';
import { requesterFor } from '../../shared/http/requester.ts';
import type { Caller, FairUsePorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { UpstreamPorts, UseCaseResult } from '../../shared/ports/upstream.ts';
import { bindPosts } from '../bindings/posts.ts';
import { bindProfiles } from '../bindings/profiles.ts';
import { bindSearch } from '../bindings/search.ts';
import { isRecord } from './json-rpc.ts';
import type { ToolContext } from './registry.ts';
import { effectiveMaxTokens, parametersFromArguments } from './tool-arguments.ts';
import { fitAnswer, type ToolAnswer, type ToolBody } from './tool-results.ts';
import type { ToolUseCase } from './tools.ts';

export type ToolPorts = HttpPorts & UpstreamPorts & CursorPorts & FairUsePorts;

/** Of the text of a result beside its JSON, each character escaped twice. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_CHARACTERS;

/** @throws Problem, whatever goes wrong */
export type RunTool = (read: ToolUseCase, args: object, context: ToolContext) => Promise<ToolAnswer>;

/** @param json a body of REST @param cursor which its Markdown does not say */
const splitMarkdown = (json: string, cursor: string | undefined): ToolBody => {
  const parsed: unknown = JSON.parse(json);
  if (!isRecord(parsed)) throw new Error('a body is an object');
  const { markdown, ...body } = parsed;
  return { body: { ...body, ...(cursor !== undefined && { next_cursor: cursor }) }, markdown: String(markdown) };
};

export const createToolRunner = (ports: ToolPorts): RunTool => {
  const answers: UseCaseBindings<ToolUseCase> = { ...bindPosts(ports), ...bindProfiles(ports), ...bindSearch(ports) };

  const answer = async <Name extends ToolUseCase>(
    name: Name,
    { execute, present }: UseCaseBindings<ToolUseCase>[Name],
    input: UseCaseInput<Name>,
    caller: Caller,
    context: ToolContext,
  ): Promise<ToolAnswer> => {
    const { baseUrl } = context;
    const row: (typeof useCases)[Name] = useCases[name];
    const { fairUse } = ports;
    const whole = await execute(input, requesterFor(row, input, { fairUse, caller, address: context.address }));
    const make = (result: UseCaseResult<UseCaseOutput<Name>>): ToolAnswer & { readonly json: string } => {
      const cursor = 'next_cursor' in result.value ? result.value.next_cursor : undefined;
      // How to go on is said outside of the quote.
      const page = { ...result, value: { ...result.value, next_cursor: undefined } };
      let json = '';
      const made = fitAnswer(name, effectiveMaxTokens(input.maxTokens), (maxTokens) => {
        const wanted = { format: 'json', maxTokens, baseUrl, pageUrl: () => baseUrl } as const;
        json = present(row, page, wanted).body;
        return splitMarkdown(json, cursor);
      });
      return { ...made, json };
    };
    const maxBytes = Math.floor(MAX_RESPONSE_BYTES / context.messages) - MAX_TEXT_BYTES;
    return fitResponse(whole, { render: make, bytesOf: ({ json }) => responseBytes(json, maxBytes), maxBytes })
      .response;
  };

  const parseAndRun = <Name extends ToolUseCase>(name: Name, args: object, caller: Caller, context: ToolContext) => {
    const { baseUrl } = context;
    const row: (typeof useCases)[Name] = useCases[name];
    const parsing = { baseUrl, decodeCursor: ports.cursors.decode };
    const input = parseInput<(typeof useCases)[Name]['input']>(
      row.input,
      parametersFromArguments(name, args, baseUrl),
      parsing,
    );
    return answer(name, answers[name], input, caller, context);
  };

  const conclude = async (caller: Caller, thrown?: { readonly error: unknown }): Promise<void> => {
    // The verdict on a key goes before whatever was answered.
    const refusal = (await caller.status) === 'invalid' ? problem('invalid_key') : undefined;
    const error = refusal ?? thrown?.error;
    await caller.settle(error === undefined ? 'answered' : requestOutcome(error));
    if (error !== undefined) throw error;
  };

  const runAndSettle: RunTool = async (name, args, context) => {
    const caller = context.caller();
    let done: ToolAnswer;
    try {
      if (caller.status === 'invalid') throw problem('invalid_key');
      done = await parseAndRun(name, args, caller, context);
    } catch (error) {
      await conclude(caller, { error });
      throw error;
    }
    await conclude(caller);
    return done;
  };

  return async (name, args, context) => {
    try {
      return await runAndSettle(name, args, context);
    } catch (error) {
      const thrown = toProblem(error);
      logProblem(ports.log, thrown, { tool: useCases[name].tool });
      throw thrown;
    }
  };
};
