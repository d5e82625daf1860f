import type { WorkspaceId, DeviceId } from "../../core/domain/basics/ids.ts";
import { createLinkToken } from "../../core/domain/connection/slack-request.ts";
import type { App } from "../world/app.ts";
import { slackApp } from "./slack.ts";

export const alice = "usr_a11ce000000000000000000000000001";
export const bob = "usr_b0b00000000000000000000000000002";
export const globexOwner = "usr_61obe000000000000000000000000003";
export const outsider = "usr_0u751de0000000000000000000000004";

type Id = { id: string };

/** Creates a workspace with one item of each kind; Bob is a member, too. */
export const fillWorkspace = async ({ ask, work, advance, deps }: App, owner: string, extra: string = bob) => {
  const workspace = (
    await ask<{ id: WorkspaceId }>("/v1/workspaces", { method: "POST", as: owner, body: { name: "Acme" } })
  ).body.id;
  const root = `/v1/workspaces/${workspace}`;
  const post = async <Body = Id>(path: string, body: object): Promise<Body> =>
    (await ask<Body>(`${root}${path}`, { method: "POST", as: owner, body })).body;
  await post("/members", { userId: owner, name: "Owner", email: "owner@acme.example" });
  await post("/members", { userId: extra, name: "Bob", email: "bob@acme.example" });
  const group = (await post("/groups", { name: "Ops" })).id;
  for (const userId of [owner, extra]) await post(`/groups/${group}/members`, { userId });
  const device = (await post<{ id: DeviceId }>("/devices", { token: `token-of-${workspace}`, platform: "ios" })).id;
  const policy = (
    await post("/escalation-policies", {
      name: "Later",
      repeat: 0,
      steps: [{ delayMinutes: 5, targets: [{ type: "group", groupId: group }] }],
    })
  ).id;
  const rule = (
    await post("/routing-rules", {
      name: "All",
      eventKey: "*",
      targets: [{ type: "group", groupId: group }],
      requiresAck: true,
      escalationPolicyId: policy,
    })
  ).id;
  await ask(`${root}/groups/${group}/on-call`, {
    method: "PUT",
    as: owner,
    body: {
      timeZone: "Europe/Berlin",
      layers: [{ start: "2026-11-02T09:00", every: 1, unit: "week", participants: [owner, extra] }],
    },
  });
  const override = (
    await post(`/groups/${group}/on-call/overrides`, {
      userId: extra,
      start: "2026-12-01T00:00:00Z",
      end: "2026-12-02T00:00:00Z",
    })
  ).id;
  const cover = (
    await post(`/groups/${group}/on-call/covers`, { start: "2026-11-24T08:00:00Z", end: "2026-11-24T10:00:00Z" })
  ).id;
  const silence = (await post("/silences", { name: "Later", eventKey: "nothing.ever", endsAt: "2099-01-01T00:00:00Z" }))
    .id;
  const heartbeat = await post<Id & { url: string }>("/heartbeats", { name: "Job", everySeconds: 3600 });
  const webhook = (await post("/webhooks", { name: "Status", url: "https://hooks.example.com/alerts" })).id;
  const connection = (await post("/connections", { name: "Room", kind: "slack", channel: "C0123456789" })).id;
  const invitation = (await post("/invitations", { email: `new-${extra}@acme.example`, groupIds: [group] })).id;
  const calendar = (await post<{ url: string }>("/on-call/mine/calendar", {})).url;
  await post(`/groups/${group}/on-call/calendar`, {});
  const apiKey = await post<{ id: string; key: string }>("/api-keys", { name: "Shop" });
  const event = (
    await ask<{ eventId: string }>("/v1/events", {
      method: "POST",
      apiKey: apiKey.key,
      body: {
        event: "order.failed",
        title: "Order failed",
        body: "No stock",
        data: { site: "https://shop.example", site_name: "Shop", amount: 5 },
      },
    })
  ).body.eventId;
  await work();
  advance(1);
  const [notification] = (await ask<Id[]>(`${root}/notifications`, { as: owner })).body;
  return {
    workspaceId: workspace,
    key: apiKey.key,
    id: apiKey.id,
    groupId: group,
    userId: extra,
    deviceId: device,
    policyId: policy,
    ruleId: rule,
    overrideId: override,
    coverId: cover,
    silenceId: silence,
    heartbeatId: heartbeat.id,
    webhookId: webhook,
    connectionId: connection,
    slackToken: await createLinkToken(
      slackApp,
      { workspaceId: workspace, team: "T0TEST", user: "U0OWNER", name: "owner" },
      deps.now(),
    ),
    invitationId: invitation,
    heartbeat: heartbeat.url.slice(heartbeat.url.lastIndexOf("/") + 1),
    calendar: calendar.slice(calendar.lastIndexOf("/") + 1),
    eventId: event,
    notificationId: notification?.id ?? "",
    eventKey: "order.failed",
  };
};
export type FilledWorkspace = Awaited<ReturnType<typeof fillWorkspace>>;
