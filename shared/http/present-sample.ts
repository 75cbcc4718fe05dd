// Presents results that are made from sample data, so that people and models do not take them for statements about X.
import { SAMPLE_SENTENCE } from '../contract/sample.ts';
import { warning } from '../contract/warnings.ts';
import { BYTES_PER_TOKEN, byteLength } from '../render/content/format.ts';
import type { Presenter, ResourceView, View } from '../render/presenters/view.ts';
import { withSampleBar } from './sample-bar.ts';

const LINE = `\n*${SAMPLE_SENTENCE}*\n`;
const LINE_TOKENS = Math.ceil(byteLength(LINE) / BYTES_PER_TOKEN);

type MarkdownDocument = ReturnType<ResourceView<object>['markdown']>;

const withLine = (document: MarkdownDocument): MarkdownDocument => ({
  ...document,
  markdown: document.markdown + LINE,
});

/** Adds the warning, the last line of the Markdown and the bar of the page. Feeds and embeds have no place for them. */
export const presentSample =
  <T, V extends View>(present: Presenter<T, V>): Presenter<T, V> =>
  (result, urls) => {
    const view = present({ ...result, warnings: [...result.warnings, warning('sample')] }, urls);
    if (view.kind === 'oembed') return view;
    const { html } = view;
    return {
      ...view,
      markdown: (options) => {
        const { maxTokens, omitsNext } = options;
        // The notes of a tool have the warning.
        if (omitsNext) return view.markdown(options);
        if (maxTokens === undefined) return withLine(view.markdown(options));
        // Only the budget decides, so that all parts of a post are divided at the same places.
        const lined = withLine(view.markdown({ ...options, maxTokens: maxTokens - LINE_TOKENS }));
        return byteLength(lined.markdown) <= maxTokens * BYTES_PER_TOKEN ? lined : view.markdown(options);
      },
      ...(html && { html: () => withSampleBar(html()) }),
    };
  };
