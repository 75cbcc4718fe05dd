// A bound on calls in flight. Who comes when all slots are taken waits a while for one, in order of arrival.

export interface Slots {
  /** @returns whether a slot was had within the time; it must then be left. */
  enter(milliseconds: number): Promise<boolean>;
  leave(): void;
}

export const createSlots = (count: number): Slots => {
  let free = count;
  const waiting: ((entered: boolean) => void)[] = [];
  return {
    async enter(milliseconds) {
      if (free > 0) {
        free -= 1;
        return true;
      }
      return new Promise((resolve) => {
        const settle = (entered: boolean): void => {
          clearTimeout(timer);
          resolve(entered);
        };
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(settle), 1);
          resolve(false);
        };
        const timer = setTimeout(giveUp, milliseconds);
        waiting.push(settle);
      });
    },
    leave() {
      const next = waiting.shift();
      // The slot passes on without ever being free.
      if (next === undefined) free += 1;
      else next(true);
    },
  };
};
