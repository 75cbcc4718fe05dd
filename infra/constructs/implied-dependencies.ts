// Removes dependencies that a reference already implies (cfn-lint W3005). The CDK lets every function depend on its role
// and on the policy of the role; the function names the role itself, but nothing names the policy.
import { CfnResource, type IAspect, Lazy, Stack } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';

const dependencies = (resource: CfnFunction): readonly string[] | undefined => {
  const role = JSON.stringify(Stack.of(resource).resolve(resource.role));
  const others = resource
    .obtainDependencies()
    .filter(CfnResource.isCfnResource)
    .map((dependency): string => Stack.of(resource).resolve(dependency.logicalId))
    .filter((id) => !role.includes(`"${id}"`));
  return others.length > 0 ? others : undefined;
};

/** Works on every function of a stack. The list is made at the end of the synthesis, when the CDK knows it. */
export class ImpliedDependencies implements IAspect {
  visit(node: IConstruct): void {
    if (CfnFunction.isCfnFunction(node)) node.addOverride('DependsOn', Lazy.any({ produce: () => dependencies(node) }));
  }
}
