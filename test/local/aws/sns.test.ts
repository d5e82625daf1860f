import { expect, it } from "vitest";
import { createPublisher } from "../../../local/aws/sns.ts";
import type { Model, QueueModel } from "../../../local/template/model.ts";

it("the stand-in for SNS repeats a message after the next one, if both come within minutes", () => {
  let now = 0;
  const queue = { name: "pushes" } as QueueModel;
  const subscriptions = [{ topic: "arn:topic", queue, raw: true, filter: {} }] as unknown as Model["subscriptions"];
  const got: string[] = [];
  const publish = createPublisher({ subscriptions }, { now: () => now, put: (_, body) => got.push(body) });

  for (const body of ["one", "two", "three"]) publish("arn:topic", body);
  now = 600_000;
  publish("arn:topic", "four");

  expect(got).toEqual(["one", "two", "one", "three", "two", "four"]);
});
