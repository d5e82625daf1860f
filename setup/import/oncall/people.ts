import type { Channel } from "../../../core/domain/device/channel.ts";
import type { Role } from "../../../core/domain/people/role.ts";
import type { Draft } from "../draft.ts";
import { addPerson, reportPersonLeftOut } from "../people.ts";
import type { PersonalStep } from "../person.ts";
import type { OwnStep, User } from "./shape.ts";

const ROLES: Readonly<Record<string, Role>> = {
  admin: "manager",
  user: "responder",
  observer: "viewer",
  viewer: "viewer",
};

const WAYS: Readonly<Record<string, Channel>> = {
  notify_by_sms: "sms",
  notify_by_phone_call: "voice",
  notify_by_email: "email",
  notify_by_mobile_app: "push",
  notify_by_mobile_app_critical: "push",
};

const MAIL = /^[^\s@]+@[^\s@]+$/;

/** Returns a user's email address in lower case; undefined if the user has no address. */
export const readEmail = ({ email }: Pick<User, "email">): string | undefined =>
  typeof email === "string" && MAIL.test(email) ? email.toLowerCase() : undefined;

/** Converts a person's important steps (`isImportant`) or the other steps. A step is due after the sum of the waits before it. */
const toPersonalSteps = (steps: readonly OwnStep[], isImportant: boolean): PersonalStep[] => {
  let seconds = 0;
  return steps
    .filter(({ important }) => important === isImportant)
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
    .flatMap(({ type, duration }): PersonalStep[] => {
      if (type === "wait") {
        seconds += duration ?? 0;
        return [];
      }
      const priorities = isImportant ? (["URGENT"] as const) : (["LOW", "NORMAL", "HIGH"] as const);
      return [{ priorities, afterMinutes: Math.round(seconds / 60), way: WAYS[type] }];
    });
};

/** Adds users as people, and reports users without an email address. */
export const addUsers = (draft: Draft, users: readonly User[], steps: readonly OwnStep[]): void => {
  for (const user of users) {
    const { id, username, role } = user;
    const email = readEmail(user);
    const what = draft.count("users", `User ${username ?? user.email ?? id}`);
    const own = steps.filter(({ user_id }) => user_id === id);
    const count = own.filter(({ type }) => type !== "wait").length;
    if (email === undefined) {
      reportPersonLeftOut(draft, what, "The export has no email address of this person.", {
        contacts: 0,
        steps: count,
      });
      continue;
    }
    addPerson(draft, what, {
      email,
      name: username ?? email,
      role: ROLES[role ?? "user"] ?? "responder",
      isAdmin: role === "admin",
      contacts: [],
      steps: [...toPersonalSteps(own, false), ...toPersonalSteps(own, true)],
    });
  }
};
