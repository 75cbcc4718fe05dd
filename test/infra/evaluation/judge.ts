// Evaluates the calls of a deployed template: who may call a function, publish alarms or use tables. Linters and
// emulators do not check this.
import { type AccessRequest, evaluate, type Statement } from './policy.ts';
import {
  ACCOUNT,
  fieldsOf,
  listOf,
  REGION,
  type Resource,
  readTemplate,
  statementsOf,
  type Template,
  textOf,
} from './template.ts';

const permissionConditions = ({ properties }: Resource): Statement['conditions'] => {
  const { SourceArn, SourceAccount, FunctionUrlAuthType, InvokedViaFunctionUrl } = properties;
  const equals = {
    ...(SourceAccount !== undefined && { 'AWS:SourceAccount': [textOf(SourceAccount)] }),
    ...(FunctionUrlAuthType !== undefined && { 'lambda:FunctionUrlAuthType': [textOf(FunctionUrlAuthType)] }),
  };
  return {
    ...(SourceArn !== undefined && { ArnLike: { 'AWS:SourceArn': [textOf(SourceArn)] } }),
    ...(Object.keys(equals).length > 0 && { StringEquals: equals }),
    ...(InvokedViaFunctionUrl !== undefined && {
      Bool: { 'lambda:InvokedViaFunctionUrl': [String(InvokedViaFunctionUrl)] },
    }),
  };
};

/** The resource policy of a function, by ARN: each `AWS::Lambda::Permission` is one statement. */
export const functionPolicy = (template: Template, functionArn: string): readonly Statement[] =>
  template
    .resources('AWS::Lambda::Permission')
    .filter(({ properties }) => properties['FunctionName'] === functionArn)
    .map((permission): Statement => {
      const principal = textOf(permission.properties['Principal']);
      const isService = principal.endsWith('.amazonaws.com');
      return {
        effect: 'Allow',
        principals: { services: isService ? [principal] : [], others: isService ? [] : [principal] },
        actions: [textOf(permission.properties['Action'])],
        resources: [functionArn],
        conditions: permissionConditions(permission),
      };
    });

const attributeOf = (service: string, resource: string, region = REGION): string =>
  `arn:aws:${service}:${region}:${ACCOUNT}:${resource}`;

/** The region in an ARN. */
const regionOf = (arn: string): string => arn.split(':')[3] ?? REGION;

export const functionArn = (id: string): string => attributeOf('lambda', `function:${id}`);

/** A call from API Gateway. @param source the path after the API id: `STAGE/METHOD/path` */
export const gatewayCall = (target: string, apiId: string, source: string): AccessRequest => ({
  principal: { service: 'apigateway.amazonaws.com' },
  action: 'lambda:InvokeFunction',
  resource: target,
  context: {
    'AWS:SourceArn': attributeOf('execute-api', `${apiId}/${source}`, regionOf(target)),
    'AWS:SourceAccount': ACCOUNT,
  },
});

/**
 * The source that API Gateway names for a call, after the API id. An `ANY` route has `*` for its method, and
 * the method of the request must be allowed as well. `$default` has neither method nor path, only two segments.
 */
const sourcesOf = (routeKey: string, stage: string): readonly string[] => {
  if (routeKey === '$default') return [`${stage}/$default`];
  const [method = '', path = ''] = routeKey.split(' ');
  const methods = method === 'ANY' ? ['*', 'GET', 'POST', 'OPTIONS'] : [method];
  return methods.map((item) => `${stage}/${item}${path}`);
};

const INTEGRATION = /^integrations\/(.+)$/;

/** The routes whose calls of their functions are not allowed, as text. */
const routeFaults = (template: Template): readonly string[] => {
  const stages = template.resources('AWS::ApiGatewayV2::Stage');
  return template.resources('AWS::ApiGatewayV2::Route').flatMap(({ properties }) => {
    const { ApiId, RouteKey, Target } = properties;
    const integration = template.resource(INTEGRATION.exec(textOf(Target))?.[1] ?? '');
    const target = textOf(integration.properties['IntegrationUri']);
    const policy = functionPolicy(template, target);
    return stages
      .filter((stage) => stage.properties['ApiId'] === ApiId)
      .flatMap((stage) => sourcesOf(textOf(RouteKey), textOf(stage.properties['StageName'])))
      .filter((source) => evaluate(policy, gatewayCall(target, textOf(ApiId), source)) !== 'allowed')
      .map((source) => `${textOf(RouteKey)}: API Gateway may not call ${target} for ${source}`);
  });
};

/** A call without a signature through a function URL needs both permissions (since October 2025, for new URLs). */
export const urlCalls = (target: string): readonly AccessRequest[] => [
  {
    principal: 'anonymous',
    action: 'lambda:InvokeFunctionUrl',
    resource: target,
    context: { 'lambda:FunctionUrlAuthType': 'NONE' },
  },
  {
    principal: 'anonymous',
    action: 'lambda:InvokeFunction',
    resource: target,
    context: { 'lambda:InvokedViaFunctionUrl': 'true' },
  },
];

/** CloudFront does not sign, so a function URL that is an origin must allow unsigned calls. */
const urlFaults = (template: Template): readonly string[] => {
  const hosts = template.resources('AWS::CloudFront::Distribution').flatMap(({ properties }) => {
    const { Origins } = fieldsOf(properties['DistributionConfig']);
    return listOf(Origins).map((origin) => textOf(fieldsOf(origin)['DomainName']));
  });
  return template
    .resources('AWS::Lambda::Url')
    .filter(({ id }) => hosts.some((host) => host.startsWith(`${id.toLowerCase()}.`)))
    .flatMap(({ properties }) => {
      const { Qualifier } = properties;
      const unqualified = textOf(properties['TargetFunctionArn']);
      const target = Qualifier === undefined ? unqualified : `${unqualified}:${textOf(Qualifier)}`;
      return urlCalls(target)
        .filter((call) => evaluate(functionPolicy(template, target), call) !== 'allowed')
        .map(({ action }) => `the function URL of ${target} lacks ${action}`);
    });
};

/** The default policy of a topic: its own account may do everything, and CloudWatch acts for the account. */
const defaultTopicPolicy = (topic: string): readonly Statement[] => [
  {
    effect: 'Allow',
    principals: { services: [], others: ['*'] },
    actions: ['sns:Publish'],
    resources: [topic],
    conditions: { StringEquals: { 'AWS:SourceOwner': [ACCOUNT] } },
  },
];

/** A topic policy replaces the default policy. */
export const topicPolicy = (template: Template, topic: string): readonly Statement[] => {
  const policies = template
    .resources('AWS::SNS::TopicPolicy')
    .filter(({ properties }) => listOf(properties['Topics']).includes(topic));
  return policies.length === 0
    ? defaultTopicPolicy(topic)
    : policies.flatMap(({ properties }) => statementsOf(properties['PolicyDocument']));
};

/** The call with which CloudWatch publishes an alarm. */
export const alarmCall = (topic: string, alarm: string, account = ACCOUNT): AccessRequest => ({
  principal: { service: 'cloudwatch.amazonaws.com' },
  action: 'sns:Publish',
  resource: topic,
  context: {
    'aws:SourceAccount': account,
    'AWS:SourceOwner': account,
    'aws:SourceArn': `arn:aws:cloudwatch:${regionOf(topic)}:${account}:alarm:${alarm}`,
    'aws:SecureTransport': 'true',
  },
});

/** Metric alarms and composite alarms publish in the same way. */
export const alarmsOf = (template: Template): readonly Resource[] => [
  ...template.resources('AWS::CloudWatch::Alarm'),
  ...template.resources('AWS::CloudWatch::CompositeAlarm'),
];

/** The topics that an alarm publishes to, each once. */
export const topicsOf = ({ properties }: Resource): readonly string[] => [
  ...new Set([...listOf(properties['AlarmActions']), ...listOf(properties['OKActions'])].map(textOf)),
];

const alarmFaults = (template: Template): readonly string[] =>
  alarmsOf(template).flatMap((alarm) =>
    topicsOf(alarm)
      .filter((topic) => evaluate(topicPolicy(template, topic), alarmCall(topic, alarm.id)) !== 'allowed')
      .map((topic) => `the alarm ${alarm.id} may not publish to ${topic}`),
  );

/**
 * The required calls that are not allowed, as text.
 *
 * @param json of a template
 * @param region of the stack
 */
export const faultsOf = (json: Readonly<Record<string, unknown>>, region = REGION): readonly string[] => {
  const template = readTemplate(json, region);
  return [...routeFaults(template), ...urlFaults(template), ...alarmFaults(template)];
};

/** The statements of a function's role; managed policies are not implemented. */
export const rolePolicy = (template: Template, functionId: string): readonly Statement[] => {
  const role = textOf(template.resource(functionId).properties['Role']);
  const found = template.resources('AWS::IAM::Role').find(({ id }) => role.endsWith(`:role/${id}`));
  if (found === undefined) throw new Error(`${functionId} has no role in the template`);
  if (found.properties['ManagedPolicyArns'] !== undefined) throw new Error(`${found.id} has managed policies`);
  const inline = listOf(found.properties['Policies']).map((policy) => fieldsOf(policy)['PolicyDocument']);
  const attached = template
    .resources('AWS::IAM::Policy')
    .filter(({ properties }) => listOf(properties['Roles']).includes(found.id))
    .map(({ properties }) => properties['PolicyDocument']);
  return [...inline, ...attached].flatMap(statementsOf);
};

/** The trust policy of a role. */
export const trustPolicy = (template: Template, roleId: string): readonly Statement[] =>
  // The resource of the request is the role itself.
  statementsOf(template.resource(roleId).properties['AssumeRolePolicyDocument']).map((statement) => ({
    ...statement,
    resources: ['*'],
  }));
