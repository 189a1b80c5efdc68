// The certificate of a role that answers over TLS itself (docs/tls.md): read from two PEM files, checked before it is
// used, watched while the role runs. No message holds anything of the key.
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { open } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { type Config, ConfigError } from "../../config.ts";
import { errorMessage } from "../../shared/error-message.ts";
import { most } from "../../shared/limits.ts";
import type { Log } from "../../shared/log.ts";

/** What a listener needs: both as PEM, the certificate with its chain. */
export type CertificateKeys = { readonly cert: string; readonly key: string };

export type Certificate = CertificateKeys & {
  readonly expires: Date;
  /** SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it. */
  readonly fingerprint: string;
  /** The names it is for, as it lists them. */
  readonly names: string;
};

/** Where it is stored. */
export type CertificateFiles = { readonly certFile: string; readonly keyFile: string };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** Null where a role answers without TLS. */
export function certificateFiles({ tlsCert, tlsKey }: Pick<Config, "tlsCert" | "tlsKey">): CertificateFiles | null {
  return tlsCert === null || tlsKey === null ? null : { certFile: tlsCert, keyFile: tlsKey };
}

/** @throws ConfigError naming the setting and its file, where the two cannot be used now. */
export async function readCertificate(files: CertificateFiles, now: Date): Promise<Certificate> {
  const cert = await readPem("SVC_TLS_CERT", files.certFile);
  const key = await readPem("SVC_TLS_KEY", files.keyFile);
  return checkCertificate(files, { cert, key }, now);
}

function checkCertificate({ certFile, keyFile }: CertificateFiles, keys: CertificateKeys, now: Date): Certificate {
  const refuseCert = (why: string): ConfigError => refusal("SVC_TLS_CERT", certFile, why);
  const refuseKey = (why: string): ConfigError => refusal("SVC_TLS_KEY", keyFile, why);
  const [leaf] = readChain(keys.cert, refuseCert);
  if (leaf === undefined) throw refuseCert("the file holds no certificate in PEM form");
  if (now.getTime() < Date.parse(leaf.validFrom)) {
    throw refuseCert(`the certificate is not valid before ${dateOf(leaf.validFrom)}; check the clock of this machine`);
  }
  if (now.getTime() >= Date.parse(leaf.validTo)) {
    throw refuseCert(`the certificate expired at ${dateOf(leaf.validTo)}; renew it`);
  }
  if (!leaf.checkPrivateKey(readKey(keys.key, refuseKey))) {
    throw refuseKey(
      `the key does not belong to the first certificate in SVC_TLS_CERT="${certFile}", which must be that of the server, followed by its chain`,
    );
  }
  try {
    createSecureContext(keys);
  } catch (error) {
    throw refuseCert(`the runtime cannot use it (${errorMessage(error)})`);
  }
  return {
    ...keys,
    expires: new Date(leaf.validTo),
    fingerprint: leaf.fingerprint256,
    names: leaf.subjectAltName ?? leaf.subject,
  };
}

function readChain(pem: string, refuse: (why: string) => ConfigError): X509Certificate[] {
  return [...pem.matchAll(CERTIFICATE)].map(([text], index) => {
    try {
      return new X509Certificate(text);
    } catch {
      throw refuse(`certificate ${index + 1} in the file cannot be read`);
    }
  });
}

function readKey(pem: string, refuse: (why: string) => ConfigError): KeyObject {
  if (ENCRYPTED.test(pem))
    throw refuse("the key is encrypted; store it without a passphrase, readable by the service alone");
  try {
    return createPrivateKey(pem);
  } catch {
    throw refuse("the file holds no private key in PEM form");
  }
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const found = await file.stat();
      if (!found.isFile()) throw refusal(setting, path, "it is not a file");
      const limit = most("tlsFileBytes");
      if (found.size > limit) throw refusal(setting, path, `the file is larger than ${limit} bytes`);
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof ConfigError
      ? error
      : refusal(setting, path, `the file cannot be read (${errorMessage(error)})`);
  }
}

function refusal(setting: string, path: string, why: string): ConfigError {
  return new ConfigError([`${setting}="${path}" is not allowed: ${why}`]);
}

function dateOf(text: string): string {
  return new Date(text).toISOString();
}

type WatchNeeds = {
  readonly files: CertificateFiles;
  /** The one in use. */
  readonly first: Certificate;
  readonly now: () => Date;
  readonly log: Pick<Log, "info" | "error">;
  /** Receives the certificate of changed files, when it is valid. */
  readonly onChange: (next: Certificate) => void;
  readonly lookMs?: number;
};

const LOOK_MS = 2_000;

/**
 * Reads the files again and again. What has changed counts when two looks find the same, because a file may be read
 * while it is written (the first certificate without its chain), and the two are not replaced in the same moment. Files
 * that cannot be used are logged once and change nothing.
 */
export function watchCertificate(needs: WatchNeeds): { readonly stop: () => void } {
  const { files, now, log, onChange, lookMs = LOOK_MS } = needs;
  let current = needs.first;
  let changed: Certificate | null = null;
  let seen = "";
  let reported = "";
  const look = async (): Promise<void> => {
    try {
      const next = await readCertificate(files, now());
      seen = "";
      reported = "";
      const isSeenAgain = changed !== null && areSame(next, changed);
      changed = areSame(next, current) ? null : next;
      if (changed === null || !isSeenAgain) return;
      [current, changed] = [next, null];
      onChange(next);
      log.info("tls_certificate_loaded", figuresOf(next));
    } catch (error) {
      const message = errorMessage(error);
      if (message === seen && message !== reported) {
        log.error("tls_certificate_refused", { error: message, in_use_until: current.expires.toISOString() });
        reported = message;
      }
      seen = message;
    }
  };
  let timer = setTimeout(again, lookMs);
  timer.unref();
  let isStopped = false;
  function again(): void {
    void look().finally(() => {
      if (isStopped) return;
      timer = setTimeout(again, lookMs);
      timer.unref();
    });
  }
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function areSame(one: CertificateKeys, other: CertificateKeys): boolean {
  return one.cert === other.cert && one.key === other.key;
}

/** For the log. */
function figuresOf({ expires, fingerprint, names }: Certificate) {
  return { expires: expires.toISOString(), fingerprint, names };
}
