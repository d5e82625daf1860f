import * as v from "valibot";
import { stringify } from "yaml";
import type { Channel } from "../../core/domain/device/channel.ts";
import type { Person, PersonalStep, ContactChannel } from "./person.ts";
import { NotificationRulesInput } from "../../core/domain/people/notification-rules.ts";
import { PRIORITIES, type Priority } from "../../core/domain/basics/priority.ts";
import { FileRule } from "../file.ts";
import { yamlStyle } from "../write.ts";
import type { Draft } from "./draft.ts";

/** The channels for which a person enters and verifies an address or number. For pushes, the person signs in on a device. */
const ENTERED: readonly ContactChannel[] = ["email", "sms", "voice"];

/** Returns a person's steps for a priority in the API's format, by time; steps at the same time become one. */
const toNotificationSteps = (steps: readonly PersonalStep[], priority: Priority) => {
  const ways = new Map<number, Set<Channel>>();
  for (const { priorities, afterMinutes, way } of steps)
    if (way !== undefined && priorities.includes(priority))
      ways.set(afterMinutes, (ways.get(afterMinutes) ?? new Set()).add(way));
  return [...ways]
    .toSorted(([one], [other]) => one - other)
    .map(([afterMinutes, some]) => ({ afterMinutes, ways: [...some] }));
};

/** Converts a person's steps; returns the reason as text if the steps cannot be converted. */
export const toNotificationRules = ({ steps }: Person): NotificationRulesInput | string => {
  const rungs = Object.fromEntries(PRIORITIES.map((priority) => [priority, toNotificationSteps(steps, priority)]));
  const read = v.safeParse(NotificationRulesInput, { rungs });
  return read.success ? read.output : read.issues.map(({ message }) => message).join(" ");
};

const CONTACTS = "contact methods";
const STEPS = "notification steps";

/** Adds a person, and a remark about the contacts and steps that the person must enter. `what`: the person's name in remarks. */
export const addPerson = (draft: Draft, what: string, person: Person): void => {
  const { contacts, steps: all } = person;
  const entered = contacts.filter(({ way }) => ENTERED.includes(way));
  const steps = all.filter(({ way }) => way !== undefined);
  const rules = toNotificationRules(person);
  draft.people.push(typeof rules === "string" ? { ...person, steps: [] } : person);
  draft.taken(what, `a line in the .people.csv file, with the role ${person.role}`);
  if (entered.length > 0)
    draft.taken(draft.count(CONTACTS, `${what}: contact methods`, entered.length), "contacts for the person to verify");
  if (contacts.length > entered.length)
    draft.left(
      draft.count(CONTACTS, `${what}: devices`, contacts.length - entered.length),
      "Pushes need a device on which the person signs in; other kinds of contacts do not exist here.",
    );
  if (all.length > steps.length)
    draft.left(
      draft.count(STEPS, `${what}: other notification steps`, all.length - steps.length),
      "These steps are disabled, or their channel does not exist here.",
    );
  if (steps.length === 0) return;
  const called = draft.count(STEPS, `${what}: notification steps`, steps.length);
  if (typeof rules === "string") draft.left(called, `These steps cannot be converted to notification steps: ${rules}`);
  else draft.taken(called, "drafts of the person's own notification rules");
};

/** Reports a person who is left out, with the number of the person's contacts and steps. */
export const reportPersonLeftOut = (
  draft: Draft,
  what: string,
  why: string,
  counts: { contacts: number; steps: number },
): void => {
  draft.left(what, why);
  const reportOmitted = (kind: string, count: number) => {
    if (count > 0) draft.left(draft.count(kind, `${what}: ${kind}`, count), "The person is not imported.");
  };
  reportOmitted(CONTACTS, counts.contacts);
  reportOmitted(STEPS, counts.steps);
};

const OWNERS = "Owners";

/** Adds a rule that notifies the account's owners of all events that no other rule matches. */
export const addFallbackRule = (draft: Draft): void => {
  const { setUp, people } = draft;
  if (setUp.rules.length === 0) return;
  const owners = people.filter(({ role }) => role === "owner");
  const members = (owners.length > 0 ? owners : people.filter(({ isAdmin }) => isAdmin)).map(({ email }) => email);
  if (members.length === 0) {
    draft.missing(
      OWNERS,
      "The export does not say who owns the account: nobody is notified of an alert that no rule matches. Write a rule with fallback: true.",
    );
    return;
  }
  const group = draft.addGroup(OWNERS, members);
  const name = draft.nameFor("rules", "Alerts that no other rule matches");
  const conditions = ["resolved", "test"].map((action) => ({
    field: "eventKey",
    operator: "ends_with",
    value: `.${action}`,
    not: true,
  }));
  setUp.rules.push(
    v.parse(FileRule, { name, eventKey: "*", groups: [group], conditions, requiresAck: true, fallback: true }),
  );
  draft.taken("Alerts that no rule matches", `rule ${name}, which notifies the owners`);
};

const toCsvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns the input of `npm run operator -- add-people` as CSV. */
export const renderPeopleCsv = (people: readonly Person[]): string =>
  [["email", "name", "role"], ...people.map(({ email, name, role }) => [email, name, role])]
    .map((line) => `${line.map(toCsvCell).join(",")}\n`)
    .join("");

const HEAD = [
  "The contacts of each person at the old service. People must enter their contacts here themselves: send each person their own part.",
  "Contacts are added in the console under Devices, and are used once they are verified. Notification rules are next to Devices.",
];

/** Returns people's contacts to verify and their notification rules (in the API's format) as YAML. */
export const renderContactsYaml = (people: readonly Person[]): string => {
  const entries = people.flatMap((person) => {
    const contacts = person.contacts.filter(({ way }) => ENTERED.includes(way));
    const rules = person.steps.length === 0 ? undefined : toNotificationRules(person);
    return contacts.length === 0 && rules === undefined
      ? []
      : [{ person: person.email, contacts, ...(rules === undefined ? {} : { notificationRules: rules }) }];
  });
  return `${HEAD.map((line) => `# ${line}\n`).join("")}${stringify(entries, yamlStyle)}`;
};
