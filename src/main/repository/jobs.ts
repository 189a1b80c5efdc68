// Work beside requests, as a feature of the repository (R8, R8a): the kinds of it come from the other features.
import { jobCommands } from "../commands/repository/jobs.ts";
import type { Feature } from "./feature.ts";

export const jobsFeature: Feature = { commands: { "Look after": jobCommands } };
