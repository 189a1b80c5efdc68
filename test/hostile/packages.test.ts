// Every package of packages.ts against the reader of archives, the reader of bags and the detection (R13, R13a), below
// the deposit endpoint.
import { describe, expect, test } from "bun:test";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { BagError } from "../../src/formats/bagit/tag-files.ts";
import { SwordError } from "../../src/repository/deposit/messages.ts";
import { parsingHere } from "../../src/repository/deposit/parsing.ts";
import { unpackPackage } from "../../src/repository/deposit/unpacking-package.ts";
import { openZip } from "../../src/repository/deposit/zip-archive.ts";
import { peekRoot } from "../../src/shared/xml/parse.ts";
import { ZipError } from "../../src/shared/zip/limits.ts";
import { memoryBytes } from "../support/memory-bytes.ts";
import { memoryIncoming } from "../support/memory-incoming.ts";
import { type HostilePackage, hostilePackages } from "./packages.ts";

/**
 * What steps 6 to 8 of a deposit store: flattened payload by name, all of it verified. Leaves nothing behind, refused
 * or not.
 */
async function unpack({ packaging }: HostilePackage, bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const incoming = memoryIncoming();
  const close = async () => {};
  const openFile = async () => ({ ...memoryBytes(bytes), [Symbol.asyncDispose]: close });
  const machine = { unpacking: unpacking(), openFile };
  const needs = { incoming, ...machine, parsing: parsingHere(machine), rootElement: peekRoot };
  const received = {
    path: "package",
    name: "package.zip",
    sizeBytes: bytes.length,
    sha256: "",
    md5: null,
    discard: close,
  };
  try {
    const unpacked = await unpackPackage(needs, received, { packaging, digest: null }, "when-sent");
    const files = new Map<string, Uint8Array>();
    for (const { name, upload } of unpacked.files)
      files.set(name, incoming.files.get(upload.path) ?? new Uint8Array(0));
    await unpacked.discard();
    return files;
  } finally {
    expect(incoming.files.size).toBe(0);
  }
}

/** What refused it, or null. Anything but a refusal passes through. */
async function refusal(each: HostilePackage): Promise<SwordError | null> {
  const { bytes } = each;
  try {
    await unpack(each, bytes);
    return null;
  } catch (error) {
    if (error instanceof SwordError) return error;
    throw error;
  }
}

/** Every byte of an archive, read by the reader of archives alone. */
async function readAll(bytes: Uint8Array): Promise<void> {
  const archive = await openZip(memoryBytes(bytes), unpacking());
  for (const entry of archive.entries) for await (const _ of archive.readEntry(entry));
}

const all = hostilePackages();
const TOO_LARGE = /^metadata: .*17 MiB/;

describe("packages to refuse", () => {
  for (const each of all.filter(({ list }) => list === "refuse")) {
    test(`R13 is refused by the layer that has to: ${each.name}`, async () => {
      const error = await refusal(each);
      const isNoticed = each.level !== "metadata" || TOO_LARGE.test(each.name);
      expect(error?.status ?? null).toBe(isNoticed ? each.status : null);
      if (each.level === "bag") expect(error?.cause).toBeInstanceOf(BagError);
      if (each.level === "bag" || each.level === "packaging") expect(error?.messageNumber ?? null).toBe(each.message);
      if (each.level === "zip") await expect(readAll(each.bytes)).rejects.toBeInstanceOf(ZipError);
      else await readAll(each.bytes);
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
