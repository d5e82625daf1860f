import { vi } from "vitest";
import type { Deps, Log } from "../../core/deps.ts";
import { encodeBase32 } from "../../core/domain/basics/ids.ts";
import { recordDefect } from "./defects.ts";

/** Worlds begin at an odd second of an odd minute, so that code that only works at full minutes, hours or days fails. */
export const ODD_START = Date.UTC(2026, 10, 21, 12, 7, 23, 456);

/** A start for tests about shifts that begin at full hours. */
export const NOON = Date.UTC(2026, 10, 21, 12);

/** Creates a clock that does not run by itself, and ids that count up. */
export const createTestClock = (start = ODD_START) => {
  let time = start;
  let ids = 0;
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn<Log["error"]>(recordDefect), metric: vi.fn() };
  const deps: Pick<Deps, "now" | "newId" | "random" | "sleep" | "receiptKeys" | "webhookKey"> & { log: typeof log } = {
    now: () => time,
    // The count comes first, because event ids contain only the first characters of a new id.
    newId: (prefix) => `${prefix}_${encodeBase32((ids += 1), 11)}00000`,
    random: () => 0.5,
    sleep: async () => {},
    webhookKey: async () => "a key of webhooks that is good for tests only",
    receiptKeys: async () => ({ key: "a key of tokens that is good for tests only", since: 0 }),
    log,
  };
  return { deps, advance: (ms: number) => (time += ms) };
};
