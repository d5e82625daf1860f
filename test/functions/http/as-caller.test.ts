import { expect, it } from "vitest";
import type { Table } from "../../../core/deps.ts";
import { asCaller } from "../../../functions/http/as-caller.ts";

it.each([
  ["console", "console"],
  ["setup_file", "setup_file"],
  ["api", "api"],
  [undefined, "api"],
  ["something", "api"],
  // The operator's commands make no requests, so nobody passes as one by a header.
  ["operator", "api"],
])("a change by a request with X-Via %s is recorded as made through %s, by the token's owner", (said, via) => {
  const headers = new Map(said === undefined ? [] : [["x-via", said]]);
  const { table } = asCaller({ table: {} as Table }, { headers, requestId: "req_1", caller: { userId: "usr_1" } });

  expect(table.author).toEqual({ userId: "usr_1", via, requestId: "req_1" });
});
