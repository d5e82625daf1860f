import { lookup } from "node:dns";
import { BlockList } from "node:net";
import type { LookupFunction } from "node:net";

/** Addresses that are not on the public Internet: this machine, its network, cloud metadata, reserved ranges. */
const inward = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.88.99.0", 24], // 6to4 relays, a former transition to IPv6
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  inward.ipv4.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 8], // unspecified, loopback and IPv4-mapped addresses; from 64:ff9b:: on, translated ones
  ["2001::", 32], // Teredo: IPv4 tunnelled in IPv6
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const)
  inward.ipv6.addSubnet(net, bits, "ipv6");

export const isPrivateIpAddress = (address: string): boolean => {
  const family = address.includes(":") ? "ipv6" : "ipv4";
  return inward[family].check(address, family);
};

export const INWARD = "ENDPOINT_INWARD";

type Resolve = (
  hostname: string,
  options: { all: true; family: number; hints: number },
  done: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

/** Creates a DNS lookup that refuses names with a private address. Connections use the returned address, not the name. */
export const createPublicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, done) => {
    const family = options.family === "IPv4" ? 4 : options.family === "IPv6" ? 6 : (options.family ?? 0);
    resolve(hostname, { all: true, family, hints: options.hints ?? 0 }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) done(error ?? new Error("no address"), []);
      else if (addresses.some(({ address }) => isPrivateIpAddress(address)))
        done(Object.assign(new Error("the name resolves to a private address"), { code: INWARD }), []);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
