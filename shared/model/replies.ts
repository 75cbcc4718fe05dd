// Names the orders of replies, and bounds the replies of a conversation.

export const REPLY_ORDERS = ['top', 'recent'] as const;
export type ReplyOrder = (typeof REPLY_ORDERS)[number];

/** A conversation has at most this many replies. The list of replies has all. */
export const MAX_CONVERSATION_REPLIES = 20;
