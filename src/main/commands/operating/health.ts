// `arkstone health`: asks a running role how it is, for health checks of containers that hold no shell and no curl
// (A15).

import { get as getOverTls } from "node:https";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Config, readConfig, schemeOf } from "../../../config.ts";
import { isWebUrl } from "../../../shared/http/web-url.ts";
import { withoutEnd } from "../../../shared/text/text.ts";
import { inTime } from "../../../shared/time/event-loop.ts";
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
    const config = url === undefined ? readConfig(context.env) : null;
    const bases = config === null ? [baseOf(url ?? "")] : basesOf(config);
    const get = config === null ? getAnywhere : config.proxyProtocol ? getAsFront : getHere;
    const findings = await Promise.all(bases.map((base) => ask(`${base}${path}`, get)));
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
function basesOf(config: Config): readonly string[] {
  const { host, givenPort, rootPath } = config;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const ports = givenPort === null ? [8000, 8001, 8002] : [givenPort];
  return ports.map((port) => `${schemeOf(config)}://${name.includes(":") ? `[${name}]` : name}:${port}${rootPath}`);
}

function baseOf(url: string): string {
  if (!isWebUrl(url)) {
    throw new UsageError(`"${url}" is not an http or https URL`, 'See "arkstone health --help"');
  }
  return withoutEnd(url, "/");
}

type Get = (url: string) => Promise<{ readonly status: number; readonly text: string }>;

async function getAnywhere(url: string): ReturnType<Get> {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { status: response.status, text: await response.text() };
}

/** On this machine: a certificate is for the public name, which is not the one that is asked here. */
function getHere(url: string): ReturnType<Get> {
  if (!url.startsWith("https:")) return getAnywhere(url);
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(TIMEOUT_MS), agent: false } as const;
    const request = getOverTls(url, options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    request.on("error", reject);
  });
}

const ANSWER = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n([\s\S]*)$/;

/** On this machine, where connections begin with a PROXY header (SVC_PROXY_PROTOCOL): this one passes no address. */
async function getAsFront(url: string): ReturnType<Get> {
  const { protocol, hostname, port, host, pathname } = new URL(url);
  const plain = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
  try {
    plain.write("PROXY UNKNOWN\r\n");
    const socket = protocol === "https:" ? connectTls({ socket: plain, rejectUnauthorized: false }) : plain;
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const answer = await inTime(readAll(socket), TIMEOUT_MS, () => "");
    const [, status, text = ""] = ANSWER.exec(answer) ?? [];
    if (status === undefined) throw new Error("No answer of HTTP");
    return { status: Number(status), text };
  } finally {
    plain.destroy();
  }
}

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.once("error", reject).once("end", () => resolve(text));
  });
}

async function ask(url: string, get: Get): Promise<Finding> {
  try {
    const { status, text } = await get(url);
    const ok = status === 200;
    return { url, ok, answer: `${status} ${text.slice(0, 500).trim()}`, degraded: ok ? degradedIn(text) : [] };
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
