import { expect, test } from "vitest";
import { callApi } from "./person.ts";

const DAY_MS = 86_400_000;

const readList = <Item>(path: string): Promise<Item[]> => callApi<Item[]>("Demo", "GET", path);

test("the demo workspace has data on every page, created by different people at different times", async () => {
  for (const path of ["/heartbeats", "/webhooks", "/connections", "/silences", "/escalation-policies"])
    expect(await readList(path), path).not.toEqual([]);
  const keys = await readList<{ source?: string }>("/api-keys");
  expect(keys.some(({ source }) => source === "grafana")).toBe(true);
  const people = await readList<{ name: string; reachable: string }>("/members");
  expect(people.filter(({ reachable }) => reachable === "proven").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Dan", "Lena", "Omar", "Priya"]),
  );
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const { items: trail } = await callApi<{ items: { actor: { name: string } | null }[] }>(
    "Demo",
    "GET",
    `/audit?limit=100&to=${yesterday}`,
  );
  expect(new Set(trail.map(({ actor }) => actor?.name)).size).toBeGreaterThanOrEqual(4);
  const { items: events } = await callApi<{ items: { receivedAt: string }[] }>("Demo", "GET", "/events?limit=20");
  expect(new Set(events.map(({ receivedAt }) => receivedAt.slice(-4))).size).toBeGreaterThan(5);
});
