// The NAAN registry as the ARK Alliance publishes it (A45): who answers for names that are not ours.

import { isNaan } from "../ark/syntax.ts";
import { type Redirect, readRedirect } from "../ark/target.ts";
import { isObject } from "../shared/objects.ts";

export type RegistryNaan = {
  readonly naan: string;
  readonly name: string;
  readonly where: string;
  readonly policy: string;
  readonly policyUrl: string;
  readonly redirect: Redirect;
};

type RegistryShoulder = {
  readonly naan: string;
  readonly shoulder: string;
  readonly name: string;
  readonly redirect: Redirect;
};

/**
 * A record that was left out, or taken with a correction. `record` is what it calls itself, or its position in the
 * file.
 */
type RegistryProblem = { readonly record: string; readonly problem: string };

export type Registry = {
  readonly naans: ReadonlyMap<string, RegistryNaan>;
  /** By NAAN, longest shoulder first. */
  readonly shoulders: ReadonlyMap<string, readonly RegistryShoulder[]>;
  readonly problems: readonly RegistryProblem[];
};

export const EMPTY_REGISTRY: Registry = { naans: new Map(), shoulders: new Map(), problems: [] };

/** NAANs that many organisations share by shoulders: there the registry is asked even when the NAAN is ours (A45). */
export const SHARED_NAANS: ReadonlySet<string> = new Set(["12345", "99152", "99166", "99999"]);

const SHOULDER = /^(?:[A-Za-z0-9=~*+@_$.]|%[0-9A-F]{2}){1,64}$/;

type Fields = { readonly [name: string]: unknown };

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/**
 * Reads the registry file. Odd records never stop it: they are left out and listed in `problems`.
 * Takes the published form (`{metadata, data: […]}`) and a bare array of records.
 */
export function readRegistry(json: unknown): Registry {
  const naans = new Map<string, RegistryNaan>();
  const shoulders = new Map<string, RegistryShoulder[]>();
  const problems: RegistryProblem[] = [];
  const list = Array.isArray(json) ? json : fieldsOf(json).data;
  if (!Array.isArray(list)) {
    return { naans, shoulders, problems: [{ record: "(file)", problem: "holds no list of records under data" }] };
  }
  for (const [index, value] of list.entries()) {
    const record = fieldsOf(value);
    const label = textOf(record.what) || `record ${index}`;
    const report = (problem: string): void => void problems.push({ record: label, problem });
    const redirect = redirectOf(record, report);
    if (redirect === null) continue;
    const prefix = prefixOf(record, report);
    if (prefix === null) continue;
    if (prefix.shoulder === null) addNaan(naans, prefix.naan, record, redirect, report);
    else addShoulder(shoulders, prefix.naan, prefix.shoulder, record, redirect, report);
  }
  for (const each of shoulders.values()) each.sort((one, other) => other.shoulder.length - one.shoulder.length);
  return { naans, shoulders, problems };
}

type Report = (problem: string) => void;

function redirectOf(record: Fields, report: Report): Redirect | null {
  const target = fieldsOf(record.target);
  const url = textOf(target.url);
  if (url === "") {
    report("has no target");
    return null;
  }
  const status = typeof target.http_code === "number" ? target.http_code : 302;
  let reading = readRedirect(url, status);
  if ("problem" in reading && reading.problem.startsWith("status ")) {
    report(`${reading.problem}; 302 is used`);
    reading = readRedirect(url);
  }
  if ("problem" in reading) {
    report(`target ${reading.problem}`);
    return null;
  }
  return reading.redirect;
}

/** NAAN and shoulder of a record; the shoulder is null for the record of a NAAN. */
function prefixOf(record: Fields, report: Report): { naan: string; shoulder: string | null } | null {
  const what = textOf(record.what).replace(/^ark:\/*/i, "");
  const slash = what.indexOf("/");
  const naan = (slash === -1 ? what : what.slice(0, slash)).toLowerCase();
  if (!isNaan(naan)) {
    report("names no NAAN");
    return null;
  }
  const shoulder = slash === -1 ? null : what.slice(slash + 1).replaceAll("-", "");
  const kind = textOf(record.rtype);
  if ((shoulder === null) !== (kind !== "PublicNAANShoulder")) {
    report(`calls itself ${kind || "nothing"}, which does not fit ${JSON.stringify(what)}`);
    if (kind !== "" && shoulder === null) return null;
  }
  if (shoulder !== null && !SHOULDER.test(shoulder)) {
    report("names no shoulder that a name could begin with");
    return null;
  }
  return { naan, shoulder };
}

function addNaan(naans: Map<string, RegistryNaan>, naan: string, record: Fields, redirect: Redirect, report: Report) {
  if (naans.has(naan)) return report("appears twice; the first is used");
  const policy = fieldsOf(record.na_policy);
  const parts = [policy.orgtype, policy.policy, policy.tenure].map(textOf).filter((part) => part !== "");
  naans.set(naan, {
    naan,
    name: textOf(fieldsOf(record.who).name),
    where: textOf(record.where),
    policy: parts.join(" | "),
    policyUrl: textOf(policy.policy_url),
    redirect,
  });
}

function addShoulder(
  shoulders: Map<string, RegistryShoulder[]>,
  naan: string,
  shoulder: string,
  record: Fields,
  redirect: Redirect,
  report: Report,
) {
  const known = shoulders.get(naan) ?? [];
  if (known.some((each) => each.shoulder === shoulder)) return report("appears twice; the first is used");
  known.push({ naan, shoulder, name: textOf(fieldsOf(record.who).name), redirect });
  shoulders.set(naan, known);
}

/** The registered shoulder that a name begins with, the longest one; null when there is none. */
export function registryShoulderOf(registry: Registry, naan: string, name: string): RegistryShoulder | null {
  return registry.shoulders.get(naan)?.find((each) => name.startsWith(each.shoulder)) ?? null;
}
