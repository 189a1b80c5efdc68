// Sends giants to a repository one after the other, checks what was accepted as a guest would, and reports what held
// the server up (R9a).
import { postDeposit } from "../support/deposit-installation.ts";
import type { StallWatch } from "../support/stall-watch.ts";
import { type Giant, type GiantClient, packed } from "./giants.ts";

/** No request blocks the event loop longer (R9a). */
export const LONGEST_MS = 250;
/** Memory returns to what it was, up to this amount. */
export const MEMORY_MIB = 64;

export type Attack = {
  readonly base: string;
  readonly watch: StallWatch;
  readonly tokens: Readonly<Record<GiantClient, string>>;
};

export type Finding = {
  readonly giant: string;
  readonly step: string;
  readonly status: number;
  readonly wallMs: number;
  readonly ownMs: number;
};

/** Asks, reads the answer to its end, and returns how long others waited meanwhile. */
export async function measured(
  { watch }: Pick<Attack, "watch">,
  giant: string,
  step: string,
  ask: () => Promise<Response>,
): Promise<Finding & { readonly text: string }> {
  await watch.worst();
  const response = await ask();
  const text = await response.text();
  const { wallMs, ownMs } = await watch.worst();
  return { giant, step, status: response.status, wallMs: Math.round(wallMs), ownMs: Math.round(ownMs), text };
}

const PAGES = ["", "?lang=ja", "/export/jpcoar", "/export/ro-crate", "/files/a.txt"] as const;

/** One giant, and where it was accepted its pages, as guests and machines ask for them. */
export async function sendGiant(attack: Attack, giant: Giant): Promise<readonly Finding[]> {
  const { base, tokens } = attack;
  const bytes = packed(giant);
  const deposit = await measured(attack, giant.name, "deposit", () =>
    postDeposit(base, bytes, { token: tokens[giant.client], packaging: giant.packaging }),
  );
  const findings: Finding[] = [deposit];
  if (deposit.status === 201) {
    const id = /\/sword\/deposit\/(\d+)/.exec(deposit.text)?.[1] ?? "0";
    for (const page of PAGES) {
      findings.push(await measured(attack, giant.name, `page ${page}`, () => fetch(`${base}/records/${id}${page}`)));
    }
    for (const page of [`/api/v1/records/${id}`, "/", "/index/1", "/sitemap/0"]) {
      findings.push(await measured(attack, giant.name, `list ${page}`, () => fetch(base + page)));
    }
  }
  if (deposit.status === 202) {
    const page = /\/workflow\/activity\/detail\/[A-Za-z0-9-]+/.exec(deposit.text)?.[0] ?? "";
    const headers = { authorization: `Bearer ${tokens.xml}` };
    findings.push(await measured(attack, giant.name, "activity", () => fetch(base + page, { headers })));
  }
  return findings;
}
