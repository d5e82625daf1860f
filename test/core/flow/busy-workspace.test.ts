import { describe, expect, it } from "vitest";
import { createRandom } from "../../../tools/random.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo, type World } from "../../world/world.ts";

const MINUTE = 60_000;
const PEOPLE = ["usr_ann", "usr_bob", "usr_cho"];
const MATCHED = 0.3;

type Load = {
  /** How many events come in a second, at random moments, and for how many seconds. */
  rate: number;
  seconds: number;
  /** The number of incompressible bytes in each event. */
  bytes: number;
  /** The number of sites, of which each event names a random one. */
  sites: number;
  /** Scales down both the rate of events and the throughput of a partition. */
  share: number;
};

/** Sends the events at their times, and matches and delivers each at once. Returns the numbers of refused calls. */
const sendEvents = async (world: World, { rate, seconds, bytes, sites, share }: Load) => {
  const random = createRandom(28);
  const randomText = () =>
    Buffer.from(Array.from({ length: bytes }, () => Math.floor(256 * random()))).toString("base64");
  let passed = 0;
  const refused = { posts: 0, matched: 0 };
  let [posted, matched] = [0, 0];
  for (let at = 0; at < seconds * 1000;) {
    const gap = (-Math.log(1 - random()) / (share * rate)) * 1000;
    at += gap;
    passed += gap;
    world.skip(Math.floor(passed));
    passed %= 1;
    const matches = random() < MATCHED;
    const site = Math.floor(sites * random());
    const before = world.throttles();
    const posting = world.post({
      event: matches ? "disk.full" : "disk.fine",
      title: "Disk",
      dedupeKey: `key-${posted}`,
      data: { site: `https://site-${site}.example`, site_name: `Site ${site}`, noise: randomText() },
    });
    const answer = await posting.catch((error: unknown) => {
      if (world.throttles() === before) throw error;
    });
    posted += 1;
    matched += matches && answer?.kind === "created" ? 1 : 0;
    const between = world.throttles();
    refused.posts += between - before;
    await world.work();
    refused.matched += world.throttles() - between;
  }
  return { refused, posted, matched };
};

/** The table's write limit, which is so high that only the limits of single partitions count. */
const TABLE_WRITES = 40_000;

const createBusyWorld = async (share: number) => {
  let busy = false;
  const world = await useWorld({ throttled: () => busy, share, tableWrites: TABLE_WRITES });
  const groupId = await world.group("Ops", PEOPLE);
  const escalationPolicyId = await world.policy([stepTo(groupId, 30)]);
  await world.rule([groupId], { eventKey: "disk.full", requiresAck: true, escalationPolicyId });
  world.skip(MINUTE);
  return { world, begin: () => (busy = true), end: () => (busy = false) };
};

const LONG = process.env["LARGE_PLANS"] !== undefined;
const loads: Load[] = [
  { rate: 1_000, seconds: 1.6, bytes: 1_000, sites: 1, share: 0.25 },
  ...(LONG
    ? [
        { rate: 1_000, seconds: 8, bytes: 1_000, sites: 1, share: 1 },
        { rate: 1_000, seconds: 8, bytes: 1_000, sites: 1_000, share: 1 },
        { rate: 1_000, seconds: 8, bytes: 100, sites: 20, share: 1 },
        { rate: 200, seconds: 20, bytes: 8_000, sites: 20, share: 1 },
      ]
    : []),
];

describe("a busy workspace", () => {
  it.each(loads)(
    "sends $rate events a second of $bytes bytes from $sites sites (scaled by $share), all delivered without a throttled call",
    { timeout: 900_000 },
    async (load) => {
      const { world, begin, end } = await createBusyWorld(load.share);

      begin();
      const { refused, posted, matched } = await sendEvents(world, load);
      end();
      await world.runFor(MINUTE);

      expect(refused).toEqual({ posts: 0, matched: 0 });
      expect(posted).toBeGreaterThan(0.8 * load.share * load.rate * load.seconds);
      const ownersRead = /^No rule matches a new event/;
      const notified = world.pushed.filter(({ message }) => !ownersRead.test(message.notification?.title ?? ""));
      expect(notified).toHaveLength(matched * PEOPLE.length);
    },
  );
});
