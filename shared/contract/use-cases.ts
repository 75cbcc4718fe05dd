// Derives from the rows of the reads what is known of each by its name. All routes and tools share them.
import { keysOf } from '../model/json.ts';
import type { Resources } from '../model/resources.ts';
import type { ToolName } from './mcp.ts';
import type { FeedFormat } from './media-types.ts';
import { reads } from './reads/index.ts';
import type { Read } from './reads/row.ts';

export { reads as useCases } from './reads/index.ts';
export type { Read as UseCase } from './reads/row.ts';

export type UseCaseName = keyof typeof reads;

/** @returns the row with all members that rows can have */
export const rowOf = (name: UseCaseName): Read => reads[name];

/** @returns the reads of a tool; the read of several handles is the last */
export const readsOfTool = (tool: ToolName): readonly UseCaseName[] => {
  const names = keysOf(reads).filter((name) => rowOf(name).tool === tool);
  const isForSeveral = (name: UseCaseName): boolean => rowOf(name).isForSeveralHandles === true;
  return names.toSorted((a, b) => Number(isForSeveral(a)) - Number(isForSeveral(b)));
};

/** The resources of the reads that accept the format of a feed. */
export type ResourceWithFeeds = {
  [Name in UseCaseName]: FeedFormat extends (typeof reads)[Name]['formats'][number]
    ? (typeof reads)[Name]['resource']
    : never;
}[UseCaseName];
export type UseCaseOutput<Name extends UseCaseName> = Resources[(typeof reads)[Name]['resource']];
