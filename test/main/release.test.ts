// What a release is made of (docs/releasing.md): the checks before it, the checksums, and the bill of materials as
// CycloneDX 1.6 (R32). The binaries themselves are tried by test/binary.
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileFor, TARGETS } from "../../src/main/release/build.ts";
import { bundledFolders } from "../../src/main/release/licences.ts";
import { checksums, RELEASE_TARGETS, releaseProblems } from "../../src/main/release/release.ts";
import { licenceOf, lockedFor, lockKey, readLock, type Sbom, sbomOf } from "../../src/main/release/sbom.ts";
import { PROGRAM_VERSION } from "../../src/main/version.ts";
import { canBuild } from "../support/binary.ts";
import { temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const READY = { version: "1.2.0", changelog: "## 1.2.0, 2027-01-31\n", changes: "", tagged: null, head: "abc" };

describe("releaseProblems()", () => {
  test("finds nothing where the source is committed, the changelog has the version, and the tag is new or here", () => {
    expect(releaseProblems(READY)).toEqual([]);
    expect(releaseProblems({ ...READY, tagged: "abc" })).toEqual([]);
  });

  test.each([
    [{ changes: " M src/config.ts" }, "Files differ from the last commit: commit or remove them"],
    [{ changelog: "## Unreleased\n" }, 'CHANGELOG.md has no line "## 1.2.0, YYYY-MM-DD"'],
    [
      { changelog: "## 1.2.0-rc.1, 2027-01-31\n## 1x2.0, 2027-01-31\n" },
      'CHANGELOG.md has no line "## 1.2.0, YYYY-MM-DD"',
    ],
    [{ tagged: "def" }, "The tag v1.2.0 is on another commit: raise the version"],
  ])("%p is a problem", (change, problem) => {
    expect(releaseProblems({ ...READY, ...change })).toEqual([problem]);
  });
});

test("checksums() are those that sha256sum reads, of every file but their own", async () => {
  const folder = temporaryFolder("release");
  for (const name of ["b.exe", "a", "SHA256SUMS"]) writeFileSync(join(folder.path, name), `content of ${name}`);
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const sums = checksums(folder.path);
  expect(sums).toBe(`${hash("content of a")}  a\n${hash("content of b.exe")}  b.exe\n`);
  writeFileSync(join(folder.path, "SHA256SUMS"), sums);
  const { code, output } = await run(
    ["sh", "-c", "command -v sha256sum > /dev/null || exit 0; sha256sum -c SHA256SUMS"],
    {
      cwd: folder.path,
    },
  );
  expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
  folder.remove();
});

test("a release has binaries for Linux on two processors, macOS and Windows, each under its own name", () => {
  expect(RELEASE_TARGETS.map((target) => fileFor("arkstone-1.2.0", target))).toEqual([
    "arkstone-1.2.0-linux-x64",
    "arkstone-1.2.0-linux-arm64",
    "arkstone-1.2.0-darwin-arm64",
    "arkstone-1.2.0-windows-x64.exe",
  ]);
  for (const target of RELEASE_TARGETS) expect(TARGETS).toContain(target);
});

test.skipIf(!canBuild)("`bun run release` names an unknown target and does nothing", async () => {
  const { code, output } = await run([process.execPath, "src/main/release/release.ts", "--target", "amiga"], {
    cwd: ROOT,
  });
  expect([code, output.split("\n")[0]]).toEqual([2, 'Unknown target "amiga"']);
});

describe("bun.lock", () => {
  const lock = readLock(
    '{ "packages": { "a": ["a@1", "", {}, ""], "b": ["b@1", "", {}, ""], "@s/a/b": ["b@2", "", {}, ""], }, }',
  );

  test("lockedFor() takes the innermost package of a name", () => {
    expect([lockedFor(lock, "@s/a", "b"), lockedFor(lock, "a", "b"), lockedFor(lock, "", "a")]).toEqual([
      "@s/a/b",
      "b",
      "a",
    ]);
    expect(lockedFor(lock, "a", "missing")).toBeNull();
  });

  test("lockKey() is the way to a folder without node_modules", () => {
    expect(lockKey("node_modules/@s/a/node_modules/b")).toBe("@s/a/b");
  });

  test("licenceOf() tells identifiers, expressions and words apart", () => {
    expect([licenceOf("Apache-2.0"), licenceOf("(MIT OR GPL-3.0-or-later)")]).toEqual([
      { license: { id: "Apache-2.0" } },
      { expression: "(MIT OR GPL-3.0-or-later)" },
    ]);
    expect([licenceOf("See the file"), licenceOf({ type: "MIT" })]).toEqual([
      { license: { name: "See the file" } },
      { license: { name: "Not stated" } },
    ]);
  });
});

describe.skipIf(!canBuild)("the bill of materials", () => {
  let bill: Sbom;
  beforeAll(() => {
    bill = sbomOf({ timestamp: "2027-01-31T10:00:00.000Z", bun: "1.4.4" });
  }, 60_000);

  test("is CycloneDX 1.6 of this program and version", () => {
    expect([bill.bomFormat, bill.specVersion, bill.metadata]).toMatchObject([
      "CycloneDX",
      "1.6",
      { timestamp: "2027-01-31T10:00:00.000Z", component: { name: "arkstone", version: PROGRAM_VERSION } },
    ]);
  });

  test("has every package of the binary with licence and hash, and the runtime", () => {
    const names = new Set(bundledFolders().map((folder) => folder.slice(folder.lastIndexOf("node_modules/") + 13)));
    const libraries = bill.components.filter(({ type }) => type === "library");
    expect(new Set(libraries.map(({ name }) => name))).toEqual(names);
    const bare = libraries.filter(
      ({ licenses, hashes }) => licenses.length !== 1 || hashes?.[0]?.content.length !== 128,
    );
    expect(bare).toEqual([]);
    expect(bill.components[0]).toMatchObject({ type: "platform", name: "Bun", version: "1.4.4" });
    const jose = libraries.find(({ name }) => name === "jose");
    expect(jose?.purl).toBe(`pkg:npm/jose@${jose?.version}`);
  });

  test("every reference leads to one component, and every component is reached from the program", () => {
    const refs = ["arkstone", ...bill.components.map((each) => each["bom-ref"])];
    expect(refs.length).toBe(new Set(refs).size);
    const next = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set(["arkstone"]);
    for (const ref of reached) for (const to of next.get(ref) ?? []) reached.add(to);
    expect([...reached].sort()).toEqual(refs.toSorted());
  });

  test("its entries for the packages of package.json equal package.json", () => {
    const project: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, "package.json"), "utf8"),
    );
    const direct = Object.entries(project.dependencies).map(([name, version]) => `${name} ${version}`);
    const inBill = new Set(bill.components.map(({ name, version }) => `${name} ${version}`));
    expect(direct.filter((each) => !inBill.has(each))).toEqual([]);
  });
});
