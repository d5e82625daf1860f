import { expect, it } from "vitest";
import { isSource } from "../../../../core/domain/basics/source-name.ts";

it.each([
  ["uptime-kuma", true, "is accepted"],
  ["mapped", true, "is accepted"],
  ["Grafana", false, "is not accepted"],
  ["", false, "is not accepted"],
  ["constructor", false, "is not accepted"],
])("the name %j $2 as a source of messages", (name, is) => {
  expect(isSource(name)).toBe(is);
});
