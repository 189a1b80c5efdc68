// Inside the frame of a PDF (R49, Q.101): pages one below another, rendered by PDF.js when they are seen, with their text on
// top to select. Its own origin is opaque: it has no cookies, and reads only what the page hands over. Scripts of PDFs,
// forms and links are not in it.

import { type PdfDocument, type PdfLibrary, type PdfPage, Sheet } from "./parts/pdf-sheets.ts";

const RANGE_BYTES = 256 * 1024;
/** Pixels of a picture in a PDF: a larger one is left out. */
const PICTURE_MOST = 64 * 1024 * 1024;
/** Pages that are in the document around the one that is seen. */
const SHEETS = 9;
const ZOOM_MOST = 8;
const ZOOM_LEAST = 0.1;

const { files: folder = "", of = "", pageNumber = "", locked = "", broken = "", away = "" } = document.body.dataset;
/** Whole: a script of another origin, as all are here, has no address that others follow from. */
const files = new URL(folder, location.href).href;
const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const pages = element("pages");
const number = element<HTMLInputElement>("number");
const state = element("state");
const button = (id: string): HTMLButtonElement => element<HTMLButtonElement>(id);

const showState = (text: string): void => {
  state.textContent = text;
};

/**
 * A worker must come from its own origin, which here is nobody's: a blob that loads it. What is sent before it listens
 * would be lost.
 */
function worker(): Promise<Worker> {
  const source = `import${`(${JSON.stringify(`${files}code/pdf.worker.min.mjs`)})`}`;
  const started = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  return new Promise((resolve, reject) => {
    started.addEventListener("message", () => resolve(started), { once: true });
    started.addEventListener("error", () => reject(new Error("away")), { once: true });
  });
}

/** The document loads it before this script, and it names itself. */
async function library(): Promise<PdfLibrary> {
  const { pdfjsLib: loaded } = globalThis as { readonly pdfjsLib?: PdfLibrary };
  if (loaded === undefined) throw new Error("away");
  loaded.GlobalWorkerOptions.workerPort = await worker();
  return loaded;
}

function openDocument(pdf: PdfLibrary, port: MessagePort, size: number): Promise<PdfDocument> {
  class Ranges extends pdf.PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      port.postMessage({ begin, end });
    }
  }
  const range = new Ranges(size, null);
  const { promise } = pdf.getDocument({
    range,
    rangeChunkSize: RANGE_BYTES,
    disableStream: true,
    disableAutoFetch: true,
    disableWorkerRendering: true,
    useWorkerFetch: false,
    useSystemFonts: true,
    enableXfa: false,
    maxImageSize: PICTURE_MOST,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}fonts/`,
    wasmUrl: `${files}wasm/`,
    verbosity: 0,
  });
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    port.addEventListener("message", ({ data }: MessageEvent<{ begin: number; bytes: ArrayBuffer | null }>) => {
      if (data.bytes === null) {
        showState(away);
        reject(new Error("away"));
      } else range.onDataRange(data.begin, new Uint8Array(data.bytes));
    });
    port.start();
  });
}

/** The pages around the one that is seen; the others are not in the document, however many there are. */
class Reading {
  #at = 1;
  #zoom = 0;
  #sheets: readonly Sheet[] = [];
  #turn = 0;

  constructor(
    readonly pdf: PdfLibrary,
    readonly file: PdfDocument,
  ) {}

  async show(at: number, zoom = this.#zoom): Promise<void> {
    const turn = ++this.#turn;
    this.#at = Math.min(Math.max(1, Math.floor(at) || 1), this.file.numPages);
    this.#zoom = zoom === 0 ? 0 : Math.min(Math.max(zoom, ZOOM_LEAST), ZOOM_MOST);
    this.#tell();
    for (const sheet of this.#sheets) sheet.remove();
    this.#sheets = [];
    const last = Math.min(this.file.numPages, this.#at + SHEETS - 1);
    pages.scrollTop = 0;
    for (let each = this.#at; each <= last; each++) {
      const sheet = await this.#sheet(each).catch(() => null);
      if (turn !== this.#turn) return;
      if (sheet === null) {
        showState(broken);
        continue;
      }
      this.#sheets = [...this.#sheets, sheet];
      pages.append(sheet.box);
      await sheet.render().catch(() => {});
      if (turn !== this.#turn) return;
    }
  }

  async #sheet(at: number): Promise<Sheet> {
    const page = await this.file.getPage(at);
    return new Sheet(
      this.pdf,
      page,
      this.#zoom === 0 ? this.#fitting(page) : this.#zoom,
      pageNumber.replace("{n}", `${at}`),
    );
  }

  #fitting(page: PdfPage): number {
    const { width } = page.getViewport({ scale: 1 });
    return Math.min(Math.max((pages.clientWidth - 24) / Math.max(1, width), ZOOM_LEAST), 2);
  }

  #tell(): void {
    number.value = `${this.#at}`;
    button("previous").disabled = this.#at === 1;
    button("next").disabled = this.#at === this.file.numPages;
  }

  step(by: number): void {
    const at = this.#at + by;
    if (at >= 1 && at <= this.file.numPages) void this.show(at);
  }

  scale(by: number): void {
    const now = this.#sheets[0]?.zoom ?? 1;
    void this.show(this.#at, now * by);
  }

  listen(): void {
    number.max = `${this.file.numPages}`;
    element("count").textContent = of.replace("{n}", `${this.file.numPages}`);
    for (const id of ["number", "smaller", "larger", "fit"]) element<HTMLButtonElement>(id).disabled = false;
    button("previous").addEventListener("click", () => this.step(-1));
    button("next").addEventListener("click", () => this.step(1));
    button("smaller").addEventListener("click", () => this.scale(1 / 1.25));
    button("larger").addEventListener("click", () => this.scale(1.25));
    button("fit").addEventListener("click", () => void this.show(this.#at, 0));
    number.addEventListener("change", () => void this.show(Number(number.value)));
    pages.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = this.#keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    });
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => this.step(1),
    n: () => this.step(1),
    ArrowLeft: () => this.step(-1),
    p: () => this.step(-1),
    Home: () => void this.show(1),
    End: () => void this.show(this.file.numPages),
    "+": () => this.scale(1.25),
    "-": () => this.scale(1 / 1.25),
  };
}

async function open(port: MessagePort, size: number): Promise<void> {
  try {
    const pdf = await library();
    const reading = new Reading(pdf, await openDocument(pdf, port, size));
    showState("");
    reading.listen();
    await reading.show(1);
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    const isAway = error instanceof Error && error.message === "away";
    showState(name === "PasswordException" ? locked : isAway ? away : broken);
  }
}

addEventListener("message", function receive(event: MessageEvent<{ readonly size: number }>) {
  const [port] = event.ports;
  if (event.source !== parent || port === undefined) return;
  removeEventListener("message", receive);
  void open(port, event.data.size);
});
