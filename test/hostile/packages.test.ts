// Every package of packages.ts against the reader of archives, the reader of bags and the detection (R13, R13a), below the deposit door.
import { describe, expect, test } from "bun:test";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { SwordError } from "../../src/domain/deposit/messages.ts";
import { BagError } from "../../src/formats/bagit/tag-files.ts";
import { ZipError } from "../../src/formats/zip/limits.ts";
import { asSwordError, findPackage, openContents } from "../../src/services/package-opening.ts";
import { openZip } from "../../src/services/zip-archive.ts";
import { collected, memoryBytes } from "../support/memory-bytes.ts";
import { type HostilePackage, hostilePackages } from "./packages.ts";

const machine = unpacking();
/** Everything a deposit does with a package before it reads the metadata: flattened payload by name, all of it verified. */
async function unpack({ packaging }: HostilePackage, bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const source = memoryBytes(bytes);
  const archive = await openZip(source, machine);
  for (const entry of archive.entries) for await (const _ of archive.readEntry(entry));
  const contents = await openContents(await findPackage(source, machine, packaging));
  const files = new Map<string, Uint8Array>();
  for (const file of contents.files) files.set(file.name, await collected(file.read()));
  return files;
}

/** What refused it, or null. Anything but a refusal passes through. */
async function refusal(each: HostilePackage): Promise<SwordError | null> {
  const { bytes } = each;
  try {
    await unpack(each, bytes);
    return null;
  } catch (error) {
    const refused = asSwordError(error);
    if (refused instanceof SwordError) return refused;
    throw error;
  }
}

const all = hostilePackages();
const TOO_LARGE = /^metadata: .*17 MiB/;

describe("packages to refuse", () => {
  for (const each of all.filter(({ list }) => list === "refuse")) {
    test(`R13 is refused by the layer that has to: ${each.name}`, async () => {
      const error = await refusal(each);
      const isNoticed = each.level !== "metadata" || TOO_LARGE.test(each.name);
      expect(error && [error.messageNumber, error.status]).toEqual(isNoticed ? [each.message, each.status] : null);
      const cause = { zip: ZipError, bag: BagError, metadata: ZipError, packaging: undefined, none: undefined };
      const kind = isNoticed ? cause[each.level ?? "none"] : undefined;
      if (kind !== undefined) expect(error?.cause).toBeInstanceOf(kind);
    });
  }
});

describe("packages to accept", () => {
  for (const each of all.filter(({ list }) => list === "accept")) {
    test(`R13 comes back byte for byte: ${each.name}`, async () => {
      const files = await unpack(each, each.bytes);
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
      expect([null, 400]).toContain(error?.status ?? null);
    });
  }

  test("R13 the names of all packages are different, and each list has some", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const list of ["refuse", "accept", "either"]) {
      expect(all.filter((each) => each.list === list).length).toBeGreaterThan(15);
    }
  });
});
