// What the apps of all roles are made of (specification 1, "What the service does" 6): the root they start from, and
// how the frame wraps them.
import { type AnyElysia, Elysia } from "elysia";
import type { DocsNeeds } from "../../plugins/http/docs.ts";
import type { FrameNeeds } from "../../plugins/http/frame.ts";
import type { OperationsNeeds } from "../../plugins/http/operations.ts";

/** What all roles need besides their own services. */
export type CommonNeeds = DocsNeeds & OperationsNeeds & FrameSettings & Pick<FrameNeeds, "metrics">;

/**
 * The root every role starts from: unknown fields are refused, not dropped (A46); short host names route like long
 * ones.
 */
export const root = (name: string) => new Elysia({ name, normalize: false, handler: { standardHostname: false } });

export type App = AnyElysia;

export type FrameSettings = Pick<
  FrameNeeds,
  | "rootPath"
  | "allowedHosts"
  | "trustedProxies"
  | "hstsSeconds"
  | "accessLog"
  | "log"
  | "elapsedMs"
  | "addressRate"
  | "load"
  | "tracing"
>;

export function behind(app: AnyElysia): Pick<FrameNeeds, "handle" | "routes"> {
  const routes = app.routes.map(({ method, path }) => ({ method, path }));
  return { handle: app.fetch, routes };
}
