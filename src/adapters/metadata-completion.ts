// Asks Crossref and DataCite for the metadata of a DOI (R14), at addresses from the settings and nowhere else: a
// redirect is followed on the same host only, so no document and no answer can send the repository to another place.

import type { CompletionAnswer, CompletionName, CompletionSource } from "../repository/deposit/metadata-completion.ts";
import { joinedUpTo, streamOf } from "../shared/bytes/byte-streams.ts";
import { withoutEnd } from "../shared/text/text.ts";
import type { Send } from "./oidc-documents.ts";

const COMPLETION_TIMEOUT_MS = 10_000;
export const COMPLETION_MAX_BYTES = 4_194_304;
const COMPLETION_MAX_REDIRECTS = 3;

type CompletionNeeds = {
  readonly name: CompletionName;
  /** `https://api.crossref.org`, `https://api.datacite.org`, or a mirror; a path before the interface's own is kept. */
  readonly baseUrl: string;
  /** Who asks, for the other side's log: product, version, a mail address where set. */
  readonly userAgent: string;
  readonly fetch?: Send;
  readonly timeoutMs?: number;
};

const PATHS: Readonly<Record<CompletionName, string>> = { Crossref: "works", DataCite: "dois" };

/** One service. */
export const completionSource = (needs: CompletionNeeds): CompletionSource => {
  const base = withoutEnd(needs.baseUrl, "/");
  const { host, protocol } = new URL(base);
  const get: Send = needs.fetch ?? ((url, init) => fetch(url, init));
  const timeoutMs = needs.timeoutMs ?? COMPLETION_TIMEOUT_MS;

  async function lookUp(doi: string): Promise<CompletionAnswer> {
    const signal = AbortSignal.timeout(timeoutMs);
    let url = `${base}/${PATHS[needs.name]}/${encodeURIComponent(doi)}`;
    for (let hop = 0; hop <= COMPLETION_MAX_REDIRECTS; hop++) {
      const answer = await get(url, {
        redirect: "manual",
        headers: { accept: "application/json", "user-agent": needs.userAgent },
        signal,
      });
      if (answer.status === 200) return await documentOf(answer);
      await answer.body?.cancel();
      if (answer.status === 404 || answer.status === 410) return { kind: "unknown" };
      const location = isRedirect(answer.status) ? answer.headers.get("location") : null;
      if (location === null) return failed(`it answered ${answer.status}`);
      const next = new URL(location, url);
      if (next.host !== host || next.protocol !== protocol) return failed(`it wanted to redirect to ${next.host}`);
      url = next.href;
    }
    return failed(`it redirected more than ${COMPLETION_MAX_REDIRECTS} times`);
  }

  return {
    name: needs.name,
    async lookUp(doi) {
      try {
        return await lookUp(doi);
      } catch (error) {
        const isSlow = error instanceof Error && error.name === "TimeoutError";
        return failed(isSlow ? `it did not answer within ${timeoutMs} ms` : "it could not be reached");
      }
    },
  };
};

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function failed(reason: string): CompletionAnswer {
  return { kind: "failed", reason };
}

async function documentOf(answer: Response): Promise<CompletionAnswer> {
  const document = await joinedUpTo(answer.body ?? streamOf(), COMPLETION_MAX_BYTES);
  if (document === null) return failed(`its answer is larger than ${COMPLETION_MAX_BYTES} bytes`);
  return { kind: "found", document };
}
