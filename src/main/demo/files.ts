// Files of the demonstration, one for each viewer (R49), written by code: nothing of them is stored in the product.
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { zipArchive } from "../../shared/zip/writing.ts";
import type { Chance } from "./chance.ts";
import type { Words } from "./words.ts";

export type DemoFile = { readonly key: string; readonly bytes: Uint8Array };

/** What a file is about, and the day of its first measurement (YYYY-MM-DD). */
export type FileSubject = { readonly title: Words; readonly abstract: Words; readonly year: number };

type FileMaker = (subject: FileSubject, chance: Chance) => DemoFile | readonly DemoFile[] | Promise<DemoFile>;

/** A measured value for each of `count` days: a season, and noise. */
function series(count: number, chance: Chance): readonly number[] {
  const height = 10 + chance.below(40);
  return Array.from({ length: count }, (_, at) => {
    const season = Math.sin((at / count) * 2 * Math.PI);
    return Math.round((height + season * height * 0.4 + chance.next() * height * 0.1) * 10) / 10;
  });
}

const dayOf = (year: number, at: number): string => new Date(Date.UTC(year, 0, 1 + at)).toISOString().slice(0, 10);
const text = (key: string, content: string): DemoFile => ({ key, bytes: Buffer.from(content) });

/** The makers in the order in which items get them. */
export const FILE_MAKERS = {
  pdf: ({ title, abstract }) => ({
    key: "paper.pdf",
    bytes: pdf([lines(title.en, abstract.en, 78), lines(title.ja, abstract.ja, 34)]),
  }),
  csv: ({ year }, chance) => {
    const rows = series(365, chance).map(
      (value, at) => `${dayOf(year, at)},${value},${["good", "good", "doubtful"][at % 3]}\n`,
    );
    return text("measurements.csv", `date,value,quality\n${rows.join("")}`);
  },
  readme: ({ title, abstract, year }) =>
    text(
      "README.md",
      `# ${title.en}\n\n${abstract.en}\n\n## ${title.ja}\n\n${abstract.ja}\n\n| File | What it has |\n|---|---|\n| measurements.csv | Daily values of ${year} |\n\n- [x] checked by two people\n- [ ] compared with other years\n`,
    ),
  picture: (_, chance) => ({ key: "figure.png", bytes: picture(480, 300, chance) }),
  sound: () => [
    { key: "recording.wav", bytes: sound() },
    text(
      "recording.en.vtt",
      "WEBVTT\n\n00:00.000 --> 00:01.000\nA low note.\n\n00:01.000 --> 00:02.000\nA higher note.\n",
    ),
    text("recording.ja.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\n低い音。\n\n00:01.000 --> 00:02.000\n高い音。\n"),
  ],
  workbook: ({ year }, chance) =>
    workbook(
      "stations.xlsx",
      series(60, chance).map((value, at) => [dayOf(year, at), value]),
    ),
  json: ({ title, year }, chance) =>
    text(
      "summary.json",
      `${JSON.stringify({ title, year, stations: ["A", "B", "C"], means: series(12, chance) }, null, 2)}\n`,
    ),
  xml: ({ title, year }, chance) =>
    text(
      "stations.xml",
      `<?xml version="1.0" encoding="UTF-8"?>\n<stations year="${year}">\n  <title xml:lang="ja">${title.ja}</title>\n${series(
        8,
        chance,
      )
        .map((mean, at) => `  <station id="${at + 1}"><mean>${mean}</mean></station>\n`)
        .join("")}</stations>\n`,
    ),
  notebook: ({ title }) => notebook(title),
  code: () =>
    text(
      "analysis.py",
      '"""Monthly means of the measurements."""\nimport csv\nfrom collections import defaultdict\n\nsums = defaultdict(list)\nwith open("measurements.csv", encoding="utf-8") as file:\n    for row in csv.DictReader(file):\n        if row["quality"] == "good":\n            sums[row["date"][:7]].append(float(row["value"]))\n\nfor month, values in sorted(sums.items()):\n    print(month, round(sum(values) / len(values), 2))\n',
    ),
  map: ({ title }, chance) => map(title, chance),
  archive: async ({ year }, chance) => ({
    key: "all-years.zip",
    bytes: await zipOf(
      [year - 1, year].map((each) =>
        text(
          `tables/${each}.csv`,
          `day,value\n${series(30, chance)
            .map((value, at) => `${at + 1},${value}\n`)
            .join("")}`,
        ),
      ),
    ),
  }),
  crate: async ({ title, abstract, year }) => text("ro-crate-metadata.json", crate(title, abstract, year)),
} as const satisfies Readonly<Record<string, FileMaker>>;
export type FileKind = keyof typeof FILE_MAKERS;

export async function makeFiles(kinds: readonly FileKind[], subject: FileSubject, chance: Chance) {
  const made: DemoFile[] = [];
  for (const kind of kinds) {
    const maker: FileMaker = FILE_MAKERS[kind];
    made.push(...[await maker(subject, chance)].flat());
  }
  return made;
}

function lines(title: string, body: string, width: number): readonly string[] {
  const broken: string[] = [title, ""];
  const words = /\s/.test(body) ? body.split(" ").map((word) => `${word} `) : [...body];
  let line = "";
  for (const word of words) {
    if ((line + word).length > width) {
      broken.push(line);
      line = "";
    }
    line += word;
  }
  return [...broken, line];
}

/** A page for each list of lines. The characters are UTF-16; the font is one that readers of PDF have (Adobe-Japan1). */
function pdf(pages: readonly (readonly string[])[]): Uint8Array {
  const hex = (line: string): string => Buffer.from(line, "utf16le").swap16().toString("hex");
  const kids = pages.map((_, at) => `${6 + at * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UTF16-H /DescendantFonts [4 0 R] >>",
    "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 5 0 R /DW 1000 /W [1 [278] 2 94 500] >>",
    "<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 6 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
    ...pages.flatMap((page, at) => {
      const content = `BT /F1 11 Tf 17 TL 60 760 Td ${page.map((line) => `<${hex(line)}> Tj T*`).join(" ")} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${7 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    "latin1",
  );
}

type Colour = readonly [red: number, green: number, blue: number];

/** A PNG of these pixels. */
function png(width: number, height: number, colourAt: (x: number, y: number) => Colour): Uint8Array {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(colourAt(x, y), y * (width * 3 + 1) + 1 + x * 3);
  }
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    frame.set(body, 4);
    frame.writeUInt32BE(crc32(body), body.length + 4);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    start,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Hills in front of each other, lighter the further they are. */
function picture(width: number, height: number, chance: Chance): Uint8Array {
  const hills = Array.from({ length: 4 }, (_, at) => ({
    base: height * (0.35 + at * 0.15),
    wave: 20 + chance.below(50),
    shift: chance.below(300),
    shade: 190 - at * 40,
  }));
  return png(width, height, (x, y) => {
    const hill = hills.findLast(({ base, wave, shift }) => y > base + Math.sin((x + shift) / wave) * 18);
    if (hill === undefined) return [225, 235, 245];
    return [hill.shade - 60, hill.shade, hill.shade - 20];
  });
}

/** The mark of a community: rings in one colour. */
export function logo(chance: Chance): Uint8Array {
  const colour: Colour = [60 + chance.below(130), 60 + chance.below(130), 60 + chance.below(130)];
  const width = 6 + chance.below(10);
  return png(96, 96, (x, y) => (Math.floor(Math.hypot(x - 48, y - 48) / width) % 2 === 0 ? colour : [255, 255, 255]));
}

/** Two notes of a second. */
function sound(): Uint8Array {
  const rate = 8_000;
  const samples = Buffer.from(
    Array.from(
      { length: rate * 2 },
      (_, at) => 128 + Math.round(60 * Math.sin((at / rate) * 2 * Math.PI * (at < rate ? 220 : 330))),
    ),
  );
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

export async function zipOf(files: readonly DemoFile[]): Promise<Uint8Array> {
  const parts = files.map(({ key, bytes }) => ({
    path: key,
    sizeBytes: bytes.length,
    open: async function* () {
      yield bytes;
    },
  }));
  const pieces: Uint8Array[] = [];
  for await (const piece of zipArchive(parts, crc32)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function workbook(key: string, rows: readonly (readonly [string, number])[]): Promise<DemoFile> {
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const inline = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const cells = rows.map(([day, value]) => `<row>${inline(day)}<c><v>${value}</v></c></row>`);
  const bytes = await zipOf([
    text(
      "[Content_Types].xml",
      `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    ),
    text(
      "_rels/.rels",
      `${xml}<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    text(
      "xl/workbook.xml",
      `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Stations 観測点" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    text(
      "xl/_rels/workbook.xml.rels",
      `${xml}<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    text(
      "xl/worksheets/sheet1.xml",
      `${xml}<worksheet xmlns="${main}"><sheetData><row>${inline("日付")}${inline("Value")}</row>${cells.join("")}</sheetData></worksheet>`,
    ),
  ]);
  return { key, bytes };
}

function notebook(title: Words): DemoFile {
  const output = { output_type: "stream", name: "stdout", text: ["12 months\n", "mean 21.4\n"] };
  const cells = [
    { cell_type: "markdown", metadata: {}, source: [`# ${title.en}\n`, "\n", `*${title.ja}*`] },
    {
      cell_type: "code",
      metadata: {},
      execution_count: 1,
      source: ["months = 12\n", 'print(months, "months")\n', 'print("mean", 21.4)'],
      outputs: [output],
    },
  ];
  const metadata = { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } };
  return text("analysis.ipynb", `${JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells }, null, 1)}\n`);
}

function map(title: Words, chance: Chance): DemoFile {
  const [east, north] = [139 + chance.next(), 35 + chance.next()];
  const near = (step: number): readonly [number, number] => [
    Math.round((east + step * 0.01 + chance.next() * 0.01) * 1e5) / 1e5,
    Math.round((north + chance.next() * 0.05) * 1e5) / 1e5,
  ];
  const stations = Array.from({ length: 6 }, (_, at) => ({
    type: "Feature",
    properties: { name: `Station ${at + 1}`, 名称: `観測点${at + 1}` },
    geometry: { type: "Point", coordinates: near(at) },
  }));
  const path = {
    type: "Feature",
    properties: { name: title.en },
    geometry: { type: "LineString", coordinates: stations.map(({ geometry }) => geometry.coordinates) },
  };
  return text(
    "stations.geojson",
    `${JSON.stringify({ type: "FeatureCollection", features: [...stations, path] }, null, 1)}\n`,
  );
}

function crate(title: Words, abstract: Words, year: number): string {
  const graph = [
    {
      "@id": "ro-crate-metadata.json",
      "@type": "CreativeWork",
      conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" },
      about: { "@id": "./" },
    },
    {
      "@id": "./",
      "@type": "Dataset",
      name: title.en,
      description: abstract.en,
      datePublished: String(year),
      hasPart: [{ "@id": "measurements.csv" }],
    },
    { "@id": "measurements.csv", "@type": "File", name: "Daily values", encodingFormat: "text/csv" },
  ];
  return `${JSON.stringify({ "@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph }, null, 1)}\n`;
}
