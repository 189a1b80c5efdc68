// The files of `arkstone up --tls`: a certificate that this machine has signed for itself, kept under the data folder
// so that a browser has to accept it once (docs/tls.md).
import { mkdir, rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { type Certificate, type CertificateFiles, readCertificate } from "./certificate.ts";
import { ownCertificate } from "./own-certificate.ts";

const DAY_MS = 86_400_000;
const VALID_DAYS = 365;
/** One that expires sooner is replaced. */
const LEAST_DAYS = 30;

type TryCertificate = { readonly files: CertificateFiles; readonly certificate: Certificate };

export async function tryCertificate(config: Pick<Config, "dataDir" | "host">, now: Date): Promise<TryCertificate> {
  const folder = resolve(config.dataDir, "tls");
  const files = { certFile: join(folder, "own.pem"), keyFile: join(folder, "own.key") };
  const found = await readCertificate(files, now).catch(() => null);
  if (found !== null && found.expires.getTime() > now.getTime() + LEAST_DAYS * DAY_MS) {
    return { files, certificate: found };
  }
  const keys = await ownCertificate({
    names: [...new Set(["localhost", "127.0.0.1", hostname(), config.host])].filter(isName),
    from: new Date(now.getTime() - DAY_MS),
    until: new Date(now.getTime() + VALID_DAYS * DAY_MS),
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(files.keyFile, keys.key);
  await replaceFile(files.certFile, keys.cert);
  return { files, certificate: await readCertificate(files, now) };
}

/** A host name or an IPv4 address that somebody can ask for. */
function isName(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]*$/i.test(text) && text !== "0.0.0.0";
}

/** Whole at every moment, and readable by nobody else. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
