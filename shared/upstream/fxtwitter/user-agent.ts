// Who FxTwitter takes a caller for. To the crawlers that unfurl links it answers with pages, or crashes on our paths.

const UNFURLS_LINKS = /discordbot|telegrambot|facebook|whatsapp|firefox\/92|vkshare|revoltchat|preview|iframely/i;

/** Anywhere in the name counts, an address in it included. */
export const looksLikeCrawler = (userAgent: string): boolean => UNFURLS_LINKS.test(userAgent);
