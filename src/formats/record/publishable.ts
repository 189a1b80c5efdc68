// What a draft still needs to be published by a tool (R3): type, creators, a title of three characters, a date of
// publication, and that its people can be named. What another interface accepted with the published version is not
// required again.
import { type Agent, type Metadata, mainTitle, publicationDate } from "../../model/metadata/metadata.ts";
import { atOneGo, type InParts } from "../../shared/bytes/in-parts.ts";
import { NO_ENTRIES } from "./entries.ts";
import { PERSON_TYPES, showPerson } from "./people.ts";
import { atLeast, FAULT_MESSAGES, type Reading, type RecordFault, reading } from "./reading.ts";

/**
 * Faults of a draft in their order; none: it may be published. `published`: what was published of it, or of the version
 * before it.
 */
export function* missingToPublishInParts(
  metadata: Metadata,
  published: Metadata | null,
): InParts<readonly RecordFault[]> {
  const to = reading(NO_ENTRIES);
  if (metadata.type === null || metadata.type.id === "") to.fault("metadata.resource_type", FAULT_MESSAGES.missing);
  if (metadata.creators.length === 0) to.fault("metadata.creators", FAULT_MESSAGES.missing);
  const title = mainTitle(metadata);
  if (title === "") to.fault("metadata.title", FAULT_MESSAGES.missing);
  else atLeast(3, title, "metadata.title", to);
  if ((publicationDate(metadata) ?? "") === "") to.fault("metadata.publication_date", FAULT_MESSAGES.missing);
  yield* checkPeople("creators", metadata.creators, published?.creators ?? [], to);
  yield* checkPeople("contributors", metadata.contributors, published?.contributors ?? [], to);
  return to.faults();
}

export function missingToPublish(metadata: Metadata, published: Metadata | null): readonly RecordFault[] {
  return atOneGo(missingToPublishInParts(metadata, published));
}

function* checkPeople(
  member: "creators" | "contributors",
  agents: readonly Agent[],
  published: readonly Agent[],
  to: Reading,
): InParts<void> {
  const known = new Set<string>();
  for (const agent of published) {
    known.add(JSON.stringify(agent));
    yield;
  }
  for (const [index, agent] of agents.entries()) {
    yield;
    const path = `metadata.${member}.${index}`;
    if (known.size > 0 && known.has(JSON.stringify(agent))) continue;
    const shown = showPerson({ ...agent, ids: [] });
    if (agent.kind === null) to.fault(`${path}.person_or_org.type`, PERSON_TYPES);
    else if (agent.kind === "organizational" && shown.name === undefined) {
      to.fault(`${path}.person_or_org.name`, "Name cannot be blank.");
    } else if (agent.kind === "personal" && shown.family_name === undefined) {
      to.fault(`${path}.person_or_org.family_name`, "Family name cannot be blank.");
    }
    if (member === "contributors" && (agent.role ?? "") === "") to.fault(`${path}.role`, FAULT_MESSAGES.missing);
  }
}

/**
 * The metadata a new version begins with: as the version before, without date of publication and name of the version.
 */
export function forNewVersion(metadata: Metadata): Metadata {
  const { publicationDate: _date, versionLabel: _label, ...others } = metadata;
  return { ...others, dates: metadata.dates.filter(({ type }) => type !== "Issued") };
}
