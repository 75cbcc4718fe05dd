// Serializes a view as JSON.
import { warning } from '../../contract/warnings.ts';
import type { Provenance, Warning } from '../../model/resources.ts';
import type { MarkdownDocument } from '../markdown/block.ts';
import type { OembedView, ResourceView } from '../presenters/view.ts';
import type { SerializedView, SerializerOptions } from './serialized-view.ts';

const removedCharactersWarning = (removed: number): readonly Warning[] =>
  removed === 0 ? [] : [warning('invisible_removed', `${removed} invisible characters were left out of the Markdown.`)];

/** The first members of every JSON body. Two of the warnings depend on the Markdown beside them. */
export const provenanceOf = (
  { fetchedAt, source, warnings }: ResourceView<object>,
  { removed, warning: truncation }: MarkdownDocument,
): Provenance => ({
  fetched_at: new Date(fetchedAt).toISOString(),
  source,
  warnings: [...warnings, ...(truncation === undefined ? [] : [truncation]), ...removedCharactersWarning(removed)],
});

/** `fetched_at` comes first, so that a validator can cover the rest. */
export const serializeJson = (
  view: ResourceView<object>,
  { maxTokens, metrics, part }: SerializerOptions,
): SerializedView => {
  const document = view.markdown({ dialect: 'markdown', maxTokens, metrics, part });
  const provenance = provenanceOf(view, document);
  return {
    format: 'json',
    body: `${JSON.stringify({ ...provenance, ...view.members(), markdown: document.markdown })}\n`,
    identityStart: `{"fetched_at":"${provenance.fetched_at}",`.length,
    ...(document.warning && { truncation: document.warning }),
  };
};

export const serializeOembed = ({ body: members }: OembedView): SerializedView => {
  return { format: 'json', body: `${JSON.stringify(members)}\n` };
};
