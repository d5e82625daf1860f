import { expect, onTestFinished, test } from "vitest";
import { consolePages } from "../../tools/console-pages.ts";
import { findCutTexts } from "./cut.ts";
import { aPerson, callApi, make, makeGroup, makeRule, sendEvent, workspaceNamed } from "./person.ts";

const WORKSPACE = "Globex";
const WIDTH = 360;
const LONG = "Zahlungsabwicklungsdatenbankbereitschaftsgruppenverantwortliche".slice(0, 60);
const USER = "usr_20ca10000000400080000000000000aa";

test("a name of 60 characters without a space makes no page wider and breaks no other word", async () => {
  const { members } = workspaceNamed(WORKSPACE);
  await callApi(WORKSPACE, "POST", "/members", { userId: USER, name: LONG, email: "long@globex.example" });
  onTestFinished(async () => void (await callApi(WORKSPACE, "DELETE", `/members/${USER}`)));
  const groupId = await makeGroup(WORKSPACE, LONG, [USER, members[0]!.userId]);
  await callApi(WORKSPACE, "PUT", `/groups/${groupId}/on-call`, {
    timeZone: "UTC",
    layers: [{ start: "2026-11-02T09:00", every: 1, unit: "day", participants: [USER] }],
  });
  const words = await makeGroup(
    WORKSPACE,
    "A name that says in many words what its group is for, who asked for it, and in which year",
    [USER],
  );
  await callApi(WORKSPACE, "PUT", `/groups/${words}/on-call`, {
    timeZone: "UTC",
    layers: [{ start: "2026-11-02T09:00", every: 1, unit: "day", participants: [members[0]!.userId] }],
  });
  const steps = [{ delayMinutes: 5, targets: [{ type: "group", groupId, onCallOnly: false }] }];
  const policy = await make(WORKSPACE, "/escalation-policies", { name: LONG, steps });
  const rule = await makeRule(WORKSPACE, groupId, {
    name: LONG,
    eventKey: "long.names",
    escalationPolicyId: policy,
    chain: LONG,
    position: 1,
    conditions: [{ field: "data.host", operator: "one_of", value: [LONG] }],
  });
  const silence = await make(WORKSPACE, "/silences", {
    name: LONG,
    eventKey: "long.never",
    startsAt: new Date(Date.now()).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await make(WORKSPACE, "/heartbeats", { name: LONG, everySeconds: 3600 });
  await make(WORKSPACE, "/webhooks", { name: LONG, url: `https://${LONG.toLowerCase()}.example/${LONG}` });
  const { eventId } = await sendEvent(WORKSPACE, {
    event: "long.names",
    title: LONG,
    body: LONG,
    site: LONG,
    data: { host: LONG },
  });
  const readState = async () => (await callApi<{ state: string }>(WORKSPACE, "GET", `/events/${eventId}`)).state;
  await expect.poll(readState, { timeout: 20_000 }).toBe("open");

  const ids: Record<string, string> = {
    event: eventId,
    rule,
    schedule: groupId,
    policy,
    group: groupId,
    person: USER,
    silence,
  };
  const reader = await aPerson({ viewport: { width: WIDTH, height: 800 } });
  const { page } = reader;
  await reader.signInAs(members[0]!.email);
  const found: string[] = [];
  const views = ["/on-call?by=people", "/on-call?by=month", `/events/${eventId}?why=${USER}`];
  for (const path of [...consolePages.map(({ name, path }) => path.replace(":id", ids[name] ?? "")), ...views]) {
    await reader.open(path, WORKSPACE);
    await page.locator("main h1").waitFor();
    await page.locator("main:not([aria-busy=true]):not(:has(.skeleton))").waitFor();
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (wide > WIDTH) found.push(`${path}: ${wide} pixels wide`);
    found.push(
      ...(await findCutTexts(page, path, [1280, WIDTH])).filter(
        (what) => !what.includes(LONG.slice(0, 60)) || what.includes(" is out of ") || what.includes(" is beyond "),
      ),
    );
  }
  expect(found).toEqual([]);
});
