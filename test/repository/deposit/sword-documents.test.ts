// The documents the deposit endpoint answers with: exactly the fields of the specification, and valid by SWORD's own
// schemas (R11).
import { describe, expect, test } from "bun:test";
import {
  errorDocument,
  LINK_RELATIONS,
  MAX_UPLOAD_BYTES,
  pageLink,
  type ServiceDocumentNeeds,
  serviceDocument,
  statusDocument,
} from "../../../src/repository/deposit/documents.ts";
import { SWORD_ERROR_STATUS, type SwordErrorType } from "../../../src/repository/deposit/messages.ts";
import { hasSwordSchemas, relaxStatus, swordValidator } from "../../support/sword-schemas.ts";

const BASE = "https://repo.example";
const UNSET = { url: null, description: null };
const NEEDS: ServiceDocumentNeeds = {
  url: `${BASE}/sword/service-document`,
  title: "Our repository",
  abstract: "",
  collectionPolicy: UNSET,
  treatment: UNSET,
  maxUploadBytes: MAX_UPLOAD_BYTES,
  minSegmentBytes: null,
  onBehalfOf: true,
};

describe("R11 Service document", () => {
  test("R11 has the specification's fields and values, and no others", () => {
    expect(serviceDocument(NEEDS)).toEqual({
      "@context": "https://swordapp.github.io/swordv3/swordv3.jsonld",
      "@id": "https://repo.example/sword/service-document",
      "@type": "ServiceDocument",
      accept: ["*/*"],
      acceptArchiveFormat: ["application/zip"],
      acceptDeposits: true,
      acceptMetadata: [
        "https://github.com/JPCOAR/schema/blob/master/2.0/jpcoar_scm.xsd",
        "https://w3id.org/ro/crate/1.1/",
      ],
      acceptPackaging: ["*"],
      authentication: ["OAuth"],
      byReferenceDeposit: false,
      collectionPolicy: {},
      "dc:title": "Our repository",
      "dcterms:abstract": "",
      digest: ["SHA-256"],
      maxAssembledSize: 30000000000000,
      maxByReferenceSize: 30000000000000000,
      maxSegments: 1000,
      maxUploadSize: 16777216000,
      onBehalfOf: true,
      root: "https://repo.example/sword/service-document",
      services: [],
      staging: "",
      stagingMaxIdle: 3600,
      treatment: {},
      version: "http://purl.org/net/sword/3.0",
    });
  });

  test("R11 shows policy, treatment and smallest segment once they are set", () => {
    const document = serviceDocument({
      ...NEEDS,
      collectionPolicy: { url: "https://repo.example/policy", description: "What we take" },
      treatment: { url: null, description: "Kept for ever" },
      minSegmentBytes: 1024,
      onBehalfOf: false,
    });
    expect([document.collectionPolicy, document.treatment, document.minSegmentSize, document.onBehalfOf]).toEqual([
      { "@id": "https://repo.example/policy", description: "What we take" },
      { description: "Kept for ever" },
      1024,
      false,
    ]);
  });
});

const STATUS = statusDocument({
  url: `${BASE}/sword/deposit/96568`,
  revision: 4,
  links: [
    pageLink("https://repo.example/records/96568", {
      depositedBy: "7",
      depositedOnBehalfOf: "9",
      depositedOn: "2026-05-01T10:00:00.123Z",
      "dcterms:replaces": "https://repo.example/records/96000",
    }),
    pageLink("https://n2t.example/ark:99999/x1"),
  ],
  notes: ["Metadata completion is off.", "One term was kept."],
});

describe("R11 Status document", () => {
  test("R11 R13c R15 has the specification's fields: nine actions of which deleteObject alone is true, the state ingested, links with rel as a list", () => {
    expect(STATUS).toEqual({
      "@context": "https://swordapp.github.io/swordv3/swordv3.jsonld",
      "@id": "https://repo.example/sword/deposit/96568",
      "@type": "Status",
      actions: {
        appendFiles: false,
        appendMetadata: false,
        deleteFiles: false,
        deleteMetadata: false,
        deleteObject: true,
        getFiles: false,
        getMetadata: false,
        replaceFiles: false,
        replaceMetadata: false,
      },
      eTag: "4",
      fileSet: {},
      links: [
        {
          "@id": "https://repo.example/records/96568",
          rel: ["alternate"],
          contentType: "text/html",
          depositedBy: "7",
          depositedOnBehalfOf: "9",
          depositedOn: "2026-05-01T10:00:00Z",
          "dcterms:replaces": "https://repo.example/records/96000",
        },
        { "@id": "https://n2t.example/ark:99999/x1", rel: ["alternate"], contentType: "text/html" },
      ],
      metadata: {},
      service: "/sword/service-document",
      state: [
        {
          "@id": "http://purl.org/net/sword/3.0/state/ingested",
          description: "Metadata completion is off. One term was kept.",
        },
      ],
    });
  });

  test("the values rel may have are the specification's fourteen", () => {
    expect(LINK_RELATIONS.join(", ")).toBe(
      "alternate, packaging, depositedOn, depositedOnBehalfOf, status, log, dcterms:relation, dcterms:replaces, dcterms:isReplacedBy, versionReplaced, eTag, byReference, derivedFrom, metadataFormat",
    );
  });
});

describe("R11 Error document", () => {
  test("R11 R13c has context, type, error and a UTC time in whole seconds, and never a log", () => {
    expect(errorDocument("DigestMismatch", "Failed to verify request body and digest.", 1_800_000_000_999)).toEqual({
      "@context": "https://swordapp.github.io/swordv3/swordv3.jsonld",
      "@type": "DigestMismatch",
      error: "Failed to verify request body and digest.",
      timestamp: "2027-01-15T08:00:00Z",
    });
  });
});

describe.skipIf(!hasSwordSchemas)("R11 SWORD's own schemas", () => {
  test("R11 the service document is valid", () => {
    const validate = swordValidator("service-document");
    expect(validate(serviceDocument(NEEDS))).toEqual([]);
    const treatment = { url: "https://repo.example/t", description: "x" };
    expect(validate(serviceDocument({ ...NEEDS, treatment, minSegmentBytes: 1 }))).toEqual([]);
    expect(validate({ ...serviceDocument(NEEDS), digest: undefined })).not.toEqual([]);
  });

  test("R11 the status document is valid but for the two known relaxations", () => {
    expect(swordValidator("status", relaxStatus)(STATUS)).toEqual([]);
    expect(swordValidator("status")(STATUS)).toEqual([
      "/metadata must have required property '@id'",
      "/fileSet must have required property '@id'",
    ]);
  });

  test("R11 R13b an error document of every type is valid", () => {
    const validate = swordValidator("error");
    const types = Object.keys(SWORD_ERROR_STATUS) as SwordErrorType[]; // the keys are the types
    expect(types.length).toBe(25);
    for (const type of types) expect(validate(errorDocument(type, "x", Date.UTC(2026, 0, 1)))).toEqual([]);
    expect(validate({ ...errorDocument("NotFound", "x", 0), timestamp: "yesterday" })).not.toEqual([]);
  });
});
