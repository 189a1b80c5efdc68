// The form of an item type over HTTP (specification 3, "Item-type form definition"; R4, R9).
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Answer } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Element = {
  readonly key?: string;
  readonly type?: string;
  readonly title?: string;
  readonly title_i18n?: { readonly en: string; readonly ja: string };
  readonly titleMap?: readonly { readonly name: string; readonly value: string }[];
  readonly items?: readonly Element[];
  readonly [name: string]: unknown;
};

let form: readonly Element[] = [];
/** Every element by its key, whatever contains it. */
let byKey = new Map<string, Element>();

const read = (id: string | number, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  world.ask(null, "GET", `/items/schemaform/${id}`, { headers });
const elementsOf = (answer: Answer): readonly Element[] => JSON.parse(answer.text);
const all = (elements: readonly Element[]): readonly Element[] =>
  elements.flatMap((element) => [element, ...all(element.items ?? [])]);
const choicesOf = (key: string): readonly string[] => (byKey.get(key)?.titleMap ?? []).map(({ value }) => value);

const world = setUpWorld({ repository: true });
beforeAll(async () => {
  form = elementsOf(await read(1));
  byKey = new Map(all(form).flatMap((element) => (element.key === undefined ? [] : [[element.key, element]])));
});

describe("GET /items/schemaform/{ITEMTYPE_ID}", () => {
  test("S3.5.1 S3.5.13 answers guests with a JSON array, at a path without a version", async () => {
    const answer = await read(1);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(Array.isArray(JSON.parse(answer.text))).toBe(true);
    expect((await world.ask(null, "GET", "/api/v1/items/schemaform/1")).status).toBe(404);
  });

  test.each(["0", "-1", "3", "1.5", "1e0", "01", "abc", "%00", "1000000000", "99999999999999999999", "1%2F2", "%F0"])(
    "S3.5.1 R9 %s is the id of no item type: 404 with code, message and status",
    async (id) => {
      const answer = await read(id);
      expect([answer.status, answer.json.code, answer.json.status]).toEqual([404, 404, 404]);
      expect(typeof answer.json.message).toBe("string");
    },
  );

  test("S3.5.2 R4 keys are property paths with [] where they repeat, made of item_ and subitem_ with digits", () => {
    expect(byKey.has("item_1617186331708")).toBe(true);
    expect(byKey.has("item_1617186331708[].subitem_1551255647225")).toBe(true);
    expect(byKey.has("item_1617353299429[].subitem_1522306287251.subitem_1522306382014")).toBe(true);
    expect(byKey.has("item_1617186419668[].creatorNames[].creatorName")).toBe(true);
    for (const element of form) {
      for (const below of all(element.items ?? [])) {
        const start = element.key?.startsWith("system_") === true ? "parentkey." : element.key;
        if (below.key !== undefined) expect(below.key.startsWith(start ?? "?")).toBe(true);
      }
    }
  });

  test("S3.5.3 types are text, select, template, fieldset and button, and of files textarea and radios", () => {
    const types = new Set(all(form).flatMap(({ type }) => type ?? []));
    expect([...types].sort()).toEqual(["button", "fieldset", "radios", "select", "template", "text", "textarea"]);
  });

  test("S3.5.4 labels are a text, and objects of en and ja", () => {
    expect(byKey.get("item_1617186331708[].subitem_1551255647225")).toMatchObject({
      title: "Title",
      title_i18n: { en: "Title", ja: "タイトル" },
      title_i18n_temp: { en: "Title", ja: "タイトル" },
    });
    for (const element of all(form)) {
      expect(typeof element.title).toBe("string");
      if (element.title_i18n !== undefined) expect(Object.keys(element.title_i18n)).toEqual(["en", "ja"]);
    }
  });

  test("S3.5.5 choices are objects of name and value, elements are in items", () => {
    const expected = { name: "Paid", value: "Paid" };
    expect(byKey.get("item_1617351524846.subitem_1523260933860")?.titleMap?.[0]).toEqual(expected);
    expect(byKey.get("item_1617186331708")?.items?.length).toBe(2);
  });

  test("S3.5.6 groups that repeat have an add button and its style; the button of the author database has a separate style", () => {
    expect(byKey.get("item_1617186331708")).toMatchObject({ add: "New", style: { add: "btn-success" } });
    expect(byKey.get("item_1617186419668[].authorInputButton")?.style).toBe("btn-default pull-right m-top-5");
    expect(byKey.get("item_1617186476635")).not.toHaveProperty("add");
  });

  test("S3.5.7 the publication date is required, addresses of terms are only read, dates have a format", () => {
    expect(byKey.get("pubdate")).toMatchObject({ required: true, format: "yyyy-MM-dd" });
    expect(byKey.get("item_1617186476635.subitem_1600958577026")?.readonly).toBe(true);
    expect(byKey.get("item_1617186660861[].subitem_1522300722591")?.format).toBe("yyyy-MM-dd");
  });

  test("S3.5.8 templates, handlers, icon and class are where existing forms have them", () => {
    expect(byKey.get("pubdate")?.templateUrl).toBe("/static/templates/weko_deposit/datepicker.html");
    expect(byKey.get("item_1617186476635.subitem_1522299639480")?.onChange).toBe(
      "changedAccessRights(this, modelValue)",
    );
    expect(byKey.get("item_1617186476635.subitem_1600958577026")?.fieldHtmlClass).toBe("txt-access-rights-uri");
    expect(byKey.get("item_1617186419668[].authorInputButton")).toMatchObject({
      type: "button",
      onClick: "searchAuthor('item_1617186419668', true, form)",
      icon: "glyphicon glyphicon-search",
    });
  });

  test("S3.5.9 the first element is the publication date", () => {
    expect(form[0]).toMatchObject({ key: "pubdate", type: "template", required: true, format: "yyyy-MM-dd" });
  });

  test("S3.5.10 R4 the groups of the default type are in the order of the specification", () => {
    const titles = form.map(({ title }) => title);
    const specified = [
      ...["PubDate", "Title", "Alternative Title", "Creator", "Contributor", "Access Rights", "APC", "Rights"],
      ...["Rights Holder", "Funding Reference", "Source Identifier", "Source Title", "Volume Number", "Issue Number"],
      ...["Number of Pages", "Page Start", "Page End", "Bibliographic Information", "Dissertation Number"],
      ...["Degree Name", "Date Granted", "Degree Grantor", "Conference"],
    ];
    expect(titles.filter((title) => specified.includes(title ?? ""))).toEqual(specified);
    expect(titles.length).toBe(42);
    const creator = byKey.get("item_1617186419668")?.items?.map(({ key }) => key?.split(".").at(-1));
    expect(creator).toEqual([
      ...["authorInputButton", "nameIdentifiers", "creatorNames", "familyNames", "givenNames", "creatorAlternatives"],
      ...["creatorMails", "creatorAffiliations"],
    ]);
    const grouped = byKey.get("item_1617187056579")?.items?.map(({ title }) => title);
    expect(grouped).toEqual([
      ...["Journal Title", "Volume Number", "Issue Number", "Page Start", "Page End", "Number of Page", "Issue Date"],
    ]);
  });

  const LANGUAGES = "ja ja-Kana ja-Latn en fr it de es zh-cn zh-tw ru la ms eo ar el ko".split(" ");
  const WITHOUT_KANA = LANGUAGES.filter((each) => each !== "ja-Kana");
  const CONTRIBUTORS =
    `ContactPerson DataCollector DataCurator DataManager Distributor Editor HostingInstitution Producer
    ProjectLeader ProjectManager ProjectMember RelatedPerson Researcher ResearchGroup Sponsor Supervisor
    WorkPackageLeader Other`.split(/\s+/);
  const ACCESS = ["embargoed access", "metadata only access", "open access", "restricted access"];
  const APC = ["Paid", "Fully waived", "Not required", "Partially waived", "Not charged", "Unknown"];
  const AFFILIATION_SCHEME =
    "item_1617186419668[].creatorAffiliations[].affiliationNameIdentifiers[].affiliationNameIdentifierScheme";
  test.each<readonly [string, string, readonly string[]]>([
    ["languages", "item_1617186331708[].subitem_1551255648112", LANGUAGES],
    ["languages without ja-Kana", "item_1617186499011[].subitem_1522650717957", WITHOUT_KANA],
    ["contributor types", "item_1617349709064[].contributorType", CONTRIBUTORS],
    ["access rights", "item_1617186476635.subitem_1522299639480", ACCESS],
    ["APC", "item_1617351524846.subitem_1523260933860", APC],
    ["affiliation schemes", AFFILIATION_SCHEME, ["kakenhi", "ISNI", "Ringgold", "GRID"]],
    ["degree grantor schemes", "item_1617944105607[].subitem_1551256015892[].subitem_1551256029891", ["kakenhi"]],
    ["source identifier types", "item_1617186920753[].subitem_1522646500366", ["PISSN", "EISSN", "ISSN", "NCID"]],
    ["issue date types", "item_1617187056579.bibliographicIssueDates.bibliographicIssueDateType", ["Issued"]],
  ])("S3.5.11 the choices of %s are those of the specification", (_what, key, choices) => {
    expect(choicesOf(key)).toEqual(choices);
  });

  test("S3.5.11 countries begin with JPN, the others are in alphabetical order", () => {
    const [first, ...others] = choicesOf("item_1617187187528[].subitem_1599711813532");
    expect(first).toBe("JPN");
    expect(others.length).toBe(248);
    expect(others).toEqual(others.toSorted());
  });

  test("S3.5.12 schemes of identifiers of creators, contributors and right holders are empty lists", () => {
    for (const group of ["item_1617186419668", "item_1617349709064", "item_1617610673286"])
      expect(byKey.get(`${group}[].nameIdentifiers[].nameIdentifierScheme`)?.titleMap).toEqual([]);
  });

  test("R4 S3.5.1 an item type an administrator adds has a form too; retired it is 404, changed it has another ETag", async () => {
    const guide = readFileSync(join(import.meta.dirname, "../../docs/item-types.md"), "utf8");
    const definition = JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? "");
    const admin = (method: string, path: string, sent: object) =>
      world.ask("system", method, `/api/v1/admin/item-types${path}`, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(sent),
      });
    const { json: made } = await admin("POST", "", { definition });
    const id = Number(made.id);
    const first = await read(id);
    expect(elementsOf(first).map(({ key }) => key)).toEqual(["pubdate", "title", "print"]);
    definition.groups[2].label.en = "Photographic print";
    await admin("PUT", `/${id}`, { definition });
    const second = await read(id, { "if-none-match": first.headers.get("etag") ?? "" });
    expect([second.status, elementsOf(second)[2]?.title]).toEqual([200, "Photographic print"]);
    await admin("PUT", `/${id}`, { deleted: true });
    expect((await read(id)).status).toBe(404);
  });

  test("S3.5.1 a client that has the form gets 304; HEAD has no body", async () => {
    const { headers } = await read(1);
    const again = await read(1, { "if-none-match": `"other", W/${headers.get("etag")}` });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", headers.get("etag")]);
    const head = await world.ask(null, "HEAD", "/items/schemaform/1");
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("R9 other methods, and too many requests, are answered in the same shape", async () => {
    const posted = await world.ask(null, "POST", "/items/schemaform/1");
    expect([posted.status, posted.json.code]).toEqual([405, 405]);
    const narrow = world.under({ SVC_RATE_PER_MINUTE: "1" });
    await narrow.ask(null, "GET", "/items/schemaform/1");
    const late = await narrow.ask(null, "GET", "/items/schemaform/1");
    expect([late.status, late.json.code, late.headers.has("retry-after")]).toEqual([429, 429, true]);
  });
});

const SAMPLE = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "shared"),
  "data/item-types/schemaform-doc-sample.json",
);

test.skipIf(!existsSync(SAMPLE))(
  "R4 S3.5.10 the answer for the default type is the form of existing repositories, key by key",
  () => {
    const strays = new Set(["item_1662046377046", "item_1617186331709"]);
    const sample: readonly Element[] = JSON.parse(readFileSync(SAMPLE, "utf8"));
    expect(form).toEqual(sample.filter(({ key }) => !strays.has(key ?? "")));
  },
);
