// The plan of an apply file: what is stored, what the file contains, which steps or refusals follow.
import { describe, expect, test } from "bun:test";
import { readDocument } from "../../src/ark/provisioning/document.ts";
import { planProvisioning } from "../../src/ark/provisioning/plan.ts";
import type { ProvisioningState } from "../../src/ark/provisioning/state.ts";
import { type ArkRecord, EMPTY_DESCRIPTION } from "../../src/ark/record.ts";

const NOW = "2026-05-01T00:00:00.000Z";
const NO_HOLD = { holdUntil: null, holdReason: null } as const;

/** NAAN 99999 with org-a (b1 active, r1 retired, v1 unchecked) and org-b (q2); a key of org-a pinned to b1. */
const STORED: ProvisioningState = {
  naans: [registered("99999", "Example"), registered("77777", "Other")],
  organisations: [
    organisation(1, "99999", "org-a", "b1"),
    organisation(2, "99999", "org-b", ""),
    organisation(3, "77777", "org-c", ""),
  ],
  shoulders: [
    shoulder("b1", 1),
    shoulder("q2", 2),
    { ...shoulder("r1", 1), status: "retired" },
    { ...shoulder("v1", 1), checked: false },
    { ...shoulder("imported/", 1), checked: false, importOnly: true },
  ],
  credentials: [
    {
      id: 7,
      clientId: "ops",
      tier: "organisation",
      naan: "99999",
      organisationId: 1,
      shoulder: "b1",
      scopes: ["ark:mint", "ark:read"],
      active: true,
      expiresAt: null,
    },
  ],
  activeSecrets: new Map([["ops", { apiKeys: 1, clientSecrets: 0 }]]),
  arks: new Map([
    ["99999/b1held", record("99999/b1held", "published")],
    ["99999/b1kept", record("99999/b1kept", "reserved")],
  ]),
  anyName: new Map(),
  uncheckedName: new Map(),
  nameBelow: new Map(),
};

function registered(naan: string, name: string) {
  return { naan, authoritative: true, name, policy: "", policyUrl: "", redirect: "", minter: "", ...NO_HOLD };
}

function organisation(id: number, naan: string, name: string, defaultShoulder: string) {
  const rest = { commitmentLevel: "permanent-dynamic", quotaPerDay: null, active: true } as const;
  return { id, naan, name, defaultShoulder, ...rest };
}

function shoulder(text: string, organisationId: number) {
  const open = { status: "active", minter: "", about: "", redirect: "", bladeLength: 8, ...NO_HOLD } as const;
  return { ...open, naan: "99999", shoulder: text, organisationId, checked: true, importOnly: false };
}

function record(key: string, state: "published" | "reserved"): ArkRecord {
  const publishedAt = state === "published" ? NOW : null;
  const dates = { createdAt: NOW, updatedAt: NOW, publishedAt, firstPublishedAt: publishedAt, tombstonedAt: null };
  const gone = { withdrawnAt: null, withdrawnReason: null, ...NO_HOLD };
  const place = { naan: "99999", shoulder: "b1", origin: "minted", organisationId: 1 } as const;
  return { ...EMPTY_DESCRIPTION, key, ...place, state, ...dates, ...gone };
}

/** Apply files of one section, whose rows are of NAAN 99999 unless they name another. */
const naans = (...rows: readonly object[]) => ({ naans: rows.map((row) => ({ naan: "99999", ...row })) });
const organisations = (...rows: readonly object[]) => ({
  organisations: rows.map((row) => ({ naan: "99999", ...row })),
});
const shoulders = (...rows: readonly object[]) => ({ shoulders: rows.map((row) => ({ naan: "99999", ...row })) });
const hold = (row: object) => ({ holds: [{ reason: "x", ...row }] });
const credential = (row: object) => ({ credentials: [{ client_id: "x", tier: "system", ...row }] });

function plan(file: unknown, stored: ProvisioningState = STORED) {
  const { document, problems } = readDocument(file);
  const made = planProvisioning(document, stored, { now: NOW, holdMaxDays: 90 });
  return {
    ...made,
    problems: [...problems, ...made.problems].map(({ path: place, message }) => `${place}: ${message}`),
  };
}

function steps(file: unknown, stored: ProvisioningState = STORED): string[] {
  const made = plan(file, stored);
  expect(made.problems).toEqual([]);
  return made.steps.map((step) =>
    step.subject === "secret"
      ? `${step.count} ${step.kind} ${step.target}`
      : `${step.action} ${step.subject} ${step.target} [${step.fields.map((field) => field.field)}]`,
  );
}

const EMPTY: ProvisioningState = {
  ...STORED,
  naans: [],
  organisations: [],
  shoulders: [],
  credentials: [],
  arks: new Map(),
  activeSecrets: new Map(),
};

describe("what a file asks for", () => {
  test("the file of the issue is read as it is and becomes one step for each object, in an order that can be written", () => {
    const file = {
      naans: [
        { naan: "99999", authoritative: true, name: "Example", policy: "NP | NR, OP, CC | 2026" },
        { naan: "88888", authoritative: false, redirect: "https://delegate.example.org" },
      ],
      organisations: [
        {
          naan: "99999",
          name: "org-a",
          default_shoulder: "b1",
          commitment_level: "permanent-dynamic",
          quota_per_day: null,
        },
      ],
      shoulders: [
        { naan: "99999", shoulder: "b1", organisation: "org-a", status: "active" },
        {
          naan: "99999",
          shoulder: "d9",
          organisation: "org-a",
          status: "delegated",
          minter: "https://mint.example.org/api/mint",
          about: "",
          redirect: "",
          checked: true,
        },
      ],
      credentials: [
        {
          client_id: "ops",
          tier: "organisation",
          naan: "99999",
          organisation: "org-a",
          shoulder: null,
          scopes: ["ark:mint", "ark:update"],
          expires_at: null,
          api_keys: 1,
          client_secrets: 1,
        },
      ],
    };
    expect(steps(file, EMPTY)).toEqual([
      "add naan 99999 [authoritative,name,policy]",
      "add naan 88888 [authoritative,redirect]",
      "add organisation 99999/org-a [default_shoulder,commitment_level,active]",
      "add shoulder 99999/b1 [organisation,status,checked,import_only]",
      "add shoulder 99999/d9 [organisation,status,minter,checked,import_only]",
      "add credential ops [tier,naan,organisation,scopes,active]",
      "1 api_key ops",
      "1 client_secret ops",
    ]);
  });

  test("a member the file leaves out stays as it is stored, and nothing that is the same becomes a step", () => {
    expect(steps({ ...shoulders({ shoulder: "b1" }), ...organisations({ name: "org-a" }) })).toEqual([]);
    expect(steps(shoulders({ shoulder: "b1", about: "https://about.example" }))).toEqual([
      "change shoulder 99999/b1 [about]",
    ]);
  });

  test("A23 api_keys is the least number of active keys: only missing ones are created", () => {
    const ops = (more: object) => ({ credentials: [{ client_id: "ops", ...more }] });
    expect(steps(ops({ api_keys: 1 }))).toEqual([]);
    expect(steps(ops({ api_keys: 3, client_secrets: 1 }))).toEqual(["2 api_key ops", "1 client_secret ops"]);
  });

  test("A21 a credential without scopes in the file gets mint, read, update, publish", () => {
    const [step] = plan(credential({ client_id: "new" })).steps;
    expect(step?.subject === "credential" && step.after.scopes).toEqual([
      "ark:mint",
      "ark:read",
      "ark:update",
      "ark:publish",
    ]);
  });

  test("a shoulder may move to another organisation of its NAAN; what that takes from others is reported", () => {
    const made = plan(shoulders({ shoulder: "b1", organisation: "org-b" }));
    expect(made.problems).toEqual([]);
    expect(made.steps.map((step) => step.target)).toEqual(["99999/b1"]);
    expect(made.warnings.join("\n")).toContain("org-a");
    expect(made.warnings.join("\n")).toContain("Credential ops is pinned to 99999/b1");
  });

  test.each(["b1", "/b1", "99999/b1", "ark:99999/b1", "ark:/99999/b1"])("A6 a shoulder may be written %s", (text) => {
    expect(steps(shoulders({ shoulder: text, status: "delegated" }))).toEqual(["change shoulder 99999/b1 [status]"]);
  });

  test("A6 which status may follow which: reserved only at creation, retired is final, active and delegated change into each other", () => {
    const statuses = ["reserved", "active", "delegated", "retired"] as const;
    const after = (from: (typeof statuses)[number]) => {
      const stored = { ...STORED, shoulders: [{ ...shoulder("b1", 1), status: from }] };
      return statuses.filter((status) => plan(shoulders({ shoulder: "b1", status }), stored).problems.length === 0);
    };
    expect(statuses.map(after)).toEqual([
      ["reserved", "active", "delegated", "retired"],
      ["active", "delegated", "retired"],
      ["active", "delegated", "retired"],
      ["retired"],
    ]);
    const fresh = { naan: "99999", shoulder: "k4", organisation: "org-a" };
    for (const status of statuses) expect(steps({ shoulders: [{ ...fresh, status }] })).toHaveLength(1);
    for (const gone of [{ delete: true }, { status: "deleted" }]) {
      expect(plan(shoulders({ shoulder: "b1", ...gone })).problems).toHaveLength(1);
    }
  });

  test("A6 an import-only shoulder may be any string of name characters, also empty, and is unchecked by default", () => {
    for (const text of ["metadc", "qt", "s6.caida", ""]) {
      const made = plan(shoulders({ shoulder: text, organisation: "org-a", import_only: true }));
      expect(made.problems).toEqual([]);
      const [step] = made.steps;
      expect(step?.subject === "shoulder" && step.after.checked).toBe(false);
    }
  });

  test("A42 holds on a NAAN, a shoulder and a name are separate kinds of steps; the same hold again is none", () => {
    const until = "2026-06-01";
    const holds = [
      { naan: "99999", until, reason: "Audit" },
      { naan: "99999", shoulder: "q2", until, reason: "Audit" },
      { ark: "ark:/99999/b1-held", until, reason: "Audit" },
    ];
    expect(steps({ holds })).toEqual([
      "change naan 99999 [hold_until,hold_reason]",
      "change shoulder 99999/q2 [hold_until,hold_reason]",
      "change ark 99999/b1held [hold_until,hold_reason]",
    ]);
    const foreign = {
      naans: [{ naan: "88888", authoritative: false }],
      holds: [{ naan: "88888", until, reason: "Audit" }],
    };
    expect(steps(foreign).filter((step) => step.includes("hold_until") || step.includes("88888"))).toHaveLength(1);
    const over = { holdUntil: "2026-04-01T00:00:00.000Z", holdReason: "Audit" };
    const naans = STORED.naans.map((naan) => ({ ...naan, ...over }));
    expect(steps({ holds: [{ naan: "99999", until: "2026-04-01", reason: "Audit" }] }, { ...STORED, naans })).toEqual(
      [],
    );
  });
});

describe("what a file is refused for", () => {
  const refusals: [string, object, string][] = [
    ["a section that is not known", { naan: [] }, 'naan: is not known here; did you mean "naans"?'],
    [
      "a member that is not known",
      naans({ authorative: true }),
      'naans[0].authorative: is not known here; did you mean "authoritative"?',
    ],
    ["a member that is missing", { shoulders: [{ shoulder: "b1" }] }, 'shoulders[0]: lacks the member "naan"'],
    [
      "a value of the wrong type",
      { naans: [{ naan: 99999 }] },
      "naans[0].naan: must be a NAAN: up to 16 of 0-9 and bcdfghjkmnpqrstvwxz, not 99999 (write it in quotes)",
    ],
    ["a section that is not a list", { naans: {} }, "naans: must be a list, not an object"],
    [
      "the same thing twice",
      { naans: [{ naan: "99999" }, { naan: "99999" }] },
      "naans[1]: is about the same thing as naans[0]: 99999",
    ],
    [
      "a retired shoulder revived (A6)",
      shoulders({ shoulder: "r1", status: "active" }),
      "shoulders[0].status: cannot go from retired to active: retired is final",
    ],
    [
      "a shoulder reserved after its creation (A6)",
      shoulders({ shoulder: "b1", status: "reserved" }),
      "shoulders[0].status: cannot go from active to reserved: reserved is possible only at creation",
    ],
    [
      "a shoulder that does not end in its first digit (A6)",
      shoulders({ shoulder: "abc", organisation: "org-a" }),
      'shoulders[0].shoulder: must be consonants of bcdfghjkmnpqrstvwxz that end in one digit, like "x5", not "abc" (only an import_only shoulder may be anything else)',
    ],
    [
      "an import-only shoulder turned into one to mint from (A6)",
      shoulders({ shoulder: "imported/", import_only: false }),
      "end in one digit",
    ],
    [
      "an organisation of another NAAN",
      shoulders({ shoulder: "k3", organisation: "org-c" }),
      'shoulders[0].organisation: no organisation "org-c" in NAAN 99999 (there is one in NAAN 77777)',
    ],
    [
      "a NAAN that is not registered",
      { organisations: [{ naan: "12345", name: "x" }] },
      "organisations[0].naan: NAAN 12345 is not registered (registered: 99999, 77777)",
    ],
    [
      "a shoulder under a foreign NAAN",
      {
        naans: [{ naan: "88888", authoritative: false }],
        organisations: [{ naan: "88888", name: "x" }],
        shoulders: [{ naan: "88888", shoulder: "b1", organisation: "x" }],
      },
      "shoulders[0].naan: NAAN 88888 is not ours",
    ],
    ["our own NAAN that redirects", naans({ redirect: "https://x.example" }), "naans[0]: is authoritative"],
    [
      "a default shoulder that does not exist",
      organisations({ name: "org-a", default_shoulder: "z9" }),
      'organisations[0].default_shoulder: no shoulder "z9" in NAAN 99999',
    ],
    [
      "a default shoulder of somebody else",
      organisations({ name: "org-a", default_shoulder: "q2" }),
      'belongs to organisation "org-b"',
    ],
    [
      "a default shoulder nothing is minted from",
      organisations({ name: "org-a", default_shoulder: "imported/" }),
      "is import-only",
    ],
    [
      "a scope that does not exist (A21)",
      credential({ scopes: ["ark:all"] }),
      'credentials[0].scopes: holds unknown "ark:all"',
    ],
    [
      "a system credential with a NAAN (A21)",
      credential({ naan: "99999" }),
      "credentials[0]: of tier system reaches everything",
    ],
    [
      "a NAAN credential with an organisation (A21)",
      credential({ tier: "naan", naan: "99999", organisation: "org-a" }),
      "credentials[0]: of tier naan reaches the whole NAAN",
    ],
    [
      "an organisation credential without organisation (A21)",
      credential({ tier: "organisation", naan: "99999" }),
      "credentials[0]: of tier organisation must name its organisation",
    ],
    [
      "a pin to a shoulder of somebody else (A21)",
      credential({ tier: "organisation", naan: "99999", organisation: "org-a", shoulder: "q2" }),
      'belongs to organisation "org-b"',
    ],
    [
      "a client_id that looks like the operator",
      credential({ client_id: "(operator)" }),
      "credentials[0].client_id: must not begin with",
    ],
    [
      "a redirect that is not a URL",
      naans({ naan: "88888", authoritative: false, redirect: "javascript:alert(1)" }),
      "naans[0].redirect: is not an http or https URL",
    ],
    [
      "a template with an unknown placeholder (A31b)",
      naans({ naan: "88888", authoritative: false, redirect: "https://x.example/${nam}" }),
      "naans[0].redirect: holds a variable that is not known",
    ],
    ["a hold in the past (A42)", hold({ naan: "99999", until: "2026-04-30" }), "SVC-1020"],
    ["a hold beyond the limit (A42)", hold({ naan: "99999", until: "2026-09-01" }), "SVC-1020"],
    ["a hold on a name that is not published (A9)", hold({ ark: "99999/b1kept", until: "2026-06-01" }), "SVC-1503"],
    [
      "a shoulder of another NAAN than the row's (A6)",
      shoulders({ shoulder: "77777/b1", organisation: "org-a" }),
      'shoulders[0].shoulder: names the NAAN "77777", but the row names "99999"',
    ],
    ["a hold on nothing", hold({ until: "2026-06-01" }), "holds[0]: must name a naan, a shoulder or an ark"],
    [
      "a hold without reason",
      { holds: [{ naan: "99999", until: "2026-06-01", reason: " " }] },
      "holds[0].reason: must not be empty",
    ],
    ["a day no calendar has", hold({ naan: "99999", until: "2026-02-30" }), "holds[0].until: must be a moment"],
  ];

  test.each(refusals)("%s", (_, file, expected) => {
    expect(plan(file).problems.join("\n")).toContain(expected);
  });

  test("every problem of a file is listed, and rows that only speak of a wrong one are not blamed", () => {
    const made = plan({
      naans: [{ naan: "55555", authoritative: "yes" }],
      organisations: [{ naan: "55555", name: "new", quota_per_day: -1 }],
      shoulders: [{ naan: "55555", shoulder: "b1", organisation: "new", status: "open" }],
      credentials: [{ client_id: "x y", tier: "system" }],
    });
    expect(made.problems.map((problem) => problem.split(":")[0])).toEqual([
      "naans[0].authoritative",
      "organisations[0].quota_per_day",
      "shoulders[0].status",
      "credentials[0].client_id",
    ]);
  });

  test("a NAAN cannot be made foreign while names or shoulders are under it", () => {
    const file = { naans: [{ naan: "77777", authoritative: false, redirect: "https://x.example" }] };
    expect(plan(file).problems).toEqual([]);
    const named = { ...STORED, anyName: new Map([["77777", "77777/b1x"]]) };
    expect(plan(file, named).problems.join()).toContain("names were assigned under it, such as ark:77777/b1x");
    const ours = naans({ authoritative: false });
    expect(plan(ours).problems.join()).toContain("it has shoulders here");
  });

  test("A4 checked cannot be turned on over names that carry no check character", () => {
    const file = shoulders({ shoulder: "v1", checked: true });
    expect(steps(file)).toEqual(["change shoulder 99999/v1 [checked]"]);
    const stored = { ...STORED, uncheckedName: new Map([["99999/v1", "99999/v1abc"]]) };
    expect(plan(file, stored).problems.join()).toContain("ark:99999/v1abc has no fitting check character");
  });

  test("A6 a new shoulder cannot take over names that are under another one", () => {
    const stored = { ...STORED, nameBelow: new Map([["99999/k3", "99999/k3old"]]) };
    const file = shoulders({ shoulder: "k3", organisation: "org-a" });
    expect(plan(file, stored).problems.join()).toContain(
      "would take over names of another shoulder, such as ark:99999/k3old",
    );
  });

  test("1309 delegating without a minter is allowed, with a word about what it means", () => {
    const made = plan(shoulders({ shoulder: "b1", status: "delegated" }));
    expect(made.problems).toEqual([]);
    expect(made.warnings).toEqual(["99999/b1 is delegated without a minter: mint requests are refused (1309)"]);
  });
});
