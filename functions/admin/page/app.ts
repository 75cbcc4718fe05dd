// The operator's page: one view for whoever is signed in, and one for whoever is not.
import { AdminApiError, readSession, type Session, sessionApi, signIn } from './api.ts';
import { fillDashboard } from './dashboard.ts';
import { contentOf, find, onSubmit, requirePart, setText, showProblem, withErrorDisplay } from './dom.ts';
import { formatWait } from './format.ts';

/** Nothing of the former view stays in the document. */
const open = (template: string): HTMLElement => {
  const view = find(document, '#view', HTMLElement);
  view.replaceChildren(contentOf(template));
  return view;
};

const openDashboard = ({ operator }: Session): void => {
  const session = new AbortController();
  const end = (message: string): void => {
    session.abort();
    openSignIn(message);
  };
  const api = sessionApi(session.signal, () => end('Your session has ended. Sign in again to go on.'));
  const dashboard = open('dashboard');
  setText(dashboard, 'operator', operator);
  fillDashboard(dashboard, api, { signal: session.signal, onSignOut: () => end('You are signed out.') });
  requirePart(dashboard, 'top').focus();
};

/** The service speaks of a route and of an allowance; to whoever signs in it is about the token. */
const refuseToken = (error: unknown): never => {
  if (!(error instanceof AdminApiError)) throw error;
  const { status, retry_after: seconds = 60 } = error.problem;
  if (status === 401)
    throw new AdminApiError({ title: 'This token is not accepted', resolution: 'Check it and try again.' });
  if (status !== 429) throw error;
  const resolution = `Wait ${formatWait(seconds)} and try again.`;
  throw new AdminApiError({ title: 'Too many tokens from here were wrong', resolution });
};

const openSignIn = (message = ''): HTMLFormElement => {
  const form = find(open('sign-in'), 'form', HTMLFormElement);
  const input = find(form, 'input', HTMLInputElement);
  onSubmit(form, async () => {
    const token = input.value.trim();
    input.value = '';
    input.focus();
    setText(form, 'message', '');
    openDashboard(await signIn(token).catch(refuseToken));
  });
  input.focus();
  setText(form, 'message', message);
  return form;
};

const start = async (): Promise<void> => {
  const session = await readSession();
  if (session === undefined) openSignIn();
  else openDashboard(session);
};

// A key that nobody has stored is lost with the page.
addEventListener('beforeunload', (event) => {
  if (document.querySelector('.secret') !== null) event.preventDefault();
});

void withErrorDisplay(start, (problem) => showProblem(openSignIn(), problem));
