// People as they are entered in a form (R3): "姓, 名" is a family name and given names; a name without a comma is that of
// an organization. What was there before and was not changed stays as it is.
import { sortedText } from "../../shared/json/sorted-text.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import type { Agent, Metadata } from "../metadata/metadata.ts";
import { type ItemTypeDefinition, valueFields } from "./definition.ts";

type Name = Agent["names"][number];

/** The metadata with the kind and the parts of names of people that were entered or changed. */
export const withPeople = (...form: Parameters<typeof withPeopleInParts>): Metadata =>
  runWithoutYielding(withPeopleInParts(...form));

/** The same in parts. */
export function* withPeopleInParts(
  metadata: Metadata,
  previous: Metadata,
  definition: ItemTypeDefinition,
): InParts<Metadata> {
  const asked = asksForParts(definition);
  const known = new Set<string>();
  for (const agent of [...previous.creators, ...previous.contributors]) {
    known.add(sortedText(agent));
    yield;
  }
  const read = <T extends Agent>(agent: T): T => {
    if (known.has(sortedText(agent))) return agent;
    const names = agent.names.map((name) => (asked && hasParts(name) ? name : splitName(name)));
    return { ...agent, names, kind: agent.kind ?? (names.some(hasParts) ? "personal" : "organizational") };
  };
  const creators: Metadata["creators"][number][] = [];
  for (const agent of metadata.creators) {
    creators.push(read(agent));
    yield;
  }
  return { ...metadata, creators, contributors: metadata.contributors.map(read) };
}

/** Whether family names have a separate field: then what is entered there counts. */
const asksForParts = ({ groups }: ItemTypeDefinition): boolean =>
  groups
    .flatMap(valueFields)
    .some(({ metadataPath }) => metadataPath?.kind === "path" && metadataPath.steps.at(-1)?.name === "family");

const hasParts = ({ family = "", given = "" }: Name): boolean => family !== "" || given !== "";

function splitName(name: Name): Name {
  const { full } = name;
  if (full === undefined) return name;
  const { family: _, given: __, ...rest } = name;
  const comma = /[,、，]/.exec(full);
  if (comma === null) return rest;
  const [family, given] = [full.slice(0, comma.index).trim(), full.slice(comma.index + 1).trim()];
  return family === "" || given === "" ? rest : { ...rest, family, given };
}
