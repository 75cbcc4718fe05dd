// Recognizes user agents that FxTwitter takes for link preview crawlers. It sends them HTML pages or fails.
const CRAWLER = /discordbot|telegrambot|facebook|whatsapp|firefox\/92|vkshare|revoltchat|preview|iframely/i;

/** FxTwitter searches the whole field, including a URL in it. */
export const looksLikeCrawler = (userAgent: string): boolean => CRAWLER.test(userAgent);
