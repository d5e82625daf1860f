import type { Warning } from "../basics/warning.ts";
import { GAP_HORIZON_DAYS } from "../on-call/limits.ts";

/** Warns that accepted input probably does not do what its author wants. */
const messages = {
  group_deleted: "A target group was deleted, so nobody is notified through it.",
  group_empty: "A target group has no members, so nobody is notified through it.",
  nobody_on_call: "Nobody in a target group is ever on call, so nobody is notified through it.",
  nobody_on_duty: "Nobody in the group is on call now, so rules for people on call notify nobody in the group.",
  user_left: "A target user is no longer a member of the workspace and is not notified.",
  no_devices: "Nobody in a target has a registered device: notifications to that target fail.",
  no_device: "This person has no registered device: notifications to this person fail.",
  devices_must_renew:
    "Every device of this person is registered with the keys of another service. The person gets no pushes until they register a device again.",
  devices_silent:
    "No contact with this person's devices for 30 days: the person may be unreachable. They can test a device, or open the app.",
  policy_deleted: "The escalation policy was deleted: events do not escalate.",
  policy_reaches_nobody: "No step of the escalation policy notifies anybody.",
  policy_step_gone: "A step of the escalation policy names a group or a person that no longer exists.",
  policy_not_armed: "The rule requires no acknowledgement, so its policy applies only to events that require one.",
  participant_not_in_group:
    "This user is not in the group: while nobody else is on call, rules for people on call notify nobody.",
  never_on_duty:
    "This user has turns but is never on call: no turn is within the hours of its layer, or a later layer takes precedence.",
  way_without_device: "This person has no verified device for this channel and is not notified by this channel.",
  policy_moves_on:
    "An escalation policy fires its next step before this notification step is due, so this step may never page.",
  below_floor:
    "The workspace requires channels for URGENT that these steps do not use. The service adds these channels.",
  no_rule: "No enabled rule matches a missed call of this heartbeat: only the owners are notified.",
  turns_moved: `This change moves this person's shifts in the next ${GAP_HORIZON_DAYS} days.`,
  joined_group: "This change adds this person to the group, so rules for people on call notify them.",
  gaps: `In the next ${GAP_HORIZON_DAYS} days there are times when nobody on call would be notified; "gaps" lists them.`,
} as const;
type WarningCode = keyof typeof messages;

export const createWarning = (code: WarningCode, id?: string): Warning => ({
  code,
  message: messages[code],
  ...(id === undefined ? {} : { id }),
});
