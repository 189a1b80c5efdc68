// Pages of a PDF as the frame renders them by PDF.js (Q.101), and as much of PDF.js as is used.

type Viewport = { readonly width: number; readonly height: number; readonly rotation: number };
export type PdfPage = {
  getViewport(options: { readonly scale: number }): Viewport;
  render(options: object): { readonly promise: Promise<void>; cancel(): void };
  streamTextContent(): ReadableStream;
  cleanup(): void;
};
export type PdfDocument = { readonly numPages: number; getPage(number: number): Promise<PdfPage> };
type Transport = { onDataRange(begin: number, chunk: Uint8Array): void };
/** As much of PDF.js as is used here. */
export type PdfLibrary = {
  readonly GlobalWorkerOptions: { workerPort: Worker };
  readonly AnnotationMode: { readonly DISABLE: number };
  readonly PDFDataRangeTransport: new (
    length: number,
    initialData: null,
  ) => Transport & {
    requestDataRange(begin: number, end: number): void;
  };
  readonly TextLayer: new (options: object) => { render(): Promise<void>; cancel(): void };
  getDocument(options: object): { readonly promise: Promise<PdfDocument> };
};

/** Pixels of the canvas of a page: more is rendered coarser. */
const CANVAS_MOST = 16 * 1024 * 1024;

/** A page that is in the document, rendered or not yet. */
export class Sheet {
  readonly box = document.createElement("section");
  #stop: () => void = () => {};

  constructor(
    readonly pdf: PdfLibrary,
    readonly page: PdfPage,
    readonly zoom: number,
    /** Heard of the page. */
    name: string,
  ) {
    this.box.className = "sheet";
    this.box.setAttribute("aria-label", name);
    const { width, height } = page.getViewport({ scale: zoom });
    this.box.style.width = `${width}px`;
    this.box.style.height = `${height}px`;
    this.box.style.setProperty("--total-scale-factor", `${zoom}`);
  }

  async render(): Promise<void> {
    const shown = this.page.getViewport({ scale: this.zoom });
    const finest = Math.sqrt(CANVAS_MOST / Math.max(1, shown.width * shown.height));
    const ratio = Math.min(globalThis.devicePixelRatio, finest);
    const fine = this.page.getViewport({ scale: this.zoom * ratio });
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.floor(fine.width));
    canvas.height = Math.max(1, Math.floor(fine.height));
    canvas.style.width = `${shown.width}px`;
    canvas.style.height = `${shown.height}px`;
    const text = document.createElement("div");
    text.className = "textLayer";
    this.box.replaceChildren(canvas, text);
    const task = this.page.render({ canvas, viewport: fine, annotationMode: this.pdf.AnnotationMode.DISABLE });
    const layer = new this.pdf.TextLayer({
      textContentSource: this.page.streamTextContent(),
      container: text,
      viewport: shown,
    });
    this.#stop = () => {
      task.cancel();
      layer.cancel();
    };
    await Promise.all([task.promise, layer.render()]);
    this.box.dataset.rendered = "yes";
  }

  remove(): void {
    this.#stop();
    this.box.remove();
    this.page.cleanup();
  }
}
