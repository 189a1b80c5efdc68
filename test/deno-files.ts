// What `bun run check` runs on Deno as well (A43): what can differ by runtime, and one file of each interface. `check
// --deno-all` runs everything.
import { testFiles } from "./check-order.ts";

type OnDeno = {
  readonly why: string;
  /** Files and folders. */
  readonly paths: readonly string[];
};

const ON_DENO: readonly OnDeno[] = [
  {
    why: "The differences themselves, and what a process may do",
    paths: [
      "test/deno",
      "test/check.test.ts",
      "test/default-timeout.long.ts",
      "test/fresh-clone.long.ts",
      "test/cli/process.long.ts",
      "test/cli/start.long.ts",
    ],
  },
  {
    why: "Databases and storage have separate drivers: values, transactions, errors, streams",
    paths: [
      "test/contracts/authors.test.ts",
      "test/contracts/away.test.ts",
      "test/contracts/draft-files.test.ts",
      "test/contracts/file-texts.test.ts",
      "test/contracts/grants.test.ts",
      "test/contracts/index-tree.test.ts",
      "test/contracts/item-feed.test.ts",
      "test/contracts/jobs.test.ts",
      "test/contracts/postgres-hosts.long.ts",
      "test/contracts/replica-postgres.long.ts",
      "test/contracts/replica-sqlite.test.ts",
      "test/contracts/repository-concurrency.test.ts",
      "test/contracts/repository-items.test.ts",
      "test/contracts/repository-people.test.ts",
      "test/contracts/requests.test.ts",
      "test/contracts/search-writer.test.ts",
      "test/contracts/sqlite-thread.test.ts",
      "test/contracts/storage-identity.test.ts",
      "test/contracts/storage-local.test.ts",
      "test/contracts/storage-s3.test.ts",
      "test/contracts/storage-swift.long.ts",
      "test/contracts/store-postgres.long.ts",
      "test/contracts/store-sqlite.test.ts",
      "test/adapters",
    ],
  },
  {
    why: "Text is cut by the expressions of the runtime, and an index follows by its timers",
    paths: [
      "test/repository/search/tokens.test.ts",
      "test/repository/search/finding.test.ts",
      "test/repository/search/index-follower.test.ts",
    ],
  },
  {
    why: "The embedded search index uses the SQLite driver of the runtime",
    paths: ["test/repository/search/embedded-index.test.ts", "test/repository/search/embedded-index-files.test.ts"],
  },
  {
    why: "The client of Typesense sends by what the runtime has of node:http",
    paths: ["test/repository/search/typesense-index.test.ts"],
  },
  {
    why: "Threads and what they share",
    paths: ["test/resolver/trie-threads.test.ts", "test/resolver/table-copy.test.ts"],
  },
  {
    why: "Serving: listeners, slow bodies, large bodies, closed connections",
    paths: [
      "test/http/serve.test.ts",
      "test/http/frame.test.ts",
      "test/http/slow-clients.long.ts",
      "test/http/tls.long.ts",
      "test/http/proxy-protocol.long.ts",
      "test/http/slow-deposits.long.ts",
      "test/http/file-response.test.ts",
      "test/http/edge-limits.test.ts",
      "test/http/resolver-endpoints.test.ts",
      "test/http/tracing.long.ts",
      "test/deploy/fronts.long.ts",
      "test/hostile/hostile.long.ts",
    ],
  },
  {
    why: "What strangers send: threads with a deadline, depths of JSON, archives",
    paths: [
      "test/hostile/background-threads.long.ts",
      "test/hostile/deep-json.test.ts",
      "test/hostile/full-text.long.ts",
      "test/hostile/giants.long.ts",
      "test/hostile/packages.test.ts",
    ],
  },
  {
    why: "Bytes: inflating, hashing, snapshots, texts in other character sets",
    paths: [
      "test/repository/deposit/zip-archive.test.ts",
      "test/resolver/table-snapshot.test.ts",
      "test/operating/backup.test.ts",
      "test/formats/tsv",
      "test/shared/xml",
      "test/repository/full-text",
      "test/repository/deposit/bagit.test.ts",
      "test/repository/deposit/multipart.test.ts",
      "test/fuzz/zip.test.ts",
    ],
  },
  {
    why: "Regular expressions, URLs, dates, digests and texts of the rules",
    paths: [
      "test/ark/syntax.test.ts",
      "test/ark/request-path.test.ts",
      "test/resolver/resolve.test.ts",
      "test/shared/day.test.ts",
      "test/shared/negotiation.test.ts",
      "test/resolver/pasted-text.test.ts",
      "test/ark/target-prefix.test.ts",
      "test/resolver/forwarding.test.ts",
      "test/adapters/log.test.ts",
      "test/auth/auth-token.test.ts",
      "test/ark/provisioning.test.ts",
      "test/shared/row-formats.test.ts",
      "test/main/config.test.ts",
      "test/resolver/table-refresh.test.ts",
      "test/model/file-serving.test.ts",
      "test/model/metadata.test.ts",
      "test/model/names.test.ts",
    ],
  },
  {
    why: "One file of each interface",
    paths: [
      "test/http/ark-making.test.ts",
      "test/http/resolver.test.ts",
      "test/http/oauth-token.test.ts",
      "test/http/openapi.test.ts",
      "test/http/sword-receiving.test.ts",
      "test/http/sword-workflow.test.ts",
      "test/http/index-tree-changes.test.ts",
      "test/http/record-list.test.ts",
      "test/http/schemaform.test.ts",
      "test/http/repository-admin.test.ts",
      "test/pages/records.test.ts",
    ],
  },
  {
    why: "What is killed comes back",
    paths: [
      "test/faults/kill-minter.long.ts",
      "test/faults/files-exhausted.long.ts",
      "test/faults/resolver-threads.long.ts",
    ],
  },
];

/** The files and folders that `check` runs on Deno. */
export const denoPaths = (): readonly string[] => ON_DENO.flatMap(({ paths }) => paths);

/** The test files in them, below the root of the project. */
export function denoFiles(root: string, everything: boolean): readonly string[] {
  const all = testFiles(root);
  if (everything) return all;
  const named = denoPaths().flatMap((path) => all.filter((file) => file === path || file.startsWith(`${path}/`)));
  return [...new Set(named)];
}
