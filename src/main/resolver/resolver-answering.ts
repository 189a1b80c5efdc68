// What every thread of the resolver needs to answer requests, and no more: a thread has a separate heap with all that
// it loads.
import type { Config } from "../../config.ts";
import { descriptions } from "../../resolver/descriptions.ts";
import type { Replica } from "../../resolver/replica.ts";
import { sentTargetHeader } from "../lane/resolver-lane.ts";
import { resolverDocument } from "../openapi/documents.ts";
import { lookOf } from "../pages/look.ts";
import { frameSettings } from "../process/edge-limits.ts";
import { PROGRAM_VERSION } from "../version.ts";
import type { ResolverAppNeeds } from "./resolver-app.ts";

type AnsweringParts = Pick<
  ResolverAppNeeds,
  "tables" | "metrics" | "notReady" | "clock" | "log" | "addressRate" | "load" | "tracing"
> & {
  readonly config: Config;
  readonly replica: Replica;
};

export function answeringNeeds({ config, replica, ...parts }: AnsweringParts): ResolverAppNeeds {
  const { resolveUnpublished } = config;
  return {
    ...frameSettings(config, parts.log),
    version: PROGRAM_VERSION,
    ...parts,
    document: resolverDocument,
    metricsPublic: config.metrics === "public",
    descriptions: descriptions({ replica, clock: parts.clock, resolveUnpublished }),
    settings: {
      baseUrl: config.baseUrl,
      rootPath: config.rootPath,
      allowedHosts: config.allowedHosts,
      globalResolver: config.globalResolver,
      resolveUnpublished,
      rawUriHeader: config.rawUriHeader,
      sentTargetHeader: sentTargetHeader(config),
      tombstoneStatus: config.tombstoneStatus,
      redirectMaxAgeSeconds: config.redirectMaxAgeSeconds,
      hstsSeconds: config.hstsSeconds,
      lang: config.lang,
      look: lookOf(config),
    },
  };
}
