// Where foreign NAANs and delegated shoulders send their names: a base URL or a template (A31b).

import { namesWebHost } from "../shared/http/web-url.ts";
import { withoutEnd } from "../shared/text/text.ts";
import { type ReceivedName, restAfter } from "./received-name.ts";
import { encodePath } from "./target.ts";

export type Redirect = {
  readonly status: number;
  /** With its variables still in it; a base URL has become `…/ark:${content}`. */
  readonly template: string;
};

type RedirectReading = { readonly redirect: Redirect } | { readonly problem: string };

const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307];
const VARIABLE = /\$\{(content|pid|value|suffix|blade)\}|\$id(?![A-Za-z0-9_])/g;

/** Reads `[status ]URL`; returns a problem where it cannot be used. */
export function readRedirect(text: string, defaultStatus = 302): RedirectReading {
  const parts = /^\s*(?:(\d{3})\s+)?(\S+)\s*$/.exec(text);
  if (parts === null) return { problem: "empty, or holds white space" };
  const status = parts[1] === undefined ? defaultStatus : Number(parts[1]);
  if (!REDIRECT_STATUSES.includes(status)) return { problem: `status ${status} is not one of 301, 302, 303, 307` };
  const url = parts[2] ?? "";
  const bare = url.replace(VARIABLE, "");
  if (bare.includes("${")) return { problem: "holds a variable that is not known" };
  if (!namesWebHost(url)) return { problem: "is not an http or https URL" };
  const authority = /^https?:\/\/([^/\\?#]*)/i.exec(url)?.[1] ?? "";
  if (authority.includes("$")) return { problem: "has a variable in its host" };
  try {
    new URL(bare);
  } catch {
    return { problem: "is not a URL" };
  }
  const hasVariable = bare !== url;
  return { redirect: { status, template: hasVariable ? url : `${withoutEnd(url, "/")}/ark:\${content}` } };
}

/** What a template is filled with, everything as received. */
type Filling = {
  /** `naan/name` with qualifier. */
  readonly content: string;
  readonly name: ReceivedName;
  /** Bytes of the shoulder in the normal form of the name; 0 where no shoulder matched. */
  readonly shoulderLength: number;
};

/** The address for one name. */
export function fillRedirect(redirect: Redirect, filling: Filling): string {
  const { content, name, shoulderLength } = filling;
  const values: Readonly<Record<string, string>> = {
    content,
    pid: `ark:${content}`,
    value: name.received,
    suffix: restAfter(name, shoulderLength),
    blade: /\d(.*)$/s.exec(name.received)?.[1] ?? "",
  };
  return redirect.template.replace(VARIABLE, (_, variable: string | undefined) =>
    encodePath(values[variable ?? "content"] ?? ""),
  );
}
