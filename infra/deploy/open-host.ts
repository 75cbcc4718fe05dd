// Warns before a deployment that gives what the official API returns to everybody, which the terms of the API restrict.
import type { DeploymentRecord } from '../config/deployment-record.ts';

const OFFICIAL = 'x_api';

/** @returns blank: the official API is not used, or a web ACL of the operator decides who reads */
export const openHostWarning = ({ settings }: Pick<DeploymentRecord, 'settings'>): string =>
  settings.providers?.split(',').includes(OFFICIAL) && settings.webAclArn === undefined
    ? `Warning: ${OFFICIAL} answers everybody who knows the address. The Developer Agreement of X (III.A) allows no substitute of X, no mirror and no redistribution, and the Developer Policy only ids by an API: see docs/operators/standing.md. A web ACL of your own (webAclArn) can decide who reads.`
    : '';
