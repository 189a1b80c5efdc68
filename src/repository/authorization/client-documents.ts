// Clients that are known by the address of a document about them (OAuth Client ID Metadata Document 3 to 6): fetched
// from the public network only, small, soon, without following anybody elsewhere, and kept for a while. What failed is
// not kept.

import { forgetfulMap } from "../../shared/http/rate-limit.ts";
import { readPlainWebUrl } from "../../shared/http/web-url.ts";
import { parseJson } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import type { RemoteFiles } from "../record-files/remote-files.ts";
import { type ClientMetadata, readClientMetadata } from "./client-metadata.ts";

/** What the fetch is made with: the other side may send no more, and take no longer. */
export const DOCUMENT_FETCH = { maxBytes: most("clientDocumentBytes"), seconds: 5, redirects: 0 } as const;
const KEPT_MS = 15 * 60_000;
const KEPT_MAX = 1_000;
/** Fetches at a time: people wait for no more of them, and nobody fills the machine with them. */
const AT_ONCE_MAX = 8;
const ADDRESS_MAX = 500;
const JSON_TYPE = /^application\/(?:[\w.-]{1,100}\+)?json\s*(?:;|$)/i;

export interface ClientDocuments {
  /** The metadata in the document at this address; null without a document that can be trusted. */
  read(address: string): Promise<ClientMetadata | null>;
}

type ClientDocumentsNeeds = {
  readonly remote: RemoteFiles;
  readonly nowMs: () => number;
  /** Why a document was not taken; for the log. */
  readonly note?: (refused: { readonly address: string; readonly reason: string }) => void;
};

/** Whether a client id is the address of a document: https, a path, nothing that is read in two ways. */
export function isDocumentAddress(text: string): boolean {
  const url = text.startsWith("https://") && !/[\\#]/.test(text) ? readPlainWebUrl(text, ADDRESS_MAX) : null;
  // A parser that changes the text saw dots in the path, a user, capitals, a port that goes without saying.
  return url !== null && url.href === text && url.pathname !== "/" && !/\/\.{1,2}(?:\/|$)/.test(url.pathname);
}

export const clientDocuments = ({ remote, nowMs, note }: ClientDocumentsNeeds): ClientDocuments => {
  const kept = forgetfulMap<{ readonly metadata: ClientMetadata; readonly until: number }>(KEPT_MAX);
  const under = new Map<string, Promise<ClientMetadata | null>>();

  async function fetched(address: string): Promise<ClientMetadata | null> {
    try {
      const metadata = readDocument(await textAt(remote, address), address);
      kept.set(address, { metadata, until: nowMs() + KEPT_MS });
      return metadata;
    } catch (error) {
      note?.({ address, reason: error instanceof Error ? error.message : String(error) });
      return null;
    }
  }

  return {
    async read(address) {
      if (!isDocumentAddress(address)) return null;
      const known = kept.get(address);
      if (known !== undefined && nowMs() < known.until) return known.metadata;
      const asked = under.get(address);
      if (asked !== undefined) return await asked;
      if (under.size >= AT_ONCE_MAX) return null;
      const asking = fetched(address).finally(() => under.delete(address));
      under.set(address, asking);
      return await asking;
    },
  };
};

async function textAt(remote: RemoteFiles, address: string): Promise<string> {
  const { pieces, mediaType } = await remote.open(address, AbortSignal.timeout(DOCUMENT_FETCH.seconds * 1000));
  // Hosts that keep texts of strangers call them text: such a text speaks for nobody.
  if (!JSON_TYPE.test(mediaType ?? "")) {
    for await (const _ of pieces) break;
    throw new TypeError("its media type is not application/json");
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** @throws Error saying what is wrong with it. */
function readDocument(text: string, address: string): ClientMetadata {
  const sent = parseJson(text);
  if (!isObject(sent)) throw new TypeError("the document is not a JSON object");
  if (memberOf(sent, "client_id") !== address) throw new TypeError("its client_id is not its address");
  // Everybody who reads the document would know the secret.
  if (memberOf(sent, "client_secret") !== undefined) throw new TypeError("it holds a secret");
  const method = memberOf(sent, "token_endpoint_auth_method") ?? "none";
  if (method !== "none") throw new TypeError("its token_endpoint_auth_method is not none");
  return readClientMetadata(sent, () => new URL(address).host);
}
