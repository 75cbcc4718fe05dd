// Fuzzes the renderers of Markdown and HTML with the texts of a post, which two parsers judge.
import { presentPost } from '../../../shared/render/presenters/present-post.ts';
import { hostileText } from '../../generators/hostile-text.ts';
import type { NextText } from '../../hostile/hostile-models.ts';
import { formOf, judgeForm } from '../../hostile/judge-texts.ts';
import { renderList } from '../../support/list-models.ts';
import type { Layout } from '../../support/plain-counterpart.ts';
import { conversationOf, postOf, userOf } from '../../support/post-models.ts';
import { ensure, type FuzzTarget } from '../target.ts';

const SEPARATOR = '\u0001';

/** The head of a page has no other text than its title. */
const mainOf = (html: string): string => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html;

const bodyAs = (format: 'markdown' | 'html', nextText: NextText, block: Layout): string => {
  const post = postOf({
    text: nextText(block),
    author: userOf(nextText('line'), 'b_c'),
    media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', alt_text: nextText('line') }],
    card: { url: 'https://card.example/', title: nextText('line') },
  });
  return renderList(presentPost, conversationOf(post), { format }).body;
};

const small = [
  formOf('markdown', (nextText, block) => bodyAs('markdown', nextText, block)),
  formOf('html', (nextText, block) => mainOf(bodyAs('html', nextText, block))),
];

export const target: FuzzTarget = {
  judge(input) {
    const texts = input.split(SEPARATOR).slice(0, 4);
    for (const form of small)
      for (const { reader, difference } of judgeForm(form, texts).findings)
        ensure(false, `${form.name} ${reader} ${difference}`);
  },
  seeds: hostileText,
};
