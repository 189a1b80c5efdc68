// Packages that may be taken or refused, and must never do harm (R13): 201 or 4xx, nothing left behind, never 5xx.
import { bagPieces, crateOf, type Payload, SMALL_FILE, swordJsonOf } from "../support/package-builder.ts";
import { type Piece, utf8Bytes, zip } from "../support/zip-writer.ts";
import type { Line } from "./packages.ts";

const line = (name: string, build: () => Uint8Array): Line => ({ name: `either: ${name}`, level: null, build });
const bag = (name: string, payload: readonly Payload[]) => line(name, () => zip(bagPieces({ payload })));
const crate = (name: string, text: string | Uint8Array) => line(name, () => zip(bagPieces({ crate: text })));

export function eitherPackages(): readonly Line[] {
  const usual = crateOf([SMALL_FILE.path]);
  const renamed = (from: string, to: string) => (): Uint8Array =>
    zip(bagPieces().map((piece): Piece => ({ ...piece, name: String(piece.name).replace(from, to) })));
  const junk = utf8Bytes("#!/bin/sh\nexit 0\n".repeat(20));
  return [
    bag("names that differ in case", [SMALL_FILE, { path: "A.TXT", bytes: "upper" }]),
    bag("names that differ in normal form", [
      { path: "\u304c.txt", bytes: "one" },
      { path: "\u304b\u3099.txt", bytes: "two" },
    ]),
    line("a . segment", renamed("data/a", "data/./a")),
    line("./ before every name", renamed("", "./")),
    line("backslashes as separators", renamed("data/", "data\\")),
    line("junk before the archive, offsets right", () => zip(bagPieces(), { before: junk })),
    line("junk before the archive, offsets wrong", () => new Uint8Array(Buffer.concat([junk, zip(bagPieces())]))),
    line("junk behind the archive", () => zip(bagPieces(), { after: junk })),
    line("bytes between entries and directory", () => zip(bagPieces(), { gap: junk })),
    line("an entry that the directory does not list", () =>
      zip([{ name: "data/hidden.txt", bytes: "hidden", hidden: true }, ...bagPieces()]),
    ),
    crate("duplicate keys", usual.replace('"name":"Tides at Naha"', '"name":"One","name":"Tides at Naha"')),
    crate("a crate without its descriptor", usual.replace('"ro-crate-metadata.json"', '"something-else.json"')),
    crate("a byte order mark before JSON", `\ufeff${usual}`),
    crate("numbers out of range", usual.replace('"Hourly sea level"', "1e999")),
    crate("an integer of 400 digits", usual.replace('"Hourly sea level"', "9".repeat(400))),
    crate("a lone surrogate", usual.replace("Hourly", "\\ud800")),
    crate("a title of a million characters", usual.replace("Tides at Naha", "x".repeat(1_000_000))),
    line("BagIt 0.97", () => zip(bagPieces({ bagit: "BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n" }))),
    bag("a literal a%2Fb next to a/b", [
      { path: "a%2Fb", bytes: "one" },
      { path: "a/b", bytes: "two" },
    ]),
    bag("a name that looks flattened twice", [{ path: "a%252Fb", bytes: "one" }]),
    {
      ...line("SWORD metadata with unknown keys", () =>
        zip(bagPieces({ crate: null, swordJson: swordJsonOf({ "x:unknown": { deep: [1, null] } }) })),
      ),
      packaging: "SWORDBagIt",
    },
  ];
}
