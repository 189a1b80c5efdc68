// What a page that asks for consent shows and offers, as rules (R30): names of strangers, where the answer goes, what
// may be chosen.
import { describe, expect, test } from "bun:test";
import { answerPlace, chosenScopes, formTargets, strangersName } from "../../../src/repository/pages/consent.ts";
import { en } from "../../../src/repository/pages/languages/en.ts";
import { REPOSITORY_LANGUAGES, repositoryTexts } from "../../../src/repository/pages/languages/index.ts";
import { type ConsentView, consentPage } from "../../../src/repository/pages/templates/consent-pages.ts";
import { TOOL_SCOPES } from "../../../src/repository/tools/tool.ts";
import { ownPath } from "../../../src/shared/http/return-path.ts";
import { cpuMs } from "../../support/cpu-time.ts";

describe("names of programs", () => {
  test.each([
    ["Claude Desktop", "Claude Desktop"],
    ["  two\n lines\t", "two lines"],
    ["evil\u202Etxt.exe", "evil txt.exe"],
    ["a\u2066b\u2069c\u200Bd\u0000e\u061Cf", "a b c d e f"],
    ["\u202E\u200B", ""],
    ["", ""],
    [`n${"\u0301".repeat(50)}o`, "n\u0301\u0301\u0301o"],
    ["図書館 <b>\"&'", "図書館 <b>\"&'"],
    ["x".repeat(80), "x".repeat(80)],
    ["x".repeat(81), `${"x".repeat(79)}…`],
    ["👩‍👩".repeat(300), `${Array.from("👩‍👩".repeat(300)).slice(0, 79).join("")}…`],
  ])("S3.7.68: a name is shown in one line, cut, without what is not seen (%#)", (name, shown) => {
    expect(strangersName(name)).toBe(shown);
  });

  test("S3.7.68: a name of a million characters takes no time", async () => {
    const ms = await cpuMs(() => {
      for (const each of ["\u0301", "\u202E", " ", "x"]) strangersName(each.repeat(1_000_000));
    });
    expect(ms).toBeLessThan(100);
  });
});

describe("where the answer goes", () => {
  test.each([
    ["https://client.example/back?x=1", "site", "client.example", "'self' https://client.example https:"],
    ["https://client.example:8443/back", "site", "client.example:8443", "'self' https://client.example:8443 https:"],
    ["http://127.0.0.1:6274/cb", "machine", "127.0.0.1:6274", "'self' http://127.0.0.1:6274 https:"],
    ["http://localhost/cb", "machine", "localhost", "'self' http://localhost https:"],
    ["http://[::1]:9/cb", "machine", "[::1]:9", "'self' http: https:"],
    [
      "https://localhost.evil.example/cb",
      "site",
      "localhost.evil.example",
      "'self' https://localhost.evil.example https:",
    ],
    ["https://раypal.example/", "site", "xn--ypal-43d9g.example", "'self' https://xn--ypal-43d9g.example https:"],
  ] as const)("S3.7.63: %s is described as a %s, %s", (uri, kind, host, targets) => {
    expect(answerPlace(uri)).toEqual({ kind, host });
    expect(formTargets(uri).join(" ")).toBe(targets);
  });
});

describe("what may be chosen", () => {
  test.each([
    [
      ["mcp:write", "mcp:curate"],
      ["mcp:read", "mcp:write", "mcp:curate"],
    ],
    [["mcp:write"], ["mcp:read", "mcp:write"]],
    [[], ["mcp:read"]],
    [["mcp:curate"], null],
  ])("S3.7.66: of all three %j ticked gives %j", (ticked, given) => {
    const chosen: unknown = chosenScopes(TOOL_SCOPES, (scope) => (ticked as readonly string[]).includes(scope));
    expect(chosen).toEqual(given);
  });

  test("S3.7.66: what was not offered is not given, whatever is ticked", () => {
    expect(chosenScopes(["mcp:read"], () => true)).toEqual(["mcp:read"]);
  });

  test("S3.7.65: every scope has its words in every language", () => {
    for (const { consent } of REPOSITORY_LANGUAGES.map(repositoryTexts))
      for (const scope of TOOL_SCOPES) expect(consent.scopes[scope].text.length).toBeGreaterThan(10);
  });
});

describe("the page", () => {
  const site = { texts: en, repositoryName: "R", rootPath: "", here: "/oauth/authorize?x=1", person: null };
  const view: ConsentView = {
    ...{ name: "<b>Claude</b>", kind: "document", describedAt: "agent.example" },
    place: { kind: "machine", host: "localhost:1" },
    resource: "https://r.example/mcp",
    account: { name: "Ada", mail: "ada@r.example", csrf: "c" },
    ...{ isAdministrator: false, isTokenSession: false, days: 30, formToken: "f", problem: null },
    scopes: [{ scope: "mcp:read", ticked: true }],
  };

  test("S3.7.64: a program known by a document is shown with its host, which chose the name", () => {
    const page = consentPage(view, site);
    expect(page).toContain("<dt>Described at</dt><dd><code>agent.example</code></dd>");
    expect(page).toContain("The operator of agent.example chose the name of this program");
    expect(page).toContain("<bdi>&lt;b&gt;Claude&lt;/b&gt;</bdi>");
    expect(page).toContain("until the program has not used it for 30 days");
    expect(page).not.toContain("it chose its name itself");
  });

  test("S3.7.66: where reading is all that is asked for, there is nothing to untick", () => {
    expect(consentPage(view, site)).not.toContain('name="scope:');
    expect(consentPage(view, site)).not.toContain("You can allow less");
  });
});

describe("the way back", () => {
  const request = (length: number): string => `/oauth/authorize?state=`.padEnd(length, "x");
  test("S3.7.62: a request is gone back to up to 4,000 characters, no other page beyond 2,000", () => {
    expect(ownPath(request(4_000))).toBe(request(4_000));
    expect(ownPath(request(4_001))).toBe("/");
    expect(ownPath(`/oauth/authorizer?x=${"x".repeat(2_000)}`)).toBe("/");
    expect(ownPath(`/search?q=${"x".repeat(2_000)}`)).toBe("/");
  });
});
