// Where the public finds this repository and its names, as the settings say (R5, R33).
import { type Config, portOf } from "../config.ts";
import { type Addresses, addressesUnder } from "../repository/model/addresses.ts";

export function addresses(config: Config): Addresses {
  return addressesUnder({
    base: config.baseUrl ?? `http://${config.host}:${portOf(config, "repository")}${config.rootPath}`,
    resolver: config.resolverUrl ?? config.globalResolver ?? "https://n2t.net",
  });
}
