import * as v from "valibot";
import { DevicePlatform } from "../device/device.ts";
import { MemberView } from "./member.ts";

const named = v.object({ id: v.string(), name: v.string() });

/**
 * A member with what still works that they have made, and what names them: what there is to take away, or to hand over,
 * when they leave. Contacts are counted and not shown: an address of one's own is nobody else's business.
 */
export const MemberDetail = v.object({
  ...MemberView.entries,
  made: v.object({
    keys: v.array(v.object({ ...named.entries, lastUsedAt: v.nullable(v.string()) })),
    /** Groups whose calendar has an address that they have made. */
    feeds: v.array(named),
    heartbeats: v.array(named),
    webhooks: v.array(named),
    /** Open invitations that they have sent. */
    invitations: v.number(),
  }),
  /** What an owner may remove: the kind of each and since when it is there. */
  devices: v.array(v.object({ id: v.string(), platform: DevicePlatform, createdAt: v.string() })),
  contacts: v.object({ push: v.number(), email: v.number(), sms: v.number() }),
  groups: v.array(named),
  /** Groups whose schedule or overrides name them, with whether they are on call there at this moment. */
  schedules: v.array(v.object({ ...named.entries, onCallNow: v.boolean() })),
  /** Escalation policies with a step that names them by themselves. */
  policies: v.array(named),
});
export type MemberDetail = v.InferOutput<typeof MemberDetail>;
