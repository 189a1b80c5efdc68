// Every deliberate difference between Bun and Deno, with its reason (A43). What is not on this list behaves the same on
// both: the same tests prove it. test/deno/differences.test.ts finds code that asks for its runtime and is not named
// here.

type Difference = {
  readonly what: string;
  readonly bun: string;
  readonly deno: string;
  readonly reason: string;
  /** Where the runtime is asked for; each of these files is on this list once. */
  readonly files: readonly string[];
};

export const DIFFERENCES: readonly Difference[] = [
  {
    what: "The step before plain `bun test`, which generates what is not in git",
    bun: "held by a test in a folder in which nothing was generated",
    deno: "skipped",
    reason: "`deno test` has no step before it; `check` generates first",
    files: ["test/fresh-clone.long.ts"],
  },
  {
    what: "Listening",
    bun: "Bun.serve",
    deno: "Deno.serve; a late request at the end of the grace time ends with the process instead of being cut off",
    reason: "Each runtime has its own server; a Deno server that is shutting down takes no second order",
    files: ["src/main/process/serve.ts"],
  },
  {
    what: "The fast lane of the resolver (docs/fast-lane.md)",
    bun: "plain redirects are answered from bytes, in front of the runtime's server",
    deno: "every request goes through the runtime's server, which keeps pipelined requests in order",
    reason: "Deno has no raw listener that several threads could share a port with; its own server has",
    files: ["test/support/world/lane.ts"],
  },
  {
    what: "TLS without a front (docs/tls.md)",
    bun: "changed files of the certificate are used within seconds; a client that offers HTTP/2 alone is refused; a client can resume its session",
    deno: "the files are read at the start; clients may choose HTTP/2; its own clients resume no session",
    reason: "A server of Deno keeps its certificate, and chooses the protocols that it offers",
    files: ["test/http/tls.long.ts"],
  },
  {
    what: "The PROXY protocol (docs/front.md)",
    bun: "read by our own listener, before TLS",
    deno: "SVC_PROXY_PROTOCOL=1 stops the start",
    reason: "The server of Deno has no place before it where a header could be read",
    files: [],
  },
  {
    what: "The priority of a process in which nothing answers, such as an import",
    bun: "the lowest for every thread, those of the runtime too",
    deno: "lowered for the thread that works and those it starts",
    reason: "Listing the threads of a process needs a permission to read that imports on Deno do not have",
    files: ["src/main/process/lower-priority.ts"],
  },
  {
    what: "Large pages for the resolver's table (docs/resolver-table.md)",
    bun: "Linux is asked for pages of 2 MiB",
    deno: "pages are as small as ever: a look-up costs some tenths of a microsecond more",
    reason: "Calling the system needs --allow-ffi, with which a program may do anything",
    files: ["src/adapters/large-pages.ts", "test/adapters/large-pages.test.ts"],
  },
  {
    what: "SQLite",
    bun: "bun:sqlite through kysely-bun-sqlite",
    deno: "node:sqlite through Kysely's own dialect",
    reason: "Deno has no bun:sqlite. The contract of the store is run against both",
    files: ["db/engine/sqlite-handle.ts"],
  },
  {
    what: "A module that the environment loads into `arkstone up` and its children",
    bun: "BUN_OPTIONS: a test keeps threads from starting",
    deno: "skipped",
    reason: "Deno takes no such module from the environment",
    files: ["test/faults/resolver-threads.long.ts"],
  },
  {
    what: "The thread that ends a process whose main thread no longer answers",
    bun: "every role but the resolver has it; signals reach the main thread alone",
    deno: "the repository and the tool server have it; signals reach threads, too",
    reason: "A thread needs its own source, which the permissions of a minter on Deno do not include (docs/deno.md)",
    files: ["src/main/process/role-process.ts", "src/main/watchdog-worker.ts"],
  },
  {
    what: "Starting itself again (`arkstone up`)",
    bun: "the same runtime or the same binary",
    deno: "deno run --allow-all --no-check",
    reason: "Permissions are not inherited by a process; what may start processes is not confined anyway",
    files: ["src/main/child-process.ts", "test/support/processes.ts", "test/cli/process.long.ts"],
  },
  {
    what: "Reading files for their words (docs/full-text.md)",
    bun: "a separate process, whose memory is what it takes",
    deno: "a thread; its heap has a limit, and what the whole process grows by while it reads counts for buffers",
    reason:
      "Starting a process needs a permission that the repository does not have; a thread that the runtime can end needs none",
    files: ["src/main/text-process.ts", "test/hostile/full-text.long.ts"],
  },
  {
    what: "The binary, and the list of what is in it",
    bun: "built and run by test/binary, held against docs/dependencies.md by test/dependencies.test.ts",
    deno: "skipped",
    reason: "The compiler is part of Bun",
    files: ["test/support/binary.ts"],
  },
  {
    what: "Dot segments in a request path, without a front that hands on the raw address",
    bun: "seen by the resolver's fast lane and refused with 400 where one is ..; resolved by the runtime everywhere else",
    deno: "seen as sent, and refused with 400 where one is ..",
    reason:
      "Bun parses the request target as a URL (A43). What the fast lane can tell of it is in docs/fast-lane.md; behind deploy/nginx.conf both refuse them",
    files: ["test/http/serve.test.ts"],
  },
  {
    what: "A backslash, and bytes that are not UTF-8, in a request path",
    bun: "\\ becomes /, the byte becomes U+FFFD; with a raw-URI header the byte stays as it is",
    deno: "\\ stays (encoded in the redirect), the byte is refused with 400",
    reason: "Neither is allowed in a request target; each runtime has its own way with them (A43)",
    files: ["test/http/resolver-endpoints.test.ts", "test/deploy/fronts.long.ts"],
  },
  {
    what: "The free space of the disk, before a deposit is taken",
    bun: "asked, and a deposit that does not fit is 503 before its body",
    deno: "the same with --allow-sys=statfs; without it a warning at the start, and 503 when the disk is full",
    reason: "Deno gives what the system reports of its disks to nobody without that permission (docs/deno.md)",
    files: [],
  },
  {
    what: "Slow clients",
    bun: "a request head that does not end and an idle connection are closed, a head above 16 KiB is 431",
    deno: "heads and idle connections are waited for without end, a head of some hundred KiB or 100 fields is 400",
    reason: "Deno.serve has no such timeouts; a front must (docs/security.md). Bodies are timed by ourselves on both",
    files: ["test/http/slow-clients.long.ts"],
  },
  {
    what: "The time a test or a hook has by itself",
    bun: "set in every file by test/support/default-timeout.ts, which bunfig.toml loads",
    deno: "part of test/support/bun-test-on-deno.ts; hooks have no limit",
    reason: "Deno reads no bunfig.toml and has none of Bun's defaults",
    files: ["test/default-timeout.long.ts"],
  },
  {
    what: "Memory that nothing uses any more",
    bun: "requested to be released soon, in parallel with answers",
    deno: "left to the engine",
    reason: "Deno lets no program ask for a collection of garbage",
    files: ["src/main/process/garbage.ts"],
  },
  {
    what: "A turn of the event loop in the middle of long work",
    bun: "one, in which a request that came in is answered",
    deno: "four of them",
    reason: "Deno takes a request in several turns: coming in, being read, being answered",
    files: ["src/shared/time/event-loop.ts"],
  },
  {
    what: "The version of the runtime in the bill of materials",
    bun: "its own, which is the one it compiles into the binary",
    deno: "none: a release is made by Bun",
    reason: "Only Bun's compiler makes the binary",
    files: ["src/main/release/release.ts"],
  },
  {
    what: "How many generated giants `check` sends",
    bun: "one of each shape",
    deno: "ten of them",
    reason: "Readers of packages are the same on both, and slower on Deno; the threads they run in are held by each",
    files: ["test/hostile/giants.long.ts"],
  },
  {
    what: "No file is left for a connection",
    bun: "the listener is closed before that, requests in flight go on, and connections that ask for nothing are ended",
    deno: "the same; where connections come faster than it looks, the listener fails and is opened again, and bodies under way may be lost",
    reason: "Bun.serve asks for connections in vain without end, Deno.serve gives up and drops what it was reading",
    files: ["test/faults/files-exhausted.long.ts"],
  },
  {
    what: "The exit code of a role that a signal ends while traces cannot be sent",
    bun: "the exit code is 0",
    deno: "0, or reported as ended by the signal",
    reason: "What Deno's node:child_process tells of a child that ended is not always its own code",
    files: ["test/http/tracing.long.ts"],
  },
  {
    what: "Scripts of package.json where Bun is not on the PATH",
    bun: "they find the Bun that runs them",
    deno: "not tested",
    reason: "The scripts are run by Bun alone",
    files: ["test/check.test.ts"],
  },
  {
    what: "The types that openapi-typescript makes of the descriptions",
    bun: "made by its program, which gets the older compiler by a plugin",
    deno: "skipped",
    reason: "The plugin is one of Bun's; the descriptions are the same files on both",
    files: ["test/http/openapi.test.ts"],
  },
];
