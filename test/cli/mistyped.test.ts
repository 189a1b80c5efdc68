// What people type who do not know the commands, and what programs read: suggestions, errors as JSON, completion,
// messages in words.
import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("mistyped");
afterAll(() => folder.remove());
const env = { SVC_DATA_DIR: join(folder.path, "data") };
const ark = (...args: string[]) => arkstone(env, args);

describe("commands by other words", () => {
  test.each([
    ["mint", ["ark mint"]],
    ["list", ["ark list", "item list", "user list", "token list"]],
    ["delete", ["ark delete", "item delete"]],
    ["user create", ["user add"]],
    ["create user", ["user add"]],
    ["users", ["user list"]],
    ["items list", ["item list"]],
    ["communities", ["community list"]],
    ["item rm", ["item delete"]],
    ["credential key delete", ["credential key revoke"]],
    ["ark new", ["ark mint"]],
    ["upload", ["deposit"]],
    ["serve", ["up"]],
    ["aply", ["apply"]],
    ["credential key ad", ["credential key add"]],
  ])("%s", async (typed, meant) => {
    const result = await ark(...typed.split(" "), "--json");
    expect([result.code, result.out]).toEqual([2, ""]);
    const { code, message } = JSON.parse(result.err);
    expect(code).toBe("usage");
    expect([...message.matchAll(/"arkstone ([^"]+)"/g)].map((found: RegExpMatchArray) => found[1])).toEqual(meant);
    for (const name of meant) expect((await ark(...name.split(" "), "--help")).code).toBe(0);
  });

  test.each(["xyzzy", "item xyzzy"])("nothing is suggested for %s", async (typed) => {
    const result = await ark(...typed.split(" "));
    expect([result.code, result.err]).toEqual([
      2,
      expect.stringContaining(`arkstone: Unknown command "${typed}"\nSee `),
    ]);
  });
});

describe("errors as JSON", () => {
  test.each([
    [{}, ["xyzzy"], 2, "usage", 'See "arkstone --help"'],
    [{}, ["item", "list", "--jsn"], 2, "usage", 'See "arkstone item list --help"'],
    [{}, ["item", "list"], 1, "no_database", expect.stringContaining("SVC_DATA_DIR")],
    [{ SVC_DB_POOL: "many" }, ["stats"], 1, "setting", 'See "arkstone settings"'],
    [{}, ["apply", "no-such-file.json"], 1, "refused", ""],
    [
      { SVC_DATABASE_URL: "postgres://127.0.0.1:1/nothing" },
      ["stats"],
      1,
      "database",
      expect.stringContaining("SVC_DATABASE_URL"),
    ],
    [{ SVC_DATA_DIR: join(folder.path, "made") }, ["user", "add", "nobody"], 1, "invalid", expect.anything()],
    [{ SVC_DATA_DIR: join(folder.path, "made") }, ["ark", "show", "99999/b1"], 1, expect.anything(), expect.anything()],
  ])("%p %p", async (more, args, exit, code, hint) => {
    const result = await arkstone({ ...env, ...more }, [...args, "--json"]);
    expect([result.code, result.out]).toEqual([exit, ""]);
    const found = JSON.parse(result.err.trimEnd().split("\n").at(-1) ?? "");
    expect([typeof found.code, typeof found.message, typeof found.hint]).toEqual(["string", "string", "string"]);
    expect([found.code, found.hint]).toEqual([code, hint]);
    expect(found.message).not.toBe("");
  });
});

test("no message holds a regular expression: the form is reported in words", async () => {
  const result = await Promise.all([
    ark("user", "add", "nobody"),
    ark("user", "add", "a@example.org", "--eppn", "two words"),
    ark("community", "add", "Not A Slug"),
    ark("author-scheme", "set", "a b"),
    ark("author-scheme", "set", "mine", "--url", "ftp://example.org/"),
    ark("vocabulary", "set", "Type!", "x", "--en", "X"),
    ark("vocabulary", "set", "languages", "a/b", "--en", "X"),
  ]);
  for (const { code, err } of result) {
    expect(code).toBe(1);
    expect(err).toContain("must be ");
    expect(err).not.toMatch(/\[\^|\\[sdpSw]|\(\?|\]\+|\*\$|\]\*/);
  }
  expect(result[0]?.err).toContain(
    'must be an e-mail address such as hanako@example.org, of 3 to 254 characters, not "nobody"',
  );
  // Nobody writes the source of a pattern into a text, but for a query that is shown as it was asked.
  const found: string[] = [];
  for (const root of ["src", "plugins", "db"]) {
    for await (const path of new Bun.Glob("**/*.ts").scan(join(import.meta.dir, "../..", root))) {
      const text = await Bun.file(join(import.meta.dir, "../..", root, path)).text();
      if (/\$\{[\w.?]*\b(?:pattern|RE|regex\w*)?\.source\}/i.test(text)) found.push(`${root}/${path}`);
    }
  }
  // The first makes a longer expression of another one.
  expect(found.toSorted()).toEqual(["src/formats/view/shown-text.ts", "src/repository/search/lucene/query.ts"]);
});

describe("completion", () => {
  test("the script of bash completes commands, groups and options of the table", async () => {
    const script = join(folder.path, "arkstone.bash");
    await Bun.write(script, (await ark("completion", "bash")).out);
    const words = (...typed: string[]): readonly string[] => {
      const list = typed.map((word) => `'${word}'`).join(" ");
      const program = `source ${script}; COMP_WORDS=(${list}); COMP_CWORD=${typed.length - 1}; _arkstone 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", program], { encoding: "utf8" }).stdout.trim().split("\n");
    };
    const overview = (await ark("--help")).out;
    const names = [...overview.matchAll(/^ {2}(\S+(?: \S+)*) {2,}/gm)].map((match) => match[1] ?? "");
    const firsts = new Set(names.map((name) => name.split(" ")[0] ?? ""));
    expect(new Set(words("arkstone", ""))).toEqual(new Set([...firsts, "--help", "--version"]));
    expect(words("arkstone", "credential", "key", "")).toEqual(["add", "list", "revoke"]);
    const options = words("arkstone", "ark", "mint", "--shoulder", "b1", "--");
    expect(options).toEqual(expect.arrayContaining(["--shoulder", "--title", "--json", "--help"]));
    expect(options).not.toContain("--mail");
    expect(words("arkstone", "user", "l")).toEqual(["list", "login-link"]);
  });

  test.each(["zsh", "fish"])("the script of %s names every command and every option", async (shell) => {
    const { code, out } = await ark("completion", shell);
    expect(code).toBe(0);
    const overview = (await ark("--help")).out;
    const names = [...overview.matchAll(/^ {2}(\S+(?: \S+)*) {2,}/gm)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) expect([name, out.includes(`'${name}'`)]).toEqual([name, true]);
    expect(out).toContain(shell === "zsh" ? "'--on-behalf-of:" : "-l on-behalf-of -r");
    if (Bun.which(shell) === null) return;
    expect(spawnSync(shell, ["-n", "/dev/stdin"], { input: out, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  test("another shell is refused with those there are", async () => {
    const result = await ark("completion", "tcsh");
    expect([result.code, result.err]).toEqual([
      2,
      expect.stringContaining('SHELL must be bash, zsh or fish, not "tcsh"'),
    ]);
  });
});
