// Every package of packages.ts against the reader of archives, the reader of bags and the detection (R13, R13a), below the deposit door.
import { describe, expect, test } from "bun:test";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { type Detected, detectByContents, detectByNames } from "../../src/domain/deposit/detection.ts";
import { flattenNames } from "../../src/domain/deposit/flat-names.ts";
import { SwordError } from "../../src/domain/deposit/messages.ts";
import { DocumentError } from "../../src/domain/deposit/package.ts";
import { BagError } from "../../src/formats/bagit/tag-files.ts";
import { FIRST_CELL_BYTES, firstCell } from "../../src/formats/first-cell.ts";
import { ZipError } from "../../src/formats/zip/limits.ts";
import { openBag } from "../../src/services/bag-reading.ts";
import { openZip, type ZipArchive } from "../../src/services/zip-archive.ts";
import { memoryBytes } from "../support/memory-bytes.ts";
import { type HostilePackage, hostilePackages } from "./packages.ts";

const machine = unpacking();
const JPCOAR = { name: "jpcoar", namespace: "https://github.com/JPCOAR/schema/blob/master/2.0/" };

type Unpacked = { readonly kind: Detected["kind"]; readonly files: ReadonlyMap<string, Uint8Array> };

/** Everything a deposit does with a package before it reads the metadata: flattened payload by name, all of it verified. */
async function unpack(each: HostilePackage, bytes: Uint8Array): Promise<Unpacked> {
  const archive = await openZip(memoryBytes(bytes), machine);
  for (const entry of archive.entries) for await (const _ of archive.readEntry(entry));
  const { kind, metadataPath } = await detected(each, archive);
  const files = new Map<string, Uint8Array>();
  const isBag = kind === "ro-crate" || kind === "sword-bagit";
  const bag = isBag ? await openBag(archive, machine) : null;
  const payload = archive.entries.filter((entry) => !entry.isFolder && entry.path !== metadataPath);
  const inData = (bag?.payload ?? payload).filter((entry) => entry.path !== metadataPath);
  const names = flattenNames(inData.map((entry) => entry.path.replace(/^data\//, "")));
  for (const entry of inData) {
    const name = names.get(entry.path.replace(/^data\//, "")) ?? "";
    files.set(name, bag === null ? await archive.readSmall(entry) : await bag.readSmall(entry));
  }
  const metadata = archive.find(metadataPath);
  if (metadata !== null) await (bag ?? archive).readSmall(metadata);
  return { kind, files };
}

async function detected({ packaging }: HostilePackage, archive: ZipArchive): Promise<Detected> {
  const found = detectByNames(
    packaging,
    archive.entries.filter((entry) => !entry.isFolder).map((entry) => entry.path),
  );
  if ("kind" in found) return found;
  const cells = new Map<string, string | null>();
  for (const path of found.tables) {
    const entry = archive.find(path);
    cells.set(path, entry === null ? null : firstCell(await archive.readHead(entry, FIRST_CELL_BYTES)));
  }
  return detectByContents(found, { firstCell: (path) => cells.get(path) ?? null, rootElement: () => JPCOAR });
}

/** What refused it, or null. Anything but a refusal passes through. */
async function refusal(each: HostilePackage): Promise<DocumentError | SwordError | null> {
  const { bytes } = each;
  try {
    await unpack(each, bytes);
    return null;
  } catch (error) {
    if (error instanceof DocumentError || error instanceof SwordError) return error;
    throw error;
  }
}

const all = hostilePackages();
const TOO_LARGE = /^metadata: .*17 MiB/;

describe("packages to refuse", () => {
  for (const each of all.filter(({ list }) => list === "refuse")) {
    test(`R13 is refused by the layer that has to: ${each.name}`, async () => {
      const error = await refusal(each);
      if (each.level === "zip" || TOO_LARGE.test(each.name)) expect(error).toBeInstanceOf(ZipError);
      else if (each.level === "bag") expect(error).toBeInstanceOf(BagError);
      else if (each.level === "packaging") {
        expect(error instanceof SwordError && [error.messageNumber, error.status]).toEqual([each.message, each.status]);
      } else expect(error).toBe(null);
    });
  }
});

describe("packages to accept", () => {
  for (const each of all.filter(({ list }) => list === "accept")) {
    test(`R13 comes back byte for byte: ${each.name}`, async () => {
      const { files } = await unpack(each, each.bytes);
      const expected = each.expectFiles ?? [];
      expect([...files.keys()].sort()).toEqual(expected.map((file) => file.name).sort());
      for (const { name, bytes } of expected)
        expect(Buffer.compare(files.get(name) ?? new Uint8Array(0), bytes)).toBe(0);
    });
  }
});

describe("packages to do either with", () => {
  for (const each of all.filter(({ list }) => list === "either")) {
    test(`R13 is taken or refused cleanly: ${each.name}`, async () => {
      const error = await refusal(each);
      if (error instanceof SwordError) expect([400, 415]).toContain(error.status);
      else expect(error === null || error.message !== "").toBe(true);
    });
  }

  test("R13 the names of all packages are different, and each list has some", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const list of ["refuse", "accept", "either"]) {
      expect(all.filter((each) => each.list === list).length).toBeGreaterThan(15);
    }
  });
});
