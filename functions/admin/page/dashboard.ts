// Fills the view of a signed-in operator: keys, their usage, the state of the service, the withheld list and the audit.
import { find, requirePart, setText } from '../../page/dom.ts';
import type { Problem } from '../../page/problem.ts';
import type { Api, Key } from './api.ts';
import { isolateLabel, onClick, showProblem, withErrorDisplay } from './dom.ts';
import { createForm, deleteKey, editKey, showDefault } from './forms.ts';
import { keyTable } from './keys.ts';
import { showAudit, showService } from './status.ts';
import { showWithheld } from './withheld.ts';

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

/** Runs all tasks although one fails: usage still answers while the store is down. @throws the first failure */
const runAll = async (...tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  const outcomes = await Promise.allSettled(tasks.map((task) => task()));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
};

interface Notices {
  readonly say: (message: string) => void;
  readonly report: (problem: Problem) => void;
}

/** Shows one notice at a time. A message disappears after 8 s; a problem stays until it is dismissed or replaced. */
const createNotices = (dashboard: HTMLElement): Notices => {
  const alert = find('.alert', HTMLElement, dashboard);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = (): void => {
    clearTimeout(timer);
    setText('problem', '', alert);
    setText('message', '', dashboard);
  };
  onClick(alert, 'dismiss', clear);
  return {
    say: (message) => {
      clear();
      setText('message', message, dashboard);
      timer = setTimeout(clear, NOTICE_MS);
    },
    report: (problem) => {
      clear();
      showProblem(alert, problem);
    },
  };
};

interface DashboardPorts {
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
  readonly onSignOut: () => void;
}

export const fillDashboard = (dashboard: HTMLElement, api: Api, { signal, onSignOut }: DashboardPorts): void => {
  const { say, report } = createNotices(dashboard);
  /** Counts the changes made on this page: a list that was requested before a change is out of date. */
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

  const loadWithheld = async (): Promise<void> => showWithheld(dashboard, await api.readWithheld());

  let older: string | undefined;

  const loadAudit = async (cursor?: string): Promise<void> => {
    const page = await api.readAudit(cursor);
    if (cursor !== undefined && cursor !== older) return; // the list began again
    older = page.next_cursor;
    showAudit(dashboard, page, cursor !== undefined);
  };

  const loadAll = (): Promise<void> => runAll(loadKeys, loadUsage, loadWithheld, () => loadAudit());

  const put = (key: Key): void => {
    table.put(key);
    noteChange();
  };

  const noteChange = (): void => {
    changes += 1;
    void withErrorDisplay(loadAll, report);
  };

  const toggle = async (key: Key): Promise<void> => {
    const isEnabled = key.state === 'enabled';
    put(await api.changeKey(key.id, { state: isEnabled ? 'disabled' : 'enabled' }));
    say(`${isEnabled ? 'Disabled' : 'Enabled'} ${isolateLabel(key.label)} from its next request.`);
  };

  const ports = { api, say, dashboard };
  const table = keyTable(dashboard, {
    edit: (key) => editKey(key, ports, put),
    toggle: (key) => void withErrorDisplay(() => toggle(key), report),
    remove: (key) =>
      deleteKey(key, ports, () => {
        table.drop(key.id);
        requirePart('keys-title', dashboard).focus();
        noteChange();
      }),
  });
  createForm(ports, put);
  const onButton = (name: string, task: () => Promise<void>): void =>
    onClick(dashboard, name, () => void withErrorDisplay(task, report));
  onButton('refresh', async () => {
    await loadAll();
    say('Refreshed.');
  });
  onButton('older', () => loadAudit(older));
  onButton('sign-out', async () => {
    await api.signOut();
    onSignOut();
  });
  void withErrorDisplay(loadAll, (problem) => {
    setText('empty', 'The keys could not be read.', dashboard);
    report(problem);
  });
  void repeatWhileVisible(
    () =>
      withErrorDisplay(
        () => runAll(loadKeys, loadUsage, loadWithheld),
        ({ title }) => setText('refreshed', `Not refreshed: ${title}`, dashboard),
      ),
    signal,
  );
};
