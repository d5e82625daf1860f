import type { Priority } from "../../core/domain/basics/priority.ts";
import type { Channel } from "../../core/domain/device/channel.ts";
import type { Role } from "../../core/domain/people/role.ts";

/** Undefined for a channel that this service does not have. */
export type Way = Channel | undefined;
/** Minutes count from the alert. */
export type PersonalStep = { priorities: readonly Priority[]; afterMinutes: number; way: Way };

/** `isAdmin`: the person may change the account's configuration there. */
export type Person = {
  email: string;
  name: string;
  role: Role;
  isAdmin: boolean;
  contacts: readonly { way: Way; to: string }[];
  steps: readonly PersonalStep[];
};
