// Plays a fault against the alarms of a synthesized template and reports which are raised, and when.
import { type Fields, readTemplate, type Template } from '../evaluation/template.ts';
import { createAlarmEvaluator } from './evaluate-alarm.ts';
import { isRaised } from './expressions.ts';
import { createMetricStore } from './metric-store.ts';
import { readAlarms, readComposites } from './read-alarms.ts';
import { NAMESPACE } from './recorded-lines.ts';
import { createWriter, type Deployment, type Minute } from './service-traffic.ts';

const deploymentOf = (template: Template): Deployment => {
  const only = (type: string): string => {
    const [found, ...others] = template.resources(type);
    if (found === undefined || others.length > 0) throw new Error(`the template must have one ${type}`);
    return found.id;
  };
  return {
    namespace: NAMESPACE,
    apiId: only('AWS::ApiGatewayV2::Api'),
    distributionId: only('AWS::CloudFront::Distribution'),
    functionName: (surface) => `${surface.charAt(0).toUpperCase()}${surface.slice(1)}Function`,
  };
};

export interface Play {
  /** Minutes before the fault, with the fault, and after it. */
  readonly before: number;
  readonly during: number;
  readonly after: number;
  readonly normal: Minute;
  readonly fault: Minute;
}

export interface Raised {
  readonly name: string;
  readonly description: string;
  readonly isMailed: boolean;
  /** Minutes from the start of the fault until the alarm is raised. */
  readonly minutes: number;
  /** True: it has ended when the play ends. */
  readonly hasEnded: boolean;
}

/** @param json of a template @returns the raised alarms, the earliest first */
export const rehearse = (json: Fields, { before, during, after, normal, fault }: Play): readonly Raised[] => {
  const template = readTemplate(json);
  const alarms = readAlarms(template);
  const composites = readComposites(template);
  const store = createMetricStore();
  const write = createWriter(store, deploymentOf(template));
  const isInAlarm = createAlarmEvaluator(store);
  const states = new Map<string, boolean>();
  const raisedAt = new Map<string, number>();
  const idOf = (arn: string): string => arn.slice(arn.lastIndexOf(':') + 1);

  const enter = (id: string, isNowRaised: boolean, minute: number): void => {
    states.set(id, isNowRaised);
    if (isNowRaised && !raisedAt.has(id)) raisedAt.set(id, minute - before);
  };

  for (let minute = 0; minute < before + during + after; minute += 1) {
    write(minute, minute >= before && minute < before + during ? fault : normal);
    for (const alarm of alarms) enter(alarm.id, isInAlarm(alarm, minute + 1), minute + 1);
    const isPartRaised = (arn: string): boolean => states.get(idOf(arn)) === true;
    for (const { id, rule } of composites) enter(id, isRaised(rule, isPartRaised), minute + 1);
  }
  return [...composites, ...alarms]
    .flatMap(({ id, name, description, alarmActions }): readonly Raised[] => {
      const minutes = raisedAt.get(id);
      if (minutes === undefined) return [];
      return [{ name, description, isMailed: alarmActions.length > 0, minutes, hasEnded: states.get(id) === false }];
    })
    .toSorted((a, b) => a.minutes - b.minutes);
};
