// The clock of the machine (port Clock).
import type { Clock } from "../shared/time/clock.ts";

export const systemClock: Clock = { now: () => new Date().toISOString() };
