// The HTTP API, derived from the contract: a path, whatever the method, leads to the surface that owns it.
// What matches nothing is discovery's to refuse: a HTTP API's own answers cannot be changed, so it should make none.
import { Stack } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { DEFAULT_LAMBDA, routeRows } from '../../shared/contract/routes.ts';
import type { PosternLambda } from './postern-lambda.ts';

export interface HttpRoutesProps {
  readonly functions: Readonly<Record<LambdaName, PosternLambda>>;
}

export class HttpRoutes extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { functions }: HttpRoutesProps) {
    super(scope, id);
    // No CORS and no throttle here: the gateway would answer OPTIONS and 429 itself, without the headers that we owe.
    this.api = new HttpApi(this, 'Api', {
      apiName: 'postern',
      description: 'Postern, behind CloudFront',
      defaultIntegration: functions[DEFAULT_LAMBDA].integration,
    });
    for (const { path, lambda } of routeRows) {
      this.api.addRoutes({ path, methods: [HttpMethod.ANY], integration: functions[lambda].integration });
    }
    // The integration grants `API/*/*/*`, for `STAGE/METHOD/path`. The source of this route is `STAGE/$default`, which
    // that does not match: without a permission of its own every unknown path is the gateway's 500.
    functions[DEFAULT_LAMBDA].function.addPermission('DefaultRoute', {
      scope: this,
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: Stack.of(this).formatArn({
        service: 'execute-api',
        resource: this.api.apiId,
        resourceName: '*/$default',
      }),
    });
  }
}
