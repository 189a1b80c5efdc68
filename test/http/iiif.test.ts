// Pictures of records by the IIIF (R49, Q.134 to Q.137): manifests that keep the rules of the specification, pictures at
// level 0, and for whom.
import { beforeAll, expect, test } from "bun:test";
import { manifest } from "../../src/formats/iiif/iiif.ts";
import { infoFaults, manifestFaults } from "../support/iiif-rules.ts";
import { avif, gif, jpeg, png, webp } from "../support/pictures.ts";
import { aContent } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, recordFiles: true });

type Json = { readonly [name: string]: unknown };
const BASE = "https://repo.example.org/api/iiif";
const encoded = encodeURIComponent;
const SIZE = { width: 1, height: 1, sizeBytes: 1 };
const ids = { open: 0, closed: 0, plain: 0, deleted: 0 };

async function published(
  files: Readonly<Record<string, Uint8Array<ArrayBuffer> | string>>,
  body: object = {},
): Promise<number> {
  const { metadata } = aContent();
  const id = await world.draft("registered", {
    metadata: {
      ...metadata,
      titles: [{ value: "川の地図", lang: "ja", kind: "main" }],
      rights: [{ id: "cc-by-4.0", text: [] }],
      descriptions: [{ value: "<p>Old <b>maps</b></p>", kind: "Abstract", html: true }],
    },
    ...body,
  });
  for (const [key, bytes] of Object.entries(files)) await world.upload("registered", id, key, bytes);
  await world.publish("registered", id);
  return id;
}

beforeAll(async () => {
  const pictures = {
    ...{ "a/map 1.jpg": jpeg(400, 300, { orientation: 6 }), "b.png": png(20, 10), "c.gif": gif(5, 6) },
    ...{ "d.webp": webp("VP8X", 7, 8), "e.avif": avif(9, 10) },
    ...{ "no.png": "<html>", "scan.tif": "II*\0\x08\0\0\0", "data.csv": "a,b" },
  };
  ids.open = await published(pictures);
  ids.closed = await published({ "a.jpg": jpeg(4, 3) }, { access: { ...aContent().access, files: "restricted" } });
  ids.plain = await published({ "a.txt": "x" });
  ids.deleted = await published({ "a.jpg": jpeg(4, 3) });
  await world.items.remove(await world.viewer("system"), ids.deleted);
});

const ask = (path: string, who: "registered" | null = null) => world.ask(who, "GET", `/api/iiif/${path}`);
const read = async (path: string, who: "registered" | null = null) => {
  const { status, text, headers } = await ask(path, who);
  return { status, headers, json: JSON.parse(text) as Json };
};

test("Q.134 a manifest keeps the rules of the Presentation API and has the pictures that browsers show, in order", async () => {
  const { status, headers, json } = await read(`record:${ids.open}/manifest`);
  expect([status, manifestFaults(json)]).toEqual([200, []]);
  expect(headers.get("content-type")).toBe(
    'application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"',
  );
  expect(json.id).toBe(`${BASE}/record:${ids.open}/manifest`);
  expect(json.rights).toBe("http://creativecommons.org/licenses/by/4.0/");
  expect(Object.values(json.label as Json).flat()).toEqual(["川の地図"]);
  expect(Object.values(json.summary as Json).flat()).toEqual(["Old maps"]);
  expect((json.requiredStatement as Json).label).toEqual({ en: ["Attribution"], ja: ["帰属表示"] });
  const canvases = json.items as readonly {
    label: Json;
    width: number;
    height: number;
    items: [{ items: [{ body: Json }] }];
  }[];
  expect(canvases.map(({ label, width, height }) => [Object.values(label).flat()[0], width, height])).toEqual([
    ["a/map 1.jpg", 300, 400],
    ["b.png", 20, 10],
    ["c.gif", 5, 6],
    ["d.webp", 7, 8],
    ["e.avif", 9, 10],
  ]);
  const [first, second] = canvases.map(({ items: [page] }) => page.items[0].body);
  expect(first).toMatchObject({ format: "image/jpeg", service: [{ type: "ImageService3", profile: "level0" }] });
  // Level 0 has JPEG: other pictures are without a service.
  expect([second?.format, second?.service]).toEqual(["image/png", undefined]);
  // What the manifest names is there.
  for (const { id, format } of [first, second] as readonly Json[]) {
    const { status, headers } = await world.ask(null, "GET", String(id).replace("https://repo.example.org", ""));
    expect([status, headers.get("content-type")]).toEqual([200, format as string]);
  }
});

test("Q.134 the rules find what is wrong in a manifest", async () => {
  const { json } = await read(`record:${ids.open}/manifest`);
  const [canvas] = json.items as readonly Json[];
  for (const [wrong, fault] of [
    [{ ...json, items: [] }, "items are empty"],
    [{ ...json, label: "River" }, "label is not a language map"],
    [{ ...json, rights: "https://example.org/mine" }, "rights"],
    [{ ...json, items: [{ ...canvas, width: 0 }] }, "items[0] has no size"],
    [{ ...json, items: [canvas, canvas] }, "ids are not unique"],
  ] as const) {
    expect(manifestFaults(wrong)).toContain(fault);
  }
  expect(infoFaults({ ...json, preferredFormats: ["png"] })).toContain("preferredFormats");
});

test("Q.134 Q.266 no text of a manifest is HTML for viewers elsewhere, and rights are addresses of their lists", () => {
  const script = "<script>alert(1)</script>";
  const { metadata } = aContent();
  const made = (uri: string) =>
    manifest("https://repo.example.org", {
      ...{ id: 1, landingPage: "https://repo.example.org/records/1", repositoryName: "<i>R</i>", exports: [] },
      metadata: {
        ...metadata,
        titles: [{ value: script, kind: "main" }],
        descriptions: [{ value: script, kind: "Abstract", html: false }],
        rights: [{ uri, text: [] }],
        copyright: "",
      },
      pictures: [{ key: "a", label: script, description: script, mediaType: "image/png", ...SIZE, file: "x" }],
    });
  const { label, summary, requiredStatement, items } = made(`http://creativecommons.org/licenses/"${script}`);
  const [canvas] = items;
  const maps = [label, summary, requiredStatement?.value, canvas?.label, canvas?.summary];
  expect(maps.flatMap((map) => Object.values(map ?? {}).flat())).toEqual([
    ...[`${script} `, `${script} `, "<i>R</i> ", `${script} `, `${script} `],
  ]);
  expect(made(`http://creativecommons.org/licenses/"${script}`).rights).toBe(undefined);
  expect(made("https://creativecommons.org/licenses/by/4.0/").rights).toBe(
    "http://creativecommons.org/licenses/by/4.0/",
  );
});

test("Q.135 Q.136 the information about a picture has its size; its base address leads to it; the picture is the file", async () => {
  const picture = `record:${ids.open}:${encoded("a/map 1.jpg")}`;
  const { json, headers } = await read(`${picture}/info.json`);
  expect(infoFaults(json)).toEqual([]);
  expect(headers.get("content-type")).toBe('application/ld+json;profile="http://iiif.io/api/image/3/context.json"');
  expect(json).toMatchObject({
    id: `${BASE}/${picture}`,
    profile: "level0",
    width: 300,
    height: 400,
    sizes: [{ width: 300, height: 400 }],
  });
  const base = await ask(picture);
  expect([base.status, base.headers.get("location")]).toEqual([303, `/api/iiif/${picture}/info.json`]);
  for (const size of ["max", "300,400"]) {
    const image = await ask(`${picture}/full/${size}/0/default.jpg`);
    expect([image.status, image.headers.get("content-type"), image.headers.get("x-content-type-options")]).toEqual([
      200,
      "image/jpeg",
      "nosniff",
    ]);
    expect(image.headers.get("content-security-policy")).toBe("sandbox");
  }
  const other = await read(`record:${ids.open}:e.avif/info.json`);
  expect([infoFaults(other.json), other.json.preferredFormats, other.json.extraFormats]).toEqual([
    [],
    ["avif"],
    ["avif"],
  ]);
});

test("Q.136 what level 0 does not have is refused with what there is", async () => {
  const picture = `record:${ids.open}:b.png`;
  for (const wrong of [
    "0,0,5,5/max/0/default.png",
    "square/max/0/default.png",
    "full/5,/0/default.png",
    "full/^max/0/default.png",
    "full/max/90/default.png",
    "full/max/!0/default.png",
    "full/max/0/gray.png",
    "full/max/0/default.jpg",
    "full/max/0/default",
  ]) {
    const { status, json } = await read(`${picture}/${wrong}`);
    expect([wrong, status, String(json.message).startsWith("Of this picture there is only full/max/0")]).toEqual([
      wrong,
      400,
      true,
    ]);
  }
});

test("Q.137 scripts of other sites read what everybody may read, and nothing else", async () => {
  const cors = async (path: string, who: "registered" | null = null) => {
    const { status, headers } = await ask(path, who);
    return [status, headers.get("access-control-allow-origin")];
  };
  const paths = (id: number, key: string) => [
    `record:${id}/manifest`,
    `record:${id}:${key}`,
    `record:${id}:${key}/info.json`,
    `record:${id}:${key}/full/max/0/default.${key.slice(2)}`,
  ];
  for (const path of paths(ids.open, "b.png")) expect((await cors(path))[1]).toBe("*");
  for (const path of paths(ids.closed, "a.jpg")) {
    expect([path, await cors(path)]).toEqual([path, [403, null]]);
    const [status, origin] = await cors(path, "registered");
    expect([path, status === 200 || status === 303, origin]).toEqual([path, true, null]);
  }
});

test("Q.134 Q.136 what has no pictures, is not there or was deleted is refused as files are", async () => {
  const draft = await world.draft("registered");
  await world.upload("registered", draft, "a.jpg", jpeg(4, 3));
  for (const [path, status] of [
    [`record:${ids.plain}/manifest`, 404],
    [`record:${ids.plain}:a.txt/info.json`, 404],
    [`record:${ids.open}:no.png/info.json`, 404],
    [`record:${ids.open}:scan.tif/info.json`, 404],
    [`record:${ids.open}:missing.png/info.json`, 404],
    [`record:${ids.open}/info.json`, 404],
    [`record:${draft}/manifest`, 404],
    ["record:999999/manifest", 404],
    ["draft:1/manifest", 404],
    ["%ff/manifest", 404],
    [`record:${ids.deleted}/manifest`, 410],
    [`record:${ids.deleted}:a.jpg/info.json`, 410],
  ] as const) {
    expect([path, (await read(path, "registered")).json.status]).toEqual([path, status]);
  }
});
