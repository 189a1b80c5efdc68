// Where files of records are fetched from (R37; specification 3, upload_file_from_url): the port, and what it refuses.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";

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

// Who has files fetched from an address, and from which (R37; specification 3, upload_file_from_url): administrators,
// from the hosts of a setting. Pure.

/** Fetches the file of a draft; its subject is the id of the upload. */
export const FETCH_JOB = "file_fetch";

/** @throws Refusal 403 */
export function mayFetchFiles(viewer: Viewer): void {
  if (!isAdministrator(viewer)) throw permissionDenied();
}

export type FetchRules = {
  /** SVC_FILE_FETCH_DOMAINS: hosts, with their port where it is not that of the scheme. */
  readonly domains: ReadonlySet<string>;
  /** SVC_FILE_FETCH_HTTP */
  readonly http: boolean;
};

/** Asked of the address that is given, and of each that it leads on to. */
export function mayFetchFrom({ domains, http }: FetchRules, { protocol, host, hostname }: URL): boolean {
  if (protocol !== "https:" && !(http && protocol === "http:")) return false;
  const named = host.toLowerCase();
  // The port of the scheme is left out of `host`, and may be written in the setting.
  const usual = `${hostname.toLowerCase()}:${protocol === "https:" ? 443 : 80}`;
  return domains.has(named) || (named === hostname.toLowerCase() && domains.has(usual));
}
