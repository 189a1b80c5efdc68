// Where files of records are fetched from (R37; specification 3, upload_file_from_url): the port, and what it refuses.

/** A file at an address. Leaving the pieces early lets go of the connection. */
export type RemoteFile = {
  /** As the other side states; null where it does not. */
  readonly sizeBytes: number | null;
  /** The type that the other side states; null where it states none. */
  readonly mediaType: string | null;
  readonly pieces: AsyncIterable<Uint8Array>;
};

export interface RemoteFiles {
  /** @throws FetchRefused */
  open(url: string, signal: AbortSignal): Promise<RemoteFile>;
}

/** Why a file is not fetched, in a sentence that names no address. `passing`: another try may do it. */
export class FetchRefused extends Error {
  override readonly name = "FetchRefused";
  readonly passing: boolean;

  constructor(
    message: string,
    { passing = false, cause }: { readonly passing?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.passing = passing;
  }
}
