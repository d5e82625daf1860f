import type { Channel } from "../../../core/domain/device/channel.ts";
import type { Priority } from "../../../core/domain/basics/priority.ts";
import type { Role } from "../../../core/domain/people/role.ts";
import type { Draft } from "../draft.ts";
import { addPerson } from "../people.ts";
import type { User } from "./shape.ts";

const ROLES: Readonly<Record<string, Role>> = {
  owner: "owner",
  admin: "manager",
  user: "manager",
  read_only_user: "viewer",
  read_only_limited_user: "viewer",
};

const WAYS: Readonly<Record<string, Channel>> = {
  email_contact_method: "email",
  sms_contact_method: "sms",
  phone_contact_method: "voice",
  push_notification_contact_method: "push",
};

/** Returns the channel of a PagerDuty contact method, given its type; undefined if the type has no channel. */
const toChannel = (type = ""): Channel | undefined => WAYS[type.replace(/_reference$/, "")];

const OF_URGENCY: Readonly<Record<string, readonly Priority[]>> = { high: ["HIGH", "URGENT"], low: ["LOW", "NORMAL"] };

const toFullPhoneNumber = (address: string, countryCode: number | null | undefined): string =>
  countryCode === null || countryCode === undefined ? address : `+${countryCode}${address}`;

export const addUsers = (draft: Draft, users: readonly User[]): void => {
  for (const { email, name = email, role = "user", contact_methods, notification_rules } of users) {
    const findContactType = (id: string) => contact_methods.find((contact) => contact.id === id)?.type;
    addPerson(draft, draft.count("users", `User ${email.toLowerCase()}`), {
      email: email.toLowerCase(),
      name,
      role: ROLES[role] ?? "responder",
      isAdmin: role === "owner" || role === "admin",
      contacts: contact_methods.map(({ type, address, country_code }) => {
        const way = toChannel(type);
        return { way, to: way === "sms" || way === "voice" ? toFullPhoneNumber(address, country_code) : address };
      }),
      steps: notification_rules.map(({ start_delay_in_minutes, urgency = "high", contact_method }) => ({
        priorities: OF_URGENCY[urgency] ?? [],
        afterMinutes: start_delay_in_minutes,
        way: toChannel(contact_method?.type ?? findContactType(contact_method?.id ?? "")),
      })),
    });
  }
};
