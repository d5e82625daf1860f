import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createFeed } from "../../local/feed.ts";

it("the local terminal shows all problems and 30 other lines per second, and says once how many it left out", async () => {
  const dir = mkdtempSync(join(tmpdir(), "feed-"));
  vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
  const lines: string[] = [];
  const feed = createFeed({ dir, print: (line) => lines.push(line) });
  onTestFinished(async () => {
    vi.useRealTimers();
    await feed.close();
    rmSync(dir, { recursive: true });
  });
  const addLines = (count: number): string[] => {
    for (let nr = 0; nr < count; nr += 1) feed.add("info", "matcher", "started");
    return lines.splice(0);
  };
  const buildThirtyLines = (time: string) =>
    Array.from({ length: 30 }, () => `${time}  · matcher              started`);

  expect(addLines(35)).toEqual(buildThirtyLines("00:01:00.000"));
  feed.add("problem", "matcher", "failed");
  expect(lines.splice(0)).toEqual(["00:01:00.000  ! matcher              failed"]);
  vi.setSystemTime(61_000);
  const missing = `  … and 5 more lines; all are in ${join(dir, "logs")}`;
  expect(addLines(30)).toEqual([missing, ...buildThirtyLines("00:01:01.000")]);
  vi.setSystemTime(62_000);
  expect(addLines(30)).toEqual(buildThirtyLines("00:01:02.000"));
});
