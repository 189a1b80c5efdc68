// Rights are asked inside the transaction that writes (R2g): no use case of the repository that acts for somebody opens
// one by itself. A caller who does is here, with the reason.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOnly } from "../support/source.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Files of the repository's use cases that open their own transactions. */
const ALLOWED: Readonly<Record<string, string>> = {
  "people/current-viewer.ts": "it is the way in",
  "people/registration.ts": "who registers has no account yet; invitations go through writeAs()",
  "people/sign-in.ts": "nobody is signed in yet: links, sessions, the way over a provider",
  "authorization/clients.ts": "the caller that registers a client has no account yet",
  "authorization/grant-jobs.ts": "jobs, which act for nobody",
  "authorization/revocation.ts": "the holder of a token may end it; the grant is locked and read again",
  "authorization/token-grants.ts": "clients speak for a grant, which is locked and read again with its account",
  "deposit/receipts.ts": "claims of an Idempotency-Key, before anything is written",
  "items/bulk-changes.ts": "that a change was refused is recorded, whatever rights its account has by then",
  "items/locking.ts": "a lock is not a change; what is done under it is asked for",
  "items/jobs.ts": "jobs, which act for nobody",
  "administration/repository-setup.ts": "the start, before there is anybody",
  "administration/repository-tidying.ts": "jobs, which act for nobody",
  "authors/importing.ts": "a command of the machine's operator, who has no account that could lose a right",
  "authors/propagation.ts": "jobs, which act for nobody",
  "notices/choices.ts":
    "a signed link ends notices without a session; what people choose themselves goes through writeAs()",
  "notices/sending.ts": "jobs, which act for nobody",
  "oai/dating.ts": "what harvesters receive is computed for no account",
  "oai/follower.ts": "what harvesters receive is computed for no account",
  "record-files/jobs.ts": "jobs, which act for nobody",
  "tools/tool-server.ts":
    "that a call was made is recorded for its caller, also where the caller has lost every right meanwhile",
  "requests/access-guests.ts": "guests confirm and withdraw by a link, and its use is counted",
  "requests/access-jobs.ts": "jobs, which act for nobody",
  "saved-searches/alert-jobs.ts": "jobs, which act for nobody",
  "saved-searches/stop-links.ts": "a signed link ends the mails about a search without a session",
  "statistics/usage-jobs.ts": "jobs, which act for nobody",
};

test("R2g every use case that writes for somebody reads them again: transactions are opened by writeAs() alone", () => {
  const folder = join(ROOT, "src", "repository");
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => {
      const source = readFileSync(join(folder, file), "utf8");
      const isOfRepository = /RepositoryStore|RepositoryWriter|AccessNeeds|items\/types|\.\/types\.ts/.test(source);
      return isOfRepository && /\.transact\(/.test(codeOnly(source));
    });
  expect(found.map((file) => file.replaceAll("\\", "/")).sort()).toEqual(Object.keys(ALLOWED).sort());
});
