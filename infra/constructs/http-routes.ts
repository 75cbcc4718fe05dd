// The HTTP API, derived from the contract: a path, whatever the method, leads to the surface that owns it.
// What matches nothing is discovery's to refuse: a HTTP API's own answers cannot be changed, so it should make none.
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import { documentRows, operationRows, pathsOf } from '../../shared/contract/operations.ts';
import type { SurfaceName } from '../../shared/contract/surfaces.ts';
import type { SurfaceFunction } from './surface-function.ts';

export interface HttpRoutesProps {
  readonly functions: Readonly<Record<SurfaceName, SurfaceFunction>>;
}

export class HttpRoutes extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { functions }: HttpRoutesProps) {
    super(scope, id);
    const integrations = new Map<string, HttpLambdaIntegration>();
    // One integration and one permission per function: a permission per route would outgrow Lambda's 20 KB policy.
    for (const [name, surface] of Object.entries(functions)) {
      integrations.set(name, new HttpLambdaIntegration(name, surface.function, { scopePermissionToRoute: false }));
    }
    const integrationOf = (name: SurfaceName): HttpLambdaIntegration => {
      const integration = integrations.get(name);
      if (integration === undefined) throw new Error(`${name} has no function`);
      return integration;
    };

    // No CORS and no throttle here: the gateway would answer OPTIONS and 429 itself, without the headers that we owe.
    this.api = new HttpApi(this, 'Api', {
      apiName: 'postern',
      description: 'Postern, behind CloudFront',
      defaultIntegration: integrationOf('discovery'),
    });
    const addRoute = (path: string, surface: SurfaceName): void =>
      void this.api.addRoutes({ path, methods: [HttpMethod.ANY], integration: integrationOf(surface) });

    for (const [, operation] of operationRows) {
      for (const path of pathsOf(operation)) addRoute(path, operation.surface);
    }
    for (const [, { path }] of documentRows) addRoute(path, 'discovery');
  }
}
