// Starts a proxy in front of DynamoDB that misbehaves as the test says.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listen, stop } from '../../infra/local/listen.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One call on its way to the store. */
interface ProxiedCall {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  forward(): Promise<Answer>;
}

export type Fault = (passing: ProxiedCall) => void | Promise<void>;

export const pass: Fault = async ({ response, forward }) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers).end(body);
};

/** Never answers. */
export const neverAnswers: Fault = () => undefined;

export const slow =
  (milliseconds: number): Fault =>
  async (passing) => {
    await setTimeout(milliseconds);
    await pass(passing);
  };

/** Ends the connection before the store gets the call. */
export const reset: Fault = ({ incoming }) => void incoming.socket.resetAndDestroy();

/** The store makes the change, but its response is lost. */
export const dropResponse: Fault = async ({ incoming, forward }) => {
  await forward();
  incoming.socket.destroy();
};

const AWS_JSON = { 'content-type': 'application/x-amz-json-1.0' };

/** An error response in the format of DynamoDB. */
export const refusal =
  (kind: string, status = 400): Fault =>
  ({ response }) =>
    void response
      .writeHead(status, AWS_JSON)
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${kind}`, message: 'LEAKY' }));

export const throttle = refusal('ProvisionedThroughputExceededException');
export const serverError = refusal('InternalServerError', 500);

/** The store believes that the client's clock is an hour behind, and says its own time. */
export const clockSkew: Fault = ({ response }) => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const message = 'Signature expired: LEAKY';
  response
    .writeHead(400, { ...AWS_JSON, date })
    .end(JSON.stringify({ __type: 'com.amazon.coral.service#InvalidSignatureException', message }));
};

/** Answers with a checksum that does not belong to the body. */
export const wrongChecksum: Fault = async ({ response, forward }) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'x-amz-crc32': '1' }).end(body);
};

export const garbage: Fault = ({ response }) => void response.writeHead(200, AWS_JSON).end('<h1>LEAKY');

/** Applies the fault to a share of all calls. @param random uniform in [0, 1) */
export const sometimes =
  (share: number, fault: Fault, random: () => number): Fault =>
  (passing) =>
    random() < share ? fault(passing) : pass(passing);

export type StoreProxy = Awaited<ReturnType<typeof startProxy>>;

const forwarding =
  (target: string, { headers, url }: IncomingMessage, body: string) =>
  async (): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    // The store may close an idle connection at the moment at which an agent uses it again.
    request(`${target}${url}`, { method: 'POST', headers, agent: false }, resolve).on('error', reject).end(body);
    const answer = await promise;
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
  };

/** @param target endpoint of the store */
export const startProxy = async (target: string) => {
  let behaviour = pass;
  /** The operations that reached the proxy, in order of arrival. */
  const operations: string[] = [];
  const bodies: string[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    operations.push(String(incoming.headers['x-amz-target']).replace(/^.*\./, ''));
    bodies.push(body);
    // A test may stop the store before its last call has ended.
    await Promise.resolve(behaviour({ incoming, response, forward: forwarding(target, incoming, body) })).catch(() =>
      response.destroy(),
    );
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  const endpoint = await listen(server, '127.0.0.1', 0);
  return {
    endpoint,
    /** Applies the fault to all further calls. */
    behave: (fault: Fault): void => {
      behaviour = fault;
    },
    operations,
    bodies,
    /** Refuses connections. */
    goDown: (): Promise<void> => stop(server),
    comeBack: async (): Promise<void> => void (await listen(server, '127.0.0.1', Number(new URL(endpoint).port))),
    close: (): Promise<void> => stop(server),
  };
};
