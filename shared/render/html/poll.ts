// Renders a poll: words and shares, with bars as SVG.
import type { Poll } from '../../model/post.ts';
import { choiceShare } from '../content/labels.ts';
import { escapeHtml } from './escape.ts';

const WHOLE = 100;

/** Presentation attributes of SVG take the place of style attributes, which the pages do not have. */
const barHtml = (percentage: number): string =>
  `<svg aria-hidden="true"><rect width="${Math.min(WHOLE, Math.max(0, percentage))}%" height="100%"/></svg>`;

/** The number of votes and the end are facts of the post, beside its counts. */
export const pollHtml = ({ choices }: Poll): string => {
  if (choices.length === 0) return '';
  const most = choices.reduce((highest, { percentage }) => Math.max(highest, percentage ?? 0), 0);
  const items = choices.map((choice) => {
    const { label, percentage } = choice;
    const leads = percentage !== null && percentage > 0 && percentage === most;
    const bar = percentage === null || !Number.isFinite(percentage) ? '' : barHtml(percentage);
    return `<li${leads ? ' class="most"' : ''}><span dir="auto">${escapeHtml(label)}</span><span>${choiceShare(choice)}</span>${bar}</li>`;
  });
  return `<ul class="poll">${items.join('')}</ul>`;
};
