// What reading a PDF needs from outside (R35; src/adapters/pdf-text.ts).

export type PdfPages = {
  readonly count: number;
  /** The text of each page in order, in pieces, with line ends as they are set. */
  readonly pieces: AsyncIterable<{ readonly page: number; readonly text: string }>;
  readonly close: () => Promise<void>;
};

export interface PdfReading {
  /** @throws PdfProblem */
  open(bytes: Uint8Array): Promise<PdfPages>;
}

export class PdfProblem extends Error {
  override readonly name = "PdfProblem";
  readonly kind: "encrypted" | "unreadable";

  constructor(kind: PdfProblem["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
