// The order of answers of the deposit interfaces (specification 2, "Processing of POST", "PUT differences", "DELETE";
// R13b, R13c): of any two faults of one request the one of the earlier step is reported, for every method.
import { describe, expect, test } from "bun:test";
import { cratePackage, type Package, plainPackage, swordPackage, type Upload } from "../support/deposit-requests.ts";
import { bagPieces, crateOf, hashOf, SMALL_FILE } from "../support/package-builder.ts";
import { type Answer, recidOf, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";
import { utf8Bytes } from "../support/zip-writer.ts";

const world = setUpWorld({ repository: true });

const METHODS = ["POST", "PUT", "DELETE"] as const;
type Method = (typeof METHODS)[number];
const EVERY: readonly Method[] = METHODS;
const UPLOADS: readonly Method[] = ["POST", "PUT"];
const WRITTEN: readonly Method[] = ["PUT", "DELETE"];

/** Each fault with its answer; `raised` is in the answer's error. */
type Fault = {
  readonly name: string;
  readonly methods: readonly Method[];
  readonly expected: readonly [number, string];
  readonly raised?: string;
  readonly who?: () => Promise<Who> | Who;
  readonly upload?: Upload["headers"];
  readonly part?: { readonly name?: string; readonly filename?: string; readonly contentType?: string };
  readonly pkg?: () => Package;
  /** The item that is to be replaced or deleted; the depositor's, unless a fault sets another. */
  readonly target?: () => Promise<number>;
};

async function depositedBy(who: Who): Promise<number> {
  const answer = await world.deposit(who, cratePackage());
  if (answer.status !== 201) throw new Error(answer.text);
  return recidOf(answer);
}

/** An item of the depositor's that somebody else has open in an editor. */
async function heldElsewhere(): Promise<number> {
  const id = await depositedBy("registered");
  await world.items.takeLock(id, "edit", 600_000);
  return id;
}

const crateBytes = (): string => crateOf([SMALL_FILE.path]);

/** In the order of the specification's steps. */
const fault = (
  name: string,
  methods: readonly Method[],
  expected: readonly [number, string],
  rest: Omit<Fault, "name" | "methods" | "expected">,
): Fault => ({ name, methods, expected, ...rest });
const BAD = [400, "BadRequest"] as const;
const MALFORMED = [400, "ContentMalformed"] as const;
const FORBIDDEN = [403, "Forbidden"] as const;
const BAD_TYPE = [415, "ContentTypeNotAcceptable"] as const;
const BAD_FORMAT = [415, "MetadataFormatNotAcceptable"] as const;
const tsv = (name: string) => ({ name, bytes: "#ItemType\t1\n" });
const FAULTS: readonly Fault[] = [
  fault("no token", EVERY, [401, "AuthenticationRequired"], { who: () => null }),
  fault("no scope", EVERY, FORBIDDEN, { who: () => world.token("registered", ["item:read"]) }),
  fault("no role", EVERY, FORBIDDEN, { who: () => "general" }),
  fault("unknown On-Behalf-Of", EVERY, BAD, { upload: { "on-behalf-of": "nobody" }, raised: "No user found" }),
  fault("no such item", WRITTEN, [404, "NotFound"], { target: async () => 999_999 }),
  fault("the item of another", WRITTEN, FORBIDDEN, { target: () => depositedBy("other") }),
  fault("too large", UPLOADS, [413, "MaxUploadSizeExceeded"], { upload: { "content-length": "99999999999999" } }),
  fault("content type of the request", UPLOADS, BAD_TYPE, { upload: { "content-type": "text/plain" } }),
  fault("no file part", UPLOADS, MALFORMED, { part: { name: "other" }, raised: "No file part." }),
  fault("no selected file", UPLOADS, MALFORMED, { part: { filename: "" }, raised: "No selected file." }),
  fault("no filename", UPLOADS, BAD, { upload: { "content-disposition": "inline" }, raised: "Cannot get filename" }),
  fault("another filename", UPLOADS, BAD, {
    upload: { "content-disposition": "attachment; filename=y.zip" },
    raised: "Not found y.zip",
  }),
  fault("content type of the file", UPLOADS, BAD_TYPE, {
    part: { contentType: "text/css" },
    raised: "Not accept Content-Type: text/css",
  }),
  fault("packaging", UPLOADS, [415, "PackagingFormatNotAcceptable"], { upload: { packaging: "Binary" } }),
  fault("message 16", UPLOADS, BAD_FORMAT, {
    upload: { packaging: swordPackage().packaging },
    pkg: () => cratePackage(),
    raised: "SWORDBagIt requires",
  }),
  fault("message 17", UPLOADS, BAD_FORMAT, {
    pkg: () => plainPackage([{ name: "ro-crate-metadata.json", bytes: crateBytes() }]),
    raised: "is required in data/ directory",
  }),
  fault("message 18", UPLOADS, BAD_FORMAT, {
    pkg: () => ({ ...swordPackage(), packaging: cratePackage().packaging }),
    raised: "sword.json is found",
  }),
  fault("digest", UPLOADS, [412, "DigestMismatch"], { upload: { digest: `SHA-256=${hashOf("other")}` } }),
  fault("no ZIP", UPLOADS, MALFORMED, { pkg: () => ({ ...cratePackage(), bytes: utf8Bytes("this is not a ZIP") }) }),
  fault("no metadata file", UPLOADS, MALFORMED, {
    pkg: () => plainPackage([{ name: "data/a.txt", bytes: "a" }]),
    raised: "No metadata in the package",
  }),
  fault("two metadata files", UPLOADS, MALFORMED, {
    pkg: () => plainPackage([tsv("a.tsv"), tsv("b.tsv")]),
    raised: "More than one metadata file",
  }),
  fault("message 24", UPLOADS, MALFORMED, {
    pkg: () => plainPackage(bagPieces({ unlisted: [SMALL_FILE.path] })),
    raised: "Failed to validate import bagit file.",
  }),
  fault("If-Match", WRITTEN, [412, "ETagNotMatched"], { upload: { "if-match": '"77"' } }),
  fault("no active client record", UPLOADS, BAD, {
    who: () => world.token("registered", undefined, { active: false }),
    raised: "No SWORD API setting",
  }),
  fault("message 11", UPLOADS, MALFORMED, {
    pkg: () => cratePackage({ "svc:index": ["777"] }),
    raised: "index 777 does not exist",
  }),
  fault("message 25", WRITTEN, BAD, { target: heldElsewhere, raised: "will be edited by another process" }),
];

/** Two that want the same place of the request cannot be combined. */
function areTogether(one: Fault, two: Fault): boolean {
  const places = (fault: Fault) => [
    ...Object.keys(fault.upload ?? {}),
    ...Object.keys(fault.part ?? {}).map((key) => `part ${key}`),
    ...(["who", "pkg", "target"] as const).filter((key) => fault[key] !== undefined),
  ];
  return !places(one).some((place) => places(two).includes(place));
}

const at = (method: Method): readonly Fault[] => FAULTS.filter(({ methods }) => methods.includes(method));
const alone = METHODS.flatMap((method) => at(method).map((fault) => [method, fault.name, fault] as const));
const pairs = METHODS.flatMap((method) =>
  at(method).flatMap((one, place) =>
    at(method)
      .slice(place + 1)
      .filter((two) => areTogether(one, two))
      .map((two) => [method, one.name, two.name, one, two] as const),
  ),
);

async function tried(method: Method, faults: readonly Fault[]): Promise<Answer> {
  const given = faults.find((fault) => fault.who !== undefined)?.who;
  const who = given === undefined ? "registered" : await given();
  const headers = Object.assign({}, ...faults.map((fault) => fault.upload ?? {}));
  const target = faults.find((fault) => fault.target !== undefined)?.target ?? (() => depositedBy("registered"));
  if (method === "DELETE") return await world.remove(who, await target(), headers);
  const pkg = faults.find((fault) => fault.pkg !== undefined)?.pkg?.() ?? cratePackage();
  const part = { name: "file", bytes: pkg.bytes, filename: "package.zip", contentType: "application/zip" };
  const parts = [Object.assign(part, ...faults.map((fault) => fault.part ?? {}))];
  if (method === "POST") return await world.deposit(who, pkg, { parts, headers });
  return await world.replace(who, await target(), pkg, { parts, headers });
}

function expectFault(answer: Answer, { expected, raised = "" }: Fault): void {
  expect([answer.status, String(answer.json["@type"])]).toEqual([...expected]);
  expect(String(answer.json.error)).toContain(raised);
}

describe("R13b S2.11 S2.12 S2.13 the order of answers", () => {
  test.each(alone)("R13b %s: %s alone is answered as the specification requires", async (method, _, fault) => {
    expectFault(await tried(method, [fault]), fault);
  });

  test.each(pairs)("R13b R13c %s: %s answers before %s", async (method, _, __, one, two) => {
    expectFault(await tried(method, [one, two]), one);
  });

  test("message 24 before message 21, message 21 before message 11", async () => {
    const bare = await world.token("registered", undefined, { active: false });
    const both = await world.deposit(bare, cratePackage({ "svc:index": ["777"] }));
    expect(String(both.json.error)).toContain("No SWORD API setting found");
  });

  test("message 22 before message 11, message 11 before message 13, message 13 before message 12, message 12 before message 15", async () => {
    const workflow = await world.workflow({ deleted: true });
    const unfit = await world.token("registered", undefined, { registrationType: 2, workflow });
    const first = await world.deposit(unfit, cratePackage({ "svc:index": ["777"] }));
    expect(first.json.error).toBe("Workflow is not for item registration.");
    const identifier = "https://doi.org/10.1234/order";
    const id = recidOf(await world.deposit("registered", cratePackage({ identifier })));
    const checked = await world.token("registered", undefined, { duplicateCheck: true });
    const second = await world.deposit(checked, cratePackage({ identifier, "svc:index": ["777"] }));
    expect(second.json.error).toBe("Item check error: index 777 does not exist");
    await world.format("JSON", { active: false });
    const third = await world.deposit(checked, cratePackage({ identifier: [identifier, String(id)] }));
    const fourth = await world.deposit("registered", cratePackage({ identifier: [identifier, String(id)] }));
    await world.format("JSON", { active: true });
    expect(String(third.json.error)).toMatch(/^New item appears to be a duplicate/);
    expect(String(fourth.json.error)).toMatch(/^This item is already registered/);
  });

  test("R13b Metadata-Format, In-Progress and Slug are passed over", async () => {
    const headers = { "metadata-format": "nonsense", "in-progress": "true", slug: "mine" };
    const answer = await world.deposit("registered", cratePackage(), { headers });
    expect([answer.status, (await world.item(recidOf(answer))).state]).toEqual([201, "published"]);
  });
});
