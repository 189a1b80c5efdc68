// The clock of the machine (port Clock).
import type { Clock } from "../shared/clock.ts";

export const systemClock: Clock = { now: () => new Date().toISOString() };
