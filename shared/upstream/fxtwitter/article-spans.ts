// Splits the text of an article block into spans.
//
// A block has ranges with a style and ranges with a link, in UTF-16 units. All ends of ranges divide the text into segments.
// For each segment the styles and the link that cover it are found, in time linear in ranges and segments. If links
// overlap, the first one counts. A link that covers many segments is repeated in each of them, within the budget of
// repeats.ts.
import { isSameHandle, profileUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { ArticleSpan } from '../../model/post.ts';
import type { TextRange } from '../../model/text-places.ts';
import { validOffset } from '../../model/visible-text.ts';
import { asRecords, asText, asWebUrl, namedHandle, optionalMember } from '../json-readers.ts';
import type { MayInclude } from '../repeats.ts';

const STYLES = ['bold', 'italic', 'strikethrough'] as const;
type Style = (typeof STYLES)[number];

/** @returns undefined if the range is not in a text */
const between = (start: unknown, end: unknown): TextRange | undefined =>
  typeof start === 'number' && typeof end === 'number' && Number.isSafeInteger(start) && start >= 0 && end > start
    ? { start, end: Math.floor(end) }
    : undefined;

/** @returns the range of a style or an entity; undefined if it has none */
export const rangeOf = ({ offset, length }: JsonRecord): TextRange | undefined =>
  typeof offset === 'number' && typeof length === 'number' ? between(offset, offset + length) : undefined;

interface LinkPart {
  readonly url: string;
  /** The part of the response that has the URL. */
  readonly part: JsonRecord;
}

/** @returns the link with this key; undefined if there is none */
export type FindLink = (key: unknown) => LinkPart | undefined;

type LinkRun = TextRange & LinkPart;

interface Runs {
  readonly styles: readonly (TextRange & { readonly style: Style })[];
  readonly links: readonly LinkRun[];
}

const runsOf = (block: JsonRecord, content: string, linkOf: FindLink): Runs => {
  const styles = asRecords(block['inlineStyleRanges']).flatMap((raw) => {
    const name = asText(raw['style'])?.toLowerCase();
    const style = STYLES.find((each) => each === name);
    const run = rangeOf(raw);
    return style === undefined || run === undefined ? [] : [{ ...run, style }];
  });
  const links = asRecords(block['entityRanges']).flatMap((raw) => {
    const link = linkOf(raw['key']);
    const run = rangeOf(raw);
    return link === undefined || run === undefined ? [] : [{ ...run, ...link }];
  });
  // The block itself can have links that are no entities.
  const bareLinks = asRecords(asRecord(block['data'])?.['urls']).flatMap((raw) => {
    const url = asWebUrl(raw['text']);
    const run = between(raw['fromIndex'], raw['toIndex']);
    return url === undefined || run === undefined ? [] : [{ ...run, url, part: raw }];
  });
  const mentions = asRecords(asRecord(block['data'])?.['mentions']).flatMap((raw) => {
    const handle = namedHandle(raw['text']);
    const run = between(raw['fromIndex'], raw['toIndex']);
    const isInText = run !== undefined && isSameHandle(handle, content.slice(run.start + 1, run.end));
    return handle === undefined || !isInText ? [] : [{ ...run, url: profileUrl(handle), part: raw }];
  });
  return { styles, links: [...links, ...bareLinks, ...mentions] };
};

/** @param edges the ends of the segments, ascending @returns a function from a run to the segments that it covers */
const segmentsOf = (
  content: string,
  edges: readonly number[],
): ((run: TextRange) => readonly [start: number, end: number]) => {
  const segmentAt = new Map(edges.map((edge, index) => [edge, index]));
  const segmentFor = (index: number): number => segmentAt.get(validOffset(content, index)) ?? 0;
  return ({ start, end }) => [segmentFor(start), segmentFor(end)];
};

/** Marks the segments that at least one run covers, by counting starts and ends of runs. */
const covered = (segments: number, runs: readonly (readonly [start: number, end: number])[]): readonly boolean[] => {
  const changes = new Int32Array(segments + 1);
  for (const [start, end] of runs) {
    changes[start] = (changes[start] ?? 0) + 1;
    changes[end] = (changes[end] ?? 0) - 1;
  }
  let depth = 0;
  return Array.from(changes.subarray(0, segments), (change) => {
    depth += change;
    return depth > 0;
  });
};

/**
 * Finds the first link that covers each segment. `free` is a union-find structure: it points from a segment with a link to
 * the next segment without one, so no segment is visited twice.
 */
const linked = (
  segments: number,
  links: readonly (readonly [start: number, end: number, link: LinkRun])[],
): readonly (LinkRun | undefined)[] => {
  const found: (LinkRun | undefined)[] = new Array(segments).fill(undefined);
  const free = Array.from({ length: segments + 1 }, (_, index) => index);
  const nextFree = (start: number): number => {
    let index = start;
    for (let next = free[index] ?? index; next !== index; next = free[index] ?? index) {
      free[index] = free[next] ?? next;
      index = next;
    }
    return index;
  };
  for (const [start, end, link] of links) {
    for (let index = nextFree(start); index < end; index = nextFree(index)) {
      found[index] = link;
      free[index] = index + 1;
    }
  }
  return found;
};

export const spansOf = (
  block: JsonRecord,
  { link, mayInclude }: { readonly link: FindLink; readonly mayInclude: MayInclude },
): ArticleSpan[] => {
  const content = asText(block['text']) ?? '';
  const { styles, links } = runsOf(block, content, link);
  if (styles.length === 0 && links.length === 0) return [{ text: content }];
  const ends = [...styles, ...links].flatMap(({ start, end }) => [
    validOffset(content, start),
    validOffset(content, end),
  ]);
  const edges = [...new Set([0, content.length, ...ends])].sort((a, b) => a - b);
  const segments = edges.length - 1;
  const segmentsIn = segmentsOf(content, edges);
  const has = (style: Style): readonly boolean[] =>
    covered(segments, styles.filter((run) => run.style === style).map(segmentsIn));
  const [bold, italic, strikethrough] = [has('bold'), has('italic'), has('strikethrough')];
  const linkAt = linked(
    segments,
    links.map((run) => [...segmentsIn(run), run] as const),
  );
  const urlOf = (index: number): string | undefined => {
    const run = linkAt[index];
    return run !== undefined && mayInclude(run.part) ? run.url : undefined;
  };
  return Array.from({ length: segments }, (_, index) => ({
    text: content.slice(edges[index], edges[index + 1]),
    ...(bold[index] && { bold: true as const }),
    ...(italic[index] && { italic: true as const }),
    ...(strikethrough[index] && { strikethrough: true as const }),
    ...optionalMember('url', urlOf(index)),
  }));
};
