// What the operator's function needs: its own tables, who operates, and which providers to look at.
import { identification } from '../access/address.ts';
import { createDynamoAudit, createDynamoSessions } from '../access/dynamo-admin.ts';
import { createDynamoClient } from '../access/dynamo-client.ts';
import { createDynamoCounters } from '../access/dynamo-counters.ts';
import { createDynamoKeyStore } from '../access/dynamo-key-store.ts';
import { createDynamoUsage } from '../access/dynamo-usage.ts';
import { createLimiter } from '../access/limiter.ts';
import { createStoreGuard } from '../access/store-guard.ts';
import { env } from '../env.ts';
import { createProbe } from '../upstream/probe.ts';
import { allowancesIn, dynamoOptions, tableIn } from './access.ts';
import { operatorList } from './grammars.ts';
import { cursorSecrets } from './lists.ts';
import { type Environment, liveDoor, parsed, type WriteLine } from './settings.ts';
import { canaryPostIn, providerAddress, providersIn, userAgentOf } from './upstream.ts';

/** The type is what the surface takes. @throws where a setting is wrong or missing */
export const liveAdmin = (from: Environment = process.env, writeLog?: WriteLine) => {
  const door = liveDoor(from, writeLog);
  const { clock, log, settings } = door;
  const random = Math.random;
  const client = createDynamoClient(dynamoOptions(from));
  const counters = tableIn(from, 'counters');
  const admin = tableIn(from, 'admin');
  return {
    ...door,
    keys: createDynamoKeyStore(client, tableIn(from, 'keys')),
    sessions: createDynamoSessions(client, admin),
    audit: createDynamoAudit(client, admin, clock),
    usage: createDynamoUsage(client, counters),
    limiter: createLimiter({
      store: createDynamoCounters(client, counters),
      guard: createStoreGuard('counters', { clock, log, random }),
      clock,
    }),
    identify: identification(cursorSecrets(from)[0]),
    operators: parsed(from, env.adminTokenHashes, operatorList) ?? [],
    allowances: allowancesIn(from),
    probe: createProbe({
      providers: providersIn(from).map((name) => ({ name, baseUrl: providerAddress(from, name) })),
      canaryPost: canaryPostIn(from),
      userAgent: userAgentOf(settings.baseUrl),
      clock,
      log,
      random,
    }),
  };
};
