// The operator's page: one view for whoever is signed in, and one for whoever is not.
import { Failure, readSession, type Session, sessionApi, signIn } from './api.ts';
import { fillDashboard } from './dashboard.ts';
import { catching, contentOf, find, onSubmit, part, showProblem, write } from './dom.ts';
import { waitText } from './words.ts';

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
  write(dashboard, 'operator', operator);
  fillDashboard(dashboard, api, { signal: session.signal, onSignOut: () => end('You are signed out.') });
  part(dashboard, 'top').focus();
};

/** The service speaks of a route and of an allowance; to whoever signs in it is about the token. */
const refuseToken = (error: unknown): never => {
  if (!(error instanceof Failure)) throw error;
  const { status, retry_after: seconds = 60 } = error.problem;
  if (status === 401) throw new Failure({ title: 'This token is not accepted', resolution: 'Check it and try again.' });
  if (status !== 429) throw error;
  const resolution = `Wait ${waitText(seconds)} and try again.`;
  throw new Failure({ title: 'Too many tokens from here were wrong', resolution });
};

const openSignIn = (message = ''): HTMLFormElement => {
  const form = find(open('sign-in'), 'form', HTMLFormElement);
  const input = find(form, 'input', HTMLInputElement);
  onSubmit(form, async () => {
    const token = input.value.trim();
    input.value = '';
    input.focus();
    write(form, 'message', '');
    openDashboard(await signIn(token).catch(refuseToken));
  });
  input.focus();
  write(form, 'message', message);
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

void catching(start, (problem) => showProblem(openSignIn(), problem));
