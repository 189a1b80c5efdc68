// The software bill of materials of the binary, as CycloneDX 1.6 JSON: every package that the bundler takes in, with
// version, licence, hash and the packages it needs, from bun.lock and the packages' manifests. Run by the release
// (src/main/release/release.ts), not part of the service.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledFolders } from "./licences.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

type Manifest = { readonly name: string; readonly version: string; readonly license?: unknown };
type Needs = Readonly<Record<string, string>>;
/** `[name@version, registry, what it needs, hash]`. */
type Neighbours = {
  readonly dependencies?: Needs;
  readonly optionalDependencies?: Needs;
  readonly peerDependencies?: Needs;
};
type LockEntry = readonly [string, string, Neighbours, string];
export type Lock = { readonly packages: Readonly<Record<string, LockEntry>> };
type Licence = { readonly license: { readonly id?: string; readonly name?: string } } | { readonly expression: string };
type Component = {
  readonly type: "application" | "data" | "library" | "platform";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version?: string;
  readonly licenses: readonly Licence[];
  readonly purl?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
};
export type Sbom = {
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly version: 1;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

/** bun.lock is JSON with a comma after the last member. */
export function readLock(text: string): Lock {
  return JSON.parse(text.replace(/,(\s*[}\]])/g, "$1"));
}

/** The key in bun.lock of an installed folder: `a/b` for `node_modules/a/node_modules/b`. */
export const lockKey = (folder: string): string =>
  folder.replace(/^node_modules\//, "").replaceAll("/node_modules/", "/");

/** The package that `name` means where it is needed by `key`: the innermost that is installed; null where none is. */
export function lockedFor(lock: Lock, key: string, name: string): string | null {
  const parts = key.split("/");
  for (let length = parts.length; length >= 0; length--) {
    const candidate = [...parts.slice(0, length), name].join("/");
    if (Object.hasOwn(lock.packages, candidate)) return candidate;
  }
  return null;
}

/** An SPDX identifier, an SPDX expression of several, or the words of the package where it states neither. */
export function licenceOf(stated: unknown): Licence {
  if (typeof stated !== "string") return { license: { name: "Not stated" } };
  if (/ (?:OR|AND|WITH) /.test(stated)) return { expression: stated };
  return /^[A-Za-z0-9.+-]+$/.test(stated) ? { license: { id: stated } } : { license: { name: stated } };
}

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function componentOf(folder: string, lock: Lock): Component {
  const { name, version, license } = readJson<Manifest>(join(folder, "package.json"));
  const hash = lock.packages[lockKey(folder)]?.[3] ?? "";
  const content = Buffer.from(hash.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purlOf(name, version),
    name,
    version,
    licenses: [licenceOf(license)],
    purl: purlOf(name, version),
    ...(hash.startsWith("sha512-") ? { hashes: [{ alg: "SHA-512", content }] } : {}),
  };
}

/** What is in the binary and is not a package. */
function otherComponents(bun: string): readonly Component[] {
  const runtime = `pkg:github/oven-sh/bun@bun-v${bun}`;
  return [
    {
      type: "platform",
      "bom-ref": runtime,
      name: "Bun",
      version: bun,
      purl: runtime,
      licenses: [{ license: { id: "MIT" } }],
    },
    { type: "data", "bom-ref": "adobe-cmaps", name: "Adobe CMaps", licenses: [{ license: { id: "BSD-3-Clause" } }] },
  ];
}

/**
 * The bill of the binary that is built from this folder; `timestamp` is that of the commit, so that the same commit has
 * the same bill.
 */
export function sbomOf({ timestamp, bun }: { readonly timestamp: string; readonly bun: string }): Sbom {
  const project = readJson<Manifest & { readonly dependencies: Needs }>("package.json");
  const lock = readLock(readFileSync(join(ROOT, "bun.lock"), "utf8"));
  const folders = bundledFolders();
  const refs = new Map(folders.map((folder) => [lockKey(folder), componentOf(folder, lock)["bom-ref"]]));
  const needed = (key: string, needs: Needs): string[] => {
    const found = Object.keys(needs).flatMap((name) => refs.get(lockedFor(lock, key, name) ?? "") ?? []);
    return [...new Set(found)].sort();
  };
  const component: Component = {
    type: "application",
    "bom-ref": "arkstone",
    name: project.name,
    version: project.version,
    licenses: [licenceOf(project.license)],
  };
  const others = otherComponents(bun);
  const byRef = new Map(folders.map((folder) => componentOf(folder, lock)).map((each) => [each["bom-ref"], each]));
  const dependencies = new Map<string, readonly string[]>();
  for (const [key, ref] of refs) {
    const near = lock.packages[key]?.[2] ?? {};
    const all = { ...near.dependencies, ...near.optionalDependencies, ...near.peerDependencies };
    dependencies.set(ref, [...new Set([...(dependencies.get(ref) ?? []), ...needed(key, all)])]);
  }
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { timestamp, component },
    components: [...others, ...byRef.values()],
    dependencies: [
      { ref: "arkstone", dependsOn: [...others.map((each) => each["bom-ref"]), ...needed("", project.dependencies)] },
      ...[...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn })),
    ],
  };
}
