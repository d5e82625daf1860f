import * as v from "valibot";
import { type AuditDeps, bindAuthor } from "../../core/deps.ts";
import type { WorkspaceId, DeviceId } from "../../core/domain/basics/ids.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/domain/basics/units.ts";
import { ConnectionInput } from "../../core/domain/connection/connection.ts";
import { HeartbeatInput } from "../../core/domain/heartbeat/heartbeat.ts";
import { WebhookInput } from "../../core/domain/webhook/webhook.ts";
import { createConnection } from "../../core/store/delivery/connections.ts";
import { createWebhook } from "../../core/store/delivery/webhooks.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { storePushConfirmed } from "../../core/store/people/device-states.ts";
import { createHeartbeat, acceptCallByName } from "../../core/store/rules/heartbeats.ts";

type DemoContext = {
  deps: AuditDeps;
  clock: { at: number };
  ws: WorkspaceId;
  today: number;
  idOf: (name: string) => string;
};

/** Creates the demo's API key, heartbeats, webhook and Slack channel. `idOf`: returns a member's id by name. */
export const setUpIntegrations = async ({ deps, clock, ws, today, idOf }: DemoContext): Promise<void> => {
  const omar = bindAuthor(deps, { userId: idOf("Omar"), via: "console", requestId: "demo" });
  await createApiKey(omar, ws, { name: "Grafana of the platform team", source: "grafana" }, idOf("Omar"));
  clock.at += 9 * MINUTE_MS;
  const daily = v.parse(HeartbeatInput, { name: "Billing run", everySeconds: 86_400, graceSeconds: 3600 });
  await createHeartbeat(omar, ws, daily);
  const weekly = v.parse(HeartbeatInput, { name: "Sales report", everySeconds: 604_800, paused: true });
  await createHeartbeat(omar, ws, weekly);
  clock.at += 21 * MINUTE_MS;
  const page = { name: "Status page", url: "https://status.shop.example/alerts", paused: true };
  await createWebhook(omar, ws, v.parse(WebhookInput, page));
  const channel = { kind: "slack", name: "#alerts", channel: "C0123456789", paused: true };
  await createConnection(omar, ws, v.parse(ConnectionInput, channel));
  clock.at = today - 3 * HOUR_MS - 12 * MINUTE_MS;
  await acceptCallByName(deps, ws, daily.name);
};

/** Stores that each device has confirmed a push: the first device 23 minutes ago, each other device earlier. */
export const storeConfirmedPushes = async (
  { deps, clock, ws, today }: DemoContext,
  devices: readonly { userId: string; id: DeviceId }[],
): Promise<void> => {
  for (const [index, { userId, id }] of devices.entries()) {
    clock.at = today - (23 + index * 97) * MINUTE_MS;
    await storePushConfirmed(deps, ws, userId, id);
  }
};
