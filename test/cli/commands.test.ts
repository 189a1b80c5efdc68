// The command line from the words typed to the words printed, over an SQLite file (A15). No process is started.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("cli");
const file = (name: string) => join(folder.path, name);
const env = { SVC_DATA_DIR: file("data") };
const ark = (...args: string[]) => arkstone(env, args);
const json = async (...args: string[]) => JSON.parse((await ark(...args, "--json")).out);

const SERVICE = {
  naans: [{ naan: "99999", name: "Example" }],
  organisations: [{ naan: "99999", name: "org-a", default_shoulder: "b1" }],
  shoulders: [{ naan: "99999", shoulder: "b1", organisation: "org-a" }],
  credentials: [{ client_id: "ops", tier: "organisation", naan: "99999", organisation: "org-a", api_keys: 2 }],
};

beforeAll(() => writeFileSync(file("service.json"), JSON.stringify(SERVICE)));
afterAll(() => folder.remove());

describe("what is typed wrong", () => {
  test.each([
    [["aply", "x"], 'Unknown command "aply": did you mean "arkstone apply"?'],
    [["naan", "lst"], 'Unknown command "naan lst": did you mean "arkstone naan list"?'],
    [["credential", "key", "ad"], 'Unknown command "credential key ad": did you mean "arkstone credential key add"?'],
    [["apply", "--dryrun", "x"], "Unknown option --dryrun: did you mean --dry-run?"],
    [["apply"], "FILE is missing"],
    [["apply", "a", "b"], 'Do not know what to do with "b"'],
    [["apply", "a", "--keys"], "--keys needs a value: --keys OUT.json"],
    [["apply", "a", "--dry-run=yes"], "--dry-run takes no value"],
    [["import", "names.xls"], "Cannot tell the format of names.xls"],
    [["hold", "add", "--naan", "99999", "--until", "2030-01-01"], "--reason is missing"],
  ])("%p is refused with one line and exit code 2", async (args, message) => {
    const result = await ark(...args);
    expect([result.code, result.out]).toEqual([2, ""]);
    expect(result.err).toContain(`arkstone: ${message}`);
    expect(result.err.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
  });

  test("every command explains itself, with its options and an example", async () => {
    const overview = await ark("--help");
    const commands = [...overview.out.matchAll(/^ {2}(\S+(?: \S+)*) {2,}/gm)].map((match) => match[1] ?? "");
    expect(commands.length).toBeGreaterThan(35);
    for (const name of commands) {
      const result = await ark(...name.split(" "), "--help");
      expect([name, result.code, result.err]).toEqual([name, 0, ""]);
      expect(result.out).toContain(`Usage: arkstone ${name}`);
      expect(result.out).toMatch(/\nExamples?:\n {2}.*arkstone /);
    }
  });

  test("a setting that cannot be used is named with its value, not a stack", async () => {
    const result = await arkstone({ ...env, SVC_DB_POOL: "many" }, ["stats"]);
    expect(result.code).toBe(1);
    expect(result.err).toContain('SVC_DB_POOL="many" is not allowed');
    expect((await arkstone({ SVC_TOKEN_SECRET: "very-secret" }, ["settings"])).out).not.toContain("very-secret");
  });

  test("a database that does not answer is reported in words, without its password", async () => {
    const url = "postgres://someone:hidden@127.0.0.1:1/nothing";
    const result = await arkstone({ SVC_DATABASE_URL: url }, ["stats"]);
    expect(result.code).toBe(1);
    expect(result.err).toContain("Cannot open the database postgres://someone:********@127.0.0.1:1/nothing");
    expect(result.err).not.toContain("hidden");
  });
});

describe("apply", () => {
  test("a dry run shows the plan and changes nothing", async () => {
    const result = await ark("apply", file("service.json"), "--dry-run");
    expect(result.code).toBe(0);
    expect(result.out).toContain("+ shoulder 99999/b1");
    expect(result.out).toContain("+ 2 API keys for ops");
    expect((await ark("naan", "list")).out).toBe("");
    const taken = await ark("apply", file("service.json"), "--dry-run", "--keys", file("service.json"));
    expect([taken.code, taken.err]).toEqual([1, expect.stringContaining("exists already")]);
  });

  test("A23 new secrets go to the keys file alone, readable by its owner alone, which is never written over", async () => {
    writeFileSync(file("taken.json"), "mine");
    const refused = await ark("apply", file("service.json"), "--keys", file("taken.json"));
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("exists already and is never written over"),
    ]);
    expect(readFileSync(file("taken.json"), "utf8")).toBe("mine");
    expect((await ark("naan", "list")).out).toBe("");

    const result = await ark("apply", file("service.json"), "--keys", file("keys.json"));
    expect(result.code).toBe(0);
    expect(result.out + result.err).not.toContain("svc_");
    const keys = JSON.parse(readFileSync(file("keys.json"), "utf8"));
    expect(Object.keys(keys)).toEqual(["ops"]);
    expect(keys.ops.client_secrets).toEqual([]);
    expect(keys.ops.api_keys).toEqual([expect.stringMatching(/^svc_\w+_[\w-]{43}$/), expect.stringMatching(/^svc_/)]);
    if (process.platform !== "win32") expect(statSync(file("keys.json")).mode & 0o777).toBe(0o600);
  });

  test("applied again it changes nothing and makes no secrets", async () => {
    const before = readFileSync(file("keys.json"), "utf8");
    const again = await ark("apply", file("service.json"), "--keys", file("keys.json"));
    expect([again.code, again.out]).toEqual([0, "Nothing to change: everything is as described.\n"]);
    expect(readFileSync(file("keys.json"), "utf8")).toBe(before);
    expect((await json("apply", file("service.json"))).steps).toEqual([]);
    // A dry run that would make no secret has nothing to keep in the file.
    expect((await ark("apply", file("service.json"), "--dry-run", "--keys", file("keys.json"))).code).toBe(0);
  });

  test("a file that breaks rules is refused with every problem, and no keys file is left behind", async () => {
    writeFileSync(
      file("bad.json"),
      JSON.stringify({
        naans: [{ naan: "99999", polcy: "x" }],
        organisations: [{ naan: "99999", name: "org-a", default_shoulder: "z9" }],
        credentials: [{ client_id: "new", tier: "system", scopes: ["ark:everything"], api_keys: 1 }],
      }),
    );
    const result = await ark("apply", file("bad.json"), "--keys", file("never.json"));
    expect(result.code).toBe(1);
    expect(result.err).toContain("nothing was changed: 3 problems");
    expect(result.err).toContain('naans[0].polcy: is not known here; did you mean "policy"?');
    expect(result.err).toContain("organisations[0].default_shoulder");
    expect(result.err).toContain("credentials[0].scopes");
    expect(existsSync(file("never.json"))).toBe(false);
    expect((await arkstone(env, ["apply", "-"], "{broken")).err).toContain("- is not JSON");
  });
});

describe("one thing at a time", () => {
  test("add makes what is new, set changes what is there, and both obey the rules of the file", async () => {
    expect((await ark("shoulder", "add", "99999/k4", "--organisation", "org-a")).code).toBe(0);
    expect((await ark("shoulder", "add", "k4", "--organisation", "org-a")).err).toContain("exists already");
    expect((await ark("shoulder", "set", "99999/m5")).err).toContain("There is no shoulder 99999/m5");
    expect((await ark("shoulder", "retire", "k4")).out).toContain("status: active -> retired");
    expect((await ark("shoulder", "set", "k4", "--status", "active")).err).toContain("retired is final");
    expect((await ark("org", "add", "99999", "org-b", "--quota-per-day", "none")).code).toBe(0);
    expect((await ark("org", "disable", "99999", "org-b")).out).toContain("active: yes -> no");
    expect((await json("org", "list")).map((row: { active: boolean }) => row.active)).toEqual([true, false]);
  });

  test("A23 keys of a credential are made, listed without their text, and revoked", async () => {
    const made = await json("credential", "key", "add", "ops", "--kind", "client-secret");
    expect(made.secret.startsWith(`svc_${made.id}_`)).toBe(true);
    expect((await ark("credential", "key", "list", "ops")).out).not.toContain("svc_");
    expect((await ark("credential", "key", "revoke", "ops", made.id)).code).toBe(0);
    expect((await ark("credential", "key", "revoke", "ops", made.id)).err).toContain("has no active key");
    expect((await json("credential", "key", "list", "ops")).length).toBe(2);
  });

  test("A42 a shoulder is held, listed as held, and released", async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString();
    expect((await ark("hold", "add", "--shoulder", "b1", "--until", until, "--reason", "Audit")).code).toBe(0);
    expect(await json("hold", "list")).toEqual([{ scope: "shoulder", target: "99999/b1", until, reason: "Audit" }]);
    expect((await ark("hold", "release", "--shoulder", "99999/b1")).out).toBe("99999/b1 is not held.\n");
    expect(await json("hold", "list")).toEqual([]);
  });
});

describe("names", () => {
  test("A8 a name is minted, changed, withdrawn, published and purged, and its history shows every step", async () => {
    const name = (await ark("ark", "mint", "--shoulder", "b1", "--url", "https://example.org/${name}")).out.trim();
    expect((await json("ark", "show", name)).url).toBe(`https://example.org/${name.split("/")[1]}`);
    expect((await json("ark", "update", name, "--title", "New")).title).toBe("New");
    const missing = await ark("ark", "unpublish", name);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("SVC-1017")]);
    expect((await ark("ark", "unpublish", name, "--reason", "Embargo", "--confirm", name)).code).toBe(0);
    expect((await json("ark", "publish", name))[0].state).toBe("published");
    expect((await ark("ark", "purge", name, "--reason", "Mistake", "--confirm", name)).code).toBe(0);
    const { data } = await json("ark", "history", name);
    expect(data.map((entry: { action: string }) => entry.action)).toEqual([
      "mint",
      "update",
      "unpublish",
      "publish",
      "unpublish",
      "purge",
    ]);
    expect(data[0].by).toBe("(operator)");
    expect((await json("ark", "show", name)).state).toBe("purged");
  });

  test("A20 a target nobody may be sent to is refused on the command line too", async () => {
    const result = await ark("ark", "mint", "--shoulder", "b1", "--url", "javascript:alert(1)");
    expect([result.code, result.err]).toEqual([1, expect.stringContaining("must not use the scheme javascript")]);
  });

  test("A15 a dry run of retarget shows the first pairs and changes nothing; half a word is not a prefix", async () => {
    const moving = { SVC_DATA_DIR: file("moving") };
    await arkstone(moving, ["apply", file("service.json")]);
    const targets = Array.from({ length: 12 }, (_, index) => `https://old.example/coll/${index}`);
    for (const url of [...targets, "https://old.example/collection/1", "https://old.example.org/coll/1"]) {
      await arkstone(moving, ["ark", "mint", "--shoulder", "b1", "--url", url]);
    }
    const move = (from: string, to: string, ...more: string[]) =>
      arkstone(moving, ["ark", "retarget", "--shoulder", "b1", "--from", from, "--to", to, ...more]);
    const dry = await move("https://old.example/coll", "https://new.example/c", "--dry-run");
    expect([dry.code, dry.err]).toEqual([0, expect.any(String)]);
    expect(dry.out).toMatch(/^12 targets to move of 14 names checked\n/);
    expect(
      dry.out.match(
        /^ark:99999\/b1\S+\n {2}https:\/\/old\.example\/coll\/(\d+)\n {2}-> https:\/\/new\.example\/c\/\1$/gm,
      ),
    ).toHaveLength(10);
    expect(dry.out).toMatch(/… and 2 more targets\n$/);
    const result = JSON.parse((await move("https://old.example/", "https://new.example/", "--dry-run", "--json")).out);
    expect(result).toMatchObject({ dry_run: true, moved: 13, skipped: 0 });
    expect(result.pairs).toHaveLength(10);
    expect(result.pairs[0]).toEqual({
      ark: expect.stringMatching(/^ark:99999\/b1/),
      before: expect.stringContaining("old"),
      after: expect.stringContaining("new"),
    });
    expect((await move("https://old.ex", "https://new.example", "--dry-run")).out).toContain("0 targets to move");
    expect((await move("https://old.example/", "https://new.example")).err).toContain("must both end");
    expect((await move("https://old.example/", "https://new.example/${ark}/")).err).toContain(
      "--to must not hold placeholders",
    );
    expect((await move("https://old.example/coll", "https://new.example/c")).out).toContain("12 targets moved of 14");
    const urls = JSON.parse((await arkstone(moving, ["ark", "list", "--json"])).out).data.map(
      ({ url }: { url: string }) => url,
    );
    expect(urls.filter((url: string) => url.startsWith("https://new.example/c/"))).toHaveLength(12);
    expect(urls).toContain("https://old.example/collection/1");
  });

  test("A15 what is exported as CSV is imported into an empty service and exported the same", async () => {
    for (const title of ["plain", 'with "quotes", commas', "two\nlines"]) {
      await ark("ark", "mint", "--shoulder", "b1", "--title", title, "--url", "https://example.org/");
    }
    await ark("ark", "mint", "--shoulder", "b1", "--reserve");
    const exported = (await ark("export", "--format", "csv")).out;
    writeFileSync(file("export.csv"), exported);
    const other = { SVC_DATA_DIR: file("other") };
    await arkstone(other, ["apply", file("service.json")]);
    const result = await arkstone(other, ["import", file("export.csv"), "--json"]);
    expect([result.code, JSON.parse(result.out).created]).toEqual([0, 4]);
    const withoutDates = (csv: string) => csv.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
    expect(withoutDates((await arkstone(other, ["export", "--format", "csv"])).out)).toBe(withoutDates(exported));
    const again = await arkstone(other, ["import", "-", "--format", "csv", "--json"], exported);
    expect([again.code, JSON.parse(again.out).already_there]).toEqual([0, 4]);
    // The whole names are others: they were made at another time, and minted.
    const whole = await arkstone(other, ["import", "-", "--format", "ndjson", "--json"], (await ark("export")).out);
    expect([whole.code, JSON.parse(whole.out).differing]).toEqual([1, 4]);
  });

  test("A15 S2 a table guards what a spreadsheet would run, and is read back as it was; SVC_CSV_GUARD=0 leaves it as stored", async () => {
    const [one, other] = [{ SVC_DATA_DIR: file("guarded") }, { SVC_DATA_DIR: file("unguarded") }];
    const titles = ["=1+1", "+cmd", "-2", "@SUM(A1)", "'=already", "''-twice", "plain '=inside", "'quoted'"];
    for (const each of [one, other]) await arkstone(each, ["apply", file("service.json")]);
    for (const title of titles) await arkstone(one, ["ark", "mint", "--shoulder", "b1", `--title=${title}`]);
    const table = (await arkstone(one, ["export", "--format", "csv"])).out;
    for (const title of titles.slice(0, 6)) expect(table).toContain(`,'${title},`);
    expect(table).not.toMatch(/(?:^|,|\n)"?[=+\-@]/);
    expect((await arkstone(other, ["import", "-", "--format", "csv"], table)).code).toBe(0);
    const titlesOf = async (each: { readonly SVC_DATA_DIR: string }) => {
      const listed = JSON.parse((await arkstone(each, ["ark", "list", "--json"])).out);
      return listed.data.map((record: { readonly title: string }) => record.title).sort();
    };
    expect(await titlesOf(other)).toEqual(titles.toSorted());
    const plain = (await arkstone({ ...one, SVC_CSV_GUARD: "0" }, ["export", "--format", "csv"])).out;
    expect(plain).toContain(",=1+1,");
    const third = { SVC_DATA_DIR: file("third"), SVC_CSV_GUARD: "0" };
    await arkstone(third, ["apply", file("service.json")]);
    await arkstone(third, ["import", "-", "--format", "csv"], plain);
    expect(await titlesOf(third)).toEqual(titles.toSorted());
    // A table of somebody else means its apostrophes.
    const foreign = `ark,title\n${JSON.parse((await arkstone(one, ["ark", "list", "--json"])).out).data[0].ark},'=mine\n`;
    const fourth = { SVC_DATA_DIR: file("fourth") };
    await arkstone(fourth, ["apply", file("service.json")]);
    await arkstone(fourth, ["import", "-", "--format", "csv"], foreign);
    expect(await titlesOf(fourth)).toEqual(["'=mine"]);
  });

  test("A51 an export takes the states and shoulders asked for; all names, and only then receipts, without", async () => {
    const parts = { SVC_DATA_DIR: file("parts") };
    await arkstone(parts, ["apply", file("service.json")]);
    const mint = async (...more: string[]) =>
      (
        await arkstone(parts, ["ark", "mint", "--shoulder", "b1", "--request-id", more.join("-") || "plain", ...more])
      ).out.trim();
    const [open, gone] = [await mint(), await mint("--title", "Gone")];
    await arkstone(parts, ["ark", "purge", gone, "--reason", "A mistake", "--confirm", gone]);
    const exported = async (...options: string[]) => {
      const { out } = await arkstone(parts, ["export", ...options]);
      return out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    };
    expect((await exported("--state", "purged")).map(({ ark: name }) => name)).toEqual([gone]);
    expect((await exported("--state", "published")).map(({ ark: name }) => name)).toEqual([open]);
    expect((await exported("--shoulder", "b1")).map(({ ark: name }) => name).sort()).toEqual([open, gone].sort());
    const whole = await exported();
    expect(whole.map((row) => row.ark ?? row.receipt.ark).sort()).toEqual([open, gone].sort());
    expect(whole.find((row) => row.ark === gone)).toMatchObject({
      state: "purged",
      withdrawn_reason: "A mistake",
      published_at: null,
      first_published_at: expect.any(String),
      title: "",
      organisation: null,
      history: [{ action: "mint" }, { action: "unpublish" }, { action: "purge", reason: "A mistake" }],
    });
  });

  test("A51 a row of a client's export in a state that cannot be recreated is refused with the way that keeps it", async () => {
    const row = JSON.stringify({ ark: "ark:99999/b1short", state: "tombstoned", published_at: null });
    const result = await arkstone(env, ["import", "-", "--format", "ndjson"], row);
    expect([result.code, result.err]).toEqual([
      1,
      expect.stringContaining('what "arkstone export" writes as NDJSON brings every state'),
    ]);
  });

  test("bad lines are reported with their numbers; a report keeps them all; a mistyped column stops everything", async () => {
    const text = 'ark,title\nark:99999/b1wrong,"two\nlines"\nnothing,x\nark:99999/b1short\n';
    writeFileSync(file("bad.csv"), text);
    const stopped = await ark("import", file("bad.csv"));
    expect(stopped.code).toBe(1);
    expect(stopped.err).toContain("Line 2: ark:99999/b1wrong: The check character is wrong (SVC-1012)");
    expect(stopped.err).toContain("Line 4: nothing: Not an ARK (SVC-1001)");
    expect(stopped.err).toContain("Line 5: has 1 field, the header has 2");
    expect(stopped.err).toContain("Nothing was imported");
    expect(stopped.err).toContain("SVC-1012, 1 row: names made without check characters need: arkstone shoulder set");
    const outside = await arkstone(env, ["import", "-", "--format", "csv"], "ark\nark:99999/k9x\nark:99999/k9y\n");
    expect(outside.err).toContain("SVC-1013, 2 rows: register the shoulder first: arkstone shoulder add");
    const semicolons = await arkstone(env, ["import", "-", "--format", "csv"], "ark;title\nark:99999/b1x;A\n");
    expect(semicolons.err).toContain('Nothing was imported; is it --delimiter ";"?');
    const skipped = await ark("import", file("bad.csv"), "--skip-bad", "--report", file("report.csv"));
    expect(skipped.code).toBe(0);
    expect(readFileSync(file("report.csv"), "utf8").split("\r\n")[1]).toBe(
      "2,bad,SVC-1012,ark:99999/b1wrong,The check character is wrong",
    );
    const mistyped = await arkstone(env, ["import", "-", "--format", "csv"], "ark,reserv\nx,y\n");
    expect([mistyped.code, mistyped.err]).toEqual([1, expect.stringContaining("did you mean reserve?")]);
  });

  test("an unknown SVC_ variable is reported before the command works on another database than was meant", async () => {
    const result = await arkstone({ ...env, SVC_DATABSE_URL: "postgres://db.example.org/arkstone" }, [
      "stats",
      "--json",
    ]);
    expect(result.code).toBe(0);
    expect(result.err).toBe("Warning: Unknown setting SVC_DATABSE_URL: did you mean SVC_DATABASE_URL?\n");
  });

  test("stats, settings and migrate answer in JSON", async () => {
    expect((await json("stats")).arks.reserved).toBe(1);
    expect((await json("migrate", "--status")).pending).toEqual([]);
    expect((await json("settings", "--given")).map((line: { name: string }) => line.name)).toEqual(["SVC_DATA_DIR"]);
  });
});
