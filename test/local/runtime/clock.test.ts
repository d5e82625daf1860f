import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClock, readAheadMs } from "../../../local/clock.ts";
import { createRuntime } from "../../../local/runtime/runtime.ts";

const HOUR_MS = 3_600_000;
const table = mockClient(DynamoDBDocumentClient);
let dir = "";
const closers: (() => unknown)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "clock-"));
  table.reset();
  table.on(UpdateCommand).resolves({});
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(dir, { recursive: true, force: true });
});

const startClock = () => {
  const runtime = createRuntime({
    functions: [],
    environmentOf: () => ({}),
    preloadsOf: () => [],
    onLine: () => {},
    onUsed: () => {},
    aheadMs: readAheadMs(dir),
  });
  const clock = createClock(runtime, { dir, name: "table", endpoint: "http://127.0.0.1:1" });
  closers.push(runtime.close, clock.close);
  return { ...clock, measureAheadHours: () => Math.round((runtime.now() - Date.now()) / HOUR_MS) };
};

it("the clock of the local service that was moved forward stays ahead after a restart in the same directory", async () => {
  const first = startClock();
  expect(first.measureAheadHours()).toBe(0);
  expect(await first.advance(2 * HOUR_MS)).toBe(2 * HOUR_MS);

  const second = startClock();
  expect(second.measureAheadHours()).toBe(2);
  expect(await second.advance(3 * HOUR_MS)).toBe(5 * HOUR_MS);

  expect(startClock().measureAheadHours()).toBe(5);
});

it("the local clock is not advanced if the table refuses a write, and shows the real time if its file is damaged", async () => {
  const clock = startClock();
  table.on(UpdateCommand).rejects(new Error("the table fails"));
  await expect(clock.advance(HOUR_MS)).rejects.toThrow("the table fails");
  expect(clock.measureAheadHours()).toBe(0);
  expect(readAheadMs(dir)).toBe(0);

  writeFileSync(join(dir, "clock.json"), "{");
  expect(readAheadMs(dir)).toBe(0);
});
