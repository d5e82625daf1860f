import * as v from "valibot";
import { DevicePlatform } from "../device/device.ts";
import { MemberView } from "./member.ts";

const named = v.object({ id: v.string(), name: v.string() });

/**
 * A member with what they have created that still works, and what names them: what to remove or hand off when they
 * leave. Contacts are counted and not shown, because their addresses are private.
 */
export const MemberDetail = v.object({
  ...MemberView.entries,
  made: v.object({
    keys: v.array(v.object({ ...named.entries, lastUsedAt: v.nullable(v.string()) })),
    /** Groups with a calendar URL that they have created. */
    feeds: v.array(named),
    heartbeats: v.array(named),
    webhooks: v.array(named),
    /** Open invitations that they have sent. */
    invitations: v.number(),
  }),
  /** What an owner may remove: the kind of each, since when it is there, and when it last confirmed a notification. */
  devices: v.array(
    v.object({
      id: v.string(),
      platform: DevicePlatform,
      createdAt: v.string(),
      lastDeliveredAt: v.nullable(v.string()),
    }),
  ),
  contacts: v.object({ push: v.number(), email: v.number(), sms: v.number() }),
  groups: v.array(named),
  /** Groups whose schedule or overrides name them, with whether they are on call there at this moment. */
  schedules: v.array(v.object({ ...named.entries, onCallNow: v.boolean() })),
  /** Escalation policies with a step that names them directly. */
  policies: v.array(named),
});
export type MemberDetail = v.InferOutput<typeof MemberDetail>;
