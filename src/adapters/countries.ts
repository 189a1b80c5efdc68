// Countries of addresses from a local database (R51, SVC_GEOIP_FILE; MaxMind DB file format 2.0): nothing leaves the
// machine, and of an address its country alone is asked for.
import { Buffer } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { type CountryResponse, Reader } from "mmdb-lib";

/** Larger databases hold cities; those of countries have some 10 MB. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;
const CODE = /^[A-Z]{2}$/;

/**
 * ISO 3166-1 code of an address; "" for one that the database does not have, and for what is not an address.
 *
 * @throws Error for a file that is not such a database
 */
export function countriesOf(path: string): (address: string) => string {
  if (statSync(path).size > FILE_BYTES_MAX) throw new Error("it is larger than 512 MiB");
  const reader = new Reader<CountryResponse>(Buffer.from(readFileSync(path)));
  const versions = reader.metadata.ipVersion === 4 ? [4] : [4, 6];
  return (address) => {
    if (!versions.includes(isIP(address))) return "";
    try {
      const code = reader.get(address)?.country?.iso_code ?? "";
      return CODE.test(code) ? code : "";
    } catch {
      return "";
    }
  };
}
