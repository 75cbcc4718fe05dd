// Writes a problem document for people, as the commands print it.
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';

/** @returns title, detail and resolution, a line each; undefined if the body is no problem document */
export const problemText = (body: string): string | undefined => {
  const { title, detail, resolution } = asRecord(parseJson(body)) ?? {};
  if (typeof title !== 'string') return undefined;
  return [title, detail, resolution]
    .flatMap((text) => (typeof text === 'string' ? [visibleLine(text)] : []))
    .join('\n');
};
