// Who asks for authorization (R30): a client that registered itself (RFC 7591), one the operator registered, or one
// known by the address of a document.

import { most } from "../../shared/limits.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { OauthClient } from "../store/grants.ts";
import type { RepositoryStore } from "../store/store.ts";
import { type ClientDocuments, isDocumentAddress } from "./client-documents.ts";
import { type ClientMetadata, readClientMetadata } from "./client-metadata.ts";
import { UNUSED_CLIENT_MS } from "./lifetimes.ts";

/** Who it is, for people; `account`: the operator of this repository knows it, nobody vouches for the others. */
export type AuthorizationClient = {
  readonly id: string;
  readonly name: string;
  readonly uri: string | null;
  readonly kind: "registered" | "document" | "account";
  /** Where people are sent back to. */
  readonly redirectHost: string;
};

export type KnownClient = Omit<AuthorizationClient, "redirectHost"> & Pick<ClientMetadata, "redirectUris">;

type ClientsNeeds = {
  readonly store: Pick<RepositoryStore, "grants" | "transact">;
  readonly clock: Clock;
  readonly random: Random;
  readonly documents: ClientDocuments;
};

const CLIENT_ID_LENGTH = 20;

export interface Clients {
  /** Null: nobody knows it. */
  find(id: string): Promise<KnownClient | null>;
  /** @throws ClientMetadataFault */
  register(sent: unknown, kind: OauthClient["kind"]): Promise<OauthClient>;
}

export const clients = ({ store, clock, random, documents }: ClientsNeeds): Clients => ({
  async find(id) {
    if (!isDocumentAddress(id)) return await store.grants.oauthClient(id);
    const metadata = await documents.read(id);
    return metadata === null ? null : { id, kind: "document", ...metadata };
  },

  async register(sent, kind) {
    const metadata = readClientMetadata(sent, (host) => host);
    const at = clock.now();
    const id = `client-${random.betanumerics(CLIENT_ID_LENGTH)}`;
    const client = { ...metadata, id, kind, createdAt: at, usedAt: null };
    await store.transact(async (tx) => {
      await tx.grants.saveOauthClient(client);
      // Endless registration deletes older clients that were never used, not clients in use.
      await tx.grants.forgetUnusedClients(addMilliseconds(at, -UNUSED_CLIENT_MS), most("unusedClients"));
    });
    return client;
  },
});
