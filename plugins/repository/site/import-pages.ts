// The pages where a draft is filled in from a DOI or a file, without script (issue 25): what was read is shown, and
// changes the draft only where the person takes it.

import { Type } from "@sinclair/typebox";
import { detectFormat } from "../../../src/formats/import/detect.ts";
import { IMPORT_FORMATS } from "../../../src/formats/import/read.ts";
import type { MetadataMember } from "../../../src/model/metadata/metadata-schema.ts";
import { importRows, workLine } from "../../../src/repository/pages/import-rows.ts";
import type { RepositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import { refusalWords } from "../../../src/repository/pages/refusal-words.ts";
import {
  type CompareView,
  chooseWorkPage,
  comparePage,
  type ImportFormView,
  importPage,
  type KeptDocument,
} from "../../../src/repository/pages/templates/import-pages.ts";
import { sizeText } from "../../../src/repository/pages/templates/layout.ts";
import type { DraftImport, ImportPreview } from "../../../src/repository/records/draft-import.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import { most } from "../../../src/shared/limits.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter } from "../../http/document-parts.ts";
import type { SlowLimits } from "../../http/request-body.ts";
import { routesOf } from "../../http/routes.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordIdOf } from "../record-dialect.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import { requireFormToken } from "./cookies.ts";
import { readSmallForm, type SmallForm } from "./multipart-form.ts";
import {
  AFTER_FORM,
  AFTER_UPLOAD,
  FORM_AGAIN,
  form,
  GONE,
  html,
  mountPages,
  NOT_FOUND,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";

export type ImportPagesNeeds = PageNeeds & {
  readonly guard: Pick<RepositoryGuard, "reader" | "form" | "draftForm">;
  readonly records: Pick<Records, "openForm">;
  readonly imports: DraftImport;
  readonly slow: SlowLimits;
};

const ID = [pathParameter("id", "Number of the record")];
const OF_DRAFT = { ...NOT_FOUND, ...GONE };
const { 303: _, ...AFTER_READING } = AFTER_UPLOAD;
const READ_FORM = Type.Object({
  csrf: Type.String(),
  doi: Type.Optional(Type.String()),
  text: Type.Optional(Type.String({ description: "The text of a document" })),
  file: Type.Optional(Type.String({ format: "binary", description: "A document" })),
  format: Type.Optional(Type.String({ description: "Format of the document; empty: it is recognised" })),
  entry: Type.Optional(Type.String({ description: "Which of its works, from 0" })),
});

const { get, post } = routesOf<ImportPagesNeeds>();

const ROUTES = [
  get("/deposit/:id/import", {
    id: "importPage",
    summary: "The form that asks for a DOI or a document",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: (needs, request, { id }) => ask(needs, request, recordIdOf(id)),
  }),
  post("/deposit/:id/import", {
    id: "readImportByForm",
    summary: "What a DOI or a document holds, next to what the draft has",
    parameters: ID,
    content: { "multipart/form-data": READ_FORM },
    answers: { ...UNKEPT, ...AFTER_READING, ...OF_DRAFT },
    run: (needs, request, { id }) => read(needs, request, recordIdOf(id)),
  }),
  post("/deposit/:id/import/take", {
    id: "takeImportByForm",
    summary: "Take chosen members of a document into the draft",
    parameters: ID,
    content: form({
      base: "The revision that the person has seen",
      text: "The text of the document",
      format: "Its format",
      entry: "Which of its works, from 0",
      take: "A member of the metadata that is taken, repeated",
    }),
    answers: {
      ...AFTER_FORM,
      ...FORM_AGAIN,
      ...OF_DRAFT,
      409: html("A chosen field was changed, or the draft is in use"),
    },
    run: (needs, request, { id }) => take(needs, request, recordIdOf(id)),
  }),
];

export const importPages = (needs: ImportPagesNeeds) => mountPages("import-pages", ROUTES, needs, "session");

type Depositor = Reader & { readonly csrf: string };

/** @throws Refusal `unauthenticated` */
async function openDepositor(needs: ImportPagesNeeds, request: Request): Promise<Depositor> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  return { ...reader, csrf: reader.signedIn.csrf };
}

const EMPTY_FORM = { doi: "", text: "", format: "", problems: [] };

async function ask(
  needs: ImportPagesNeeds,
  request: Request,
  id: number,
  shown: Partial<ImportFormView> = {},
  status = 200,
): Promise<Response> {
  const { viewer, site, csrf } = await openDepositor(needs, request);
  // Those who may not edit the draft learn nothing of it.
  await needs.records.openForm(viewer, id);
  const view = { id, csrf, sources: needs.imports.sources, ...EMPTY_FORM, ...shown };
  return await htmlAnswer(request, site, importPage(view, site), { status, cacheable: false });
}

/** A field of the form whose value cannot be used, and why. */
class FieldFault extends Error {
  override readonly name = "FieldFault";
  readonly field: "doi" | "file" | "text" | "format";

  constructor(field: FieldFault["field"], words: string) {
    super(words);
    this.field = field;
  }
}

/** Room for the other fields of the form. */
const AROUND_BYTES = 64 * 1024;

async function read(needs: ImportPagesNeeds, request: Request, id: number): Promise<Response> {
  const reader = await openDepositor(needs, request);
  const { texts } = reader.site;
  let sent: SmallForm;
  try {
    sent = await readSmallForm(request, needs.slow, most("importBytes") + AROUND_BYTES);
  } catch (error) {
    if (!isRefusal(error, "too_large")) throw error;
    const text = texts.imports.tooLarge(sizeText(most("importBytes"), texts));
    return await ask(needs, request, id, { problems: [{ field: "file", text }] }, 413);
  }
  requireFormToken(sent.fields.get("csrf"), reader.csrf);
  await needs.records.openForm(reader.viewer, id);
  try {
    const document = await documentIn(needs, reader, sent);
    const works = await previews(needs, reader, document, sent);
    const entry = sent.fields.get("entry");
    if (works.length > 1 && entry === undefined) {
      const lines = works.map((work) => workLine(work, texts.tag));
      const view = { id, csrf: reader.csrf, document, works: lines, problems: [] };
      return await htmlAnswer(request, reader.site, chooseWorkPage(view, reader.site), { cacheable: false });
    }
    const at = entryOf(entry, works);
    return await compare(needs, request, reader, { id, document, work: works[at], entry: at });
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    const [doi = "", text = "", format = ""] = ["doi", "text", "format"].map((name) => sent.fields.get(name));
    const problems = [{ field: error.field, text: error.message }];
    return await ask(needs, request, id, { doi, text, format, problems }, 400);
  }
}

/** The document that the form names: by its DOI, as a file, or as text. @throws FieldFault */
async function documentIn(
  needs: ImportPagesNeeds,
  { viewer, site }: Depositor,
  sent: SmallForm,
): Promise<KeptDocument> {
  const words = site.texts.imports;
  const [doi = "", text = "", named = ""] = ["doi", "text", "format"].map((name) => sent.fields.get(name)?.trim());
  const given = [doi !== "", text !== "", sent.file !== null].filter(Boolean).length;
  if (given > 1) throw new FieldFault(doi === "" ? "file" : "doi", words.several);
  if (doi !== "") return await documentOfDoi(needs, viewer, doi, words);
  const field = sent.file === null ? "text" : "file";
  if (given === 0) throw new FieldFault(needs.imports.sources.length > 0 ? "doi" : "file", words.nothing);
  const content = sent.file === null ? text : textOf(sent.file.bytes, words);
  if (new TextEncoder().encode(content).length > most("importBytes")) {
    throw new FieldFault(field, words.tooLarge(sizeText(most("importBytes"), site.texts)));
  }
  const format = IMPORT_FORMATS.find((each) => each === named) ?? detectFormat(content);
  if (format === null) throw new FieldFault("format", words.unknownFormat);
  return { format, text: content, source: sent.fields.get("source") ?? null };
}

type Words = RepositoryTexts["imports"];

function textOf(bytes: Uint8Array, words: Words): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FieldFault("file", words.notText);
  }
}

async function documentOfDoi(
  { imports }: ImportPagesNeeds,
  viewer: Depositor["viewer"],
  doi: string,
  words: Words,
): Promise<KeptDocument> {
  try {
    const { format, bytes, source } = await imports.lookUp(viewer, doi);
    return { format, text: textOf(bytes, words), source };
  } catch (error) {
    if (isRefusal(error, "invalid")) throw new FieldFault("doi", words.notDoi);
    if (isRefusal(error, "not_found")) throw new FieldFault("doi", words.unknownDoi(imports.sources.join(", ")));
    if (isRefusal(error, "unavailable")) throw new FieldFault("doi", words.away(error.message));
    throw error;
  }
}

/** The works of the document. @throws FieldFault with the line or path of what cannot be read */
async function previews(
  { imports }: ImportPagesNeeds,
  { viewer, site }: Depositor,
  { format, text }: KeptDocument,
  { file, fields }: SmallForm,
): Promise<readonly ImportPreview[]> {
  try {
    return await imports.preview(viewer, { format, bytes: new TextEncoder().encode(text) });
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const isDoi = (fields.get("doi")?.trim() ?? "") !== "";
    throw new FieldFault(
      isDoi ? "doi" : file === null ? "text" : "file",
      site.texts.imports.unreadable(refusalWords(error.message, site.texts).text),
    );
  }
}

const entryOf = (written: string | undefined, works: readonly unknown[]): number => {
  const at = /^\d{1,4}$/.test(written ?? "") ? Number(written) : 0;
  return at < works.length ? at : 0;
};

type Compared = {
  readonly id: number;
  readonly document: KeptDocument;
  readonly work: ImportPreview | undefined;
  readonly entry: number;
  readonly chosen?: readonly string[];
  readonly changed?: readonly MetadataMember[];
};

async function compare(
  needs: ImportPagesNeeds,
  request: Request,
  { viewer, site, csrf }: Depositor,
  { id, document, work, entry, chosen, changed = [] }: Compared,
): Promise<Response> {
  if (work === undefined) throw new Refusal("invalid", "The document holds no work");
  const { base, metadata } = await needs.records.openForm(viewer, id);
  const view: CompareView = {
    ...{ id, csrf, base, document, entry, chosen: chosen ?? null, lost: work.lost, faults: work.errors },
    rows: importRows(metadata, work.metadata, site.texts.tag),
    problems: changed.map((member) => ({ field: `take-${member}`, text: site.texts.imports.changed })),
  };
  const status = changed.length > 0 ? 409 : 200;
  return await htmlAnswer(request, site, comparePage(view, site), { status, cacheable: false });
}

async function take(needs: ImportPagesNeeds, request: Request, id: number): Promise<Response> {
  const reader = await openDepositor(needs, request);
  const sent = await needs.guard.draftForm(request);
  const fields = new Map([...sent].reverse());
  requireFormToken(fields.get("csrf"), reader.csrf);
  await needs.records.openForm(reader.viewer, id);
  const chosen = sent.filter(([name]) => name === "take").map(([, value]) => value);
  try {
    const small = { fields: new Map([...fields].filter(([name]) => name !== "doi")), file: null };
    const document = await documentIn(needs, reader, small);
    const works = await previews(needs, reader, document, small);
    const entry = entryOf(fields.get("entry"), works);
    const work = works[entry];
    if (work === undefined) throw new FieldFault("text", reader.site.texts.imports.nothing);
    // What is not a member of the metadata is none of those that were read.
    const members = chosen as readonly MetadataMember[];
    const changed = await needs.imports.take(reader.viewer, id, {
      ...{ base: fields.get("base") ?? "", found: work.metadata, members },
    });
    if (changed.length === 0) return redirectTo(reader.site.rootPath, `/deposit/${id}?saved=yes`);
    return await compare(needs, request, reader, { id, document, work, entry, chosen, changed });
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    const problems = [{ field: error.field, text: error.message }];
    return await ask(needs, request, id, { text: fields.get("text") ?? "", problems }, 400);
  }
}
