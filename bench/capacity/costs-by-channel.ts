import "../../test/faults/engine/environment.ts";
import { prices } from "../prices.ts";
import { closeWorlds, createWorld } from "../../test/world/world.ts";

/* Measures an event for three people by each channel, with the real handlers on the local table in virtual time. */

const PEOPLE = ["usr_ann", "usr_bob", "usr_cleo"];
/** The time for which a run continues: long enough to send all notifications, but too short for a sweep. */
const SENT_MS = 10_000;
/** The number of warm-up events, which fill the caches and start the month's counts of messages. */
const WARM_UP_EVENTS = 2;

type Price = { from: number; to: number };
type Row = { name: string; devices: number; contact?: "email" | "sms" | "voice"; price: Price; requiresAck: boolean };

const free: Price = { from: 0, to: 0 };
const rows: readonly Row[] = [
  { name: "by push, on two devices each", devices: 2, price: free, requiresAck: false },
  { name: "by push, to be acknowledged", devices: 2, price: free, requiresAck: true },
  {
    name: "by push to be acknowledged, and by email",
    devices: 2,
    contact: "email",
    price: { from: prices.mail, to: prices.mail },
    requiresAck: true,
  },
  {
    name: "by push to be acknowledged, and by text message",
    devices: 2,
    contact: "sms",
    price: prices.textMessage,
    requiresAck: true,
  },
  {
    name: "by push to be acknowledged, and by a call of a minute",
    devices: 2,
    contact: "voice",
    price: prices.callMinute,
    requiresAck: true,
  },
];

/** Returns the table's units and the number of pushes and messages that one event uses, after some warm-up events. */
const measureCostOfEvent = async ({ devices, contact, requiresAck }: Row) => {
  const sent: object[] = [];
  const world = await createWorld({
    monthly: { sms: 500, voice: 500 },
    push: {
      prepare: async () => true,
      send: async (message) => {
        sent.push(message);
        return { kind: "accepted", messageId: "m" };
      },
    },
  });
  await world.rule([await world.group("Ops", PEOPLE, devices)], { requiresAck });
  if (contact !== undefined)
    for (const [index, userId] of PEOPLE.entries())
      await world.contact(
        userId,
        contact === "email" ? { email: `${userId}@acme.example` } : { phone: `+493000000${index}`, ways: [contact] },
      );
  for (let nr = 0; nr < WARM_UP_EVENTS; nr += 1) {
    await world.post();
    await world.runFor(SENT_MS);
  }
  sent.length = 0;
  world.usedUnits();
  await world.post();
  await world.runFor(SENT_MS);
  return { units: world.usedUnits(), sent: sent.length };
};

const formatDollars = (price: number): string => (price === 0 ? "0" : price.toPrecision(2).replace(/\.0$/, ""));
const formatTotalPrice = ({ from, to }: Price, count: number): string =>
  from === to ? formatDollars(from * count) : `${formatDollars(from * count)} to ${formatDollars(to * count)}`;

/** Sends an event by each channel. Returns the table's units (`units`) and the number of pushes and messages (`sent`). */
export const measureCostsByChannel = async (): Promise<(Row & { units: number; sent: number })[]> => {
  const costs: (Row & { units: number; sent: number })[] = [];
  for (const row of rows) costs.push({ ...row, ...(await measureCostOfEvent(row)) });
  await closeWorlds();
  return costs;
};

/** Renders the costs of an event for three people by each channel. `eventDollars`: the cost of an event sent only by push. */
export const renderChannelTable = async (eventDollars: number): Promise<string[]> => {
  const [push, ...others] = await measureCostsByChannel();
  if (push === undefined) throw new Error("there is no way");
  return [
    "| An event for three people | Sent | Table units | $ of the service | $ of the channel |",
    "|---|---|---|---|---|",
    ...[push, ...others].map(({ name, units, sent, price }) => {
      const own = eventDollars + (units - push.units) * prices.dynamodbWriteUnit;
      return `| ${name} | ${sent} | ${units} | ${own.toPrecision(2)} | ${formatTotalPrice(price, PEOPLE.length)} |`;
    }),
  ];
};
