import { expect, onTestFinished, test } from "vitest";
import { aPerson, asDora, callApi, HANDS, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

type Seen = { acknowledgedUntil: string | null; notifications: { user: { name: string }; added: object | null }[] };

const createEvent = async () => {
  const name = `hand_${Date.now().toString(36)}`;
  const { members } = workspaceNamed("Demo");
  const dora = members.find((one) => one.name === "Dora")!;
  const other = members.find((one) => one.name !== "Dora" && one.name !== "")!;
  await makeGroup("Demo", `Others ${name}`, [other.userId]);
  const groupId = await makeGroup("Demo", `Own ${name}`, [dora.userId]);
  await makeRule("Demo", groupId, { name, eventKey: `${name}.failed` });
  const { eventId } = await sendEvent("Demo", { event: `${name}.failed`, title: `About ${name}`, body: "Look." });
  onTestFinished(async () => void (await callApi("Demo", "POST", `/events/${eventId}/resolve`, {})));
  const readEvent = () => callApi<Seen>("Demo", "GET", `/events/${eventId}`);
  await expect.poll(readEvent).toMatchObject({ state: "open" });
  return { name, eventId, other: other.name, group: `Others ${name}`, read: readEvent };
};

test.each(HANDS)("with $input, an event is snoozed for some minutes or until a chosen time", async ({ keyboard }) => {
  const { name, eventId, read } = await createEvent();
  const dora = await asDora({ keyboard, at: `/events/${eventId}` });
  const { page } = dora;
  await dora.heading(`About ${name}`).waitFor();

  await dora.pressNamed("Snooze");
  const panel = page.getByRole("region", { name: "Snooze" });
  await dora.pressNamed("For 15 min", panel);
  await page.getByText("Acknowledged until").waitFor();
  const minutesLeft = async () => (Date.parse((await read()).acknowledgedUntil!) - Date.now()) / 60_000;
  expect(await minutesLeft()).toBeGreaterThan(13);
  expect(await minutesLeft()).toBeLessThan(15.1);
  await panel.waitFor({ state: "detached" });

  await dora.open(`/events/${eventId}?do=snooze`, "Demo");
  const until = panel.getByLabel("Until", { exact: true });
  await until.fill("2020-01-01T00:00");
  await dora.pressNamed("Snooze", panel);
  await panel.getByRole("alert").getByText("Until: must be 5 to 1440 minutes in the future.").waitFor();
  expect(await until.getAttribute("aria-invalid")).toBe("true");
  const inTwoHours = await page.evaluate<string>(
    "new Date(Date.now() + 7.2e6 - new Date().getTimezoneOffset() * 6e4).toISOString().slice(0, 16)",
  );
  await until.fill(inTwoHours);
  await dora.pressNamed("Snooze", panel);
  await panel.waitFor({ state: "detached" });
  expect(await minutesLeft()).toBeGreaterThan(110);
});

test.each(HANDS)(
  "with $input, more people and groups are notified of an event, with a message in its timeline",
  async ({ keyboard }) => {
    const { name, eventId, group, other, read } = await createEvent();
    const dora = await asDora({ keyboard, at: `/events/${eventId}` });
    const { page } = dora;
    await dora.heading(`About ${name}`).waitFor();

    await dora.pressNamed("More");
    await dora.pressNamed("Notify more people");
    const panel = page.getByRole("region", { name: "Notify more people" });
    await dora.pressNamed("Notify", panel);
    await panel.getByRole("alert").getByText("Choose at least one person or group.").waitFor();
    await dora.choose("Person or group", group, panel);
    await dora.pressNamed("Add", panel);
    await dora.choose("Person or group", "Dora", panel);
    await dora.pressNamed("Add", panel);
    await dora.pressNamed("Remove Dora", panel);
    await dora.fill("Note", "x".repeat(2001), panel);
    await dora.pressNamed("Notify", panel);
    await panel.getByRole("alert").getByText("Note: must have at most 2000 characters.").waitFor();
    await dora.fill("Note", "You know this one", panel);
    await dora.pressNamed("Notify", panel);

    await page.getByText(`Notified: ${group}.`).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText(`Dora notified ${other}: You know this one`).waitFor();
    expect((await read()).notifications).toContainEqual(
      expect.objectContaining({ user: expect.objectContaining({ name: other }) as object }),
    );
  },
);

test("a viewer sees which role is needed to snooze an event or to notify others", async () => {
  const { eventId } = await createEvent();
  const { members } = workspaceNamed("Demo");
  const viewer = members.find(({ name }) => name !== "Dora" && name !== "")!;
  const { userId, name, email } = viewer;
  const [before] = (await callApi<{ userId: string; role: string }[]>("Demo", "GET", "/members")).filter(
    (one) => one.userId === userId,
  );
  await callApi("Demo", "POST", "/members", { userId, name, email, role: "viewer" });
  onTestFinished(
    async () => void (await callApi("Demo", "POST", "/members", { userId, name, email, role: before!.role })),
  );
  const person = await aPerson();
  await person.signInAs(email);
  await person.open(`/events/${eventId}`, "Demo");

  await person.page.getByText("Responding to an event needs the role responder").first().waitFor();
  await person.pressNamed("More");
  for (const button of ["Snooze", "Notify more people"])
    expect(await person.page.getByRole("button", { name: button, exact: true }).isDisabled()).toBe(true);
});
