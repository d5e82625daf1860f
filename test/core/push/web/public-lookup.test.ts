import { describe, expect, it } from "vitest";
import { createPublicLookup, isInward } from "../../../../core/push/web/public-lookup.ts";

const lookUp = (...addresses: string[]) =>
  new Promise<unknown>((resolve) => {
    const look = createPublicLookup((_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    );
    look("fcm.googleapis.com", { all: true }, (error, found) => resolve(error === null ? found : error.code));
  });

describe("an address", () => {
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
  ])("%s leads inward", (address) => {
    expect(isInward(address)).toBe(true);
  });

  it.each(["142.250.74.138", "172.32.0.1", "2a00:1450:4001:82f::200a"])("%s does not", (address) => {
    expect(isInward(address)).toBe(false);
  });
});

describe("a name", () => {
  it("is found", async () => {
    expect(await lookUp("142.250.74.138")).toEqual([{ address: "142.250.74.138", family: 4 }]);
  });

  it("is refused when one of its addresses leads inward, however many do not", async () => {
    expect(await lookUp("142.250.74.138", "169.254.169.254")).toBe("ENDPOINT_INWARD");
  });
});
