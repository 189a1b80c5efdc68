// `arkstone up --tls` as a newcomer runs it: the three roles over TLS with a certificate of this machine, and files that
// are replaced while they run (docs/tls.md).
import { afterAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { connect } from "node:tls";
import { selfCommand } from "../../src/main/child-process.ts";
import { ownCertificate } from "../../src/main/process/own-certificate.ts";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { freePortRow, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("up-tls");
let child: ChildProcess | null = null;
afterAll(() => {
  if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  folder.remove();
});

type Answer = { readonly text: string; readonly fingerprint: string };

/** One request, by a client that trusts this certificate alone. */
function ask(port: number, ca: string, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca, servername: "localhost" });
    let text = "";
    let fingerprint = "";
    socket.on("secureConnect", () => {
      fingerprint = socket.getPeerX509Certificate()?.fingerprint256 ?? "";
      socket.write(request.replaceAll("\n", "\r\n"));
    });
    socket.on("data", (data) => {
      text += String(data);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ text, fingerprint }));
  });
}

const get = (target: string): string => `GET ${target} HTTP/1.1\nHost: localhost\nConnection: close\n\n`;

test("A54 it answers, mints and redirects over TLS, and uses files that are replaced in every thread", async () => {
  const port = await freePortRow();
  const env = { SVC_DATA_DIR: folder.path, SVC_PORT: String(port), SVC_WORKERS: "2", SVC_JOBS: "off" };
  const [program, ...args] = selfCommand(["up", "--tls"]);
  const own = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child = own;
  let out = "";
  own.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  own.stderr.resume();
  await eventually("it runs", () => out.includes("Arkstone runs"));
  const certFile = join(folder.path, "tls", "own.pem");
  const keyFile = join(folder.path, "tls", "own.key");
  const ca = readFileSync(certFile, "utf8");
  const { fingerprint256 } = new X509Certificate(ca);
  expect(out).toContain(`SHA-256     ${fingerprint256}`);
  expect(out).toContain(`resolver   https://127.0.0.1:${port + 1}`);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);

  const key = /^ {2}(svc_\S+)$/m.exec(out)?.[1] ?? "";
  const body = JSON.stringify({ url: "https://t.example/a", title: "a", who: "b", when: "2026" });
  const fields = `Authorization: Bearer ${key}\nContent-Type: application/json\nContent-Length: ${body.length}`;
  const mint = `POST /api/mint HTTP/1.1\nHost: localhost\nConnection: close\n${fields}\n\n${body}`;
  const ark = /"ark": ?"(ark:[^"]+)"/.exec((await ask(port, ca, mint)).text)?.[1] ?? "";
  const redirect = (by: string): Promise<Answer> =>
    ask(port + 1, by, get(`/${ark}`).replace("Connection: close\n\n", "\n") + get("/healthz"));
  await eventually(
    "the name resolves",
    async () =>
      (await redirect(ca)).text.includes("location: https://t.example/a") ||
      (await redirect(ca)).text.includes("Location: https://t.example/a"),
  );
  expect((await ask(port + 2, ca, get("/api/records"))).text).toMatch(
    new RegExp(`"self": ?"https://127\\.0\\.0\\.1:${port + 2}/`),
  );
  const health = await arkstone(
    {
      ...env,
      SVC_PORT: String(port + 1),
      SVC_TLS_CERT: certFile,
      SVC_TLS_KEY: keyFile,
    },
    ["health", "--json"],
  );
  expect(JSON.parse(health.out).findings[0]).toMatchObject({
    url: `https://127.0.0.1:${port + 1}/healthz`,
    ok: true,
  });

  const next = await ownCertificate({
    ...{ names: ["localhost"], from: new Date(Date.now() - 1000), until: new Date(Date.now() + 9e8) },
  });
  writeFileSync(keyFile, next.key);
  writeFileSync(certFile, next.cert);
  const wanted = new X509Certificate(next.cert).fingerprint256;
  const both = ca + next.cert;
  for (const at of [port, port + 1, port + 2]) {
    await eventually("every thread has it", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(at, both, get("/healthz"))));
      expect(answers.every(({ text }) => /^HTTP\/1\.1 200/.test(text))).toBe(true);
      return answers.every(({ fingerprint }) => fingerprint === wanted);
    });
  }
  process.kill(own.pid ?? 0, "SIGTERM");
  expect(await new Promise((resolve) => own.once("exit", resolve))).toBe(0);
});
