// Every refusal of a deposit is one log line with its reason (R13c), and the line gives away no title and no secret
// (docs/security.md).
import { describe, expect, test } from "bun:test";
import { jsonLog } from "../../src/adapters/log.ts";
import { cratePackage, plainPackage, tablePackage } from "../support/deposit-requests.ts";
import { bagPieces, SMALL_FILE } from "../support/package-builder.ts";
import { type Answer, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Line = Readonly<Record<string, unknown>>;
const lines: Line[] = [];
const world = setUpWorld({ repository: { log: jsonLog("info", (line) => lines.push(JSON.parse(line))) } });

/** The answer, and the lines that were written meanwhile about a refused deposit. */
async function requestAndLog(
  asked: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly refusals: readonly Line[] }> {
  lines.length = 0;
  const answer = await asked();
  return { answer, refusals: lines.filter(({ event }) => event === "deposit_refused") };
}

const taken = async (name: string): Promise<number> =>
  recidOf(await world.deposit("registered", cratePackage({ name, "svc:publishStatus": "private" })));
const unlisted = () => plainPackage(bagPieces({ unlisted: [SMALL_FILE.path] }));

describe("R13c the reason of a refusal", () => {
  test.each<readonly [string, () => Promise<Answer>]>([
    ["message 1", () => world.deposit(null, cratePackage())],
    ["a missing scope", async () => world.deposit(await world.token("registered", ["item:read"]), cratePackage())],
    ["message 6", () => world.deposit("registered", cratePackage(), { headers: { "content-type": "text/plain" } })],
    ["message 7", () => world.deposit("registered", cratePackage(), { headers: { packaging: "Binary" } })],
    ["message 10", () => world.deposit("registered", cratePackage(), { headers: { digest: "SHA-256=00" } })],
    ["message 11", () => world.deposit("registered", cratePackage({ "svc:index": ["777"] }))],
    ["message 24", () => world.deposit("registered", unlisted())],
    ["message 24 of PUT", async () => world.replace("registered", await taken("x"), unlisted())],
    ["404 of PUT", () => world.replace("registered", 999_999, cratePackage())],
    ["403 of DELETE", async () => world.remove("other", await taken("x"))],
    ["412 of DELETE", async () => world.remove("registered", await taken("x"), { "if-match": '"9"' })],
  ])("R13c %s is one line, with status, type and reason as the depositor heard them", async (_, ask) => {
    const { answer, refusals } = await requestAndLog(ask);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(refusals.length).toBe(1);
    const reason = expect.stringContaining(String(answer.json.error));
    const request_id = answer.headers.get("x-request-id");
    const { status } = answer;
    expect(refusals[0]).toMatchObject({ level: "info", status, type: answer.json["@type"], reason, request_id });
  });

  test("R13c message 24 names file and rule, message 12 the number and not the title; who asked and for what is there", async () => {
    const bag = await requestAndLog(() => world.deposit("registered", unlisted()));
    const { account, clientId } = world.people.registered;
    const reason = 'Failed to validate import bagit file. "data/a.txt" is not listed in manifest-sha256.txt.';
    const caller = { method: "POST", account: account.id, client_id: clientId };
    expect(bag.refusals[0]).toMatchObject({ ...caller, message: 24, reason });
    const id = await taken("A title nobody logs");
    const twice = await requestAndLog(() => world.deposit("registered", tablePackage({ ".id": String(id) })));
    expect(twice.answer.json.error).toContain("A title nobody logs");
    expect(twice.refusals[0]).toMatchObject({ message: 12, reason: `This item is already registered: ${id}` });
    const put = await requestAndLog(() => world.replace("registered", `${id}x`, cratePackage()));
    expect(put.refusals[0]).toMatchObject({ method: "PUT", item: `${id}x`, status: 404 });
    expect(JSON.stringify(lines)).not.toContain("nobody logs");
  });

  test("R13c R13 too many at once is a refusal too", async () => {
    const one = world.under({ SVC_MAX_CONCURRENT_DEPOSITS: "1" });
    lines.length = 0;
    const answers = await Promise.all([1, 2, 3].map(() => one.deposit("registered", cratePackage())));
    const away = answers.filter(({ status }) => status === 503);
    const refusals = lines.filter(({ event }) => event === "deposit_refused");
    expect([away.length > 0, refusals.length]).toEqual([true, away.length]);
    expect(refusals[0]).toMatchObject({ status: 503, type: "unavailable" });
  });

  test("R13c what is accepted is not logged as a refusal, and a reason is never longer than its limit", async () => {
    expect((await requestAndLog(() => world.deposit("registered", cratePackage()))).refusals).toEqual([]);
    const long = `${"0".repeat(64)}  data/${"x".repeat(5_000)}\n`;
    const pkg = plainPackage(bagPieces({ manifest: (listed) => `${listed.join("\n")}\n${long}` }));
    const { answer, refusals } = await requestAndLog(() => world.deposit("registered", pkg));
    expect([answer.status, String(refusals[0]?.reason).length]).toEqual([400, 1_000]);
  });
});
