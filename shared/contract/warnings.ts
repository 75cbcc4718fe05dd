// Codes of `warnings` in JSON bodies: the answer is good, yet not all there is.

export const warningMessages = {
  conversation_unavailable: 'Only the post itself could be read: ancestors, thread and replies are left out.',
  counts_unavailable: 'The provider that answered knows likes and replies only; the other counts are null.',
  text_incomplete: 'The provider that answered cuts long posts: the text ends early.',
  article_incomplete: 'The provider that answered knows the preview of this article only.',
} as const;

export type WarningCode = keyof typeof warningMessages;
