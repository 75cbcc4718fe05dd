// Fits the answer of a tool into its budget. A list leaves out items at its end, and its cursor continues after the last
// item that is left. The answer is written again for each number of items, because its size is known only then.
import { useCases } from '../../shared/contract/use-cases.ts';
import type { WarningCode } from '../../shared/contract/warnings.ts';
import { findLargest } from '../../shared/model/fit.ts';
import { asRecord, isRecord } from '../../shared/model/json.ts';
import type { Warning } from '../../shared/model/resources.ts';
import type { UseCaseResult } from '../../shared/ports/upstream.ts';
import { cutBeyondReach } from '../../shared/render/content/cut.ts';
import type { ResourceView } from '../../shared/render/presenters/view.ts';
import { type AnswerOptions, createAnswerWriter, type Omission, type ToolAnswer } from './tool-results.ts';

const PARTIAL_PAGE: WarningCode = 'partial_page';
const TRUNCATED: WarningCode = 'truncated';

const idOf = (item: unknown): readonly string[] =>
  isRecord(item) && typeof item['id'] === 'string' ? [item['id']] : [];

const idsFrom = (view: ResourceView<object>, start: number): readonly string[] => {
  const { posts } = asRecord(view.members()) ?? {};
  return Array.isArray(posts) ? posts.slice(start).flatMap(idOf) : [];
};

/** @param present pure */
export const fitAnswer = <T>(
  result: UseCaseResult<T>,
  present: (result: UseCaseResult<T>) => ResourceView<object>,
  options: AnswerOptions,
): ToolAnswer => {
  const { useCase, format, tokens, part } = options;
  const isConversation = useCases[useCase].resource === 'post';
  // The parts of a post are counted in its whole text.
  const isDivided = isConversation && (format === 'markdown' || part !== undefined);
  const whole = isDivided ? result : { ...result, value: cutBeyondReach(result.value, tokens) };
  const writer = createAnswerWriter(options);
  const view = present(whole);
  const { parts } = whole;
  if (parts === undefined) return writer.write(view, undefined) ?? writer.shorten(view, undefined, 0);

  const wasPartial = whole.warnings.some(({ code }) => code === PARTIAL_PAGE);
  // The omission says the same.
  const isTold = ({ code }: Warning): boolean =>
    isConversation || format === 'json' || (code !== TRUNCATED && (code !== PARTIAL_PAGE || wasPartial));
  const viewOf = (count: number): readonly [ResourceView<object>, Omission | undefined] => {
    const kept = parts.keep(count);
    const shown = present({ ...kept, warnings: kept.warnings.filter(isTold) });
    // A conversation has a warning that says how many posts are left out.
    if (isConversation || count === parts.count) return [shown, undefined];
    const ids = shown.nextCursor === undefined ? idsFrom(view, count) : [];
    return [shown, { shown: count, total: parts.count, ids }];
  };
  const fewest = Math.min(parts.minimum, parts.count);
  return (
    findLargest(fewest, parts.count, (count) =>
      count === parts.count ? writer.write(view, undefined) : writer.write(...viewOf(count)),
    ) ?? writer.shorten(...viewOf(fewest), isConversation ? parts.count - fewest : 0)
  );
};
