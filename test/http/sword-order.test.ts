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
const FAULTS: readonly Fault[] = [
  { name: "no token", methods: EVERY, expected: [401, "AuthenticationRequired"], who: () => null },
  {
    name: "no scope",
    methods: EVERY,
    expected: [403, "Forbidden"],
    who: () => world.token("registered", ["item:read"]),
  },
  { name: "no role", methods: EVERY, expected: [403, "Forbidden"], who: () => "general" },
  {
    name: "unknown On-Behalf-Of",
    methods: EVERY,
    expected: [400, "BadRequest"],
    upload: { "on-behalf-of": "nobody" },
    raised: "No user found",
  },
  { name: "no such item", methods: WRITTEN, expected: [404, "NotFound"], target: async () => 999_999 },
  { name: "the item of another", methods: WRITTEN, expected: [403, "Forbidden"], target: () => depositedBy("other") },
  {
    name: "too large",
    methods: UPLOADS,
    expected: [413, "MaxUploadSizeExceeded"],
    upload: { "content-length": "99999999999999" },
  },
  {
    name: "content type of the request",
    methods: UPLOADS,
    expected: [415, "ContentTypeNotAcceptable"],
    upload: { "content-type": "text/plain" },
  },
  {
    name: "no file part",
    methods: UPLOADS,
    expected: [400, "ContentMalformed"],
    part: { name: "other" },
    raised: "No file part.",
  },
  {
    name: "no selected file",
    methods: UPLOADS,
    expected: [400, "ContentMalformed"],
    part: { filename: "" },
    raised: "No selected file.",
  },
  {
    name: "no filename",
    methods: UPLOADS,
    expected: [400, "BadRequest"],
    upload: { "content-disposition": "inline" },
    raised: "Cannot get filename",
  },
  {
    name: "another filename",
    methods: UPLOADS,
    expected: [400, "BadRequest"],
    upload: { "content-disposition": "attachment; filename=y.zip" },
    raised: "Not found y.zip",
  },
  {
    name: "content type of the file",
    methods: UPLOADS,
    expected: [415, "ContentTypeNotAcceptable"],
    part: { contentType: "text/css" },
    raised: "Not accept Content-Type: text/css",
  },
  {
    name: "packaging",
    methods: UPLOADS,
    expected: [415, "PackagingFormatNotAcceptable"],
    upload: { packaging: "Binary" },
  },
  {
    name: "message 16",
    methods: UPLOADS,
    expected: [415, "MetadataFormatNotAcceptable"],
    upload: { packaging: swordPackage().packaging },
    pkg: () => cratePackage(),
    raised: "SWORDBagIt requires",
  },
  {
    name: "message 17",
    methods: UPLOADS,
    expected: [415, "MetadataFormatNotAcceptable"],
    pkg: () => plainPackage([{ name: "ro-crate-metadata.json", bytes: crateBytes() }]),
    raised: "is required in data/ directory",
  },
  {
    name: "message 18",
    methods: UPLOADS,
    expected: [415, "MetadataFormatNotAcceptable"],
    pkg: () => ({ ...swordPackage(), packaging: cratePackage().packaging }),
    raised: "sword.json is found",
  },
  {
    name: "digest",
    methods: UPLOADS,
    expected: [412, "DigestMismatch"],
    upload: { digest: `SHA-256=${hashOf("other")}` },
  },
  {
    name: "no ZIP",
    methods: UPLOADS,
    expected: [400, "ContentMalformed"],
    pkg: () => ({ ...cratePackage(), bytes: utf8Bytes("this is not a ZIP") }),
  },
  {
    name: "no metadata file",
    methods: UPLOADS,
    expected: [400, "ContentMalformed"],
    pkg: () => plainPackage([{ name: "data/a.txt", bytes: "a" }]),
    raised: "No metadata in the package",
  },
  {
    name: "two metadata files",
    methods: UPLOADS,
    expected: [400, "ContentMalformed"],
    pkg: () =>
      plainPackage([
        { name: "a.tsv", bytes: "#ItemType\t1\n" },
        { name: "b.tsv", bytes: "#ItemType\t1\n" },
      ]),
    raised: "More than one metadata file",
  },
  {
    name: "message 24",
    methods: UPLOADS,
    expected: [400, "ContentMalformed"],
    pkg: () => plainPackage(bagPieces({ unlisted: [SMALL_FILE.path] })),
    raised: "Failed to validate import bagit file.",
  },
  {
    name: "If-Match",
    methods: WRITTEN,
    expected: [412, "ETagNotMatched"],
    upload: { "if-match": '"77"' },
  },
  {
    name: "no active client record",
    methods: UPLOADS,
    expected: [400, "BadRequest"],
    who: () => world.token("registered", undefined, { active: false }),
    raised: "No SWORD API setting",
  },
  {
    name: "message 11",
    methods: UPLOADS,
    expected: [400, "ContentMalformed"],
    pkg: () => cratePackage({ "svc:index": ["777"] }),
    raised: "index 777 does not exist",
  },
  {
    name: "message 25",
    methods: WRITTEN,
    expected: [400, "BadRequest"],
    target: heldElsewhere,
    raised: "will be edited by another process",
  },
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
