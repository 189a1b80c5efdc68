// Completes the metadata of a deposit by its DOI (R14 `svc:metadataAutoFill`; specification, processing step 9). It
// never refuses anything: a failure becomes a note in the status document.

import { completeFrom, doiOf } from "../../formats/completion/complete.ts";
import { readCrossref } from "../../formats/completion/crossref.ts";
import { readDatacite } from "../../formats/completion/datacite.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { readJsonObject } from "../../shared/json/read.ts";

/** Names as the client record's list has them; compared without regard to case. */
export type CompletionName = "Crossref" | "DataCite";

export type CompletionAnswer =
  /** The JSON document as it came, not looked into. */
  | { readonly kind: "found"; readonly document: Uint8Array }
  | { readonly kind: "unknown" }
  /** Not reachable, too slow, too large, or no sensible answer; `reason` is one sentence without a full stop. */
  | { readonly kind: "failed"; readonly reason: string };

/** A service that knows the metadata of a DOI (the client record's `meta_data_api`). */
export interface CompletionSource {
  readonly name: CompletionName;
  /** Asks for a DOI such as `10.5555/12345678`. Never throws for what the other side does. */
  lookUp(doi: string): Promise<CompletionAnswer>;
}

/**
 * Asks the services in the order of `priority` (names of the client record, any case; empty: as configured) and fills
 * what is absent. A later service fills what the earlier ones left.
 */
export type Completion = (
  metadata: Metadata,
  priority: readonly string[],
) => Promise<{ readonly metadata: Metadata; readonly notes: readonly string[] }>;

const READERS = { Crossref: readCrossref, DataCite: readDatacite } as const;
/** The name existing client records have for the depositor's own metadata, which always counts first. */
const ORIGINAL = "original";

/** `sources` is empty while no service is configured. */
export const metadataCompletion =
  (sources: readonly CompletionSource[]): Completion =>
  async (metadata, priority) => {
    if (sources.length === 0)
      return { metadata, notes: ["Metadata completion is not configured here: nothing was filled in."] };
    const doi = doiOf(metadata);
    if (doi === null) return { metadata, notes: ["Metadata completion needs a DOI, and the package names none."] };
    const { chosen, notes } = choose(sources, priority);
    let whole = metadata;
    for (const source of chosen) {
      const answer = await source.lookUp(doi);
      if (answer.kind === "found") {
        const step = completeWith(whole, source.name, answer.document);
        whole = step.metadata;
        notes.push(step.note);
      } else if (answer.kind === "unknown") notes.push(`${source.name} does not know the DOI ${doi}.`);
      else notes.push(`${source.name} could not be asked for the DOI ${doi}: ${answer.reason}.`);
    }
    return { metadata: whole, notes };
  };

function choose(sources: readonly CompletionSource[], priority: readonly string[]) {
  const wanted = priority.filter((name) => name.toLowerCase() !== ORIGINAL);
  if (wanted.length === 0) return { chosen: sources, notes: [] as string[] };
  const notes: string[] = [];
  const chosen = wanted.flatMap((name) => {
    const source = sources.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (source === undefined) notes.push(`The metadata service "${name}" is not configured here.`);
    return source ?? [];
  });
  return { chosen, notes };
}

function completeWith(
  metadata: Metadata,
  name: CompletionName,
  document: Uint8Array,
): { readonly metadata: Metadata; readonly note: string } {
  try {
    const found = READERS[name](readJsonObject(document, `the answer of ${name}`));
    const { metadata: whole, filled } = completeFrom(metadata, found);
    const note = filled.length === 0 ? `${name} had nothing to add.` : `Filled in from ${name}: ${filled.join(", ")}.`;
    return { metadata: whole, note };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { metadata, note: `The answer of ${name} could not be read.` };
  }
}
