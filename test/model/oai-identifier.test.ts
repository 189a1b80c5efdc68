// Identifiers of records for harvesters and feeds (R36), and the addresses that name them.
import { describe, expect, test } from "bun:test";
import { addressesUnder, oaiIdentifier, readOaiIdentifier } from "../../src/model/items/addresses.ts";

const HOST = "repository.example.org";

describe("R36: the identifier of a record", () => {
  test("R36: names the host and the id of the first version, in eight digits at least", () => {
    expect(oaiIdentifier(HOST, 35)).toBe("oai:repository.example.org:00000035");
    expect(oaiIdentifier(HOST, 123_456_789)).toBe("oai:repository.example.org:123456789");
  });

  test("R36: is read back as it was written, and in no other way", () => {
    for (const id of [1, 35, 99_999_999, 100_000_000, 999_999_999_999_999]) {
      expect(readOaiIdentifier(HOST, oaiIdentifier(HOST, id))).toBe(id);
    }
    const others = ["00000035 ", "35", "000000035", "+0000035", "0000003５", "", "1234567890123456", "00000035\n"];
    for (const other of others) expect(readOaiIdentifier(HOST, `oai:${HOST}:${other}`)).toBeNull();
    expect(readOaiIdentifier(HOST, "oai:elsewhere.example.org:00000035")).toBeNull();
    expect(readOaiIdentifier(HOST, "OAI:repository.example.org:00000035")).toBeNull();
  });

  test("R36: takes the host of the public address, or the one that SVC_OAI_HOST keeps", () => {
    const resolver = "https://n2t.net";
    const moved = { base: "https://new.example.org/repo/", resolver };
    expect(addressesUnder(moved).oaiIdentifier(7)).toBe("oai:new.example.org:00000007");
    expect(addressesUnder({ ...moved, oaiHost: "old.example.org" }).oaiIdentifier(7)).toBe(
      "oai:old.example.org:00000007",
    );
    expect(addressesUnder({ base: "http://[::1]:8002", resolver }).oaiHost).toBe("localhost");
    expect(addressesUnder(moved).oaiRecord(7)).toBe(
      "https://new.example.org/repo/oai?verb=GetRecord&metadataPrefix=jpcoar_2.0&identifier=oai:new.example.org:00000007",
    );
  });
});
