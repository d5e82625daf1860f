import * as v from "valibot";
import { DevicePlatform } from "../device/device.ts";
import { MemberView } from "./member.ts";

const named = v.object({ id: v.string(), name: v.string() });

/** Lists what must be removed or handed off when the member leaves. Contacts are only counted: their addresses are private. */
export const MemberDetail = v.object({
  ...MemberView.entries,
  made: v.object({
    keys: v.array(v.object({ ...named.entries, lastUsedAt: v.nullable(v.string()) })),
    /** Groups whose calendar URL the member created. */
    feeds: v.array(named),
    heartbeats: v.array(named),
    webhooks: v.array(named),
    /** The number of open invitations from the member. */
    invitations: v.number(),
  }),
  /** Devices, which an owner may remove. */
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
  /** Groups whose schedule or overrides include the member, and whether the member is on call now. */
  schedules: v.array(v.object({ ...named.entries, onCallNow: v.boolean() })),
  /** Policies that name the member in a step. */
  policies: v.array(named),
});
export type MemberDetail = v.InferOutput<typeof MemberDetail>;
