import type { Draft } from "../draft.ts";
import type { Formula } from "../formula.ts";
import { isListed, sentBy } from "../rules.ts";
import type { Integration, Recipient } from "./shape.ts";

/*
 * Who is asked about an alert: the team that owns the integration; else the responders that the alert names; else those
 * of the integration.
 */

/** The types whose senders speak Opsgenie's own alert API. */
const SPEAKS_OPSGENIE: ReadonlySet<string> = new Set(["API", "Prometheus", "Default"]);

const RESPONDERS = "data.responders";

/** Somebody who can be asked, by every name that an alert or an integration may use. */
export type Asked = { type: string; id?: string | null | undefined; name: string };

type Sender = { key: string; owner: Integration["ownerTeam"]; responders: readonly Recipient[]; asksAlert: boolean };

const isMeant = ({ id, name }: Pick<Asked, "id" | "name">, by: { id?: unknown; name?: unknown; username?: unknown }) =>
  (typeof by.id === "string" && by.id === id) || by.name === name || by.username === name;

const addSender = (draft: Draft, integration: Integration): Sender[] => {
  const { name, type, enabled, ownerTeam: owner, responders } = integration;
  const what = `Integration ${name}`;
  if (!enabled) {
    draft.left(what, "It is disabled.");
    return [];
  }
  if (!SPEAKS_OPSGENIE.has(type)) {
    draft.left(
      what,
      `Its tool (${type}) does not call Opsgenie's alert API: give it a key of its own as docs/sources.md says, and write a rule on its name.`,
    );
    return [];
  }
  const key = draft.addKey(name, "opsgenie");
  if (key === undefined) return [];
  draft.taken(what, `key ${key}`);
  const asksAlert = !integration.ignoreRespondersFromPayload && !integration.ignoreTeamsFromPayload;
  return [{ key, owner, responders, asksAlert }];
};

/** One key in place of all, where the export does not say which there are. */
const addOnlySender = (draft: Draft): Sender[] => {
  draft.missing(
    "Integrations",
    "The export has none: one key takes the place of all, and alerts go to whom they name.",
  );
  const key = draft.addKey("Opsgenie", "opsgenie");
  return key === undefined ? [] : [{ key, owner: undefined, responders: [], asksAlert: true }];
};

/** Adds a key for each integration; returns how alerts get to somebody, as formulas that exclude each other. */
export const addSenders = (
  draft: Draft,
  integrations: readonly Integration[],
): ((asked: Asked) => readonly Formula[]) => {
  const all = integrations.length === 0 ? addOnlySender(draft) : integrations.flatMap((one) => addSender(draft, one));
  const keysOf = (which: (sender: Sender) => boolean) => all.filter(which).map(({ key }) => key);
  const open = (sender: Sender) => (sender.owner ?? undefined) === undefined;
  const from = (keys: readonly string[], ...more: Formula[]): Formula[] =>
    keys.length === 0 ? [] : [{ all: [sentBy(keys), ...more] }];
  return (asked) => {
    const byOwner = keysOf(
      ({ owner }) => asked.type === "team" && owner !== null && owner !== undefined && isMeant(asked, owner),
    );
    const named = (sender: Sender) => sender.responders.some((one) => one.type === asked.type && isMeant(asked, one));
    const names = [asked.name, ...(typeof asked.id === "string" ? [asked.id] : [])];
    const isNamed: Formula = {
      is: isListed(
        RESPONDERS,
        names.map((name) => `${asked.type}:${name.trim()}`),
      ),
    };
    return [
      ...from(byOwner),
      ...from(
        keysOf((sender) => open(sender) && sender.asksAlert),
        isNamed,
      ),
      ...from(
        keysOf((sender) => open(sender) && sender.asksAlert && named(sender)),
        { is: { field: RESPONDERS, operator: "is_empty" } },
      ),
      ...from(keysOf((sender) => open(sender) && !sender.asksAlert && named(sender))),
    ];
  };
};
