// Sends the GET requests of the examples to this service and shows status, headers and body of the answer.
import { element } from '../../../page/dom.ts';

interface ExampleRequest {
  /** Path and query on this service. */
  readonly target: string;
  readonly accept: string;
}

/** A longer body is cut, so that the page stays fast. */
const MAX_CHARACTERS = 50_000;

const requestsOf = (block: HTMLElement): readonly ExampleRequest[] => JSON.parse(block.dataset['requests'] ?? '[]');

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const cut = (text: string): string =>
  text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}\n(${text.length - MAX_CHARACTERS} more characters)`;

interface Shown {
  readonly summary: string;
  readonly body: string;
}

const send = async ({ target, accept }: ExampleRequest): Promise<Shown> => {
  const response = await fetch(target, { headers: { Accept: accept }, credentials: 'omit' });
  const body = await response.text();
  const type = response.headers.get('Content-Type') ?? 'no Content-Type';
  const size = new TextEncoder().encode(body).length.toLocaleString('en-US');
  return {
    summary: `${response.status} ${response.statusText} · ${type} · ${size} bytes`,
    body: cut(type.includes('json') ? indented(body) : body),
  };
};

const FAILED: Shown = { summary: 'The service cannot be reached. Check the connection and try again.', body: '' };

interface Output {
  show(answer: Shown): void;
}

const createOutput = (block: HTMLElement): Output => {
  const summary = element('p');
  const code = element('code');
  const pre = element('pre');
  const region = element('div', '', 'output');
  summary.setAttribute('role', 'status');
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', 'Answer');
  pre.append(code);
  region.append(summary, pre);
  block.append(region);
  return {
    show({ summary: line, body }) {
      summary.textContent = line;
      code.textContent = body;
      pre.hidden = body === '';
    },
  };
};

const optionOf = ({ target, accept }: ExampleRequest, index: number): HTMLOptionElement =>
  new Option(accept === '*/*' ? target : `${target} (${accept})`, String(index));

const createChoice = (requests: readonly ExampleRequest[]): HTMLSelectElement => {
  const select = document.createElement('select');
  select.setAttribute('aria-label', 'Request to run');
  select.append(...requests.map(optionOf));
  return select;
};

const prepare = (block: HTMLElement): void => {
  const requests = requestsOf(block);
  const choice = createChoice(requests);
  const button = element('button', 'Run', 'run');
  let output: Output | undefined;
  const run = async (): Promise<void> => {
    const request = requests[choice.selectedIndex];
    if (request === undefined || button.ariaBusy === 'true') return;
    output ??= createOutput(block);
    output.show({ summary: 'Requesting…', body: '' });
    button.ariaBusy = 'true';
    output.show(await send(request).catch(() => FAILED));
    button.ariaBusy = 'false';
  };
  button.setAttribute('type', 'button');
  button.addEventListener('click', () => void run());
  const copy = block.querySelector('.copy');
  if (requests.length > 1) copy?.before(choice);
  copy?.before(button);
};

export const startRunning = (): void => {
  for (const block of document.querySelectorAll<HTMLElement>('[data-requests]')) prepare(block);
};
