// Packages and requests that are small to send and large to read (R9a): each shape stretched, from a seed, so that a
// finding can be run again.
import type { DepositAsk } from "../support/deposit-installation.ts";
import {
  BAGIT_TXT,
  bagPieces,
  type Column,
  crateOf,
  hashOf,
  jpcoarOf,
  SMALL_FILE,
  swordJsonOf,
  tableColumns,
  tableOf,
  tablePieces,
} from "../support/package-builder.ts";
import { type Piece, zip } from "../support/zip-writer.ts";
import type { Rng } from "./generate.ts";

/** By which client it is sent: mappings and workflows differ. */
export type GiantClient = "crate" | "sword" | "table" | "xml";
export type Giant = {
  readonly name: string;
  readonly client: GiantClient;
  readonly packaging: NonNullable<DepositAsk["packaging"]>;
  readonly pieces: () => readonly Piece[];
};

type Stretch = { readonly characters: number; readonly values: number; readonly depth: number; readonly files: number };

/** What expressions and searches stumble over: one character again and again, or a few in turn. */
const GRAINS: readonly string[] = [
  "a",
  " ",
  "\t",
  "\n",
  "<",
  "<a",
  "<!--",
  "&",
  "&amp;",
  ",",
  ";",
  ", ",
  "/",
  "/.",
  ":",
  "#",
  "%",
  "%2",
  ".",
  "-",
  "\u2010",
  "_",
  "(",
  "[",
  "{",
  '"',
  '\\"',
  "'",
  "\\",
  "|",
  "=",
  "@",
  "1",
  "10.",
  "doi:",
  "https://",
  "https://doi.org/10.1/",
  "0000-0002-",
  "日",
  "㍻",
  "é",
  "e\u0301",
  "\u{20000}",
  "か\u3099",
  "\u0301\u0323",
  "\ufdfa",
];

const repeated = (grain: string, characters: number): string => grain.repeat(Math.ceil(characters / grain.length));
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const nested = (open: string, close: string, depth: number, inside: string): string =>
  open.repeat(depth) + inside + close.repeat(depth);

const CRATE_FIELDS = [
  "name",
  "description",
  "keywords",
  "datePublished",
  "identifier",
  "license",
  "creator",
  "publisher",
  "inLanguage",
  "version",
  "temporalCoverage",
  "about",
  "funder",
  "citation",
  "wk:index",
  "wk:publishStatus",
  "unknownTerm",
] as const;
const SWORD_FIELDS = [
  "dc:title",
  "dc:creator",
  "dcterms:abstract",
  "dc:subject",
  "dcterms:identifier",
  "dcterms:rights",
  "dc:date",
  "dc:publisher",
  "dc:language",
  "dcterms:relation",
] as const;

const crateBag = (crate: string, more: Parameters<typeof bagPieces>[0] = {}): readonly Piece[] =>
  deflated(bagPieces({ crate, ...more }));
const swordBag = (json: string): readonly Piece[] => deflated(bagPieces({ crate: null, swordJson: json }));
const deflated = (pieces: readonly Piece[]): readonly Piece[] => pieces.map((piece) => ({ ...piece, deflate: true }));
const crateWith = (root: Readonly<Record<string, unknown>>, more: readonly Readonly<Record<string, unknown>>[] = []) =>
  crateBag(crateOf([SMALL_FILE.path], root, more));

type Maker = (random: Rng, stretch: Stretch) => Giant;

const giant = (
  name: string,
  client: GiantClient,
  pieces: Giant["pieces"],
  packaging: Giant["packaging"] = "SimpleZip",
): Giant => ({
  name,
  client,
  packaging,
  pieces,
});
const shown = (grain: string): string => JSON.stringify(grain).slice(0, 24);

/** A person as crates write them. */
const person = (at: number, fields: Readonly<Record<string, unknown>> = {}) => ({
  "@id": `#p${at}`,
  "@type": "Person",
  name: `Family${at}, Given`,
  ...fields,
});

const MAKERS: readonly Maker[] = [
  // Long text, in each property of a crate.
  (random, { characters }) => {
    const [field, grain] = [random.pick(CRATE_FIELDS), random.pick(GRAINS)];
    const text = repeated(grain, characters);
    return giant(`crate ${field} of ${characters} times ${shown(grain)}`, "crate", () => crateWith({ [field]: text }));
  },
  (random, { characters }) => {
    const grain = random.pick(["<", "<a", "<!--", "<p>x", "&lt;", "<script>", "</script", "&", "<p "]);
    const text = `<p>${repeated(grain, characters)}`;
    return giant(`crate description as HTML of ${characters} times ${shown(grain)}`, "crate", () =>
      crateWith({ description: text }),
    );
  },
  // Many values of one property.
  (random, { values }) => {
    const [field, grain] = [random.pick(CRATE_FIELDS), random.pick(GRAINS)];
    return giant(`crate ${field}, ${values} values`, "crate", () =>
      crateWith({ [field]: many(values, (at) => `${grain}${at}`) }),
    );
  },
  (random, { values }) => {
    const field = random.pick(CRATE_FIELDS);
    return giant(`crate ${field}, ${values} objects`, "crate", () =>
      crateWith({
        [field]: many(values, (at) => ({ "@type": "Thing", "@value": `v${at}`, "@language": "en", name: `n${at}` })),
      }),
    );
  },
  // Many people, with identifiers and places of work.
  (random, { values }) => {
    const count = Math.min(values, random.pick([5_000, 19_000, 30_000]));
    const withMore = random.chance(0.5);
    const people = many(count, (at) =>
      person(
        at,
        withMore
          ? {
              identifier: `https://orcid.org/0000-0002-1825-${1000 + (at % 9000)}`,
              affiliation: { "@id": `#o${at % 50}` },
            }
          : {},
      ),
    );
    const orgs = many(50, (at) => ({ "@id": `#o${at}`, "@type": "Organization", name: `Org ${at}` }));
    const creator = people.map(({ "@id": id }) => ({ "@id": id }));
    return giant(`crate with ${count} creators${withMore ? " and their identifiers" : ""}`, "crate", () =>
      crateWith({ creator }, [...people, ...orgs]),
    );
  },
  (_, { values }) =>
    giant(`crate with ${values} names of one creator`, "crate", () =>
      crateWith({ creator: { "@id": "#p0" } }, [
        person(0, {
          name: many(values, (at) => ({ "@value": `N${at}`, "@language": "en" })),
          alternateName: many(values, (at) => `A${at}`),
        }),
      ]),
    ),
  // Deep nesting.
  (random, { depth }) => {
    const [open, close] = random.pick([
      ['{"a":', "}"],
      ["[", "]"],
      ['{"hasPart":[', "]}"],
      ['{"@id":"#x","creator":', "}"],
    ] as const);
    return giant(`crate ${depth} deep in ${open}`, "crate", () =>
      crateBag(`{"@graph":[${nested(open, close, depth, "1")}]}`),
    );
  },
  (_, { values }) =>
    giant(`crate whose ${values} entities lead to each other`, "crate", () =>
      crateWith(
        { about: { "@id": "#e0" } },
        many(values, (at) => ({ "@id": `#e${at}`, "@type": "Thing", about: { "@id": `#e${at + 1}` } })),
      ),
    ),
  (random, { values }) => {
    const same = random.chance(0.5);
    return giant(`crate with ${values} entities ${same ? "of one id" : "nobody names"}`, "crate", () =>
      crateWith(
        {},
        many(values, (at) => ({ "@id": same ? "#same" : `#e${at}`, "@type": "Thing", name: `x${at}` })),
      ),
    );
  },
  (_, { values }) =>
    giant(`crate with ${values} terms in one entity`, "crate", () =>
      crateWith(Object.fromEntries(many(values, (at) => [`term${at}`, at]))),
    ),
  (_, { characters }) =>
    giant(`crate of ${characters} opening brackets`, "crate", () => crateBag("[".repeat(characters))),
  (_, { characters }) =>
    giant(`crate of one text without end of ${characters} characters`, "crate", () =>
      crateBag(`{"@graph":"${"\\\\".repeat(characters / 2)}`),
    ),
  // Many files.
  (random, { files }) => {
    const folders = random.chance(0.5);
    const payload = many(files, (at) => ({ path: folders ? `d${at % 100}/f${at}.txt` : `f${at}.txt`, bytes: `${at}` }));
    return giant(`crate with ${files} files${folders ? " in folders" : ""}`, "crate", () =>
      crateBag(crateOf(payload.map(({ path }) => path)), { payload }),
    );
  },
  (_, { values }) =>
    giant(`crate that names ${values} files it lacks`, "crate", () =>
      crateBag(crateOf(many(values, (at) => `f${at}`))),
    ),
  (random, { files }) => {
    const name = repeated(random.pick(["a", "é", "㍻", ".", "_", " "]), 180);
    const payload = many(files, (at) => ({ path: `${name}${at}`, bytes: "" }));
    return giant(`${files} files with long names of ${shown(name.slice(0, 1))}`, "crate", () =>
      crateBag(crateOf([]), { payload }),
    );
  },
  // Manifests and tag files.
  (random, { characters }) => {
    const grain = random.pick([" ", "\t", "a", ":", "a: ", "\n", "\n ", "a:\n", "\r"]);
    const text = `Source-Organization${repeated(grain, characters)}`;
    return giant(`bag-info of ${characters} times ${shown(grain)}`, "crate", () =>
      crateBag(crateOf([SMALL_FILE.path]), { bagInfo: text }),
    );
  },
  (random, { characters }) => {
    const grain = random.pick([" ", "\n", "0", "a  b\n", "%0A", "\r"]);
    return giant(`a manifest of ${characters} times ${shown(grain)}`, "crate", () =>
      crateBag(crateOf([SMALL_FILE.path]), {
        manifest: (lines) => `${lines.join("\n")}\n${repeated(grain, characters)}`,
      }),
    );
  },
  (_, { values }) =>
    giant(`a manifest of ${values} lines for files that are not there`, "crate", () =>
      crateBag(crateOf([SMALL_FILE.path]), {
        manifest: (lines) => [...lines, ...many(values, (at) => `${"0".repeat(64)}  data/no${at}`)].join("\n"),
      }),
    ),
  (random, { characters }) => {
    const grain = random.pick([" ", "\n", "a", "BagIt-Version: 1.0\n"]);
    return giant(`bagit.txt of ${characters} times ${shown(grain)}`, "crate", () =>
      crateBag(crateOf([SMALL_FILE.path]), { bagit: BAGIT_TXT + repeated(grain, characters) }),
    );
  },
  (_, { values }) =>
    giant(`${Math.min(values, 3_000)} manifests of unknown kinds`, "crate", () => [
      ...crateBag(crateOf([SMALL_FILE.path])),
      ...many(Math.min(values, 3_000), (at) => ({
        name: `manifest-x${at}.txt`,
        bytes: `${hashOf(SMALL_FILE.bytes)}  data/${SMALL_FILE.path}\n`,
      })),
    ]),
  // Metadata documents of SWORD.
  (random, { characters }) => {
    const [field, grain] = [random.pick(SWORD_FIELDS), random.pick(GRAINS)];
    const text = repeated(grain, characters);
    return giant(
      `sword ${field} of ${characters} times ${shown(grain)}`,
      "sword",
      () => swordBag(swordJsonOf({ [field]: text })),
      "SWORDBagIt",
    );
  },
  (random, { values }) => {
    const field = random.pick(SWORD_FIELDS);
    return giant(
      `sword ${field}, ${values} values`,
      "sword",
      () => swordBag(swordJsonOf({ [field]: many(values, (at) => `v${at}`) })),
      "SWORDBagIt",
    );
  },
  (_, { depth }) =>
    giant(
      `sword ${depth} deep`,
      "sword",
      () => swordBag(`{"@type":"Metadata","dc:title":${nested("[", "]", depth, '"x"')}}`),
      "SWORDBagIt",
    ),
  // Tables.
  (random, { characters }) => {
    const grain = random.pick(GRAINS.filter((each) => !/[\n\t"]/.test(each)));
    return giant(`table title of ${characters} times ${shown(grain)}`, "table", () =>
      deflated(tablePieces(tableOf(tableColumns(repeated(grain, characters))))),
    );
  },
  (random, { characters }) => {
    const at = random.int(13);
    const grain = random.pick(["a", " ", "/", ",", "0", "日"]);
    const columns = tableColumns().map(
      ([path, value], column): Column => [path, column === at ? repeated(grain, characters) : value],
    );
    return giant(`table column ${at} of ${characters} times ${shown(grain)}`, "table", () =>
      deflated(tablePieces(tableOf(columns))),
    );
  },
  (random, { characters }) => {
    const grain = random.pick(['"', '""', '"\t', '\t"', "\n", "\r", "\t", '"\n']);
    return giant(`a table that ends in ${characters} times ${shown(grain)}`, "table", () =>
      deflated(tablePieces(tableOf(tableColumns()) + repeated(grain, characters))),
    );
  },
  (random, { values }) => {
    const path = random.pick([
      (at: number) => `.metadata.item_1617186331708[${at}].subitem_1551255647225`,
      (at: number) => `.metadata.item_1617186419668[${at}].creatorNames[0].creatorName`,
      (at: number) => `.metadata.unknown${at}`,
      (at: number) => `.file_path[${at}]`,
      (at: number) => `.metadata.path[${at}]`,
    ]);
    const columns = [...tableColumns(), ...many(values, (at): Column => [path(at + 1), `v${at}`])];
    return giant(`a table of ${values} columns like ${path(7)}`, "table", () =>
      deflated(tablePieces(tableOf(columns))),
    );
  },
  (_, { values }) => {
    const whole = tableOf(tableColumns());
    const row = whole.slice(whole.trimEnd().lastIndexOf("\n") + 1);
    return giant(`a table of ${Math.min(values, 9_000)} rows`, "table", () =>
      deflated(tablePieces(whole + row.repeat(Math.min(values, 9_000)))),
    );
  },
  // JPCOAR.
  (random, { characters }) => {
    const grain = random.pick(
      GRAINS.filter((each) => !/[<&]/.test(each)).concat("&amp;", "&#65;", "<!---->", "<![CDATA[x]]>"),
    );
    return giant(`XML title of ${characters} times ${shown(grain)}`, "xml", () =>
      deflated(tablePieces(jpcoarOf(undefined, repeated(grain, characters)), "data/item.xml")),
    );
  },
  (random, { values }) => {
    const inside = random.pick([
      (at: number) => `<dc:title xml:lang="en">t${at}</dc:title>`,
      (at: number) =>
        `<jpcoar:creator><jpcoar:creatorName xml:lang="en">F${at}, G</jpcoar:creatorName></jpcoar:creator>`,
      (at: number) => `<jpcoar:subject subjectScheme="Other">s${at}</jpcoar:subject>`,
      (at: number) => `<x${at}/>`,
      (at: number) => `<jpcoar:file><jpcoar:URI>http://x/${at}</jpcoar:URI></jpcoar:file>`,
    ]);
    const more = many(values, inside).join("");
    const text = jpcoarOf().replace("</jpcoar:jpcoar>", `${more}</jpcoar:jpcoar>`);
    return giant(`XML with ${values} of ${inside(1).slice(0, 30)}`, "xml", () =>
      deflated(tablePieces(text, "data/item.xml")),
    );
  },
  (_, { depth }) =>
    giant(`XML ${depth} deep`, "xml", () =>
      deflated(tablePieces(jpcoarOf(undefined, nested("<a>", "</a>", depth, "x")), "data/item.xml")),
    ),
  (random, { values }) => {
    const attributes = random.chance(0.5);
    const inside = attributes ? `<a ${many(values, (at) => `b${at}="c"`).join(" ")}/>` : `<a ${"b".repeat(values)}`;
    return giant(`XML with ${attributes ? `${values} attributes` : `a name of ${values} characters`}`, "xml", () =>
      deflated(tablePieces(jpcoarOf(`<?xml version="1.0"?>${" ".repeat(values)}`, inside), "data/item.xml")),
    );
  },
  (random, { characters }) => {
    const grain = random.pick(["<", "<!--", "<?", "<![CDATA[", "]]>", "&", "<a", "<a b='"]);
    return giant(`XML that is ${characters} times ${shown(grain)}`, "xml", () =>
      deflated(tablePieces(jpcoarOf(undefined, repeated(grain, characters)), "data/item.xml")),
    );
  },
  // Archives.
  (random, { files }) => {
    const name = random.pick([
      (at: number) => `data/${"d/".repeat(40)}${at}`,
      (at: number) => `data/${at}/`,
      (at: number) => `x${at}`,
    ]);
    return giant(`an archive of ${files * 2} entries like ${name(1).slice(0, 20)}`, "crate", () => [
      ...crateBag(crateOf([SMALL_FILE.path])),
      ...many(files * 2, (at) => ({ name: name(at), bytes: "" })),
    ]);
  },
  (_, { files }) =>
    giant(`${files} metadata documents`, "xml", () =>
      deflated([
        ...tablePieces(jpcoarOf(), "data/item.xml"),
        ...many(files, (at) => ({ name: `data/m${at}.xml`, bytes: "<a/>" })),
      ]),
    ),
];

/** What shapes are stretched to. */
type Stretches = { readonly [what in keyof Stretch]: readonly number[] };

/** Every length from what is read in the server to what is refused. */
export const ALL_STRETCHES: Stretches = {
  characters: [70_000, 400_000, 1_000_000, 4_000_000],
  values: [2_000, 9_900, 19_000, 60_000],
  depth: [200, 20_000, 200_000],
  files: [600, 2_500, 9_900],
};
/** Those that take no time when all is well. */
export const QUICK_STRETCHES: Stretches = {
  characters: [60_000, 1_000_000],
  values: [2_000, 9_900],
  depth: [200, 200_000],
  files: [520],
};

/** As many giants as asked for: every shape in turn, each time stretched otherwise. */
export function* giants(random: Rng, count: number, stretches: Stretches = ALL_STRETCHES): Generator<Giant> {
  for (let at = 0; at < count; at++) {
    const stretch: Stretch = {
      characters: random.pick(stretches.characters),
      values: random.pick(stretches.values),
      depth: random.pick(stretches.depth),
      files: random.pick(stretches.files),
    };
    const maker = MAKERS[at % MAKERS.length];
    if (maker !== undefined) yield maker(random, stretch);
  }
}

export const SHAPES = MAKERS.length;

export const packed = ({ pieces }: Giant): Uint8Array => zip(pieces());
