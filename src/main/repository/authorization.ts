// The authorization server as a feature of the repository (R30): people let programs use the tools in their name. Its
// pages are the site's.
import { oauthToken } from "../../../plugins/auth/oauth-token.ts";
import {
  authorizationDialect,
  authorizationServer,
} from "../../../plugins/repository/authorization/authorization-server.ts";
import { guardedFetch } from "../../adapters/guarded-fetch.ts";
import { authentication } from "../../ark/authentication.ts";
import { type Authorization, authorization } from "../../repository/authorization/authorization.ts";
import {
  type ClientDocuments,
  clientDocuments,
  DOCUMENT_FETCH,
} from "../../repository/authorization/client-documents.ts";
import { type Clients, clients } from "../../repository/authorization/clients.ts";
import { grantJobs } from "../../repository/authorization/grant-jobs.ts";
import { knownResource } from "../../repository/authorization/resources.ts";
import { revocation } from "../../repository/authorization/revocation.ts";
import { serverMetadata } from "../../repository/authorization/server-metadata.ts";
import { tokenGrants } from "../../repository/authorization/token-grants.ts";
import { REPOSITORY_LANGUAGES } from "../../repository/pages/languages/index.ts";
import { accountSecretLookup } from "../../repository/people/account-tokens.ts";
import { root } from "../app.ts";
import { grantCommands } from "../commands/repository/grant.ts";
import { rateLimitOf } from "../process/edge-limits.ts";
import { tokensOf } from "../process/role-parts.ts";
import { USER_AGENT } from "../version.ts";
import type { Feature, ServerRuntime } from "./feature.ts";

/** Registrations a minute of one address. */
const REGISTRATIONS = 10;

const PATHS = /^\/(?:oauth\/(?:token|register|revoke)|\.well-known\/oauth-authorization-server(?:\/.*)?)$/;

export const authorizationFeature: Feature = {
  commands: { People: grantCommands },
  jobs: ({ store, clock }) => grantJobs({ store, clock }),
  endpoint: (served) => {
    const { config, store, clock, random, log, addresses } = served;
    const { baseUrl } = addresses;
    const { clientSeconds } = config;
    const { issueToken } = authentication({
      store: store.arks,
      accountBySecret: accountSecretLookup({ accounts: store.accounts, clock }),
      resourceNamed: (sent) => knownResource(sent, baseUrl),
      clock,
      modes: config.auth,
      tokens: tokensOf(config),
      oidc: null,
    });
    const note = (refused: { readonly cause: string; readonly clientId: string }): void =>
      log.info("grant_refused", { cause: refused.cause, client: refused.clientId });
    const { exchange } = tokenGrants({ store, clock, random, baseUrl, note });
    return {
      dialectFor: (path) => (PATHS.test(path) ? authorizationDialect : null),
      plugin: root("authorization")
        .use(oauthToken({ issueToken, grants: exchange, clientSeconds }))
        .use(
          authorizationServer({
            clients: clientsOf(served),
            revocation: revocation({ store, clock }),
            clientSeconds,
            metadata: serverMetadata({
              languages: REPOSITORY_LANGUAGES,
              baseUrl,
              hasClientCredentials: config.auth.has("oauth2"),
              takesDocuments: config.clientDocuments === "on",
            }),
            rate: rateLimitOf("register", REGISTRATIONS, store.arks.rates, log),
          }),
        ),
    };
  },
};

/** For the pages on which people allow and end it. */
export const authorizationOf = (served: ServerRuntime): Authorization => {
  const { store, clock, random, addresses } = served;
  return authorization({ store, clock, random, clients: clientsOf(served), baseUrl: addresses.baseUrl });
};

const made = new WeakMap<ServerRuntime, Clients>();

/** One for all endpoints of a process: what is known of documents is known to all. */
function clientsOf(served: ServerRuntime): Clients {
  const known = made.get(served);
  if (known !== undefined) return known;
  const { store, clock, random } = served;
  const documents = served.config.clientDocuments === "on" ? fetchedDocuments(served) : NO_DOCUMENTS;
  const found = clients({ store, clock, random, documents });
  made.set(served, found);
  return found;
}

/** No address that a client sends is asked for anything. */
const NO_DOCUMENTS: ClientDocuments = { read: async () => null };

function fetchedDocuments({ log }: ServerRuntime): ClientDocuments {
  const remote = guardedFetch({
    ...DOCUMENT_FETCH,
    mayFetch: ({ protocol }) => protocol === "https:",
    userAgent: USER_AGENT,
  });
  return clientDocuments({
    remote,
    nowMs: () => performance.now(),
    note: ({ address, reason }) => log.info("client_document_refused", { address, reason }),
  });
}
