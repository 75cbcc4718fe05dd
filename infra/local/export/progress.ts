// Reports the progress of an export on standard error: a line that changes on a terminal, or a line now and then.
import { visibleLine } from '../../../shared/model/visible-text.ts';

export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Milliseconds. */
  readonly now: () => number;
  /** The items of the file before. */
  readonly count: number;
  /** The expected number of all items. */
  readonly total?: number | undefined;
  /** The end of a timeline in milliseconds since the epoch: `since`. */
  readonly since?: number | undefined;
}

export interface Progress {
  /** @param createdAt time of the last item in milliseconds since the epoch */
  add(items: number, createdAt: number | undefined): void;
  wait(seconds: number, reason: string): void;
  /** Writes a line that stays. */
  say(text: string): void;
  /** Writes a last line. */
  end(text: string): void;
  readonly count: number;
}

const TERMINAL_INTERVAL = 200;
const LINE_INTERVAL = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

const number = new Intl.NumberFormat('en');

export const itemsText = (count: number): string => `${number.format(count)} ${count === 1 ? 'item' : 'items'}`;

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${number.format(Math.ceil(seconds / 60))} min`;

export const createProgress = (options: ProgressOptions): Progress => {
  const { write, isTerminal, now, total, since } = options;
  const startedAt = now();
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt;
  let count = options.count;
  let newest: number | undefined;
  let oldest: number | undefined;

  const elapsedSeconds = (): number => (now() - startedAt) / 1000;

  /** The done part of the rest, from 0 to 1. */
  const doneShare = (): number | undefined => {
    if (since !== undefined && newest !== undefined && oldest !== undefined && newest > since)
      return (newest - oldest) / (newest - since);
    return total === undefined || total <= options.count
      ? undefined
      : (count - options.count) / (total - options.count);
  };

  const statusText = (): string => {
    const seconds = elapsedSeconds();
    const rate = seconds > 0 ? `, ${number.format(Math.round((count - options.count) / seconds))} per second` : '';
    const share = doneShare();
    const left =
      share !== undefined && share > 0 && share < 1
        ? `, about ${durationText((seconds * (1 - share)) / share)} left`
        : '';
    return `${itemsText(count)}${rate}${left}`;
  };

  const show = (text: string): void => {
    shownAt = now();
    write(isTerminal ? `${CLEAR_LINE}${visibleLine(text)}` : `${visibleLine(text)}\n`);
  };

  const say = (text: string): void => write(`${isTerminal ? CLEAR_LINE : ''}${visibleLine(text)}\n`);

  return {
    get count() {
      return count;
    },
    add(items, createdAt) {
      count += items;
      newest ??= createdAt;
      oldest = createdAt ?? oldest;
      if (now() - shownAt >= (isTerminal ? TERMINAL_INTERVAL : LINE_INTERVAL)) show(statusText());
    },
    wait: (seconds, reason) =>
      show(`${itemsText(count)}; ${reason.replace(/\.$/, '')}: waiting ${durationText(seconds)}`),
    say,
    end: say,
  };
};
