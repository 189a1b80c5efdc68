// What a part of the repository makes sure of at every start (R32).
import type { Instant } from "../../shared/time/instant.ts";
import type { RepositoryWriter } from "./store.ts";

/** Writes what is missing and leaves alone what is there: it runs at every start. */
export type SetupStep = (tx: RepositoryWriter, at: Instant) => Promise<void>;
