// Notices and their mail, as a feature of the repository (R41, R45).
import { smtpMailer } from "../../adapters/mail.ts";
import { noticeJobs } from "../../repository/notices/sending.ts";
import { mailCommands } from "../commands/repository/mail.ts";
import type { Feature } from "./feature.ts";

export const noticesFeature: Feature = {
  commands: { "Look after": mailCommands },
  jobs: ({ config, store, clock, random, addresses, dayOf, log }) => {
    const { smtpUrl: url, mailFrom: from, repositoryName, timeZone, lang } = config;
    const server = url === null || from === null ? null : { url, from, fromName: repositoryName };
    return noticeJobs({
      store,
      clock,
      random,
      dayOf,
      log,
      timeZone,
      repositoryName,
      language: lang,
      baseUrl: addresses.baseUrl,
      placeholderDomain: config.placeholderEmailDomain,
      mailer: server === null ? null : () => smtpMailer(server),
    });
  },
};
