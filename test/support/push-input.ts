import type { PushInput } from "../../core/domain/delivery/push/input.ts";

export const createPushInput = (fields: Partial<PushInput> = {}): PushInput => ({
  workspaceId: "ws_acme",
  eventId: "evt_1",
  notificationId: "ntf_0123456789abcdefghjkmnpqrs1",
  title: "Disk full",
  body: "db-1 has 2 % left",
  priority: "NORMAL",
  requiresAck: false,
  to: { token: "device-1" },
  platform: "android",
  nowMs: 1_700_000_000_500,
  consoleUrl: "https://alerts.example",
  ...fields,
});
