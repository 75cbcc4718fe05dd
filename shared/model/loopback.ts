// Tells the hosts that mean the machine itself: on another machine, or after the service has ended, their URLs lead nowhere.

const LOOPBACK =
  /^(?:localhost\.?|.+\.localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/i;

/** @returns true for the URL of a loopback host, in any spelling */
export const isLoopback = (url: string): boolean => URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
