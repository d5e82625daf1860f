import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { readCalendar, renewCalendarUrl } from "../../../core/flow/read/shifts.ts";
import { memberKey } from "../../../core/store/keys.ts";
import { removeMember, saveMember } from "../../../core/store/people/members.ts";
import { useWorld } from "../../world/use-world.ts";

const bob = { userId: "usr_bob", name: "Bob", email: "bob@acme.example" };
const secretOf = (url: string): string => url.split("/").at(-1) ?? "";
const setUpFeed = async () => {
  const { deps, ws, listItems } = await useWorld();
  await saveMember(deps, ws, bob);
  const renew = () => renewCalendarUrl(deps, ws, { kind: "user", id: bob.userId }, "https://alerts.example");
  return { deps, ws, listItems, renew, feed: secretOf((await renew()).url) };
};

it("a renewed calendar feed has only its new URL, and the old secret is not stored any more", async () => {
  const { deps, listItems, renew, feed } = await setUpFeed();
  await renew();

  expect(await readCalendar(deps, feed)).toBeUndefined();
  expect((await listItems()).filter(({ pk }) => String(pk).startsWith("CALENDAR#"))).toHaveLength(1);
});

it("a personal calendar feed ends with the membership, and a new membership does not restore it", async () => {
  const { deps, ws, feed } = await setUpFeed();
  expect(await readCalendar(deps, feed)).toContain("BEGIN:VCALENDAR");

  await removeMember(deps, ws, bob.userId);
  expect(await readCalendar(deps, feed)).toBeUndefined();

  await saveMember(deps, ws, bob);
  expect(await readCalendar(deps, feed)).toBeUndefined();
});

it("a calendar feed that is left over from a former membership is empty", async () => {
  const { deps, ws, feed } = await setUpFeed();

  await deps.table.client.send(new DeleteCommand({ TableName: deps.table.name, Key: memberKey(ws, bob.userId) }));

  expect(await readCalendar(deps, feed)).toBeUndefined();
});
