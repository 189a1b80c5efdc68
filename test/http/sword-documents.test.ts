// The documents of the deposit interfaces as clients get them (specification 2, "Service document", "Status document",
// "Error document", "Response codes"; R9, R11, R13b, R15).
import { describe, expect, test } from "bun:test";
import type { SWORD_ERROR_STATUS } from "../../src/repository/deposit/messages.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { NOW } from "../support/seed.ts";
import { hasSwordSchemas, relaxStatus, swordValidator } from "../support/sword-schemas.ts";
import { type Answer, BASE_URL, RESOLVER_URL, recidOf, SERVICE } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

const CONTEXT = "https://swordapp.github.io/swordv3/swordv3.jsonld";
/** R13c: clients of the standard read no fraction of a second. */
const WHOLE_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const WHATS = ["Files", "Metadata"];
const ACTIONS = {
  ...Object.fromEntries(
    WHATS.flatMap((what) => ["append", "delete", "get", "replace"].map((verb) => [verb + what, false])),
  ),
  deleteObject: true,
};

const validators = hasSwordSchemas
  ? {
      "service-document": swordValidator("service-document"),
      status: swordValidator("status", relaxStatus),
      error: swordValidator("error"),
    }
  : null;

function expectValid(kind: "service-document" | "status" | "error", document: unknown): void {
  if (validators !== null) expect(validators[kind](document)).toEqual([]);
}

function expectError({ status, json, headers }: Answer, code: number, type: keyof typeof SWORD_ERROR_STATUS): void {
  expect([status, json["@type"]]).toEqual([code, type]);
  expect(Object.keys(json).sort()).toEqual(["@context", "@type", "error", "timestamp"]);
  expect(json["@context"]).toBe(CONTEXT);
  expect(json.timestamp).toMatch(WHOLE_SECONDS);
  expect(headers.get("content-type")).toContain("application/json");
  expectValid("error", json);
}

describe("S2.2 GET /sword/service-document", () => {
  test("R11 R32 it has every field of the specification, the repository's own name, and no others", async () => {
    const answer = await world.ask("registered", "GET", SERVICE);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.json).toEqual({
      "@context": CONTEXT,
      "@id": `${BASE_URL}/sword/service-document`,
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
      "dc:title": "Arkstone",
      "dcterms:abstract": "",
      digest: ["SHA-256"],
      maxAssembledSize: 30000000000000,
      maxByReferenceSize: 30000000000000000,
      maxSegments: 1000,
      maxUploadSize: 16777216000,
      onBehalfOf: true,
      root: `${BASE_URL}/sword/service-document`,
      services: [],
      staging: "",
      stagingMaxIdle: 3600,
      treatment: {},
      version: "http://purl.org/net/sword/3.0",
    });
    expectValid("service-document", answer.json);
  });

  test("R32 name, abstract, policy, treatment, smallest segment, upload limit and On-Behalf-Of are what the settings contain", async () => {
    const policy = "https://repo.example.org/policy/?lang=en";
    const other = world.under({
      SVC_REPOSITORY_NAME: "Tides",
      SVC_REPOSITORY_ABSTRACT: "Of the sea",
      SVC_COLLECTION_POLICY_URL: policy,
      SVC_COLLECTION_POLICY_TEXT: "What we take",
      SVC_TREATMENT_TEXT: "Kept for ever",
      SVC_MIN_SEGMENT_BYTES: "1024",
      SVC_MAX_UPLOAD_BYTES: "5000",
      SVC_SWORD_ON_BEHALF_OF: "0",
    });
    const { json } = await other.ask("registered", "GET", SERVICE);
    const texts = {
      "dc:title": "Tides",
      "dcterms:abstract": "Of the sea",
      treatment: { description: "Kept for ever" },
    };
    expect(json).toMatchObject({ ...texts, collectionPolicy: { "@id": policy, description: "What we take" } });
    expect(json).toMatchObject({ minSegmentSize: 1024, maxUploadSize: 5000, onBehalfOf: false });
    expect(json).not.toHaveProperty("maxSegmentSize");
    expectValid("service-document", json);
  });

  test("message 1 without a token 401, R11 with a token that is not valid 403 AuthenticationFailed", async () => {
    expectError(await world.ask(null, "GET", SERVICE), 401, "AuthenticationRequired");
    for (const authorization of ["Bearer nonsense", "Basic eDp5", "Bearer", "Bearer a b"]) {
      const answer = await world.ask(null, "GET", SERVICE, { headers: { authorization } });
      expectError(answer, 403, "AuthenticationFailed");
    }
    const { token, clientId } = await world.token("registered");
    expect((await world.ask({ token }, "GET", SERVICE)).status).toBe(200);
    await world.revoke(clientId);
    expectError(await world.ask({ token }, "GET", SERVICE), 403, "AuthenticationFailed");
  });

  test("message 19 an On-Behalf-Of that means nobody is 400, message 2 where the setting is off 412", async () => {
    const headers = { "on-behalf-of": "nobody@example.org" };
    expectError(await world.ask("registered", "GET", SERVICE, { headers }), 400, "BadRequest");
    const off = world.under({ SVC_SWORD_ON_BEHALF_OF: "0" });
    expectError(await off.ask("registered", "GET", SERVICE, { headers }), 412, "OnBehalfOfNotAllowed");
  });
});

describe("S2.3 the status document", () => {
  test("R11 R5 R15 the answer to a deposit has every field of the specification, ETag and Location", async () => {
    const answer = await world.deposit("registered", cratePackage());
    expect(answer.status).toBe(201);
    const id = recidOf(answer);
    const { ark } = await world.item(id);
    const depositor = String(world.people.registered.account.id);
    const alternate = { rel: ["alternate"], contentType: "text/html" };
    const deposited = { depositedOn: NOW.replace(".000Z", "Z"), depositedBy: depositor };
    expect(answer.json).toEqual({
      "@context": CONTEXT,
      "@id": `${BASE_URL}/sword/deposit/${id}`,
      "@type": "Status",
      actions: ACTIONS,
      eTag: "1",
      fileSet: {},
      links: [
        { "@id": `${BASE_URL}/records/${id}`, ...alternate, ...deposited },
        { "@id": `${RESOLVER_URL}/ark:${ark}`, ...alternate },
      ],
      metadata: {},
      service: "/sword/service-document",
      state: [{ "@id": "http://purl.org/net/sword/3.0/state/ingested", description: "" }],
    });
    expectValid("status", answer.json);
    expect(answer.headers.get("etag")).toBe('"1"');
    expect(answer.headers.get("location")).toBe(`${BASE_URL}/sword/deposit/${id}`);
    const read = await world.status("registered", id);
    expect([read.status, read.json]).toEqual([200, answer.json]);
    expect([read.headers.get("etag"), read.headers.get("location")]).toEqual([
      '"1"',
      `${BASE_URL}/sword/deposit/${id}`,
    ]);
  });

  test("R11 DOIs and handles of the item are among its links, other identifiers are not", async () => {
    const identifier = [
      { "@type": "PropertyValue", propertyID: "DOI", value: "10.1234/tides" },
      { "@type": "PropertyValue", propertyID: "HDL", value: "20.500.1/7" },
      { "@type": "PropertyValue", propertyID: "URI", value: "https://elsewhere.example.org/7" },
    ];
    const { json } = await world.deposit("registered", cratePackage({ identifier }));
    const urls = (json.links as { readonly "@id": string }[]).map((link) => link["@id"]);
    expect(urls.slice(2)).toEqual(["https://doi.org/10.1234/tides", "https://hdl.handle.net/20.500.1/7"]);
  });

  test("R2b R11 the eTag rises with every committed change", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const changed = await world.replace("registered", id, cratePackage());
    expect([changed.status, changed.json.eTag, changed.headers.get("etag")]).toEqual([200, "2", '"2"']);
    expectValid("status", changed.json);
    expect((await world.status("registered", id)).json.eTag).toBe("2");
  });

  test("message 1 GET of a status document: 401, 403 and 404 in this order, whatever the number looks like", async () => {
    for (const id of ["999999999", "0", "-1", "abc", "1e3", "12345678901234567890", "%31x"]) {
      expectError(await world.status(null, id), 401, "AuthenticationRequired");
      expectError(await world.status({ token: "wrong" }, id), 403, "AuthenticationFailed");
      expectError(await world.status("registered", id), 404, "NotFound");
    }
  });

  test("R2d R2e a private item is 403 to others, and read by its owner and by administrators", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage({ "svc:publishStatus": "private" })));
    expect((await world.status("registered", id)).status).toBe(200);
    expect((await world.status("admin", id)).status).toBe(200);
    expectError(await world.status("other", id), 403, "Forbidden");
    expectError(await world.status("general", id), 403, "Forbidden");
  });

  test("R2a a parent's number means its latest version where something is read", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const { parentId } = await world.item(id);
    expect(parentId).not.toBe(id);
    const { status, json } = await world.status("registered", parentId);
    expect([status, json["@id"]]).toEqual([200, `${BASE_URL}/sword/deposit/${id}`]);
    expectError(await world.replace("registered", parentId, cratePackage()), 404, "NotFound");
    expectError(await world.remove("registered", parentId), 404, "NotFound");
  });
});

describe("S2.4 the error document", () => {
  test("R9 R13b other methods and unknown paths below /sword are error documents too: 405 and 404", async () => {
    for (const [method, path] of [
      ["PUT", SERVICE],
      ["DELETE", SERVICE],
      ["PATCH", "/sword/deposit/1"],
      ["POST", "/sword/deposit/1"],
    ] as const) {
      const answer = await world.ask("registered", method, path);
      expectError(answer, 405, "MethodNotAllowed");
      expect(answer.headers.get("allow")).toContain("GET");
    }
    expectError(await world.ask("registered", "GET", "/sword/staging"), 404, "NotFound");
    expectError(await world.ask("registered", "GET", "/sword/deposit/1/x"), 404, "NotFound");
  });

  test("R9 what nobody expected is 500 ServerError with a request id and nothing from inside", async () => {
    let isBroken = false;
    const broken = world.under({}, (parts) => ({
      ...parts,
      store: new Proxy(parts.store, {
        get(store, name, self) {
          if (name === "items" && isBroken) throw new Error("secret of the inside");
          return Reflect.get(store, name, self);
        },
      }),
    }));
    isBroken = true;
    const answer = await broken.status("registered", 1);
    expectError(answer, 500, "ServerError");
    expect(answer.json.error).toBe("Internal Server Error");
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    expect(answer.text).not.toContain("inside");
  });
});
