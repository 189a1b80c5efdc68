// Packages that name one of our items (R13a, R13c; message 12 and the 400 of PUT): our own exports sent back, and
// whatever else carries the number, landing page or ARK of an item.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  cratePackage,
  freshTitle,
  type Package,
  plainPackage,
  swordPackage,
  tablePackage,
  xmlPackage,
} from "../support/deposit-requests.ts";
import { bagPieces, SMALL_FILE } from "../support/package-builder.ts";
import { BASE_URL, RESOLVER_URL, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

let byWorkflow: { readonly token: string };
const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const workflow = await world.workflow({ actions: ["start", "item_registration", "end"] });
  byWorkflow = await world.token("registered", undefined, { registrationType: 2, workflow });
});

type Subject = { readonly id: number; readonly ark: string; readonly title: string };

async function deposited(root: Readonly<Record<string, unknown>> = {}): Promise<Subject> {
  const title = freshTitle();
  const answer = await world.deposit("registered", cratePackage({ name: title, ...root }));
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const id = recidOf(answer);
  const { ark } = await world.item(id);
  if (ark === null) throw new Error("The item has no ARK");
  return { id, ark, title };
}

/** What the landing page gives away, as a package: as it is, or with other lines in it. */
async function exported(id: number, format: "ro-crate" | "jpcoar", change = (text: string) => text): Promise<Package> {
  const answer = await world.ask("registered", "GET", `/records/${id}/export/${format}`);
  expect(answer.status).toBe(200);
  const text = change(answer.text);
  return format === "jpcoar" ? xmlPackage(text) : plainPackage(bagPieces({ payload: [SMALL_FILE], crate: text }));
}

/** A table with one identifier. */
const identified = (value: string, type: string) =>
  tablePackage({
    ".metadata.item_1617186783814[0].subitem_identifier_uri": value,
    ".metadata.item_1617186783814[0].subitem_identifier_type": type,
  });

const NAMED: readonly (readonly [string, (of: Subject) => Package | Promise<Package>])[] = [
  ["the exported crate", ({ id }) => exported(id, "ro-crate")],
  [
    "the exported crate under another title",
    ({ id }) => exported(id, "ro-crate", (text) => text.replace(/Tides at Naha/g, "Ebb")),
  ],
  ["the ARK as svc:ark", ({ ark }) => cratePackage({ "svc:ark": `ark:${ark}` })],
  ["the ARK as wk:ark, at our resolver", ({ ark }) => cratePackage({ "wk:ark": `${RESOLVER_URL}/ark:${ark}` })],
  ["the ARK among identifiers", ({ ark }) => cratePackage({ identifier: ["10.5555/a", `ark:/${ark}`] })],
  [
    "the ARK as a PropertyValue",
    ({ ark }) => cratePackage({ identifier: { "@type": "PropertyValue", propertyID: "ARK", value: `ARK:${ark}` } }),
  ],
  [
    "the ARK at another resolver, with hyphens",
    ({ ark }) => cratePackage({ identifier: `https://n2t.net/ark:/${ark.replace("/", "/-")}?info` }),
  ],
  [
    "the ARK as a link to an entity",
    ({ ark }) => cratePackage({ identifier: { "@id": `${RESOLVER_URL}/ark:${ark}` } }),
  ],
  ["the landing page as url", ({ id }) => cratePackage({ url: `${BASE_URL}/records/${id}` })],
  ["the landing page as svc:landingPage", ({ id }) => cratePackage({ "svc:landingPage": `${BASE_URL}/records/${id}` })],
  ["the landing page as identifier", ({ id }) => cratePackage({ identifier: `${BASE_URL}/records/${id}` })],
  ["the resolver's address as uri", ({ ark }) => cratePackage({ uri: `${RESOLVER_URL}/ark:${ark}` })],
  ["dc:identifier of SWORD metadata", ({ ark }) => swordPackage({ "dc:identifier": `${RESOLVER_URL}/ark:${ark}` })],
  [".uri of a table with the resolver's address", ({ ark }) => tablePackage({ ".uri": `${RESOLVER_URL}/ark:${ark}` })],
  ["the ARK as identifier of a table", ({ ark }) => identified(`${RESOLVER_URL}/ark:${ark}`, "URI")],
  ["the landing page as identifier of a table", ({ id }) => identified(`${BASE_URL}/records/${id}`, "URI")],
];

describe("R13c a package that names one of our items", () => {
  test.each(NAMED)("message 12 R13a R13c POST by %s: 400 with its title, and nothing is made", async (_, build) => {
    const subject = await deposited();
    const pkg = await build(subject);
    const before = [await world.countItems(), world.leftovers()];
    const answer = await world.deposit(pkg.packaging.endsWith("SWORDBagIt") ? await sworded() : "registered", pkg);
    expect([answer.status, answer.json["@type"], answer.json.error]).toEqual([
      400,
      "BadRequest",
      `This item is already registered: ${subject.title}`,
    ]);
    expect([await world.countItems(), world.leftovers()]).toEqual(before);
  });

  test.each(NAMED)("R13a R13c PUT to another item by %s: 400, and that one stays as it is", async (_, build) => {
    const subject = await deposited();
    const other = await deposited();
    const pkg = await build(subject);
    const who = pkg.packaging.endsWith("SWORDBagIt") ? await sworded() : "registered";
    const answer = await world.replace(who, other.id, pkg);
    expect([answer.status, answer.json["@type"], answer.json.error]).toEqual([
      400,
      "BadRequest",
      `Item id does not match. item: ${subject.id}, request: ${other.id}`,
    ]);
    expect(await world.item(other.id)).toMatchObject({ revision: 1 });
  });

  test.each(NAMED)("R13c PUT to the item itself by %s is taken, without a new identifier", async (_, build) => {
    const subject = await deposited();
    const pkg = await build(subject);
    const who = pkg.packaging.endsWith("SWORDBagIt") ? await sworded() : "registered";
    const answer = await world.replace(who, subject.id, pkg);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const identifiers = (await world.item(subject.id)).content?.metadata.identifiers ?? [];
    expect(identifiers.filter(({ value }) => value !== "10.5555/a")).toEqual([]);
  });

  test("message 12 R13c the exported JPCOAR record names its item by ARK and landing page, through a workflow too", async () => {
    const subject = await deposited();
    const other = await deposited();
    const record = await exported(subject.id, "jpcoar");
    const again = await world.deposit(byWorkflow, record);
    expect([again.status, again.json.error]).toEqual([400, `This item is already registered: ${subject.title}`]);
    const onto = await world.replace(byWorkflow, other.id, record);
    expect(onto.json.error).toBe(`Item id does not match. item: ${subject.id}, request: ${other.id}`);
    expect((await world.replace(byWorkflow, subject.id, record)).status).toBe(200);
    expect((await world.item(subject.id)).content?.metadata.identifiers).toEqual([]);
  });

  test("R13c two names that disagree: PUT refuses the one that is another item's, wherever it is", async () => {
    const [one, two] = [await deposited(), await deposited()];
    const both = cratePackage({ identifier: [String(one.id), `ark:${two.ark}`] });
    const answer = await world.replace("registered", one.id, both);
    expect(answer.json.error).toBe(`Item id does not match. item: ${two.id}, request: ${one.id}`);
  });

  test("R13c ARKs of others, our parts, relations and addresses elsewhere name nothing, and stay", async () => {
    const { id, ark } = await deposited();
    const identifier = [
      "ark:12345/x7",
      `ark:${ark}/page.1`,
      `${BASE_URL}.example.net/records/${id}`,
      `${BASE_URL}/records/${id}/files/a.txt`,
    ];
    const answer = await world.deposit("registered", cratePackage({ identifier, sameAs: "https://example.org/x" }));
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    const kept = (await world.item(recidOf(answer))).content?.metadata.identifiers ?? [];
    expect(kept.length).toBe(4);
    const related = cratePackage({ "svc:itemLinks": [{ identifier: String(id), value: "isSupplementTo" }] });
    expect((await world.deposit("registered", related)).status).toBe(201);
  });

  test("R2c R13c the ARK of a deleted item names no item any more: 404; a stranger receives a number, no title", async () => {
    const { id, ark } = await deposited();
    const secret = await deposited({ "svc:publishStatus": "private" });
    await world.remove("registered", id);
    expect((await world.deposit("registered", cratePackage({ "svc:ark": ark }))).status).toBe(201);
    const gone = await world.deposit("registered", cratePackage({ "svc:ark": `ark:${ark}` }));
    expect([gone.status, gone.json["@type"]]).toEqual([404, "NotFound"]);
    const response = await world.deposit("other", cratePackage({ "svc:ark": `ark:${secret.ark}` }));
    expect(response.json.error).toBe(`This item is already registered: ${secret.id}`);
  });
});

/** A client whose mapping is that of SWORD metadata. */
async function sworded(): Promise<{ readonly token: string }> {
  const mapping = (await world.store.settings.mappings()).find(({ kind }) => kind === "sword");
  if (mapping === undefined) throw new Error("There is no mapping of SWORD metadata");
  return await world.token("registered", undefined, { mapping: mapping.id });
}
