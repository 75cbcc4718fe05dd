// Styles the tree of a conversation.
import type { Html } from '../html.ts';
import { css } from './frame.ts';

export const conversationStyle: Html = css`
/* An empty text: with none, Safari takes the role from the list. */
.tree ul { padding: 0; list-style: "" }
.tree li ul { padding-inline-start: clamp(.5rem, 2.5vw, 1.25rem); border-inline-start: 2px solid var(--line) }
/* A phone has no room for more than some levels: deeper ones stand below each other. */
@media (max-width: 40rem) { .tree li li li li li ul { padding-inline-start: 0; border: 0 } }
.tree summary { padding-block: .5rem; color: var(--accent); font-size: .9375rem }
.tree .gap { padding-block: .6rem; color: var(--quiet); font-size: .9375rem }
.tree p:has(> a:only-child) { margin-block: .5rem }
@media print { .tree details::details-content { content-visibility: visible; block-size: auto } .tree summary { display: none } }
`;
