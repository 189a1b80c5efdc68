// Which addresses of the network are everybody's (IANA special-purpose address registries): what is fetched for a
// caller is fetched from no other, so that nobody reaches through us what only this machine or its network reaches.
// Pure.

/** The bytes of an IPv4 or IPv6 address; null for a text that is none. */
export function addressBytes(address: string): readonly number[] | null {
  const plain = address.replace(/^\[|\]$/g, "");
  if (plain.includes("%")) return null;
  return plain.includes(":") ? bytes6(plain) : bytes4(plain);
}

/** As RFC 5952 writes it; an IPv4 address inside IPv6 as the IPv4 address. */
export function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join(".");
  if (mapped4 !== undefined && isWithin(bytes, mapped4)) return bytes.slice(12).join(".");
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  const runs = groups.join(":").match(/\b0(?::0\b)+/g) ?? [];
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one), "");
  if (longest === "") return groups.join(":");
  return groups.join(":").replace(new RegExp(`(?:^|:)${longest}(?:$|:)`), "::");
}

function bytes4(text: string): readonly number[] | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return null;
  return parts.map(Number);
}

function bytes6(text: string): readonly number[] | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const end = dotted === null ? [] : bytes4(dotted[2] ?? "");
  if (end === null) return null;
  const [a = 0, b = 0, c = 0, d = 0] = end;
  const words = dotted === null ? text : `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  const halves = words.split("::");
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const zeros = 8 - head.length - tail.length;
  if (halves.length === 2 ? zeros < 1 : zeros !== 0) return null;
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
}

/** Networks as bytes and how many bits of them count. */
const CLOSED_4 = [
  // This network, private, shared by carriers (CGNAT), this machine, this link.
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
  // Protocols, documentation, relays to IPv6, benchmarks.
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  // Multicast, reserved, broadcast.
  ...["224.0.0.0/4", "240.0.0.0/4"],
];
/** Of IPv6 only 2000::/3 is everybody's, and of it not these: protocols and Teredo, documentation, 6to4. */
const OPEN_6 = "2000::/3";
const CLOSED_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
/**
 * Addresses with an IPv4 address in their last bytes, which decides: mapped, translated (NAT64), and the local form of
 * that.
 */
const CARRYING_4 = ["::ffff:0:0/96", "64:ff9b::/96"];

type Network = { readonly bytes: readonly number[]; readonly bits: number };

function networkOf(text: string): Network {
  const [address = "", bits = "0"] = text.split("/");
  return { bytes: addressBytes(address) ?? [], bits: Number(bits) };
}
const [closed4, closed6, carrying4] = [CLOSED_4, CLOSED_6, CARRYING_4].map((list) => list.map(networkOf));
const [mapped4] = carrying4 ?? [];
const open6 = networkOf(OPEN_6);

function isWithin(bytes: readonly number[], network: Network): boolean {
  if (bytes.length !== network.bytes.length) return false;
  const { bits } = network;
  return network.bytes.every((byte, index) => {
    const counted = Math.max(0, Math.min(8, bits - index * 8));
    return byte >> (8 - counted) === (bytes[index] ?? -1) >> (8 - counted);
  });
}

/**
 * Whether anybody on the network reaches this address, and the same host by it. False for a text that is not an
 * address.
 */
export function isPublicAddress(address: string): boolean {
  const bytes = addressBytes(address);
  if (bytes === null) return false;
  if (bytes.length === 4) return !closed4?.some((network) => isWithin(bytes, network));
  if (carrying4?.some((network) => isWithin(bytes, network)) === true) {
    return isPublicAddress(bytes.slice(12).join("."));
  }
  return isWithin(bytes, open6) && !closed6?.some((network) => isWithin(bytes, network));
}
