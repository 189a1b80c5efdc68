// The tables that pair JPCOAR and COAR with the vocabularies (R3).
import { describe, expect, test } from "bun:test";
import { licenseAddress, licenseIdOf, rightAddress } from "../../src/model/metadata/licenses.ts";
import {
  printedResourceType,
  RESOURCE_TYPE_IDS,
  RESOURCE_TYPES,
  resourceTypeOf,
} from "../../src/model/metadata/resource-types.ts";
import { VERSION_TYPES, versionTypeLabel } from "../../src/model/metadata/version-types.ts";
import { ACCESS_RIGHTS, accessRightsLabel, accessRightsOf } from "../../src/model/rights/access-rights.ts";

const COAR = "http://purl.org/coar/resource_type/";

describe("resource types", () => {
  test.each([
    ["journal article", "c_6501", "publication-article"],
    ["departmental bulletin paper", "c_6501", "publication-article"],
    ["article", "c_6501", "publication-article"],
    ["dataset", "c_ddb1", "dataset"],
    ["survey data", "NHD0-W6SY", "dataset"],
    ["doctoral thesis", "c_db06", "publication-dissertation"],
    ["conference paper", "c_5794", "publication-conferencepaper"],
    ["conference poster", "c_6670", "poster"],
    ["book part", "c_3248", "publication-section"],
    ["software", "c_5ce6", "software"],
    ["learning object", "c_e059", "lesson"],
    ["data management plan", "c_ab20", "publication-datamanagementplan"],
    ["other", "c_1843", "other"],
  ])("R3 %s with its COAR URI is the id of resourcetypes, and the label is kept", (label, concept, id) => {
    const type = resourceTypeOf(label, COAR + concept);
    expect(type).toEqual({ id, label, uri: COAR + concept });
    expect(printedResourceType(type)?.label).toBe(label);
  });

  test("R3 the URI decides when the label is unknown, with or without slash and https, and the label stays as written", () => {
    for (const uri of [
      "http://purl.org/coar/resource_type/H9BQ-739P",
      "https://purl.org/coar/resource_type/H9BQ-739P/",
    ]) {
      expect(resourceTypeOf("査読", uri)).toEqual({ id: "publication-peerreview", label: "査読", uri });
    }
    expect(resourceTypeOf("", `${COAR}c_6501`)).toEqual({ id: "publication-article", uri: `${COAR}c_6501` });
    expect(resourceTypeOf("no such type")).toEqual({ id: "other", label: "no such type" });
  });

  test("R3 every id is printed as a label of JPCOAR 2.0", () => {
    for (const id of RESOURCE_TYPE_IDS) expect([id, printedResourceType({ id })?.current]).toEqual([id, true]);
    expect(printedResourceType({ id: "publication-article" })?.label).toBe("journal article");
    expect(printedResourceType({ id: "no-such-id" })).toBe(null);
  });

  test("R3 labels of JPCOAR 1.0 are known and printed as their equivalents in 2.0", () => {
    expect(printedResourceType(resourceTypeOf("conference object"))?.label).toBe("conference output");
    expect(printedResourceType(resourceTypeOf("periodical"))?.label).toBe("other periodical");
    expect(resourceTypeOf("internal report").id).toBe("publication-report");
  });

  test("R3 there are the 74 labels of JPCOAR 2.0 and 5 former ones, each once, all with a COAR URI", () => {
    expect(RESOURCE_TYPES.filter((type) => type.current).length).toBe(74);
    expect(new Set(RESOURCE_TYPES.map((type) => type.label)).size).toBe(79);
    for (const { uri } of RESOURCE_TYPES)
      expect(uri).toMatch(/^http:\/\/purl\.org\/coar\/resource_type\/(?:c_[0-9a-z]{4,8}|[0-9A-Z]{4}-[0-9A-Z]{4})$/);
  });
});

describe("access rights and version types", () => {
  test("R3 labels and URIs lead to each other", () => {
    expect(accessRightsOf("open access")).toEqual({
      label: "open access",
      uri: "http://purl.org/coar/access_right/c_abf2",
    });
    for (const [label, uri] of Object.entries(ACCESS_RIGHTS)) {
      expect([accessRightsLabel(label.toUpperCase()), accessRightsLabel("?", uri)]).toEqual([label, label] as never);
    }
    for (const [label, uri] of Object.entries(VERSION_TYPES)) {
      expect([versionTypeLabel(label.toLowerCase()), versionTypeLabel(undefined, uri)]).toEqual([
        label,
        label,
      ] as never);
    }
    expect([accessRightsLabel("free"), versionTypeLabel("final")]).toEqual([null, null]);
  });
});

describe("licences", () => {
  test.each([
    ["https://creativecommons.org/licenses/by/4.0/deed.en", "cc-by-4.0"],
    ["http://creativecommons.org/licenses/by-nc-sa/3.0/", "cc-by-nc-sa-3.0"],
    ["https://creativecommons.org/licenses/by/4.0/legalcode.ja", "cc-by-4.0"],
    ["https://creativecommons.org/publicdomain/zero/1.0/", "cc0-1.0"],
    ["https://creativecommons.org/licenses/by/2.1/jp/", null],
    ["https://creativecommons.org/licenses/", null],
    ["https://opensource.org/licenses/MIT", "mit"],
    ["http://www.apache.org/licenses/LICENSE-2.0.txt", "apache-2.0"],
    ["https://example.org/terms", null],
    ["", null],
  ])("R3 the licence at %s is %p", (address, id) => {
    expect(licenseIdOf(address)).toBe(id);
    const back = id === null ? null : licenseAddress(id);
    if (back !== null) expect(licenseIdOf(back)).toBe(id);
  });

  test("R3 an unknown id has no address", () => {
    expect(licenseAddress("no-such-licence")).toBe(null);
    const rights = [{ id: "cc-by-4.0" }, { id: "no-such-licence" }, {}];
    expect(rights.map(rightAddress)).toEqual(["https://creativecommons.org/licenses/by/4.0/", null, null]);
    expect(rightAddress({ id: "cc-by-4.0", uri: "https://terms.example/" })).toBe("https://terms.example/");
  });
});
