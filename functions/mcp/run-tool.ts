// Runs the use case of a tool for one caller, in the same steps as REST.
import { setImmediate } from 'node:timers/promises';
import type { PostInput, RawParameters, UseCaseInput } from '../../shared/contract/inputs.ts';
import type { Form } from '../../shared/contract/metrics.ts';
import { toProblem } from '../../shared/contract/problems.ts';
import { type UseCase, type UseCaseOutput, useCases } from '../../shared/contract/use-cases.ts';
import { logProblem } from '../../shared/http/request-log.ts';
import { createUseCaseRunner, readingOf, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { FairUsePorts } from '../../shared/ports/access-control.ts';
import type { CursorPorts } from '../../shared/ports/cursors.ts';
import type { HttpPorts } from '../../shared/ports/http.ts';
import type { PicturePorts } from '../../shared/ports/pictures.ts';
import type { UpstreamPorts, UseCaseResult } from '../../shared/ports/upstream.ts';
import type { ResourceView, ViewContext } from '../../shared/render/presenters/view.ts';
import { bindTools } from '../bindings/reads.ts';
import { imagesOf } from './argument-values.ts';
import { fitAnswer } from './fit-answer.ts';
import { NO_IMAGES, readImages } from './images.ts';
import type { ToolContext } from './registry.ts';
import { parametersFromArguments, resultNotes, type ToolArguments } from './tool-arguments.ts';
import type { ToolAnswer } from './tool-results.ts';
import { MAX_TOOL_TOKENS, type ToolUseCase } from './tools.ts';

export type ToolPorts = HttpPorts & UpstreamPorts & CursorPorts & FairUsePorts;

type ToolResource = UseCaseResult<UseCaseOutput<ToolUseCase>>;

/** A call of a tool, with its arguments as parameters of a use case. */
export interface ToolCall<Answer> {
  /** For the log. */
  readonly tool: string;
  readonly useCase: ToolUseCase;
  /** The representation of the answer, for the log. @default the format of the input, else Markdown */
  readonly form?: Form;
  /** @throws Problem */
  parameters(): RawParameters;
  /** @param present pure @param context of the caller */
  write(
    result: ToolResource,
    present: (part: ToolResource) => ResourceView<object>,
    input: UseCaseInput<ToolUseCase>,
  ): Answer | Promise<Answer>;
}

/** @throws Problem, whatever goes wrong */
export type RunTool = <Answer>(call: ToolCall<Answer>, context: ToolContext) => Promise<Answer>;

/** As on the routes of the use case, the allowance of the IP address counts, whether or not there is an API key. */
const chargesNetwork = (name: ToolUseCase): boolean => {
  const { apiKey, allowance }: UseCase = useCases[name];
  return apiKey === 'ignored' && allowance !== 'fair-use';
};

/**
 * Separates the results of a batch by turns of the event loop. Cached results are ready at the same moment, and writing 20
 * large ones at once would keep other requests and calls of the store waiting.
 */
const createTurns = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
};

/** @param postTool the tool that reads a post by its id */
export const createToolRunner = (ports: ToolPorts, postTool: string = useCases.readPost.tool): RunTool => {
  const { cursors, fairUse, log, settings } = ports;
  const bindings: UseCaseBindings<ToolUseCase> = bindTools(ports);
  const runner = createUseCaseRunner({ bindings, decodeCursor: cursors.decode, fairUse, settings });
  const nextTurn = createTurns();

  return async ({ tool, useCase, form, parameters, write }, { caller, callerByNetwork, ...context }) => {
    const { baseUrl, facts } = context;
    const urls: ViewContext = { baseUrl, pageUrl: () => baseUrl, readOn: ({ id }) => `${postTool} with id "${id}"` };
    const requestContext = { ...context, caller: chargesNetwork(useCase) ? callerByNetwork() : caller() };
    try {
      return await runner.runFor(requestContext, async () => {
        const input = runner.parse(useCase, parameters(), baseUrl);
        facts.form = form ?? (input.format === 'json' ? 'json' : 'markdown');
        const present = runner.presenterOf(useCase);
        const result = await runner.execute(useCase, input, requestContext);
        await nextTurn();
        const { isUntranslated, isAlone } = settings;
        const shown: ViewContext = { ...urls, ...readingOf(input, isUntranslated), ...(isAlone && { isAlone }) };
        return await write(result, (part) => present(part, shown), input);
      });
    } catch (error) {
      const thrown = toProblem(error);
      logProblem(log, thrown, { tool });
      throw thrown;
    }
  };
};

// Calls a tool with the arguments of a client, and answers in the form that the call requests.

/** @throws Problem */
export type CallTool = (args: ToolArguments, context: ToolContext) => Promise<ToolAnswer>;

const wayToPart =
  ({ ref: { id }, replies }: PostInput) =>
  (part: number): string =>
    `call ${useCases.readPost.tool} with id "${id}", replies "${replies}", part ${part} and the same other arguments`;

export const createToolCaller =
  (runTool: RunTool, ports: FairUsePorts & PicturePorts): CallTool =>
  (args, context) => {
    const { tool, useCase } = args;
    let count = 0;
    return runTool(
      {
        tool: tool.name,
        useCase,
        parameters() {
          count = imagesOf(args);
          return parametersFromArguments(args);
        },
        async write(result, present, input) {
          const { value } = result;
          // The other parts of a text would repeat them.
          const isFirst = 'thread' in input && (input.part ?? 1) === 1;
          const images = isFirst && 'thread' in value ? await readImages(value, count, context, ports) : NO_IMAGES;
          const shown = { ...result, warnings: [...result.warnings, ...images.warnings] };
          const answer = fitAnswer(shown, present, {
            useCase,
            format: input.format === 'json' ? 'json' : 'markdown',
            tokens: input.maxTokens ?? MAX_TOOL_TOKENS,
            layout: 'layout' in input ? input.layout : undefined,
            ...('thread' in input && { part: input.part, wayTo: wayToPart(input) }),
            metrics: 'metrics' in input ? input.metrics : undefined,
            images: { rows: images.rows, count },
            argumentNotes: resultNotes(args),
          });
          return { ...answer, images: images.blocks };
        },
      },
      context,
    );
  };
