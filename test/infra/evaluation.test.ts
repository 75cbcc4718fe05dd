// Evaluates the synthesized template as AWS would evaluate the requests of a deployment.
import { describe, expect, test } from 'vitest';
import { SESSION_PREFIX } from '../../shared/contract/tables.ts';
import {
  alarmCall,
  alarmsOf,
  faultsOf,
  functionArn,
  functionPolicy,
  gatewayCall,
  rolePolicy,
  topicPolicy,
  topicsOf,
  trustPolicy,
  urlCalls,
} from './evaluation/judge.ts';
import { type AccessRequest, evaluate } from './evaluation/policy.ts';
import { ACCOUNT, type Fields, fieldsOf, REGION, readTemplate, textOf } from './evaluation/template.ts';
import { templateOf } from './synthesized.ts';

const json: Fields = templateOf({ alarmEmail: 'ops@example.org', canaryMinutes: 0 }).toJSON();
const template = readTemplate(json);

/** A changed template: `change` replaces a resource, or removes it by undefined. */
const changed = (change: (id: string, resource: Fields) => Fields | undefined): Fields => ({
  ...json,
  Resources: Object.fromEntries(
    Object.entries(fieldsOf(json['Resources'])).flatMap(([id, resource]) => {
      const other = change(id, fieldsOf(resource));
      return other === undefined ? [] : [[id, other]];
    }),
  ),
});

const FUNCTIONS = template.resources('AWS::Lambda::Function').map(({ id }) => id);
const [api] = template.resources('AWS::ApiGatewayV2::Api');
const apiId = api?.id ?? '';

describe('[platform 5] every required call is allowed', () => {
  test('each route calls its function, each alarm publishes, and CloudFront reaches the function URL', () => {
    expect(faultsOf(json)).toEqual([]);
    // A template without these resources would have no faults either.
    expect(template.resources('AWS::ApiGatewayV2::Route').length).toBeGreaterThan(40);
    expect(alarmsOf(template).filter((alarm) => topicsOf(alarm).length === 1).length).toBeGreaterThan(40);
    expect(template.resources('AWS::CloudWatch::CompositeAlarm').flatMap(topicsOf)).toHaveLength(1);
    expect(template.resources('AWS::Lambda::Url')).toHaveLength(1);
  });
});

describe('a missing grant is found', () => {
  const isDefaultRoute = ({ Type, Properties }: Fields): boolean =>
    Type === 'AWS::Lambda::Permission' && JSON.stringify(Properties).includes('/*/$default');

  test('unknown paths fail without the permission of $default', () => {
    expect(faultsOf(changed((_, row) => (isDefaultRoute(row) ? undefined : row)))).toEqual([
      `$default: API Gateway may not call ${functionArn('DiscoveryFunction')} for $default/$default`,
    ]);
  });
});

describe('[platform 5] no other caller may call a function', () => {
  const decisions = (request: AccessRequest): string => evaluate(functionPolicy(template, request.resource), request);

  test.each(FUNCTIONS)('%s cannot be called by another API, account or service, or without a signature', (id) => {
    const target = functionArn(id);
    const [url, viaUrl] = urlCalls(target);
    const gateway = gatewayCall(target, apiId, '$default/GET/api/v1/posts');
    const isMcp = id === 'McpFunction';
    expect(decisions(gateway)).toBe(isMcp ? 'implicit' : 'allowed');
    expect(decisions(gatewayCall(target, 'another', '$default/GET/api/v1/posts'))).toBe('implicit');
    expect(decisions({ ...gateway, principal: { service: 'sns.amazonaws.com' } })).toBe('implicit');
    const foreign = `arn:aws:execute-api:${REGION}:999999999999:${apiId}/$default/GET/api/v1/posts`;
    expect(decisions({ ...gateway, context: { 'AWS:SourceArn': foreign } })).toBe('implicit');
    for (const call of [url, viaUrl]) expect(call && decisions(call)).toBe(isMcp ? 'allowed' : 'implicit');
    expect(decisions({ principal: 'anonymous', action: 'lambda:InvokeFunction', resource: target })).toBe('implicit');
  });

  test('only discovery answers $default', () => {
    const callable = FUNCTIONS.filter(
      (id) => decisions(gatewayCall(functionArn(id), apiId, '$default/$default')) === 'allowed',
    );
    expect(callable).toEqual(['DiscoveryFunction']);
  });

  test.each(template.resources('AWS::IAM::Role').map(({ id }) => id))('only Lambda may assume the role %s', (id) => {
    const request = (service: string): AccessRequest => ({
      principal: { service },
      action: 'sts:AssumeRole',
      resource: textOf(`arn:aws:iam::${ACCOUNT}:role/${id}`),
    });
    expect(evaluate(trustPolicy(template, id), request('lambda.amazonaws.com'))).toBe('allowed');
    expect(evaluate(trustPolicy(template, id), request('ec2.amazonaws.com'))).toBe('implicit');
    expect(evaluate(trustPolicy(template, id), { ...request(''), principal: 'anonymous' })).toBe('implicit');
  });
});

describe.each(template.resources('AWS::SNS::Topic').map(({ id }) => id))(
  '[platform 5] only alarms of this account may publish to the topic %s, and only over TLS',
  (id) => {
    const topic = `arn:aws:sns:${REGION}:${ACCOUNT}:${id}`;
    const alarm = alarmCall(topic, 'anAlarm');
    const decision = (request: AccessRequest): string => evaluate(topicPolicy(template, topic), request);

    test.each([
      ['an alarm', alarm, 'allowed'],
      ['an alarm of another account', alarmCall(topic, 'anAlarm', '999999999999'), 'implicit'],
      ['another service', { ...alarm, principal: { service: 'events.amazonaws.com' } }, 'implicit'],
      ['a caller without a signature', { ...alarm, principal: 'anonymous' as const }, 'implicit'],
      ['a subscription', { ...alarm, action: 'sns:Subscribe' }, 'implicit'],
      ['a request without TLS', { ...alarm, context: { ...alarm.context, 'aws:SecureTransport': 'false' } }, 'denied'],
    ])('%s', (_, request, expected) => {
      expect(decision(request)).toBe(expected);
    });
  },
);

describe('[platform 5] the permissions of a function', () => {
  const tableArn = (name: string): string => {
    const found = template.resources('AWS::DynamoDB::Table').filter(({ id }) => id.startsWith(`Tables${name}`));
    expect(found).toHaveLength(1);
    return `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${found[0]?.id}`;
  };

  const DYNAMO_ACTIONS = [
    'BatchGetItem BatchWriteItem ConditionCheckItem CreateBackup DeleteItem DeleteTable DescribeTable',
    'ExportTableToPointInTime GetItem GetRecords PartiQLDelete PartiQLInsert PartiQLSelect PartiQLUpdate PutItem',
    'PutResourcePolicy Query RestoreTableToPointInTime Scan TransactGetItems UpdateItem UpdateTable UpdateTimeToLive',
  ].flatMap((names) => names.split(' '));

  /** @param context the condition keys of the requests, such as the items */
  const allowedOn = (
    id: string,
    table: string,
    context: AccessRequest['context'] = {},
    of: typeof template = template,
  ): readonly string[] =>
    DYNAMO_ACTIONS.filter((action) => {
      const request = {
        principal: { role: id },
        action: `dynamodb:${action}`,
        resource: tableArn(table),
        context,
      };
      return evaluate(rolePolicy(of, id), request) === 'allowed';
    });

  const READS_KEYS = ['GetItem'];
  const COUNTS = ['UpdateItem'];

  test.each([
    ['PostsFunction', [], []],
    ['EngagementsFunction', [], COUNTS],
    ['OembedFunction', [], []],
    ['DiscoveryFunction', [], []],
    ['ProfilesFunction', READS_KEYS, COUNTS],
    ['SearchFunction', READS_KEYS, COUNTS],
    ['LegacyFunction', READS_KEYS, COUNTS],
    ['McpFunction', READS_KEYS, COUNTS],
    ['AdminFunction', ['DeleteItem', 'PutItem', 'Scan', 'UpdateItem'], ['Query', 'UpdateItem']],
  ])('[admin 8] on tables: %s', (id, keys, counters) => {
    expect(allowedOn(id, 'keys')).toEqual(keys);
    expect(allowedOn(id, 'counters')).toEqual(counters);
    if (id !== 'AdminFunction') expect(allowedOn(id, 'admin')).toEqual([]);
  });

  describe('[platform 5] the ceiling of paid rows', () => {
    const official = { providers: 'fxtwitter,x_api', xApiTokenSecret: 'x-api-token' };

    test.each([
      ['without x_api', {}, []],
      ['with x_api', official, COUNTS],
      ['with x_api and no ceiling', { ...official, xApiDailyRows: 0 }, []],
      ['with a ceiling and no x_api', { xApiDailyRows: 10 }, []],
    ])('%s: functions that read posts may count rows only where rows are counted', (_, settings, counters) => {
      const other = readTemplate(templateOf(settings).toJSON());
      for (const id of ['PostsFunction', 'OembedFunction']) {
        expect(allowedOn(id, 'counters', {}, other)).toEqual(counters);
        expect(allowedOn(id, 'keys', {}, other)).toEqual([]);
        expect(allowedOn(id, 'admin', {}, other)).toEqual([]);
        const variables = fieldsOf(fieldsOf(other.resource(id).properties['Environment'])['Variables']);
        expect('COUNTERS_TABLE' in variables).toBe(counters.length > 0);
        expect(variables['X_API_DAILY_ROWS']).toBe(String('xApiDailyRows' in settings ? settings.xApiDailyRows : 2000));
      }
      expect(allowedOn('SearchFunction', 'counters', {}, other)).toEqual(COUNTS);
      expect(allowedOn('DiscoveryFunction', 'counters', {}, other)).toEqual([]);
    });
  });

  test('[admin 8] the admin function changes and deletes only sessions, and only appends to the audit', () => {
    const about = (key: string) => ({ 'dynamodb:LeadingKeys': [key] });
    expect(allowedOn('AdminFunction', 'admin', about('audit'))).toEqual(['PutItem', 'Query']);
    expect(allowedOn('AdminFunction', 'admin', about(`${SESSION_PREFIX}1`))).toEqual([
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ]);
  });

  test('the tests above cover every table and every function', () => {
    expect(FUNCTIONS).toHaveLength(9);
    expect(template.resources('AWS::DynamoDB::Table')).toHaveLength(3);
  });

  test.each(FUNCTIONS)('%s may access only its tables and its log', (id) => {
    const statements = rolePolicy(template, id);
    const beyondTables = statements.filter(({ resources }) => !resources.every((arn) => arn.includes(':dynamodb:')));
    const log = `${textOf(fieldsOf(template.resource(id).properties['LoggingConfig'])['LogGroup'])}`;
    expect(beyondTables).toEqual([
      {
        effect: 'Allow',
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [`arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${log}:*`],
        conditions: {},
      },
    ]);
    // No wildcard may grant an action outside the list above.
    for (const { actions, resources } of statements) {
      expect(actions.join()).not.toContain('*');
      expect(resources.map((arn) => arn.replace(/:\*$/, '')).join()).not.toContain('*');
    }
  });

  // CloudFormation resolves secrets when it deploys.
  test.each(FUNCTIONS)('%s may read no secret at run time', (id) => {
    for (const { id: secret } of template.resources('AWS::SecretsManager::Secret')) {
      const resource = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${secret}`;
      const request = { principal: { role: id }, action: 'secretsmanager:GetSecretValue', resource };
      expect(evaluate(rolePolicy(template, id), request)).toBe('implicit');
    }
  });
});
