import type { Priority } from "../../core/domain/basics/priority.ts";
import type { Channel } from "../../core/domain/device/channel.ts";
import type { Role } from "../../core/domain/people/role.ts";

/** A channel; undefined if this service does not have the channel. */
export type ContactChannel = Channel | undefined;
/** A notification step. `afterMinutes`: the minutes since the alert. */
export type PersonalStep = { priorities: readonly Priority[]; afterMinutes: number; way: ContactChannel };

/** `isAdmin`: whether the person may change the configuration in the other service. */
export type Person = {
  email: string;
  name: string;
  role: Role;
  isAdmin: boolean;
  contacts: readonly { way: ContactChannel; to: string }[];
  steps: readonly PersonalStep[];
};
