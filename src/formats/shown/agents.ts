// People and organisations as a landing page shows them (R19a): names in every language, who they are elsewhere, where they work. No mail address.
import type { Agent, Org } from "../../domain/items/metadata.ts";
import { agentAddress, displayName, identAddress } from "../citation/cited-item.ts";
import type { ShownDetail, ShownValue } from "./values.ts";

/** Values of one agent beyond this number are not shown. */
const DETAILS_MAX = 50;

export function agentValue(agent: Agent, vocabulary: string): ShownValue {
  const named = agent.names.filter((name) => displayName(name) !== "");
  const [first, ...others] = named;
  const [alternative] = agent.alternatives;
  const text = first === undefined ? (alternative?.value ?? agent.ids[0]?.value ?? "") : displayName(first);
  const address = agentAddress(agent.ids);
  const details: ShownDetail[] = [
    ...others.map((name) => ({ text: displayName(name), ...(name.lang === undefined ? {} : { lang: name.lang }) })),
    ...(first === undefined ? agent.alternatives.slice(1) : agent.alternatives).map(({ value, lang }) => ({
      text: value,
      ...(lang === undefined ? {} : { lang }),
    })),
    ...agent.ids.map((ident) => {
      const href = identAddress(ident);
      return { text: `${ident.scheme}: ${ident.value}`, ...(href === null ? {} : { href }) };
    }),
    ...agent.affiliations.map(orgText).filter((each) => each.text !== ""),
  ];
  return {
    text,
    ...(first?.lang === undefined ? {} : { lang: first.lang }),
    ...(address === null ? {} : { href: address }),
    ...(agent.role === undefined || agent.role === "" ? {} : { kind: { vocabulary, id: agent.role } }),
    details: details.slice(0, DETAILS_MAX),
  };
}

/** An organisation in one line: its names, and where it is described. */
export function orgText(org: Pick<Org, "names" | "ids">): ShownDetail {
  const [first] = org.names;
  const address = agentAddress(org.ids);
  return {
    text: org.names.map(({ value }) => value).join(" / "),
    ...(org.names.length === 1 && first?.lang !== undefined ? { lang: first.lang } : {}),
    ...(address === null ? {} : { href: address }),
  };
}
