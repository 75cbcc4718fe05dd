// Serializes a view as JSON.
import { warning } from '../../contract/warnings.ts';
import type { Provenance, Warning } from '../../model/conversation.ts';
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

/** `fetched_at` comes first, so that the rest is one string that a validator can cover. */
export const serializeJson = (view: ResourceView<object>, { maxTokens }: SerializerOptions): SerializedView => {
  const document = view.markdown({ dialect: 'markdown', maxTokens });
  const { fetched_at: fetchedAt, ...provenance } = provenanceOf(view, document);
  const identity = JSON.stringify({ ...provenance, ...view.members(), markdown: document.markdown });
  const body = `{"fetched_at":"${fetchedAt}",${identity.slice(1)}\n`;
  return { format: 'json', body, identity, ...(document.warning && { truncation: document.warning }) };
};

export const serializeOembed = ({ body: members }: OembedView): SerializedView => {
  const body = `${JSON.stringify(members)}\n`;
  return { format: 'json', body, identity: body };
};
