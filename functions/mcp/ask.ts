// One read on behalf of one caller: admitted, charged, given back and represented as the REST routes do it.
import { readInput } from '../../shared/contract/inputs.ts';
import { MAX_TEXT_CHARACTERS } from '../../shared/contract/mcp.ts';
import { type ReadInput, type ReadValue, reads } from '../../shared/contract/operations.ts';
import { asProblem, problem, requestOutcome } from '../../shared/contract/problems.ts';
import { MAX_ANSWER_BYTES } from '../../shared/contract/sizes.ts';
import { fitting, sizeOf } from '../../shared/lambda/fit.ts';
import { logProblem } from '../../shared/lambda/log-problem.ts';
import { requesterFor } from '../../shared/lambda/requester.ts';
import type { Answers } from '../../shared/lambda/surface.ts';
import type { Caller, DoorPorts, FairUsePorts, ListPorts, ReadAnswer, UpstreamPorts } from '../../shared/ports.ts';
import { postAnswers } from '../answers/posts.ts';
import { profileAnswers } from '../answers/profiles.ts';
import { searchAnswers } from '../answers/search.ts';
import { rawParametersOf, tokensFor } from './arguments.ts';
import { isFields } from './json-rpc.ts';
import type { AskContext } from './registry.ts';
import { type Answered, answered, type Rendered } from './results.ts';
import type { ToolRead } from './tools.ts';

export type RegistryPorts = DoorPorts & UpstreamPorts & ListPorts & FairUsePorts;

/** Of the text of a result beside its JSON, each character escaped twice. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_CHARACTERS;

/** @throws Problem, whatever goes wrong */
export type Ask = (read: ToolRead, args: object, context: AskContext) => Promise<Answered>;

/** @param json a body of REST @param cursor which its Markdown does not say */
const renderedOf = (json: string, cursor: string | undefined): Rendered => {
  const parsed: unknown = JSON.parse(json);
  if (!isFields(parsed)) throw new Error('a body is an object');
  const { markdown, ...body } = parsed;
  return { body: { ...body, ...(cursor !== undefined && { next_cursor: cursor }) }, markdown: String(markdown) };
};

export const createAsk = (ports: RegistryPorts): Ask => {
  const answers: Answers<ToolRead> = { ...postAnswers(ports), ...profileAnswers(ports), ...searchAnswers(ports) };

  const answer = async <Name extends ToolRead>(
    name: Name,
    { read, represent }: Answers<ToolRead>[Name],
    input: ReadInput<Name>,
    caller: Caller,
    context: AskContext,
  ): Promise<Answered> => {
    const { baseUrl } = context;
    const row: (typeof reads)[Name] = reads[name];
    const { fairUse } = ports;
    const whole = await read(input, requesterFor(row, input, { fairUse, caller, address: context.address }));
    const make = (result: ReadAnswer<ReadValue<Name>>): Answered & { readonly json: string } => {
      const cursor = 'next_cursor' in result.value ? result.value.next_cursor : undefined;
      // How to go on is said outside of the quote.
      const page = { ...result, value: { ...result.value, next_cursor: undefined } };
      let json = '';
      const made = answered(name, tokensFor(input.maxTokens), (maxTokens) => {
        const wanted = { format: 'json', maxTokens, baseUrl, pageUrl: () => baseUrl } as const;
        json = represent(row, page, wanted).body;
        return renderedOf(json, cursor);
      });
      return { ...made, json };
    };
    const maxBytes = Math.floor(MAX_ANSWER_BYTES / context.messages) - MAX_TEXT_BYTES;
    return fitting(whole, { make, sizeOf: ({ json }) => sizeOf(json, maxBytes), maxBytes }).made;
  };

  const attempt = <Name extends ToolRead>(name: Name, args: object, caller: Caller, context: AskContext) => {
    const { baseUrl } = context;
    const row: (typeof reads)[Name] = reads[name];
    const parsing = { baseUrl, openCursor: ports.cursors.open };
    const input = readInput<(typeof reads)[Name]['input']>(row.input, rawParametersOf(name, args, baseUrl), parsing);
    return answer(name, answers[name], input, caller, context);
  };

  const conclude = async (caller: Caller, thrown?: { readonly error: unknown }): Promise<void> => {
    // The verdict on a key goes before whatever was answered.
    const refusal = (await caller.status) === 'invalid' ? problem('invalid_key') : undefined;
    const error = refusal ?? thrown?.error;
    await caller.conclude(error === undefined ? 'answered' : requestOutcome(error));
    if (error !== undefined) throw error;
  };

  const charged: Ask = async (name, args, context) => {
    const caller = context.caller();
    let done: Answered;
    try {
      if (caller.status === 'invalid') throw problem('invalid_key');
      done = await attempt(name, args, caller, context);
    } catch (error) {
      await conclude(caller, { error });
      throw error;
    }
    await conclude(caller);
    return done;
  };

  return async (name, args, context) => {
    try {
      return await charged(name, args, context);
    } catch (error) {
      const thrown = asProblem(error);
      logProblem(ports.log, thrown, { tool: reads[name].tool });
      throw thrown;
    }
  };
};
