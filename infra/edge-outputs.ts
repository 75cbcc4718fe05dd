// Names what the stack of the service reads from the stack in us-east-1.

/** CloudFormation finds a stack by its name, also one of another region (`Fn::GetStackOutput`). */
export const edgeStackName = ({ stackName }: { readonly stackName: string }): string => `${stackName}-edge`;

export const EDGE_OUTPUTS = { certificate: 'CertificateArn', webAcl: 'WebAclArn' } as const;
