import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { readCalendar, renewCalendarUrl } from "../../../core/flow/read/shifts.ts";
import { memberKey } from "../../../core/store/keys.ts";
import { removeMember, saveMember } from "../../../core/store/people/members.ts";
import { useWorld } from "../../world/use-world.ts";

const bob = { userId: "usr_bob", name: "Bob", email: "bob@acme.example" };
const nameOf = (url: string): string => url.split("/").at(-1) ?? "";
const withFeed = async () => {
  const { deps, ws } = await useWorld();
  await saveMember(deps, ws, bob);
  const { url } = await renewCalendarUrl(deps, ws, { kind: "user", id: bob.userId }, "https://alerts.example");
  return { deps, ws, feed: nameOf(url) };
};

it("a personal calendar feed ends with the membership, and a new membership does not restore it", async () => {
  const { deps, ws, feed } = await withFeed();
  expect(await readCalendar(deps, feed)).toContain("BEGIN:VCALENDAR");

  await removeMember(deps, ws, bob.userId);
  expect(await readCalendar(deps, feed)).toBeUndefined();

  await saveMember(deps, ws, bob);
  expect(await readCalendar(deps, feed)).toBeUndefined();
});

it("a calendar feed that is left over from a former membership is empty", async () => {
  const { deps, ws, feed } = await withFeed();

  await deps.table.client.send(new DeleteCommand({ TableName: deps.table.name, Key: memberKey(ws, bob.userId) }));

  expect(await readCalendar(deps, feed)).toBeUndefined();
});
