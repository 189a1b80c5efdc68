// What people copy out of the guides: settings as a file for systemd takes them, and the front's configuration for one
// machine (docs/install.md, docs/front.md).
import { describe, expect, test } from "bun:test";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MIGRATIONS } from "../../db/engine/migrate.ts";
import { INFLECTIONS } from "../../src/ark/request-path.ts";
import { readConfig } from "../../src/config.ts";
import { run } from "../support/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const guides = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));

/** Lines of a guide that give a setting a value, as systemd reads them: everything behind the `=` is the value. */
function settingsIn(guide: string): readonly (readonly [string, string])[] {
  return [...guide.matchAll(/^(SVC_\w+)=(.*)$/gm)].flatMap(([, name = "", value = ""]) =>
    // In front of a command the shell takes them.
    / arkstone /.test(value) ? [] : [[name, value] as const],
  );
}

describe("settings in the guides", () => {
  test("R5 each value is taken as it is: none has a comment after it", () => {
    const all = guides.flatMap((name) => settingsIn(read(join("docs", name))));
    expect(all.length).toBeGreaterThan(8);
    // These two are read together.
    const tls = all.filter(([name]) => name.startsWith("SVC_TLS_"));
    const apart = all.filter(([name]) => !name.startsWith("SVC_TLS_")).map((each) => [each]);
    for (const settings of [tls, ...apart]) expect(() => readConfig(Object.fromEntries(settings))).not.toThrow();
  });

  test("R5 those of the repository in the guide of the installation name the credential and nothing else", () => {
    const config = readConfig(Object.fromEntries(settingsIn(read("docs/install.md"))));
    expect(config.itemArkCredential).toBe("repository");
  });
});

/** The paths of `src/{a,b}.ts`. */
function spelledOut(path: string): readonly string[] {
  const [, before = "", choices, after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return choices === undefined ? [path] : choices.split(",").flatMap((one) => spelledOut(before + one + after));
}

describe("the guides as a whole", () => {
  test("the sample of settings is read by the shell as by systemd, values with blanks included", async () => {
    const [, sample = ""] = /```sh\n(SVC_BASE_URL=https:\/\/repository[\s\S]*?)```/.exec(read("docs/install.md")) ?? [];
    const folder = mkdtempSync(join(tmpdir(), "arkstone-guide-"));
    const file = join(folder, "arkstone-repository.env");
    writeFileSync(file, sample);
    const shown = 'printf "%s|%s" "$SVC_REPOSITORY_NAME" "$SVC_ITEM_ARK_CREDENTIAL"';
    const { code, output } = await run(["sh", "-c", `set -a; . "${file}"; set +a; ${shown}`], { cwd: folder });
    expect([code, output]).toEqual([0, "Example University Repository|repository"]);
    rmSync(folder, { recursive: true });
  });

  test("the guide to upgrades has a row for each schema, in order", () => {
    const rows = [...read("docs/upgrading.md").matchAll(/^\| (\d+) `([\w-]+)` \| .{10}/gm)];
    expect(rows.map(([, version, name]) => `${version} ${name}`)).toEqual(
      MIGRATIONS.map(({ version, name }) => `${version} ${name}`),
    );
  });

  test("the changelog names the last migration", () => {
    const [, last] = /Migrations \d+ to (\d+) run by themselves/.exec(read("CHANGELOG.md")) ?? [];
    expect(Number(last)).toBe(MIGRATIONS.at(-1)?.version ?? 0);
  });

  test("every file of a migration is in the list of migrations, in order", () => {
    const files = readdirSync(join(ROOT, "db", "migrations")).filter((name) => name !== "migration.ts");
    expect(files.sort()).toEqual(
      MIGRATIONS.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}.ts`),
    );
  });

  test.each(["CONTRIBUTING.md", "docs/architecture.md"])("every file and folder that %s names is there", (guide) => {
    const named = [...read(guide).matchAll(/`((?:src|plugins|db|test|bench|docs|client)\/[^`\s]*)`/g)];
    const paths = named.map(([, path = ""]) => path).filter((path) => !/NAME|NNNN|TAG|[<*]/.test(path));
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.flatMap(spelledOut).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(spelledOut("src/{a,b/c}.ts")).toEqual(["src/a.ts", "src/b/c.ts"]);
  });

  test("every name that a guide for newcomers places in a file is there", () => {
    const guides = `${read("CONTRIBUTING.md")}\n${read("docs/architecture.md")}`;
    const placed = /((?:`\w+`(?:, | and | or ))*`\w+`) (?:in|of) `((?:src|plugins|db|test)\/[\w./-]+\.ts)`/g;
    const names = [...guides.matchAll(placed)].flatMap(([, some = "", path = ""]) =>
      [...some.matchAll(/`(\w+)`/g)].map(([, name = ""]) => [name, path] as const),
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter(([name, path]) => !new RegExp(`\\b${name}\\b`).test(read(path)))).toEqual([]);
  });

  test("docs/README.md names every guide, and no guide that is not there", () => {
    const named = [...read("docs/README.md").matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = ""]) => name);
    expect([...new Set(named)].sort()).toEqual(guides.filter((name) => name !== "README.md").sort());
  });

  test("docs/operations.md has a row for each event of the log", () => {
    const rows = [...read("docs/operations.md").matchAll(/^\| (`[^|]+`) \| (?:info|warn|error)/gm)].map(
      ([, row]) => row,
    );
    const known = new Set(rows.flatMap((row = "") => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name)));
    const sources = globSync(["src/**/*.ts", "plugins/**/*.ts", "db/**/*.ts"], { cwd: ROOT });
    const events = sources.flatMap((path) => [...read(path).matchAll(/\b#?log\.(?:info|warn|error)\(\s*"([\w.]+)"/g)]);
    const names = new Set(events.map(([, name]) => name));
    expect(names.size).toBeGreaterThan(60);
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
  });

  test("A33 the guide to resolving has a row for each inflection, in order", () => {
    const rows = [...read("docs/resolving.md").matchAll(/^\| `\?([^`]*)` \| .{10}/gm)];
    expect(rows.map(([, query]) => query)).toEqual(INFLECTIONS.map(([query]) => query));
  });

  test("every link to a file of the project leads to one, from the README and all guides", () => {
    const pages = [
      "README.md",
      "CONTRIBUTING.md",
      "CHANGELOG.md",
      "SECURITY.md",
      ...guides.map((name) => `docs/${name}`),
    ];
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = ""]) => [page, target] as const),
    );
    expect(links.length).toBeGreaterThan(150);
    const lost = links.filter(([page, target]) => !existsSync(join(ROOT, dirname(page), target)));
    expect(lost).toEqual([]);
  });

  test("the README is short, and its picture is small", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(121);
    const pictures = [...read("README.md").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
    const guide = ["guide-front", "guide-table"].map((name) => `docs/pictures/${name}.png`);
    expect(pictures).toEqual(["docs/pictures/item-page.png", ...guide]);
    for (const path of pictures) expect(statSync(join(ROOT, path)).size).toBeLessThanOrEqual(150_000);
  });
});

describe("the front of one machine", () => {
  test("the command of the guide leaves no name of another machine in the configuration", async () => {
    const [command = ""] = /^sed -e [^>]*(?=> \/tmp\/front\.conf)/m.exec(read("docs/front.md")) ?? [];
    const { code, output } = await run(["sh", "-c", command], { cwd: ROOT });
    expect(code).toBe(0);
    const servers = [...output.matchAll(/^\s*server (\S+:\d+)/gm)].map(([, server]) => server);
    expect(servers).toEqual(["127.0.0.1:8000", "127.0.0.1:8001", "127.0.0.1:8002"]);
  });
});
