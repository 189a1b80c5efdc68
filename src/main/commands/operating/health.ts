// `arkstone health`: asks a running role how it is, for health checks of containers that hold no shell and no curl
// (A15).

import { type Config, readConfig } from "../../../config.ts";
import { isWebUrl } from "../../../shared/http/web-url.ts";
import { withoutEnd } from "../../../shared/text/text.ts";
import { jsonText } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";

const TIMEOUT_MS = 2000;

type Finding = {
  readonly url: string;
  readonly ok: boolean;
  readonly answer: string;
  readonly degraded: readonly string[];
};

export const healthCommand: Command = command({
  name: "health",
  summary: "Ask a running minter, resolver or repository whether it is well; the exit code is 0 or 1",
  words: ["[URL]"],
  options: { ready: { type: "boolean", help: "Ask whether it can do its work (/readyz), not only whether it runs" } },
  details:
    "Without URL: this machine, port SVC_PORT; where that is not set, whichever of 8000 (minter), 8001 (resolver) and 8002 (repository) answers. It gives up after two seconds.",
  examples: ["arkstone health", "arkstone health --ready http://127.0.0.1:8001"],
  async run(context, given, [url]) {
    const path = given.ready ? "/readyz" : "/healthz";
    const bases = url === undefined ? basesOf(readConfig(context.env)) : [baseOf(url)];
    const findings = await Promise.all(bases.map((base) => ask(`${base}${path}`)));
    const answered = findings.filter(({ answer }) => answer !== "no answer");
    const ok = answered.length > 0 && answered.every((finding) => finding.ok);
    if (context.json) context.out(jsonText({ ok, findings: findings.map(jsonOf) }));
    else
      for (const finding of answered) context.out(`${finding.url}  ${finding.ok ? okOf(finding) : finding.answer}\n`);
    if (answered.length === 0 && !context.json) throw new CommandRefusal(`No answer from ${bases.join(" or ")}`);
    return ok ? 0 : 1;
  },
});

/** The members of the output have their published names. */
const jsonOf = ({ url, ok, answer, degraded }: Finding) => ({ url, ok, said: answer, degraded });

/** A role that works states what it lacks meanwhile. */
function okOf({ degraded }: Finding): string {
  return degraded.length === 0 ? "ok" : `ok, but degraded: ${degraded.join("; ")}`;
}

/** Where a role with these settings listens, as seen from its own machine. */
function basesOf({ host, givenPort, rootPath }: Config): readonly string[] {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const ports = givenPort === null ? [8000, 8001, 8002] : [givenPort];
  return ports.map((port) => `http://${name.includes(":") ? `[${name}]` : name}:${port}${rootPath}`);
}

function baseOf(url: string): string {
  if (!isWebUrl(url)) {
    throw new UsageError(`"${url}" is not an http or https URL`, 'See "arkstone health --help"');
  }
  return withoutEnd(url, "/");
}

async function ask(url: string): Promise<Finding> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const ok = response.status === 200;
    return { url, ok, answer: `${response.status} ${text.slice(0, 500).trim()}`, degraded: ok ? degradedIn(text) : [] };
  } catch {
    return { url, ok: false, answer: "no answer", degraded: [] };
  }
}

/** Whatever answers there may be another program. */
function degradedIn(text: string): readonly string[] {
  try {
    const body: unknown = JSON.parse(text);
    const reasons = typeof body === "object" && body !== null && "degraded" in body ? body.degraded : [];
    return Array.isArray(reasons) ? reasons.map(String) : [];
  } catch {
    return [];
  }
}
