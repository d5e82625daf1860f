import type * as v from "valibot";
import type { EventInput } from "../../core/domain/event/event.ts";

export type Kind = (n: number) => v.InferInput<typeof EventInput>;
const shop = { site: "https://shop.example", site_name: "Shop" };
export const kinds: readonly Kind[] = [
  (n) => ({
    event: "order.created",
    title: `Order ${4000 + n}`,
    body: `${40 + ((n * 137) % 1900)} EUR, ${1 + (n % 5)} items`,
    priority: "LOW",
    data: { ...shop, amount: 40 + ((n * 137) % 1900), customer: { tier: n % 3 === 0 ? "gold" : "plain" } },
  }),
  (n) => ({
    event: "order.failed",
    title: `Order ${4000 + n} failed`,
    body: "The card was declined twice.",
    priority: "HIGH",
    detail: "Both tries were answered with do_not_honor. The basket is kept for a day.",
    data: { ...shop, amount: 80 + (n % 90), reason: "do_not_honor" },
    url: `https://shop.example/orders/${4000 + n}`,
  }),
  (n) => ({
    event: "deploy.finished",
    title: `web ${n % 9}.${n % 7} is live`,
    body: "All 12 instances are healthy.",
    priority: "LOW",
    data: { service: "web", version: `${n % 9}.${n % 7}` },
  }),
  (n) => ({
    event: "ticket.opened",
    title: `Ticket ${900 + n}: where is my order?`,
    body: "Answer within four hours.",
    data: { ...shop, customer: { tier: n % 2 === 0 ? "gold" : "plain" } },
  }),
  (n) => ({
    event: "checkout.slow",
    title: "Checkout is slow",
    body: `95 % of the calls take up to ${1800 + ((n * 61) % 1500)} ms.`,
    priority: "HIGH",
    data: { ...shop, p95_ms: 1800 + ((n * 61) % 1500), region: "eu-central-1" },
  }),
  (n) => ({
    event: "order.created",
    title: `Order ${4000 + n}`,
    body: `${900 + ((n * 53) % 900)} EUR, one item`,
    priority: "LOW",
    data: { ...shop, amount: 900 + ((n * 53) % 900), customer: { tier: "gold" } },
  }),
  (n) => ({
    event: "refund.requested",
    title: `Refund of ${60 + ((n * 31) % 400)} EUR`,
    body: "The parcel came back opened.",
    data: { ...shop, amount: 60 + ((n * 31) % 400) },
  }),
  (n) => ({
    event: "disk.filling",
    title: `db-${1 + (n % 3)}: the disk is ${82 + (n % 15)} % full`,
    body: "At this rate, the disk is full in nine hours.",
    priority: "HIGH",
    data: { host: `db-${1 + (n % 3)}`, used_percent: 82 + (n % 15) },
  }),
  (n) => ({
    event: "payment.errors",
    title: "Card payments fail",
    body: `${3 + (n % 9)} % of the payments failed in five minutes.`,
    priority: "URGENT",
    data: { ...shop, provider: "cards", error_rate: 3 + (n % 9) },
  }),
  (n) => ({
    event: "deploy.failed",
    title: `api ${n % 9}.${n % 5} was rolled back`,
    body: "Health checks failed on 3 of 12 instances.",
    priority: "HIGH",
    data: { service: "api", version: `${n % 9}.${n % 5}` },
  }),
  () => ({
    event: "backup.failed",
    title: "The nightly backup did not finish",
    body: "It stopped after 41 minutes: no space left.",
    priority: "HIGH",
    data: { host: "db-1", minutes: 41 },
  }),
];
/** Returns the kind of events with a key: a function that creates event number `n`. Throws if the demo has no such kind. */
export const findEventKind = (eventKey: string): Kind => {
  const found = kinds.find((kind) => kind(1).event === eventKey);
  if (found === undefined) throw new Error(`the demo has no event ${eventKey}`);
  return found;
};
