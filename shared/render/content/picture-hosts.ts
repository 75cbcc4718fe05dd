// Lists the hosts that pages and Markdown may load pictures from.

/** The picture hosts of X. A picture from another host would be a tracker. */
export const PICTURE_HOSTS: readonly string[] = ['pbs.twimg.com', 'video.twimg.com', 'abs.twimg.com'];

const PICTURE_HOST = new RegExp(`^https://(?:${PICTURE_HOSTS.join('|').replaceAll('.', '\\.')})/`, 'i');

export const isPictureHost = (url: string): boolean => PICTURE_HOST.test(url);
