// Addresses to which parts of a file are sent without a token (R37; specification 3, start_multipart_upload), as S3
// stores provide them: each is valid for one part of one upload, for a limited time. The account that began the upload
// must still be allowed to change the draft when a part arrives.
import { effectiveRoles, GUEST, type Viewer } from "../../auth/account.ts";
import { permissionDenied } from "../../model/input/record-refusals.ts";
import { sameHash, textSignature } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { DraftFile } from "../store/draft-files.ts";
import type { RepositoryStore } from "../store/store.ts";
import { entryPath, type FileEntry, type PartLink } from "./entries.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { draftSeenBy } from "./open-draft.ts";
import { type PartsView, UPLOAD_KEPT_MS } from "./part-links.ts";
import { noSuchFile } from "./sentences.ts";

/** The query of such an address, in addition to the part. */
export type PartSignature = { readonly until: string; readonly signature: string };

/** The query of an address; null: it is an ordinary one. */
export function signedIn(query: URLSearchParams): PartSignature | null {
  const [until, signature] = [query.get("until"), query.get("signature")];
  return until === null || signature === null ? null : { until, signature };
}

type Part = { readonly number: number; readonly until: string };

/** The random id of an upload is secret, and ends with it. */
const signatureOf = ({ id, itemId, key }: DraftFile, { number, until }: Part): string =>
  textSignature(JSON.stringify([itemId, key, number, until]), id);

type Needs = Pick<RecordFilesNeeds, "baseUrl" | "clock"> & {
  readonly store: Pick<RepositoryStore, "items" | "draftFiles" | "accounts">;
  /** Else they go to the store itself, whose addresses are signed. */
  readonly partsComeHere: () => boolean;
};

export interface SignedParts {
  /** A file that is sent in parts, with addresses that need no token; only for those who may change the draft. */
  partAddresses(viewer: Viewer, id: ItemId, key: string): Promise<FileEntry>;
  /**
   * The sender of a part to a signed address: the account that began the upload. @throws Refusal 403 for another
   * address, and after its day.
   */
  signerOfPart(
    id: ItemId,
    part: { readonly key: string; readonly number: number },
    signed: PartSignature,
  ): Promise<Viewer>;
}

export const signedParts = (needs: Needs, parts: PartsView): SignedParts => {
  const { store, clock, baseUrl } = needs;

  async function signed(file: DraftFile, links: readonly PartLink[]): Promise<readonly PartLink[]> {
    const expiration: Instant = addMilliseconds(clock.now(), UPLOAD_KEPT_MS);
    const until = String(Math.floor(Date.parse(expiration) / 1000));
    const content = `${baseUrl}${entryPath(file.itemId, true, file.key)}/content`;
    const addresses: PartLink[] = [];
    for (const { part } of links) {
      const signature = signatureOf(file, { number: part, until });
      addresses.push({ part, url: `${content}/${part}?${new URLSearchParams({ until, signature })}`, expiration });
    }
    return addresses;
  }

  return {
    async partAddresses(viewer, id, key) {
      await draftSeenBy(store, viewer, id);
      const file = await store.draftFiles.draftFile(id, key);
      if (file === null) throw noSuchFile(id, key);
      const [entry] = await parts.shown([file]);
      if (entry === undefined) throw noSuchFile(id, key);
      if (!needs.partsComeHere() || entry.partLinks === undefined) return entry;
      return { ...entry, partLinks: await signed(file, entry.partLinks) };
    },

    async signerOfPart(id, { key, number }, { until, signature }) {
      const file = await store.draftFiles.draftFile(id, key);
      const isSigned = file !== null && sameHash(signature, signatureOf(file, { number, until }));
      if (!isSigned || !(Number(until) * 1000 > Date.parse(clock.now()))) throw permissionDenied();
      const identity = await store.accounts.identity(file.accountId);
      if (identity?.account.active !== true) throw permissionDenied();
      const { account, groups, memberships } = identity;
      return { ...GUEST, account, roles: effectiveRoles(account), groups, memberships };
    },
  };
};
