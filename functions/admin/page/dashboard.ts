// The view of a signed-in operator: keys, their use, the state of the service, and what was done.
import type { Api, Key, Problem } from './api.ts';
import { find, onClick, requirePart, setText, showProblem, withErrorDisplay } from './dom.ts';
import { isolateLabel } from './format.ts';
import { createForm, deleteKey, editKey, showDefault } from './forms.ts';
import { keyTable } from './keys.ts';
import { showAudit, showService } from './status.ts';

const REFRESH_MS = 30_000;
const NOTICE_MS = 8_000;

const visible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (document.visibilityState === 'visible') resolve();
    else document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
  });

const repeatWhileVisible = async (task: () => Promise<void>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
    await visible(signal);
    if (!signal.aborted) await task();
  }
};

/** Each for itself: that the store is down is known from what still answers. @throws the first failure */
const each = async (...tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  const outcomes = await Promise.allSettled(tasks.map((task) => task()));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
};

interface Notices {
  readonly say: (message: string) => void;
  readonly complain: (problem: Problem) => void;
}

/** One at a time. What was said goes by itself; a problem stays until it is dismissed or something else is said. */
const noticesOf = (dashboard: HTMLElement): Notices => {
  const alert = find(dashboard, '.alert', HTMLElement);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = (): void => {
    clearTimeout(timer);
    setText(alert, 'problem', '');
    setText(dashboard, 'message', '');
  };
  onClick(alert, 'dismiss', clear);
  return {
    say: (message) => {
      clear();
      setText(dashboard, 'message', message);
      timer = setTimeout(clear, NOTICE_MS);
    },
    complain: (problem) => {
      clear();
      showProblem(alert, problem);
    },
  };
};

interface DashboardPorts {
  /** Ends with the session. */
  readonly signal: AbortSignal;
  readonly onSignOut: () => void;
}

export const fillDashboard = (dashboard: HTMLElement, api: Api, { signal, onSignOut }: DashboardPorts): void => {
  const { say, complain } = noticesOf(dashboard);
  /** Counts the changes made here: a list that was asked for before one is out of date. */
  let changes = 0;

  const loadKeys = async (): Promise<void> => {
    const before = changes;
    const { keys } = await api.listKeys();
    if (changes === before) table.show(keys);
    else await loadKeys();
  };

  const loadUsage = async (): Promise<void> => {
    const usage = await api.readUsage();
    showService(dashboard, usage);
    showDefault(dashboard, usage.defaults.search);
    table.showUsage(usage);
  };

  const loadAudit = async (): Promise<void> => showAudit(dashboard, (await api.readAudit()).entries);

  const loadAll = (): Promise<void> => each(loadKeys, loadUsage, loadAudit);

  const put = (key: Key): void => {
    table.put(key);
    noteChange();
  };

  const noteChange = (): void => {
    changes += 1;
    void withErrorDisplay(loadAll, complain);
  };

  const toggle = async (key: Key): Promise<void> => {
    const isEnabled = key.state === 'enabled';
    put(await api.changeKey(key.id, { state: isEnabled ? 'disabled' : 'enabled' }));
    say(`${isEnabled ? 'Disabled' : 'Enabled'} ${isolateLabel(key.label)}, from its next request on.`);
  };

  const ports = { api, say, dashboard };
  const table = keyTable(dashboard, {
    edit: (key) => editKey(key, ports, put),
    toggle: (key) => void withErrorDisplay(() => toggle(key), complain),
    remove: (key) =>
      deleteKey(key, ports, () => {
        table.drop(key.id);
        requirePart(dashboard, 'keys-title').focus();
        noteChange();
      }),
  });
  createForm(ports, put);
  const onAsked = (name: string, task: () => Promise<void>): void =>
    onClick(dashboard, name, () => void withErrorDisplay(task, complain));
  onAsked('refresh', async () => {
    await loadAll();
    say('Refreshed.');
  });
  onAsked('sign-out', async () => {
    await api.signOut();
    onSignOut();
  });
  void withErrorDisplay(loadAll, (problem) => {
    setText(dashboard, 'empty', 'The keys could not be read.');
    complain(problem);
  });
  void repeatWhileVisible(
    () =>
      withErrorDisplay(
        () => each(loadKeys, loadUsage),
        ({ title }) => setText(dashboard, 'refreshed', `Not refreshed: ${title}`),
      ),
    signal,
  );
};
