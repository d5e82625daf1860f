import { expect, it } from "vitest";
import { isSource } from "../../../../core/domain/basics/source-name.ts";

it.each([
  ["uptime-kuma", true],
  ["mapped", true],
  ["Grafana", false],
  ["", false],
  ["constructor", false],
])("the name %j is accepted as a source of messages: %j", (name, is) => {
  expect(isSource(name)).toBe(is);
});
