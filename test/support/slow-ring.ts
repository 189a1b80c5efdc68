// The slow ring (`bun run slow`): what `check` does a few times is done as often as its figures ask for.
import process from "node:process";

export const inSlowRing = process.env.ARKSTONE_SLOW === "1";
