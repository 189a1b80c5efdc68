// A file as its viewer shows it (R49, Q.80): which viewers it has, and the content that the chosen one makes of it. Who
// may read the file is decided before.

import { looksLikeText } from "../../formats/text/plain.ts";
import { type ViewerKind, viewersOf } from "../../model/files/viewers.ts";
import { most } from "../../shared/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { fewAtOnce } from "../records/few-at-once.ts";
import { viewCrate } from "./crate.ts";
import { viewJson, viewXml } from "./data.ts";
import { viewMap } from "./map.ts";
import { viewMarkdown } from "./markdown.ts";
import { viewNotebook } from "./notebook.ts";
import { viewPdf } from "./pdf.ts";
import { viewPicture } from "./picture.ts";
import { viewPlayer } from "./player.ts";
import {
  type ExtractedText,
  type FileReader,
  fileReader,
  NotShown,
  type NotShownReason,
  type Sibling,
  type ViewedFile,
  type ViewRequest,
} from "./reading.ts";
import { viewTable } from "./table.ts";
import { viewText } from "./text.ts";
import { viewWorkbook } from "./workbook.ts";
import { viewZip } from "./zip.ts";

type Viewer<Model> = (reader: FileReader, request: ViewRequest) => Promise<Model>;

/** One line a viewer. A viewer reads only what its limits allow, and throws NotShown for what it cannot show. */
const VIEW = {
  crate: viewCrate,
  zip: viewZip,
  markdown: viewMarkdown,
  table: viewTable,
  workbook: viewWorkbook,
  picture: viewPicture,
  player: viewPlayer,
  map: viewMap,
  notebook: viewNotebook,
  json: viewJson,
  xml: viewXml,
  pdf: viewPdf,
  text: viewText,
} as const satisfies Readonly<Record<ViewerKind, Viewer<unknown>>>;

/** What each viewer makes of a file. */
export type ViewModels = { readonly [Kind in ViewerKind]: Awaited<ReturnType<(typeof VIEW)[Kind]>> };
/** The content of a file, as one of its viewers made it. */
export type FileContent<Kind extends ViewerKind = ViewerKind> = {
  readonly [Each in Kind]: { readonly kind: Each; readonly model: ViewModels[Each] };
}[Kind];

export type NotShownContent = {
  readonly kind: "not-shown";
  readonly reason: NotShownReason;
  readonly limit: number | null;
};

export type ViewedContent = {
  /** The viewers that suit the file, the best first. */
  readonly viewers: readonly ViewerKind[];
  /** The viewer that was chosen; null where none suits. */
  readonly viewer: ViewerKind | null;
  readonly content: FileContent | NotShownContent;
};

export type Viewing = (
  file: ViewedFile,
  request: ViewRequest,
  siblings: () => Promise<readonly Sibling[]>,
) => Promise<ViewedContent>;

/** Files above this size wait for each other: what is made of one takes several times its memory. */
const LARGE_BYTES = 1024 * 1024;

export const viewing = (storage: Pick<Storage, "read">, unpacking: Unpacking, extracted: ExtractedText): Viewing => {
  const inLine = fewAtOnce(most("viewsAtOnce"));
  return async (file, request, siblings) => {
    const reader = await fileReader(storage, file, siblings, unpacking, extracted);
    const suiting = viewersOf(file);
    // A text under a name that nobody knows is text.
    const viewers: readonly ViewerKind[] = suiting.length === 0 && looksLikeText(reader.head) ? ["text"] : suiting;
    const viewer = viewers.find((each) => each === request.as) ?? viewers[0] ?? null;
    const work = () => contentOf(reader, viewer, request);
    const content = await (file.sizeBytes > LARGE_BYTES ? inLine(work) : work());
    return { viewers, viewer, content };
  };
};

async function contentOf(
  reader: FileReader,
  viewer: ViewerKind | null,
  request: ViewRequest,
): Promise<FileContent | NotShownContent> {
  try {
    if (viewer === null) throw new NotShown("none");
    if (reader.file.sizeBytes === 0) throw new NotShown("empty");
    return await shownBy(viewer, reader, request);
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    return { kind: "not-shown", reason: error.reason, limit: error.limit };
  }
}

async function shownBy<Kind extends ViewerKind>(
  kind: Kind,
  reader: FileReader,
  request: ViewRequest,
): Promise<FileContent> {
  const views: { readonly [Each in ViewerKind]: Viewer<ViewModels[Each]> } = VIEW;
  return { kind, model: await views[kind](reader, request) } as FileContent; // the kind and what its viewer made
}
