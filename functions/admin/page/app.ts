// Runs the operator's page: shows the dashboard to a signed-in operator and the sign-in form otherwise.
import { find, requirePart, setText } from '../../page/dom.ts';
import { formatWait } from '../../page/format.ts';
import { ApiError } from '../../page/problem.ts';
import { readSession, type Session, sessionApi, signIn } from './api.ts';
import { fillDashboard } from './dashboard.ts';
import { contentOf, onSubmit, showProblem, withErrorDisplay } from './dom.ts';

/** Replaces the whole view, so that no data of the previous view stays in the document. */
const open = (template: string): HTMLElement => {
  const view = find('#view', HTMLElement);
  view.replaceChildren(contentOf(template));
  return view;
};

const openDashboard = ({ operator }: Session): void => {
  const session = new AbortController();
  const end = (message: string): void => {
    session.abort();
    openSignIn(message);
  };
  const api = sessionApi(session.signal, () => end('Your session has ended. Sign in again.'));
  const dashboard = open('dashboard');
  setText('operator', operator, dashboard);
  fillDashboard(dashboard, api, { signal: session.signal, onSignOut: () => end('You are signed out.') });
  requirePart('top', dashboard).focus();
};

/** Describes the token: the problems of the service describe a route (401) and an allowance (429). */
const refuseToken = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error;
  const { status, retry_after: seconds = 60 } = error.problem;
  if (status === 401)
    throw new ApiError({ title: 'This token is not accepted', resolution: 'Check it and try again.' });
  if (status !== 429) throw error;
  const resolution = `Wait ${formatWait(seconds)} and try again.`;
  throw new ApiError({ title: 'Too many wrong tokens from your network', resolution });
};

const openSignIn = (message = ''): HTMLFormElement => {
  const form = find('form', HTMLFormElement, open('sign-in'));
  const input = find('input', HTMLInputElement, form);
  onSubmit(form, async () => {
    const token = input.value.trim();
    input.value = '';
    input.focus();
    setText('message', '', form);
    openDashboard(await signIn(token).catch(refuseToken));
  });
  input.focus();
  setText('message', message, form);
  return form;
};

const start = async (): Promise<void> => {
  const session = await readSession();
  if (session === undefined) openSignIn();
  else openDashboard(session);
};

// The page is the only place that shows a new key: warn before a key that is not stored is lost.
addEventListener('beforeunload', (event) => {
  if (document.querySelector('.secret') !== null) event.preventDefault();
});

void withErrorDisplay(start, (problem) => showProblem(openSignIn(), problem));
