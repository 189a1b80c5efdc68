// The words of files, as a feature of the repository (R35): the jobs that read them, what became of them in figures,
// and the commands.
import { idleTextJobs, textJobs } from "../../repository/full-text/text-jobs.ts";
import { TEXT_STATES } from "../../repository/store/full-text.ts";
import type { Reading } from "../../shared/metrics.ts";
import { fullTextCommands } from "../commands/repository/full-text.ts";
import { within } from "../process/role-parts.ts";
import type { Feature } from "./feature.ts";
import { atMostEvery } from "./repository-gauges.ts";

/** Counting reads every content. */
const COUNT_MS = 300_000;

export const fullTextFeature: Feature = {
  commands: { "Look after": fullTextCommands },
  jobs: ({ config, store, files: { storage }, texts, clock, log }) => {
    if (!config.fullText) return idleTextJobs({ store, clock });
    const limits = {
      fileBytes: config.fullTextMaxFileBytes,
      fileCharacters: config.fullTextCharacters,
      itemCharacters: config.fullTextItemCharacters,
    };
    return textJobs({ store, storage, reading: texts, limits, clock, log });
  },
  gauges: ({ store, texts }) => {
    let counted: readonly Reading[] = [];
    const count = async (): Promise<void> => {
      const found = new Map((await store.fullText.countTexts()).map(({ state, count }) => [state, count]));
      counted = TEXT_STATES.map((state) => ({ labels: { state }, value: found.get(state) ?? 0 }));
    };
    return {
      refresh: atMostEvery(
        COUNT_MS,
        () => performance.now(),
        async () => void (await within(count)),
      ),
      gauges: [
        ...texts.gauges,
        {
          name: "arkstone_full_text_files",
          help: "Different contents of files, by how their words were read; counted every five minutes",
          type: "gauge",
          read: () => counted,
        },
      ],
    };
  },
};
