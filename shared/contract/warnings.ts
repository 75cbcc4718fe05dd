// Codes of `warnings` in JSON bodies: the answer is good, yet not all there is, or not all of it is shown.
import type { Warning } from '../model/conversation.ts';

export const warningMessages = {
  conversation_unavailable:
    'Only the post itself could be read, and at most the one it answers: thread and replies are left out.',
  counts_unavailable: 'The provider that answered knows likes and replies only; the other counts are null.',
  text_incomplete: 'The provider that answered cuts long posts: the text ends early.',
  article_incomplete: 'The provider that answered knows the preview of this article only.',
  truncated: 'The Markdown was cut to fit max_tokens.',
  invisible_removed: 'Invisible characters were left out of the Markdown; the text in JSON keeps them.',
} as const;

export type WarningCode = keyof typeof warningMessages;

/** @param message what is special about this one */
export const warning = (code: WarningCode, message: string = warningMessages[code]): Warning => ({ code, message });
