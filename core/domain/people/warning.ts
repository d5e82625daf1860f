import type { Warning } from "../basics/warning.ts";
import { GAP_HORIZON_DAYS } from "../on-call/limits.ts";

/** All warnings about input that is accepted although it will hardly do what its writer wants. */
const messages = {
  group_deleted: "A target group was deleted: nobody in it is told.",
  group_empty: "A target group has no members: nobody in it is told.",
  nobody_on_call: "Nobody in a target group is ever on call: nobody in it is told.",
  nobody_on_duty: "Nobody in the group is on call at this moment: rules for those on call tell nobody there.",
  user_left: "A target user is no member of the workspace any more and is not told.",
  no_devices: "Nobody of a target has a registered device: notifications to it fail.",
  no_device: "This person has no registered device: notifications to this person fail.",
  devices_must_renew:
    "Every device of this person belongs to another sender: notifications fail until its owner registers one anew.",
  devices_silent:
    "No device of this person was heard of for 30 days: it may not be reached any more. Its owner can test it, or open the app there.",
  policy_deleted: "The escalation policy was deleted: nothing is escalated.",
  policy_reaches_nobody: "No step of the escalation policy reaches anybody.",
  policy_step_gone: "A step of the escalation policy names a group or a person that no longer exists.",
  policy_not_armed:
    "The rule wants no acknowledgement: its policy is armed only for events that ask for one themselves.",
  participant_not_in_group:
    "This user is not in the group: while only this user is on call, rules for those on call tell nobody.",
  never_on_duty:
    "This user has turns and is never on duty from now on: no turn meets the hours of its layer, or a later layer decides.",
  way_without_device: "No device of this person takes this way yet, verified where it must be: nothing rings by it.",
  policy_moves_on:
    "An escalation policy goes on to its next step before, or just when, this rung would ring: whoever is named here may never be rung by it.",
  below_floor: "The workspace's floor adds its ways to these rungs in time.",
  no_rule: "No enabled rule matches a missed call: the owners are told of it, and nobody else.",
  turns_moved: `This person was on call, and is at other times in the next ${GAP_HORIZON_DAYS} days because of this change.`,
  joined_group: "This person joins the group, so that rules for those on call notify them.",
  gaps: `There are times in the next ${GAP_HORIZON_DAYS} days when no event for those on call would notify anybody: see gaps.`,
} as const;
type WarningCode = keyof typeof messages;

export const warn = (code: WarningCode, id?: string): Warning => ({
  code,
  message: messages[code],
  ...(id === undefined ? {} : { id }),
});
