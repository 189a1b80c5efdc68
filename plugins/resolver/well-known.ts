// /.well-known/ark: where names are resolved here, and which (specification 1, "Resolution" rule 6; A41;
// draft-kunze-ark-42 section 5.6).
import { Elysia } from "elysia";
import { requireTable, type TableRefresh } from "../../src/resolver/table/table-refresh.ts";
import type { ResolutionTable } from "../../src/resolver/table.ts";
import { chooseMediaType } from "../../src/shared/http/negotiation.ts";
import type { Clock } from "../../src/shared/time/clock.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { JSON_TYPE, TEXT_TYPE } from "../http/answer.ts";
import { arkDialect, errors } from "../http/errors.ts";
import { ALLOWED_METHODS, EXPOSED_HEADERS, publicAddress, type ResolverSettings } from "./answers.ts";
import { type InventoryDocument, WELL_KNOWN_DETAIL } from "./document.ts";

export type WellKnownNeeds = {
  readonly tables: Pick<TableRefresh, "current">;
  readonly clock: Pick<Clock, "now">;
  readonly settings: Pick<ResolverSettings, "baseUrl" | "rootPath" | "globalResolver">;
};

const COMMON = {
  vary: "Accept",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS,
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
} as const;

export const wellKnown = (needs: WellKnownNeeds) =>
  new Elysia({ name: "well-known" })
    .use(errors(arkDialect))
    .options(
      "/.well-known/ark",
      () =>
        new Response(null, {
          status: 204,
          headers: { ...COMMON, allow: ALLOWED_METHODS, "access-control-allow-methods": ALLOWED_METHODS },
        }),
      { detail: { hide: true } },
    )
    .get("/.well-known/ark", ({ request }) => answer(needs, request), {
      detail: WELL_KNOWN_DETAIL,
    });

function answer(needs: WellKnownNeeds, request: Request): Response {
  const type = chooseMediaType(request.headers.get("accept"), ["text/plain", "application/json"], "default");
  const body =
    type === "text/plain"
      ? `${needs.settings.rootPath}/\n`
      : JSON.stringify(inventory(requireTable(needs.tables), needs.settings, needs.clock.now()));
  const headers = { ...COMMON, "content-type": type === "text/plain" ? TEXT_TYPE : JSON_TYPE };
  return new Response(body, { headers });
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}

/** What this resolver holds, what is delegated, what is on hold now. */
function inventory(table: ResolutionTable, settings: WellKnownNeeds["settings"], now: Instant): InventoryDocument {
  const path = `${settings.rootPath}/`;
  const isHeld = (each: { readonly holdUntil: Instant | null }): boolean =>
    each.holdUntil !== null && each.holdUntil > now;
  const naans = [...table.naans()].sort((one, other) => (one.naan < other.naan ? -1 : 1));
  const shoulders = [...table.shoulders()].sort((one, other) =>
    `${one.naan}/${one.shoulder}` < `${other.naan}/${other.shoulder}` ? -1 : 1,
  );
  return {
    resolver_path: path,
    resolver: publicAddress(settings, path),
    global_resolver: settings.globalResolver,
    naans: naans.map((each) => ({
      naan: each.naan,
      authoritative: each.authoritative,
      redirect: orNull(each.redirect),
      minter: orNull(each.minter),
      policy: orNull(each.policy),
    })),
    delegated_shoulders: shoulders
      .filter((each) => each.status === "delegated" || each.redirect !== "")
      .map((each) => ({
        naan: each.naan,
        shoulder: each.shoulder,
        status: each.status,
        minter: orNull(each.minter),
        about: orNull(each.about),
        redirect: orNull(each.redirect),
      })),
    held: [
      ...naans.filter(isHeld).map((each) => ({
        scope: "naan" as const,
        target: each.naan,
        until: each.holdUntil ?? "",
        reason: each.holdReason,
      })),
      ...shoulders.filter(isHeld).map((each) => ({
        scope: "shoulder" as const,
        target: `${each.naan}/${each.shoulder}`,
        until: each.holdUntil ?? "",
        reason: each.holdReason,
      })),
    ],
  };
}
