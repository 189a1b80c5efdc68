// What a feature of the repository provides (R1). The features are the other files of this folder;
// src/main/repository/repository.ts lists them.
import type { RepositoryGuard } from "../../../plugins/repository/guard.ts";
import type { Viewer } from "../../auth/account.ts";
import type { JobKinds } from "../../jobs/runner.ts";
import type { Check } from "../../operating/readiness.ts";
import type { Finder } from "../../repository/search/query/finder.ts";
import type { Usage } from "../../repository/statistics/counting.ts";
import type { SetupStep } from "../../repository/store/store.ts";
import type { Log } from "../../shared/log.ts";
import type { Gauge } from "../../shared/metrics.ts";
import type { Refusal } from "../../shared/refusal.ts";
import type { App } from "../app.ts";
import type { BackgroundThreads } from "../background-threads.ts";
import type { Command } from "../commands/command.ts";
import type { Search } from "../search.ts";
import type { OpenedStorage } from "../storage.ts";
import type { TextReader } from "../text-reader.ts";
import type { Core } from "./core.ts";

/** Under what the overview of `arkstone` shows commands. */
export type CommandGroup = "People" | "Send" | "Items" | "Deposits" | "Look after";

/** What a process is made from that runs jobs or answers. */
export type Runtime = Core & {
  readonly files: OpenedStorage;
  readonly log: Log;
  readonly texts: TextReader;
  readonly search: Search;
  /** Counts views and downloads (R39). */
  readonly usage: Usage;
  /** The one way to find items (R1). */
  readonly finder: Finder;
};

/** The same where it answers. */
export type ServerRuntime = Runtime & {
  readonly guard: RepositoryGuard;
  readonly threads: BackgroundThreads;
  /** Counts an attempt to sign in that was refused. */
  readonly noteRefused: (mode: string, cause: string) => void;
  /** The account that a deposit is made for; null: not an account of the repository (R12). */
  readonly onBehalfOf: (name: string) => Promise<Viewer["account"]>;
};

export type Dialect = (refusal: Refusal, request: Request) => Response | Promise<Response>;

/** What a feature puts before the public. */
export type Endpoint = {
  readonly plugin: App;
  /** The dialect for what is refused before a route is found; null: the path is not of this endpoint. */
  readonly dialectFor?: (path: string, request: Request) => Dialect | null;
  readonly gauges?: readonly Gauge[];
};

/** Work next to requests and jobs for as long as the process runs. */
export type Background = { readonly start: () => void; readonly stop: () => Promise<void> };

export type Feature = {
  readonly commands?: { readonly [group in CommandGroup]?: readonly Command[] };
  /** What every start makes sure of. */
  readonly setUp?: readonly SetupStep[];
  readonly jobs?: (runtime: Runtime) => JobKinds;
  /** Where jobs run. */
  readonly background?: (runtime: Runtime) => Background;
  readonly endpoint?: (served: ServerRuntime) => Endpoint;
  readonly gauges?: (served: ServerRuntime) => {
    readonly gauges: readonly Gauge[];
    readonly refresh: () => Promise<void>;
  };
  /** Without what it cannot work, and what it does without meanwhile (A15). */
  readonly ready?: (runtime: Runtime) => readonly Check[];
  readonly degraded?: (runtime: Runtime) => readonly Check[];
};
