// Many clients of the repository at once, on SQLite.
import { repositoryConcurrency } from "./repository-concurrency.ts";

repositoryConcurrency("SQLite", async () => ({ url: undefined, drop: async () => {} }));
