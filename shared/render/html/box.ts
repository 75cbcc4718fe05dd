// Renders the one field for links, handles and words that every page has.
import { MAX_SEARCH_UNITS } from '../../model/lists.ts';
import { escapeHtml } from './escape.ts';

const LABEL = 'Link, @handle or words';

/**
 * @param hidden the class of text for screen readers only
 * @param query plain text
 * @returns the label, the field and the button, for a form that sends GET to the front page
 */
export const boxFieldHtml = (hidden: string, query = ''): string =>
  `<label class="${hidden}" for="q">${LABEL}</label><input type="text" id="q" name="q" value="${escapeHtml(query)}" placeholder="${LABEL}" required maxlength="${MAX_SEARCH_UNITS}" enterkeyhint="go" autocomplete="off" autocapitalize="none" spellcheck="false"><button type="submit">Read</button>`;
