import type { LookupOptions } from "node:dns";
import { describe, expect, it } from "vitest";
import { createPublicLookup, isPrivateIpAddress } from "../../../core/post/public-lookup.ts";

type Resolve = NonNullable<Parameters<typeof createPublicLookup>[0]>;

/** Returns the addresses, or the code of the error. */
const lookUp = (resolve: Resolve, options: LookupOptions = { all: true }) =>
  new Promise<unknown>((done) => {
    createPublicLookup(resolve)("fcm.googleapis.com", options, (error, found, family) =>
      done(error === null ? (family === undefined ? found : [found, family]) : [error.code ?? error.message, found]),
    );
  });

const addresses =
  (...found: string[]): Resolve =>
  (_name, _options, done) =>
    done(
      null,
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

describe("the IP address", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "::1",
    "::",
    "fd00:ec2::254",
    "fe80::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "ff02::1",
  ])("%s is internal", (address) => {
    expect(isPrivateIpAddress(address)).toBe(true);
  });

  it.each(["142.250.74.138", "172.32.0.1", "2a00:1450:4001:82f::200a"])("%s is public", (address) => {
    expect(isPrivateIpAddress(address)).toBe(false);
  });
});

describe("a host name", () => {
  it("is resolved to all its addresses, or to the first address if only one is requested, with the IP version", async () => {
    const found = addresses("142.250.74.138", "2a00:1450::8a");

    expect(await lookUp(found)).toEqual([
      { address: "142.250.74.138", family: 4 },
      { address: "2a00:1450::8a", family: 6 },
    ]);
    expect(await lookUp(found, {})).toEqual(["142.250.74.138", 4]);
  });

  it("is refused if one of its addresses is internal", async () => {
    expect(await lookUp(addresses("142.250.74.138", "169.254.169.254"))).toEqual(["ENDPOINT_INWARD", []]);
    expect(await lookUp(addresses("142.250.74.138", "::1"), {})).toEqual(["ENDPOINT_INWARD", []]);
  });

  it("that has no address, or that cannot be resolved, is an error", async () => {
    const failAsUnknown: Resolve = (_name, _options, done) =>
      done(Object.assign(new Error(), { code: "ENOTFOUND" }), []);

    expect(await lookUp(failAsUnknown)).toEqual(["ENOTFOUND", []]);
    expect(await lookUp(addresses())).toEqual(["no address", []]);
  });

  it.each([
    ["no options", {}, { all: true, family: 0, hints: 0 }],
    ["the IP version 6", { family: 6 }, { all: true, family: 6, hints: 0 }],
    ["the IP version IPv4 and hints", { family: "IPv4", hints: 32 } as const, { all: true, family: 4, hints: 32 }],
    ["the IP version IPv6", { family: "IPv6" } as const, { all: true, family: 6, hints: 0 }],
  ])("is resolved by a request for all its addresses if the caller gives %s", async (_, options, asked) => {
    const seen: unknown[] = [];
    await lookUp((name, given, done) => {
      seen.push(name, given);
      done(null, []);
    }, options);

    expect(seen).toEqual(["fcm.googleapis.com", asked]);
  });
});
