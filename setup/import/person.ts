import type { Priority } from "../../core/domain/basics/priority.ts";
import type { Channel } from "../../core/domain/device/channel.ts";
import type { Role } from "../../core/domain/people/role.ts";

/** A channel in an export; undefined for a channel that this service does not have. */
export type Way = Channel | undefined;
/** A notification step in an export: for which priorities, how many minutes after the alert, and by which channel. */
export type PersonalStep = { priorities: readonly Priority[]; afterMinutes: number; way: Way };

/** A person in an export. `isAdmin`: whether they may change the account's configuration there. */
export type Person = {
  email: string;
  name: string;
  role: Role;
  isAdmin: boolean;
  contacts: readonly { way: Way; to: string }[];
  steps: readonly PersonalStep[];
};
