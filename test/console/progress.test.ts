import { expect, it, vi } from "vitest";
import { readProgress } from "../../console/pages/event/progress.ts";

it("the next steps of an event are read once a minute, and again when its state changes", async () => {
  const api = vi.fn<() => Promise<object>>().mockResolvedValue({ rules: [] });
  const read = (state: string) => readProgress({ api: api as never, me: "usr_ann" }, "evt_1", state);

  for (const state of ["open", "open", "acknowledged"]) await read(state);

  expect(api).toHaveBeenCalledTimes(2);
});
