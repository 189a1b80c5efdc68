// Drafts filled in from a document in another format or from a DOI (issue 25): what a document holds is shown before
// anything is stored, and members that were chosen are taken into a draft in one save, merged as any save (R42).
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { doiOf } from "../../formats/completion/complete.ts";
import type { ImportFormat } from "../../formats/import/read.ts";
import { changedMeanwhile, takeMembers, takenMembers } from "../../formats/import/taking.ts";
import { writeCustomFields } from "../../formats/record/custom-fields.ts";
import { writeMetadataInParts } from "../../formats/record/record.ts";
import { NO_ENTRIES } from "../../formats/record/record-input.ts";
import { CustomFieldsShape, MetadataShape } from "../../formats/record/record-schema.ts";
import type { QueryReader } from "../../model/input/list-parameters.ts";
import {
  type FieldError,
  FieldErrorShape,
  oneError,
  permissionDenied,
  RECORD_SENTENCES,
} from "../../model/input/record-refusals.ts";
import { EMPTY_METADATA, type Metadata } from "../../model/metadata/metadata.ts";
import type { MetadataMember } from "../../model/metadata/metadata-schema.ts";
import { may } from "../../model/rights/policy.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { manyOf } from "../../shared/shapes.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { CompletionName, CompletionSource } from "../deposit/metadata-completion.ts";
import type { Items } from "../items/items.ts";
import { baseOf } from "./draft-forms.ts";
import { describedWork, worksOf } from "./record-import.ts";
import { ANYTHING, type RecordWriting } from "./record-writing.ts";

/** Works of one document that are shown. */
const WORKS_SHOWN = 100;
/** Requests to services that are under way at the same time: of all accounts, and of one, which leaves room for others. */
const LOOK_UPS = { all: 8, account: 2 };

/** A work as a draft would hold it. */
export type ImportPreview = {
  readonly metadata: Metadata;
  /** What is wrong in it, and would be left out. */
  readonly errors: readonly FieldError[];
  /** What the document has and the draft would not, by its path. */
  readonly lost: readonly string[];
  /** Where in the document it begins, counted from 1. */
  readonly line: number;
};

type ForeignDocument = { readonly format: ImportFormat; readonly bytes: Uint8Array };

type TakenImport = {
  readonly base: string;
  readonly found: Metadata;
  readonly members: readonly MetadataMember[];
};

export interface DraftImport {
  /** The services that are asked for DOIs; none: no address is set. */
  readonly sources: readonly CompletionName[];
  /** @throws Refusal `invalid` with the line or path of the fault */
  preview(viewer: Viewer, document: ForeignDocument): Promise<readonly ImportPreview[]>;
  /** What the first service that knows a DOI answers. @throws Refusal `invalid`, `not_found`, `unavailable` */
  lookUp(viewer: Viewer, doi: string): Promise<ForeignDocument & { readonly source: CompletionName }>;
  /** Saves the draft; members that somebody else has changed meanwhile are returned, and nothing is saved. */
  take(viewer: Viewer, id: ItemId, taken: TakenImport): Promise<readonly MetadataMember[]>;
}

type DraftImportNeeds = {
  readonly records: Pick<RecordWriting, "change" | "editable" | "preview" | "requireDraftSeen">;
  readonly items: Pick<Items, "saveDraft">;
  readonly lookUps: readonly CompletionSource[];
};

/** How the answers of the services are read. */
const ANSWERS: Readonly<Record<CompletionName, ImportFormat>> = { Crossref: "crossref", DataCite: "datacite-json" };

export const draftImport = ({ records, items, lookUps }: DraftImportNeeds): DraftImport => {
  /** The account of each look-up that is under way. */
  const running: (AccountId | undefined)[] = [];

  async function ask(doi: string): Promise<ForeignDocument & { readonly source: CompletionName }> {
    const reasons: string[] = [];
    for (const source of lookUps) {
      const answer = await source.lookUp(doi);
      const { name } = source;
      if (answer.kind === "unknown") continue;
      if (answer.kind === "failed") reasons.push(`${name} could not be asked: ${answer.reason}`);
      else if (answer.document.length > most("importBytes"))
        reasons.push(`The answer of ${name} has more than ${most("importBytes")} bytes`);
      else return { source: name, format: ANSWERS[name], bytes: answer.document };
    }
    if (reasons.length > 0) throw new Refusal("unavailable", reasons.join(". "));
    throw new Refusal("not_found", `${lookUps.map(({ name }) => name).join(" and ")} do not know the DOI ${doi}`);
  }

  return {
    sources: lookUps.map(({ name }) => name),

    async preview(viewer, { format, bytes }) {
      const works = worksOf(format, bytes);
      if (works.length > WORKS_SHOWN) {
        throw new Refusal("invalid", `The document holds ${works.length} works, at most ${WORKS_SHOWN} are shown`);
      }
      const previews: ImportPreview[] = [];
      for (const work of works) {
        await yieldToEventLoop();
        const { body, from } = await describedWork(work);
        const { metadata, errors } = await records.preview(viewer, () => body, from);
        // What is missing may be in the draft.
        const wrong = errors.filter(({ messages }) => !messages.includes(RECORD_SENTENCES.missing));
        previews.push({ metadata, errors: wrong, lost: work.lost, line: work.line });
      }
      return previews;
    },

    async lookUp(viewer, typed) {
      if (!may(viewer, "item.draft", null)) throw permissionDenied();
      const doi = doiOf({ ...EMPTY_METADATA, identifiers: [{ scheme: "DOI", value: typed }] });
      if (doi === null) throw oneError("doi", `Not a DOI: "${typed.slice(0, 100)}".`);
      if (lookUps.length === 0) throw new Refusal("not_found", "No service is set that knows the metadata of DOIs");
      const account = viewer.account?.id;
      const own = running.filter((each) => each === account).length;
      if (running.length >= LOOK_UPS.all || own >= LOOK_UPS.account) {
        throw new Refusal("unavailable", "Too many DOIs are asked for at the moment");
      }
      running.push(account);
      try {
        return await ask(doi);
      } finally {
        running.splice(running.indexOf(account), 1);
      }
    },

    take: (viewer, id, { base, found, members }) =>
      records.change(viewer, async (tx, now) => {
        const held = await records.editable(tx, now, id);
        const draft = await records.requireDraftSeen(tx, id, ANYTHING);
        const stored = draft.content.metadata;
        const possible = takenMembers(found).filter((member) => members.includes(member));
        const seen = (await baseOf(tx, draft, base))?.metadata ?? null;
        const changed = changedMeanwhile(possible, { seen, stored, found });
        if (changed.length > 0) return changed;
        const content = { ...draft.content, metadata: takeMembers(stored, found, possible) };
        await items.saveDraft(tx, now, id, { content, held: { ...held, draft } });
        return [];
      }),
  };
};

export const ImportPreviewShape = Type.Object(
  {
    line: Type.Integer({ description: "Where the work begins, from 1" }),
    metadata: MetadataShape,
    custom_fields: CustomFieldsShape,
    errors: manyOf(FieldErrorShape),
    lost: manyOf(Type.String({ description: "Of the document, by its path" })),
  },
  { $id: "ImportPreview" },
);
export const ImportPreviewsShape = Type.Object({ works: manyOf(ImportPreviewShape) }, { $id: "ImportPreviews" });

export const DOI_QUERY: QueryReader<string> = {
  parameters: [{ name: "doi", description: "A DOI, also as an address", schema: Type.String() }],
  read: (parameters) => parameters.get("doi") ?? "",
};

/** A preview in the model of the records interface. */
export async function previewJson({
  metadata,
  errors,
  lost,
  line,
}: ImportPreview): Promise<Static<typeof ImportPreviewShape>> {
  const written = await inTurns(writeMetadataInParts(metadata, NO_ENTRIES));
  return { line, metadata: written, custom_fields: writeCustomFields(metadata), errors: [...errors], lost: [...lost] };
}
