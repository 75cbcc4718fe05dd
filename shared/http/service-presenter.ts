// Presents results as the service is set: with the rules for search engines and the way of pictures that the operator chose,
// and with a mark on sample data, so that people and models do not take it for statements about X.
import { SAMPLE_SENTENCE } from '../contract/sample.ts';
import { warning } from '../contract/warnings.ts';
import type { HttpSettings } from '../ports/http.ts';
import { BYTES_PER_TOKEN, byteLength } from '../render/content/format.ts';
import type { Html } from '../render/html/html.ts';
import type { Presenter, ResourceView, View } from '../render/presenters/view.ts';
import { withProxiedPictures } from './page-headers.ts';

const LINE = `\n*${SAMPLE_SENTENCE}*\n`;
const LINE_TOKENS = Math.ceil(byteLength(LINE) / BYTES_PER_TOKEN);

type MarkdownDocument = ReturnType<ResourceView<object>['markdown']>;

const withLine = (document: MarkdownDocument): MarkdownDocument => ({
  ...document,
  markdown: document.markdown + LINE,
});

/** Adds the warning and the last line of the Markdown. Feeds and embeds have no place for them. */
const presentSample =
  <T, V extends View>(present: Presenter<T, V>): Presenter<T, V> =>
  (result, urls) => {
    const view = present({ ...result, warnings: [...result.warnings, warning('sample')] }, urls);
    if (view.kind === 'oembed') return view;
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
    };
  };

export type ServiceSettings = Pick<HttpSettings, 'isSample' | 'isIndexed' | 'proxyPath'>;

/** Changes the page as the operator chose: bar of sample data, rules for search engines, pictures through the service. */
const presentPage =
  <T, V extends View>(present: Presenter<T, V>, settings: ServiceSettings): Presenter<T, V> =>
  (result, urls) => {
    const view = present(result, urls);
    if (view.kind === 'oembed' || view.html === undefined) return view;
    const { html } = view;
    const { proxyPath } = settings;
    const page = (): Html => html(settings);
    return { ...view, html: () => (proxyPath === undefined ? page() : withProxiedPictures(page(), proxyPath)) };
  };

export const presentForService = <T, V extends View>(
  present: Presenter<T, V>,
  settings: ServiceSettings,
): Presenter<T, V> => {
  const presentServed = presentPage(present, settings);
  return settings.isSample ? presentSample(presentServed) : presentServed;
};
