// People and organisations as a landing page shows them (R19a): names in every language, who they are elsewhere, where
// they work. No mail address.

import { agentAddress, identAddress } from "../../formats/citation/cited-item.ts";
import { agentNames } from "../../model/agents/agent-names.ts";
import type { Agent, Org } from "../../model/metadata/metadata.ts";
import { inLanguage } from "../../model/metadata/reader-language.ts";
import type { ShownDetail, ShownValue } from "./row-values.ts";

/** Values of one agent beyond this number are not shown. */
const DETAILS_MAX = 50;

/** `tag`: the reader's language, whose name comes first. */
export function agentValue(agent: Agent, vocabulary: string, tag: string): ShownValue {
  const [first, ...others] = agentNames(agent, tag, DETAILS_MAX);
  const ids = agent.ids.slice(0, DETAILS_MAX);
  const address = agentAddress(ids);
  const details: ShownDetail[] = [
    ...others,
    ...ids.map((ident) => {
      const href = identAddress(ident);
      return { text: `${ident.scheme}: ${ident.value}`, ...(href === null ? {} : { href }) };
    }),
    ...agent.affiliations
      .slice(0, DETAILS_MAX)
      .map((org) => orgText(org, tag))
      .filter((each) => each.text !== ""),
  ];
  return {
    ...(first ?? { text: ids[0]?.value ?? "" }),
    ...(address === null ? {} : { href: address }),
    ...(agent.authorId === undefined ? {} : { person: agent.authorId }),
    ...(agent.role === undefined || agent.role === "" ? {} : { kind: { vocabulary, id: agent.role } }),
    details: details.slice(0, DETAILS_MAX),
  };
}

/** An organisation in one line: its names, the reader's language first, and where it is described. */
export function orgText(org: Pick<Org, "names" | "ids">, tag: string): ShownDetail {
  const names = inLanguage(org.names, tag).slice(0, DETAILS_MAX);
  const [first] = names;
  const address = agentAddress(org.ids);
  return {
    text: names.map(({ value }) => value).join(" / "),
    ...(names.length === 1 && first?.lang !== undefined ? { lang: first.lang } : {}),
    ...(address === null ? {} : { href: address }),
  };
}
