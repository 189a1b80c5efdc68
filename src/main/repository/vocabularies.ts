// Vocabularies, and who is signed in, for programs as a feature of the repository (R6a, R37).
import { accountPlugin } from "../../../plugins/repository/account/account.ts";
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { mePlugin } from "../../../plugins/repository/vocabularies/me.ts";
import { vocabularyPlugin } from "../../../plugins/repository/vocabularies/vocabularies.ts";
import { accountExport } from "../../repository/people/account-export.ts";
import { ownAccount } from "../../repository/people/own-account.ts";
import { whoami } from "../../repository/people/whoami.ts";
import { vocabularyReading } from "../../repository/vocabularies/vocabulary-reading.ts";
import { root } from "../app.ts";
import type { Feature } from "./feature.ts";
import { closingOf } from "./people-core.ts";

const PATHS = /^\/api\/(?:vocabularies|affiliations|awards|funders|names|subjects|me)(?:\/|$)/;

export const vocabulariesFeature: Feature = {
  endpoint: ({ guard, store, clock, random, config, addresses: { baseUrl } }) => {
    const { communities, authors } = store;
    const own = ownAccount({ store, clock, random });
    const needs = { communities, placeholderDomain: config.placeholderEmailDomain };
    return {
      plugin: root("vocabularies-and-me")
        .use(
          vocabularyPlugin({
            guard,
            baseUrl,
            vocabularies: vocabularyReading({ vocabularies: communities, authors, clock }),
          }),
        )
        .use(mePlugin({ guard, baseUrl, whoami: (viewer) => whoami(needs, viewer), profileOf: own.read }))
        .use(
          accountPlugin({
            guard,
            ownAccount: own,
            accountExport: accountExport({ store, clock }),
            closing: closingOf({ store, clock, random, config }),
          }),
        ),
      dialectFor: (path) => (PATHS.test(path) ? recordDialect : null),
    };
  },
};
