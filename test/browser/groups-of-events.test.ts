import { expect, onTestFinished, test } from "vitest";
import { asDora, callApi, HANDS, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

/** Creates a rule that pages once per host and then notifies Dora silently, for a resource that no other test uses. */
const createGroupingRule = async () => {
  const resource = `storm_${Date.now().toString(36)}`;
  const eventKey = `${resource}.full`;
  const { userId } = workspaceNamed("Demo").members.find(({ name }) => name === "Dora")!;
  const groupId = await makeGroup("Demo", `Of ${resource}`, [userId]);
  const grouping = { groupBy: ["data.host"], groupMinutes: 60 };
  await makeRule("Demo", groupId, { name: `Rule of ${resource}`, eventKey: `${resource}.*`, ...grouping });
  const send = (title: string, host: string) =>
    sendEvent("Demo", { event: eventKey, title, body: "No space left.", data: { host } });
  const first = await send(`First of ${resource}`, "db-1");
  await expect.poll(() => callApi("Demo", "GET", `/events/${first.eventId}`)).toMatchObject({ state: "open" });
  const last = await send(`Second of ${resource}`, "db-1");
  await send(`Third of ${resource}`, "db-1");
  await expect.poll(() => callApi("Demo", "GET", `/events/${first.eventId}`)).toMatchObject({ grouped: 2 });
  onTestFinished(async () => void (await callApi("Demo", "POST", `/events/${first.eventId}/resolve`, {})));
  return { resource, eventKey, first: first.eventId, second: last.eventId };
};

test.each(HANDS)(
  "a group of events is one row in the inbox and in the event list; the row opens with $input",
  async ({ keyboard }) => {
    const { resource, eventKey } = await createGroupingRule();
    const dora = await asDora({ keyboard, at: "/inbox" });
    const { page } = dora;
    const name = `2 events in the group of "First of ${resource}"`;
    const article = page.getByRole("article", { name: `First of ${resource}`, exact: true });
    await dora.pressNamed(name, article);
    await article.getByRole("link", { name: `Third of ${resource}` }).waitFor();

    await dora.open(`/events?eventKey=${eventKey}`, "Demo");
    const row = page.getByRole("listitem").filter({ hasText: `First of ${resource}` });
    await row.waitFor();
    expect(await page.getByText(`Third of ${resource}`).count()).toBe(0);
    await dora.pressNamed(name, row);
    const group = page.getByRole("region", { name: `The group of "First of ${resource}"` });
    await group.getByRole("link", { name: `Third of ${resource}` }).waitFor();
    expect(await group.getByRole("listitem").count()).toBe(2);
    await page.reload();
    await group.getByRole("link", { name: `Second of ${resource}` }).waitFor();
    await dora.pressNamed(name, row);
    await group.waitFor({ state: "detached" });
  },
);

test("a grouped event's page says which events form the group, and links to and from the event that paged", async () => {
  const { resource, second } = await createGroupingRule();
  const dora = await asDora({ at: `/events/${second}` });
  const { page } = dora;

  await page.getByText("The group contains the events with data.host = db-1 that match the rule").waitFor();
  await page
    .getByRole("link", { name: `Rule of ${resource}` })
    .first()
    .waitFor();
  await dora.goTo(`First of ${resource}`);
  await dora.pressNamed(`2 events in the group of "First of ${resource}"`);
  await dora.goTo(`Second of ${resource}`);
});
