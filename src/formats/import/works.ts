// Works read from a document in a foreign format: the record they become, and what is lost (R38).
import { type Agent, EMPTY_METADATA, type Metadata } from "../../model/metadata/metadata.ts";

export type ImportedWork = {
  readonly metadata: Metadata;
  /** What the document holds and the metadata does not, a line each. */
  readonly lost: readonly string[];
  /** Where in its file it begins, counted from 1. */
  readonly line: number;
};

/** Members that were read, as whole metadata. */
export const wholeOf = (members: Partial<Metadata>): Metadata => ({ ...EMPTY_METADATA, ...members });

/**
 * Whether this is a person: forms of this model must know. Without a word about it, one whose name has two parts is.
 */
export function withKind(agent: Agent): Agent {
  if (agent.kind !== null) return agent;
  const isPerson = agent.names.some(
    ({ full = "", family, given }) => family !== undefined || given !== undefined || /[,，]/.test(full),
  );
  return { ...agent, kind: isPerson ? "personal" : "organizational" };
}
