// Deposits over SWORD, and the commands that send them, as a feature of the repository (R11 to R17).
import { swordDialect } from "../../../plugins/repository/sword/errors.ts";
import { sword } from "../../../plugins/repository/sword/sword.ts";
import { openFileBytes } from "../../adapters/files.ts";
import { unpacking } from "../../adapters/unpacking.ts";
import { deposit } from "../../repository/deposit/deposit.ts";
import { metadataCompletion } from "../../repository/deposit/metadata-completion.ts";
import { collectingFiles } from "../../repository/deposit/receiving.ts";
import { peekRoot } from "../../shared/xml/parse.ts";
import { depositCommands } from "../commands/repository/deposit.ts";
import { packCommands } from "../commands/repository/pack.ts";
import { collectGarbage } from "../process/garbage.ts";
import { doiSources } from "./doi-sources.ts";
import type { Feature, ServerRuntime } from "./feature.ts";
import { depositGauges } from "./repository-gauges.ts";

export const depositFeature: Feature = {
  commands: { Send: [...packCommands, ...depositCommands] },
  endpoint: (served) => {
    const { config, clock, guard } = served;
    const service = depositOf(served);
    const now = (): number => Date.parse(clock.now());
    const plugin = sword({
      deposit: service,
      clientSeconds: config.clientSeconds,
      leastBytesPerSecond: config.leastUploadRate,
      now,
      serviceDocument: serviceDocumentOf(served),
      guard,
    });
    return {
      plugin,
      dialectFor: (path) => (path === "/sword" || path.startsWith("/sword/") ? swordDialect(now) : null),
      gauges: [...depositGauges(service.figures), ...served.threads.gauges],
    };
  },
};

const PROCESS_ID_LENGTH = 32;

function depositOf({ config, store, files, clock, random, ...served }: ServerRuntime) {
  return deposit({
    storage: files.storage,
    incoming: collectingFiles(files.incoming, collectGarbage),
    store,
    clock,
    random,
    processId: files.own?.id ?? random.betanumerics(PROCESS_ID_LENGTH),
    log: served.log,
    items: served.items,
    activities: served.activities,
    addresses: served.addresses,
    unpacking: unpacking(),
    parsing: served.threads.parsing,
    openFile: openFileBytes,
    rootElement: peekRoot,
    findOnBehalfOf: served.onBehalfOf,
    completion: metadataCompletion(doiSources(config)),
    timeZone: config.timeZone,
    maxUploadBytes: config.maxUploadBytes,
    rawBody: config.swordRawBody,
    onBehalfOf: config.swordOnBehalfOf,
    verifyDigest: config.swordVerifyDigest,
    defaultIndex: config.defaultIndex,
    maxConcurrent: config.maxConcurrentDeposits,
    perAccount: config.depositsPerAccount,
  });
}

function serviceDocumentOf({ config, addresses }: ServerRuntime) {
  const statement = (url: string | null, text: string) => ({ url, description: text === "" ? null : text });
  return {
    url: addresses.serviceDocument,
    title: config.repositoryName,
    abstract: config.repositoryAbstract,
    collectionPolicy: statement(config.collectionPolicyUrl, config.collectionPolicyText),
    treatment: statement(config.treatmentUrl, config.treatmentText),
    maxUploadBytes: config.maxUploadBytes,
    minSegmentBytes: config.minSegmentBytes,
    onBehalfOf: config.swordOnBehalfOf,
  };
}
