// One DOI names one record (R38): what is published gets no DOI that another live record has. Versions of one record
// may share a DOI. What shared one before stays as it is; SWORD has its own check of duplicates (R18).
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { readIdentifier } from "../../formats/record/identifiers.ts";
import { NO_ENTRIES, recordInput } from "../../formats/record/record-input.ts";
import type { FieldError } from "../../model/input/record-refusals.ts";
import { doiKeys } from "../../model/metadata/duplicate-keys.ts";
import { EMPTY_METADATA, type Metadata } from "../../model/metadata/metadata.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, objectOf } from "../../shared/fields.ts";
import type { ItemId, ParentId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/objects.ts";
import { isRefusal } from "../../shared/refusal.ts";
import { wordOf } from "../../shared/shapes.ts";
import { digests } from "../items/content.ts";
import type { Items } from "../items/items.ts";
import type { DuplicateKey } from "../store/items.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import { doiOf } from "./record-json.ts";

/** Other records that are named. */
const NAMED = 10;
const SCHEME = "doi:";

/** A DOI of a record as it is compared. */
type Doi = DuplicateKey & { readonly text: string };

/** Metadata, and those of what was published before, whose DOIs are not questioned again. */
type Dois = { readonly parentId: ParentId; readonly metadata: Metadata; readonly before?: Metadata | null };

export interface RecordDois {
  doiFaults(reader: RepositoryReader, viewer: Viewer, dois: Dois): Promise<readonly FieldError[]>;
  heldDoiFaults(tx: RepositoryWriter, viewer: Viewer, dois: Dois): Promise<readonly FieldError[]>;
}

export const recordDois = ({ items }: { readonly items: Pick<Items, "readableIn"> }): RecordDois => {
  /** DOIs that other live records have, each named where the viewer may read it. */
  async function doiFaults(reader: RepositoryReader, viewer: Viewer, asked: Dois): Promise<readonly FieldError[]> {
    return await faultsOf(reader, viewer, asked.parentId, await newDois(asked));
  }

  /** The same; of two that publish one DOI at the same time one sees the other. */
  async function heldDoiFaults(tx: RepositoryWriter, viewer: Viewer, asked: Dois): Promise<readonly FieldError[]> {
    const dois = await newDois(asked);
    if (dois.length > 0) await tx.items.lockDuplicates(dois);
    return await faultsOf(tx, viewer, asked.parentId, dois);
  }

  async function faultsOf(
    reader: RepositoryReader,
    viewer: Viewer,
    parentId: ParentId,
    dois: readonly Doi[],
  ): Promise<readonly FieldError[]> {
    if (dois.length === 0) return [];
    const asked = dois.map(({ digest }) => digest);
    const messages: string[] = [];
    for (const { id, digest } of await reader.items.identifiedAlike(asked, parentId, NAMED)) {
      const doi = dois.find((each) => each.digest === digest)?.text ?? "";
      const other = (await mayRead(reader, viewer, id)) ? `record ${id}` : "another record";
      messages.push(`The DOI ${doi} is that of ${other}.`);
    }
    return messages.length === 0 ? [] : [{ field: "pids.doi", messages: [...new Set(messages)] }];
  }

  async function mayRead(reader: RepositoryReader, viewer: Viewer, id: ItemId): Promise<boolean> {
    try {
      await items.readableIn(reader, viewer, id);
      return true;
    } catch (error) {
      if (isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated")) return false;
      throw error;
    }
  }

  return { doiFaults, heldDoiFaults };
};

async function newDois({ metadata, before }: Dois): Promise<readonly Doi[]> {
  const known = new Set(doiKeys(before ?? EMPTY_METADATA).map(({ text }) => text));
  const keys = doiKeys(metadata).filter(({ text }) => !known.has(text));
  const digested = digests(keys);
  return digested.map((key, at) => ({ ...key, text: (keys[at]?.text ?? "").slice(SCHEME.length) }));
}

// The DOI a record received elsewhere (R38: none is made here). Clients send it among `pids`, provider `external`; it
// is kept among the identifiers of the metadata, where every other interface has it.

type WithPids = { readonly body: Json; readonly errors: readonly FieldError[] };

/** The DOI of `pids`; "" for none. */
export const EXTERNAL_DOI: Field<string> = {
  schema: Type.Object({ identifier: Type.String(), provider: Type.Optional(wordOf(["external"])) }),
  read(value, path) {
    const { identifier = "", provider = "external" } = objectOf(value, path);
    if (identifier === "") return "";
    if (typeof identifier !== "string") throw faultSentence(`${path}.identifier`, "Not a valid string.");
    if (provider !== "external") {
      const sentence = "This repository does not assign DOIs: the provider must be 'external'.";
      throw faultSentence(`${path}.provider`, sentence);
    }
    // Checked here: among the identifiers a wrong one would be reported under a place that nobody sent.
    if (readIdentifier("works", "doi", identifier.trim()) !== "identifier") return identifier;
    throw faultSentence(`${path}.identifier`, "Invalid DOI identifier.");
  },
};

/**
 * The body with the DOI of its `pids` among its identifiers. Identifiers that this repository assigns are not taken
 * from a body.
 */
export function withExternalDoi(body: Json): WithPids {
  const pids = isJsonObject(body) ? own(body, "pids") : undefined;
  const doi = isJsonObject(pids) ? own(pids, "doi") : undefined;
  if (!isJsonObject(body) || !isJsonObject(doi)) return { body, errors: [] };
  const to = recordInput(NO_ENTRIES);
  const identifier = to.read(EXTERNAL_DOI, doi, "pids.doi") ?? "";
  const as = { body, errors: to.faults() };
  const metadata = own(body, "metadata") ?? {};
  if (identifier === "" || !isJsonObject(metadata) || doiOf(metadata) !== null) return as;
  const before = own(metadata, "identifiers") ?? [];
  if (!isJsonArray(before)) return as;
  const identifiers = [...before, { scheme: "doi", identifier }];
  return { body: { ...body, metadata: { ...metadata, identifiers } }, errors: [] };
}
