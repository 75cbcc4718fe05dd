// Answers the requests of the verification from memory, so that hundreds of faults can be planted within seconds. The
// answers are those of a running service; each is asked for once.
import type { RequestOptions } from 'node:http';
import type { Answer, Probe } from '../../shared/verification/answer.ts';
import { type Client, httpClient } from '../../shared/verification/service.ts';

/** Each run of the checks has other keys. */
const KEYS = /pstn_\w+/g;

export type RememberingClient = ReturnType<typeof createRememberingClient>;

/** @param service the origin of the running service, which answers for every origin */
export const createRememberingClient = (service: URL) => {
  const answers = new Map<string, Promise<Answer>>();
  const counts = new Map<string, Promise<number>>();
  const sendProbe = async (_: URL, target: string, probe: Probe, options?: RequestOptions): Promise<Answer> => {
    const name = JSON.stringify([target, probe]).replaceAll(KEYS, 'pstn_');
    const answer = answers.get(name) ?? httpClient.sendProbe(service, target, probe, options);
    answers.set(name, answer);
    return { ...(await answer), target, probe };
  };
  const countHeadBytes = (_: URL, target: string): Promise<number> => {
    const count = counts.get(target) ?? httpClient.countHeadBytes(service, target);
    counts.set(target, count);
    return count;
  };
  return {
    sendProbe,
    countHeadBytes,
    /** @returns a client whose answers have the fault */
    withFault: (fault: (answer: Answer) => Answer): Client => ({
      countHeadBytes,
      sendProbe: async (...asked) => fault(await sendProbe(...asked)),
    }),
  };
};
