import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../core/domain/basics/units.ts";
import { createLinkToken } from "../../core/domain/connection/slack-request.ts";
import { createJsonLog } from "../../core/log.ts";
import { erasePerson } from "../../operator/erasure.ts";
import { findCanaries, toItemText, type Canaries } from "../support/canaries.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob } from "../support/people.ts";
import { slackApp } from "../support/slack.ts";
import type { Method } from "../../interface/contract.ts";
import { runOn } from "../setup/running.ts";
import { mailsOf, textsOf } from "../interface/contacts.ts";
import { aStageWithPool } from "./fake-pool.ts";

/*
 * Uses a workspace with data of every kind, erases its people one after the other, and deletes it. After each erasure, nothing
 * may contain a text about the person.
 */

const lines: string[] = [];
const log = createJsonLog({ write: (line) => lines.push(line), now: () => 0, stage: "test", traceId: () => "1-trace" });
const { app, mine, ask, send } = await startFilled({ log });
const pool = aStageWithPool(app.stand, app.deps);
const carol = "usr_ca201000000000000000000000000005";
const people = { alice, bob, carol } as const;
type Name = keyof typeof people;

/** Creates all texts that identify a person. `removed`: a device that is removed before the person is. */
const createTextsOfPerson = (name: Name, nr: number) => ({
  [`${name}'s name`]: `Canary ${name} Ångström`,
  [`${name}'s address`]: `canary.${name}@acme.example`,
  [`${name}'s private address`]: `canary.private.${name}@home.example`,
  [`${name}'s number`]: `+491519988776${nr}`,
  [`${name}'s removed number`]: `+491519988775${nr}`,
  [`${name}'s removed telephone`]: `Canary Fairphone of ${name}`,
  [`${name}'s telephone`]: `Canary Nokia of ${name}`,
  [`${name}'s token`]: `canary-token-of-${name}-4711`,
  [`${name}'s name in Slack`]: `canary.slack.${name}`,
  [`${name}'s id in Slack`]: `U0CANARY${nr}${name.toUpperCase()}`,
});
const ofWorkspace = {
  group: "Canary group",
  rule: "Canary rule",
  policy: "Canary policy",
  silence: "Canary silence",
  heartbeat: "Canary heartbeat",
  webhook: "Canary webhook",
  host: "canary-host.example.com",
  connection: "Canary connection",
  key: "Canary API key",
  title: "Canary title",
  body: "Canary body",
  detail: "Canary detail",
  data: "canary-data-4711",
  dedupeKey: "canary-dedupe-4711",
  note: "Canary note",
  invited: "canary.invited@acme.example",
  importedGroup: "Canary imported group",
  importedRule: "Canary imported rule",
  site: "canary-site.example",
} satisfies Canaries;
const persons = {
  alice: createTextsOfPerson("alice", 1),
  bob: createTextsOfPerson("bob", 2),
  carol: createTextsOfPerson("carol", 3),
} satisfies Record<Name, Canaries>;
const all: Canaries = { ...persons.alice, ...persons.bob, ...persons.carol, ...ofWorkspace };

const listTextsOf = (name: Name) => Object.values(persons[name]);
const readCode = (sent: object | undefined) => /\d{6}/.exec(JSON.stringify(sent))?.[0] ?? "";
const dumpData = async (): Promise<string> =>
  [...(await app.stand.listItems()).map(toItemText), ...lines, ...app.waiting()].join("\n");

const addPersonData = async (name: Name): Promise<void> => {
  const as = people[name];
  const [called, email, contact, phone, removed, removedDevice, device, token, slackName, slackUser] = listTextsOf(
    name,
  ) as [string, string, string, string, string, string, string, string, string, string];
  await ask("POST", "/members", { userId: as, name: called, email });
  if (name !== "alice") await ask("PATCH", `/members/${as}`, { role: "manager" });
  await ask("POST", "/devices", { token, platform: "ios", name: device }, as);
  const register = async (body: object, sent: () => object | undefined): Promise<string> => {
    const { id } = (await ask<{ id: string }>("POST", "/devices", body, as)).body;
    await ask("POST", `/devices/${id}/verify`, { code: readCode(sent()) }, as);
    return id;
  };
  await register({ email: contact }, () => mailsOf(app).at(-1)?.notification);
  await register({ phone, ways: ["sms"] }, () => textsOf(app).at(-1)?.notification);
  const gone = await register(
    { phone: removed, ways: ["sms"], name: removedDevice },
    () => textsOf(app).at(-1)?.notification,
  );
  // The number is removed after a notice about it, so that only the notice contains the number.
  await app.reply(removed, "STOP");
  await app.work();
  await ask("DELETE", `/devices/${gone}`, undefined, as);
  await ask("PUT", "/notification-rules", { rungs: { URGENT: [{ afterMinutes: 0, ways: ["push", "sms"] }] } }, as);
  await ask("POST", "/on-call/mine/calendar", {}, as);
  const person = { workspaceId: mine.workspaceId, team: "T0TEST", user: slackUser, name: slackName };
  await ask("POST", "/slack-account", { token: await createLinkToken(slackApp, person, app.deps.now()) }, as);
};

/** Calls the workspace's API for the command, with the session of the workspace's owner. */
const fetchAsAlice: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  const answer = await app.ask(`${pathname}${search}`, {
    method: request.method as Method,
    as: alice,
    headers: Object.fromEntries([...request.headers].filter(([name]) => name === "if-match")),
    ...(body === "" ? {} : { body: JSON.parse(body) as object }),
  });
  const text = answer.status === 204 ? null : JSON.stringify(answer.body);
  return new Response(text, { status: answer.status, headers: answer.headers });
};

const importSetUp = async (): Promise<void> => {
  const env = { BASE_URL: "https://alerts.example", WORKSPACE_ID: mine.workspaceId, SESSION_TOKEN: "hers" };
  const world = { env, fetch: fetchAsAlice };
  const { importedGroup, importedRule } = ofWorkspace;
  const members = (["alice", "bob", "carol"] as const).map((name) => persons[name][`${name}'s address`] ?? "");
  const file = `groups:
  - { name: ${importedGroup}, members: [${members.join(", ")}] }
rules:
  - { name: ${importedRule}, eventKey: "no.such", groups: [${importedGroup}] }
`;
  const { code, text } = await runOn(new Map([["set-up.yaml", file]]), ["apply", "set-up.yaml"], world);
  if (code !== 0) throw new Error(text);
};

const useEverything = async (): Promise<void> => {
  await importSetUp();
  const group = (await ask<{ id: string }>("POST", "/groups", { name: ofWorkspace.group })).body.id;
  for (const userId of Object.values(people)) await ask("POST", `/groups/${group}/members`, { userId });
  const layers = [{ start: "2026-11-02T09:00", every: 1, unit: "day", participants: Object.values(people) }];
  await ask("PUT", `/groups/${group}/on-call`, { timeZone: "UTC", layers });
  const override = { userId: carol, start: "2026-11-21T00:00:00Z", end: "2026-12-22T00:00:00Z" };
  await ask("POST", `/groups/${group}/on-call/overrides`, override);
  const targets = [{ type: "group", groupId: group }];
  await ask("POST", "/escalation-policies", { name: ofWorkspace.policy, steps: [{ delayMinutes: 5, targets }] });
  await ask("POST", "/routing-rules", { name: ofWorkspace.rule, eventKey: "*", targets, requiresAck: true });
  await ask("POST", "/silences", { name: ofWorkspace.silence, eventKey: "no.thing", endsAt: "2099-01-01T00:00:00Z" });
  await ask("POST", "/heartbeats", { name: ofWorkspace.heartbeat, everySeconds: 3600 });
  const types = ["event.opened", "event.acknowledged", "event.resolved", "oncall.changed", "audit.recorded"];
  await ask("POST", "/webhooks", { name: ofWorkspace.webhook, url: `https://${ofWorkspace.host}/x`, types });
  await ask("POST", "/connections", { name: ofWorkspace.connection, kind: "slack", channel: "C0CANARY001" });
  const userGroup = { name: "On call", kind: "slack_user_group", userGroup: "S0123456789", groupIds: [group] };
  await ask("POST", "/connections", userGroup);
  await ask("POST", "/api-keys", { name: ofWorkspace.key }, bob);
  await ask("POST", "/invitations", { email: ofWorkspace.invited });
  const { title, body, detail, data, dedupeKey, site } = ofWorkspace;
  const eventId = await send({
    event: "disk.full",
    title,
    body,
    detail,
    dedupeKey,
    priority: "URGENT",
    data: { value: data, site: `https://${site}`, site_name: site },
  });
  for (let round = 0; round < 3; round += 1) {
    await app.work();
    await app.tellWebhooks();
    app.advance(MINUTE_MS);
    await app.escalate();
  }
  for (const as of Object.values(people)) await ask("POST", `/events/${eventId}/notes`, { text: ofWorkspace.note }, as);
  await ask("POST", `/events/${eventId}/tell`, { userIds: [alice], note: ofWorkspace.note }, bob);
  await ask("POST", "/events/acknowledge", { eventIds: [eventId] }, carol);
  await ask("POST", `/events/${eventId}/resolve`, { note: ofWorkspace.note }, bob);
  for (let round = 0; round < 3; round += 1) {
    await app.work();
    await app.tellWebhooks();
    app.advance(MINUTE_MS);
    await app.escalate();
  }
};

beforeEach(() => {
  for (const name of ["alice", "bob", "carol"] as const)
    pool.add(persons[name][`${name}'s address`]!, persons[name][`${name}'s name`], "CONFIRMED", people[name]);
});

describe("a workspace with data of every kind", () => {
  it("contains the more than forty texts that the test planted", async () => {
    for (const name of ["alice", "bob", "carol"] as const) await addPersonData(name);
    await useEverything();

    expect(Object.keys(all).length).toBeGreaterThan(40);
    const found = findCanaries(await dumpData(), all);
    // The removed numbers and phones are in no stored item, not even in notices about them.
    const missing = Object.keys(all).filter((name) => !found.includes(name));
    expect(missing.filter((name) => !name.includes("removed"))).toEqual([]);
  });

  it.each(["bob", "carol"] as const)("contains nothing about the person %s after their erasure", async (name) => {
    await pool.run(erasePerson, { email: persons[name][`${name}'s address`]! });

    expect(findCanaries(await dumpData(), persons[name])).toEqual([]);
    expect(findCanaries(await dumpData(), persons.alice).length).toBeGreaterThan(5);
  });

  it("leaves nothing after it is deleted and its last owner is erased", async () => {
    expect((await ask("DELETE", "?name=Acme")).status).toBe(204);
    for (const ms of [MINUTE_MS, HOUR_MS, HOUR_MS, HOUR_MS]) {
      app.advance(ms);
      await app.escalate();
      await app.work();
      await app.tellWebhooks();
    }
    await pool.run(erasePerson, { email: persons.alice["alice's address"]! });

    expect(findCanaries(await dumpData(), all)).toEqual([]);
  });
});
