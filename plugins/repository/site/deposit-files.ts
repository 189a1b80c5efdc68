// The pages of a draft's files (R43), without script: a streamed form, order, access, what is removed and put back,
// archives that are unpacked.

import { Type } from "@sinclair/typebox";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import type { RepositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import { refusalProblem, refusalText } from "../../../src/repository/pages/refusal-words.ts";
import {
  type DepositFileView,
  depositFilePage,
  depositFilesPage,
  descriptionOf,
  filePathOf,
} from "../../../src/repository/pages/templates/deposit-files.ts";
import { sizeText } from "../../../src/repository/pages/templates/layout.ts";
import { FILE_MOVES, fileIn, ruleChoiceOf, ruleOf } from "../../../src/repository/record-files/draft-overview.ts";
import { DESCRIBED_FILE } from "../../../src/repository/record-files/new-files.ts";
import type { RecordFiles } from "../../../src/repository/record-files/record-files.ts";
import { FILE_SENTENCES } from "../../../src/repository/record-files/sentences.ts";
import { most } from "../../../src/shared/limits.ts";
import { MultipartError, multipartBoundary, multipartEvents } from "../../../src/shared/multipart/parser.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { normalForm } from "../../../src/shared/text/text.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { bodyPieces, type SlowLimits } from "../../http/request-body.ts";
import { routesOf } from "../../http/routes.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordIdOf } from "../record-dialect.ts";
import { htmlAnswer, type PageNeeds, redirectTo } from "./answers.ts";
import { requireFormToken } from "./cookies.ts";
import { type Depositor, openDeposit, smallForm } from "./deposit-pages.ts";
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

export type DepositFilesNeeds = PageNeeds & {
  readonly guard: Pick<RepositoryGuard, "reader" | "form">;
  readonly recordFiles: Pick<
    RecordFiles,
    "describe" | "move" | "overview" | "putBack" | "putFile" | "remove" | "unpack"
  >;
  /** SVC_MAX_UPLOAD_BYTES. */
  readonly maxUploadBytes: number;
  readonly slow: SlowLimits;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

const ONE = "/deposit/:id/files";
const ID = [pathParameter("id", "Number of the record")];
const KEY = { type: "string" } as const;
const OF_FILE = [...ID, queryParameter("key", "Path of the file", KEY)];
const OF_DRAFT = { ...NOT_FOUND, ...GONE };
const CONFLICT = { 409: html("Fields were changed on both sides, or somebody else works on it") };
const CHANGED = { ...AFTER_FORM, ...OF_DRAFT, ...CONFLICT };
const FILE_FORM = {
  "multipart/form-data": Type.Object({ csrf: Type.String(), file: Type.String({ format: "binary" }) }),
};

const { get, post } = routesOf<DepositFilesNeeds>();

const ROUTES = [
  get(ONE, {
    id: "draftFilesPage",
    summary: "The files of a draft",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: async (needs, request, { id }) => files(needs, request, await openDeposit(needs, request), recordIdOf(id)),
  }),
  post(ONE, {
    id: "uploadByForm",
    summary: "Upload a file",
    parameters: [
      ...ID,
      queryParameter("then", "`publish`: leads to the question before publishing", { type: "string" }),
    ],
    content: FILE_FORM,
    answers: { ...AFTER_UPLOAD, ...OF_DRAFT, ...CONFLICT },
    run: (needs, request, { id }) => upload(needs, request, recordIdOf(id), null),
  }),
  post(`${ONE}/remove`, {
    id: "removeFileByForm",
    summary: "Remove a file",
    parameters: ID,
    content: form({ key: "Path of the file" }),
    answers: CHANGED,
    run: (needs, request, { id }) =>
      changed(needs, request, recordIdOf(id), ({ viewer }, fields) =>
        needs.recordFiles.remove(viewer, recordIdOf(id), fields.get("key") ?? ""),
      ),
  }),
  post(`${ONE}/put-back`, {
    id: "putFileBackByForm",
    summary: "Put a removed file back",
    parameters: ID,
    content: form({ removal: "Id of the removal" }),
    answers: { ...CHANGED, ...FORM_AGAIN },
    run: (needs, request, { id }) =>
      changed(needs, request, recordIdOf(id), ({ viewer }, fields) =>
        needs.recordFiles.putBack(viewer, recordIdOf(id), fields.get("removal") ?? ""),
      ),
  }),
  post(`${ONE}/move`, {
    id: "moveFileByForm",
    summary: "Move a file within the order, or show it first",
    parameters: ID,
    content: form({ key: "Path of the file", to: `One of ${FILE_MOVES.join(", ")}` }),
    answers: CHANGED,
    run: (needs, request, { id }) =>
      changed(needs, request, recordIdOf(id), ({ viewer }, fields) => {
        const to = FILE_MOVES.find((each) => each === fields.get("to")) ?? "up";
        return needs.recordFiles.move(viewer, recordIdOf(id), fields.get("key") ?? "", to);
      }),
  }),
  post(`${ONE}/unpack`, {
    id: "unpackFileByForm",
    summary: "Replace a ZIP by the files in it",
    parameters: ID,
    content: form({ key: "Path of the ZIP" }),
    answers: { ...CHANGED, ...FORM_AGAIN },
    run: (needs, request, { id }) =>
      changed(needs, request, recordIdOf(id), ({ viewer }, fields) =>
        needs.recordFiles.unpack(viewer, recordIdOf(id), () => fields.get("key") ?? ""),
      ),
  }),
  get(`${ONE}/edit`, {
    id: "draftFilePage",
    summary: "The form of one file of a draft",
    parameters: OF_FILE,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: (needs, request, { id }) => oneFile(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/edit`, {
    id: "describeFileByForm",
    summary: "Describe a file, and set who may have it",
    parameters: OF_FILE,
    content: form(
      { description: "Description", rule: "Who may have it", until: "The day from which it is open" },
      "Groups that it is limited to",
    ),
    answers: { ...CHANGED, ...FORM_AGAIN },
    run: (needs, request, { id }) => describe(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/replace`, {
    id: "replaceFileByForm",
    summary: "Replace a file by another one",
    parameters: OF_FILE,
    content: FILE_FORM,
    answers: { ...AFTER_UPLOAD, ...OF_DRAFT, ...CONFLICT },
    run: (needs, request, { id }) => upload(needs, request, recordIdOf(id), keyOfPage(request)),
  }),
];

export const depositFilesPages = (needs: DepositFilesNeeds) => mountPages("deposit-files", ROUTES, needs, "session");

const pathTo = (id: number): string => `/deposit/${id}/files`;
const keyOfPage = (request: Request): string => new URL(request.url).searchParams.get("key") ?? "";

async function files(
  needs: DepositFilesNeeds,
  request: Request,
  { viewer, site, csrf }: Depositor,
  id: number,
  { problem = null, status = 200 }: { readonly problem?: string | null; readonly status?: number } = {},
): Promise<Response> {
  const overview = await needs.recordFiles.overview(viewer, recordIdOf(String(id)));
  const problems = problem === null ? [] : [{ field: overview.isPublished ? null : "file", text: problem }];
  const { maxUploadBytes: maxBytes, baseUrl } = needs;
  const page = depositFilesPage({ ...overview, id, csrf, maxBytes, baseUrl, problems }, site);
  return await htmlAnswer(request, site, page, { status, cacheable: false });
}

/** A small form; what it is refused with is shown on the page of the files. */
async function changed(
  needs: DepositFilesNeeds,
  request: Request,
  id: number,
  change: (reader: Depositor, fields: ReadonlyMap<string, string>) => Promise<unknown>,
): Promise<Response> {
  const { reader, fields } = await smallForm(needs, request);
  try {
    await change(reader, fields);
  } catch (error) {
    if (!isRefusal(error, "invalid", "too_large")) throw error;
    return await files(needs, request, reader, id, { problem: refusalText(error, reader.site.texts), status: 400 });
  }
  return redirectTo(reader.site.rootPath, pathTo(id));
}

async function oneFile(needs: DepositFilesNeeds, request: Request, id: number): Promise<Response> {
  const reader = await openDeposit(needs, request);
  const overview = await needs.recordFiles.overview(reader.viewer, recordIdOf(String(id)));
  const file = fileIn(overview, recordIdOf(String(id)), keyOfPage(request));
  const view = { id, csrf: reader.csrf, file, groups: overview.groups, sent: sentOf(file), problems: [] };
  return await htmlAnswer(request, reader.site, depositFilePage(view, reader.site), { cacheable: false });
}

const sentOf = (file: ItemFile): DepositFileView["sent"] => ({
  ...{ description: descriptionOf(file), rule: ruleChoiceOf(file), until: file.accessDate ?? "" },
  groups: file.groups.map(String),
});

async function describe(needs: DepositFilesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await smallForm(needs, request);
  const { viewer, site, csrf } = reader;
  const record = recordIdOf(String(id));
  const key = keyOfPage(request);
  const overview = await needs.recordFiles.overview(viewer, record);
  const file = fileIn(overview, record, key);
  const own = (name: string): string => (fields.get(name) ?? "").trim();
  const groups = [...fields].filter(([name]) => name.startsWith("group.")).map(([, value]) => value);
  const sent = { description: own("description"), rule: own("rule"), until: own("until"), groups };
  const problems: FieldProblem[] = [...problemsOf(sent, site.texts.draftFiles)];
  if (problems.length === 0) {
    const { description: _, ...others } = file.metadata ?? {};
    const metadata = sent.description === "" ? others : { ...others, description: sent.description };
    const body = {
      metadata: Object.keys(metadata).length === 0 ? null : metadata,
      access: ruleOf(sent.rule, sent.until, groups),
    };
    try {
      await needs.recordFiles.describe(viewer, record, key, sentRecord(DESCRIBED_FILE, body));
      return redirectTo(site.rootPath, pathTo(id));
    } catch (error) {
      if (!isRefusal(error, "invalid")) throw error;
      problems.push(...refusedFields(error, site.texts));
    }
  }
  const page = depositFilePage({ id, csrf, file, groups: overview.groups, sent, problems }, site);
  return await htmlAnswer(request, site, page, { status: 400, cacheable: false });
}

type Words = Depositor["site"]["texts"]["draftFiles"];

/** What the form itself knows to be missing. */
function problemsOf({ description, rule, groups }: DepositFileView["sent"], words: Words) {
  if (description.length > most("fileDescriptionCharacters")) return [{ field: "description", text: words.tooLong }];
  if (rule === "") return [{ field: "rule", text: words.wrongRule }];
  return rule === "groups" && groups.length === 0 ? [{ field: "groups", text: words.noGroup }] : [];
}

/** The refusals of the interface at the fields of the form. */
function refusedFields({ message, detail }: Refusal, texts: RepositoryTexts): readonly FieldProblem[] {
  const words = texts.draftFiles;
  const { errors } = detail;
  const fields = Array.isArray(errors) ? errors.map(({ field }: { readonly field: string }) => field) : [];
  if (fields.some((field) => field.startsWith("access.until"))) return [{ field: "until", text: words.wrongDay }];
  if (fields.some((field) => field.startsWith("access.groups"))) return [{ field: "groups", text: words.noGroup }];
  if (fields.some((field) => field.startsWith("access"))) return [{ field: "rule", text: words.wrongRule }];
  return [
    fields.includes("metadata")
      ? { field: "description", text: words.tooLong }
      : refusalProblem("description", message, texts),
  ];
}

/** Room for the parts of the form around its file. */
const AROUND_BYTES = 64 * 1024;

/** `replaced`: the key of the file that another one takes the place of; null: a file is added. */
async function upload(needs: DepositFilesNeeds, request: Request, id: number, replaced: string | null) {
  const reader = await openDeposit(needs, request);
  const { viewer, site, csrf } = reader;
  const record = recordIdOf(String(id));
  const boundary = multipartBoundary(request.headers.get("content-type"));
  const length = Number(request.headers.get("content-length") ?? "0");
  // Before the first byte of the file.
  if (length > needs.maxUploadBytes + AROUND_BYTES) {
    const problem = site.texts.deposit.filesIntro(sizeText(needs.maxUploadBytes, site.texts), "1");
    return await files(needs, request, reader, id, { problem, status: 413 });
  }
  if (boundary === null || request.body === null) throw new Refusal("invalid", "The form has no file");
  if (replaced !== null) fileIn(await needs.recordFiles.overview(viewer, record), record, replaced);
  const refused = (): never => {
    throw new Refusal("invalid", FILE_SENTENCES.failed);
  };
  const pieces = bodyPieces(request, needs.slow, { tooSlow: refused, brokenOff: refused });
  const part = formFile(multipartEvents(pieces, boundary));
  try {
    const { value: head } = await part.next();
    if (typeof head !== "object" || head === null || !("csrf" in head))
      throw new Refusal("invalid", "The form has no file");
    requireFormToken(head.csrf, csrf);
    if (head.name === "") {
      const problem = site.texts.deposit.chooseFile;
      return await files(needs, request, reader, id, { problem, status: 400 });
    }
    const making = replaced === null ? { key: head.name } : { key: replaced, replacing: true };
    const { outcome } = await needs.recordFiles.putFile(viewer, record, making, {
      pieces: bytesOf(part),
      lengthBytes: null,
    });
    if (outcome === "kept") {
      const problem = site.texts.deposit.uploads.taken;
      return await files(needs, request, reader, id, { problem, status: 400 });
    }
  } catch (error) {
    const cause = error instanceof MultipartError ? new Refusal("invalid", error.message) : error;
    if (!isRefusal(cause, "invalid", "too_large", "conflict")) throw cause;
    return await files(needs, request, reader, id, { problem: refusalText(cause, site.texts), status: cause.status });
  }
  if (replaced !== null) return redirectTo(site.rootPath, filePathOf(id, "edit", replaced));
  const isLast = new URL(request.url).searchParams.get("then") === "publish";
  return redirectTo(site.rootPath, isLast ? `/deposit/${id}/publish` : pathTo(id));
}

type FileHead = { readonly csrf: string; readonly name: string };

/** The token and the name of the file, then its bytes. The token comes before the file. */
async function* formFile(events: ReturnType<typeof multipartEvents>): AsyncGenerator<FileHead | Uint8Array> {
  let csrf = "";
  let at: "csrf" | "file" | "other" = "other";
  for await (const event of events) {
    if (event.kind === "part") {
      const { name, filename } = event.head;
      if (at === "file") return;
      at = name === "file" && filename !== null ? "file" : name === "csrf" ? "csrf" : "other";
      // Some browsers send the folders of a file.
      if (at === "file") yield { csrf, name: normalForm((filename ?? "").replace(/^.*[/\\]/, ""), "NFC") };
    } else if (event.kind === "bytes") {
      if (at === "file") yield event.bytes;
      else if (at === "csrf" && csrf.length < 200) csrf += new TextDecoder().decode(event.bytes);
    }
  }
}

async function* bytesOf(part: AsyncGenerator<FileHead | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of part) if (piece instanceof Uint8Array) yield piece;
}
