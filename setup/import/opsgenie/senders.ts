import type { Draft } from "../draft.ts";
import type { SourceName } from "../../../core/domain/basics/source-name.ts";
import { ALWAYS_HOLDS, type Formula } from "../formula.ts";
import { addBranches, containsListedName, createSenderFormula, type ReachingEvents } from "../rules.ts";
import { toReachingEvents, findSourceForTool } from "../sources.ts";
import type { Integration, Recipient } from "./shape.ts";

/** Opsgenie notifies the integration's team, else the alert's responders, else the integration's responders. */

/** Integrations whose senders use Opsgenie's own alert API. */
const SPEAKS_OPSGENIE: ReadonlySet<string> = new Set(["API", "Prometheus", "Default"]);

const RESPONDERS = "data.responders";

/** A team, user or other responder that an alert or an integration names, by id or name. */
export type Responder = { type: string; id?: string | null | undefined; name: string };

type Sender = {
  key: string;
  source: SourceName;
  owner: Integration["ownerTeam"];
  responders: readonly Recipient[];
  followsAlert: boolean;
};

const OPSGENIE = "opsgenie";

const refersTo = (
  { id, name }: Pick<Responder, "id" | "name">,
  target: { id?: unknown; name?: unknown; username?: unknown },
) => (typeof target.id === "string" && target.id === id) || target.name === name || target.username === name;

/** Adds a key for an integration, or reports that the integration is left out. Returns one sender at most. */
const addSender = (draft: Draft, integration: Integration): Sender[] => {
  const { name, type, enabled, ownerTeam: owner, responders, suppressNotifications } = integration;
  const what = draft.count("integrations", `Integration ${name}`);
  if (!enabled) {
    draft.left(what, "The integration is disabled.");
    return [];
  }
  const source = SPEAKS_OPSGENIE.has(type) ? OPSGENIE : findSourceForTool(type);
  if (source === undefined) {
    draft.left(
      what,
      `The tool (${type}) does not call Opsgenie's alert API: give the tool its own key as docs/sources.md says, and write a rule on the name of the key.`,
    );
    return [];
  }
  const key = draft.addKey(name, source, what);
  if (key === undefined) return [];
  draft.senders.set(integration.id ?? name, key);
  draft.taken(what, `key ${key}${source === OPSGENIE ? "" : ` for the source ${source}`}`);
  if (source !== OPSGENIE)
    draft.different(what, "Let the tool send to the key's own URL. Rules then use its fields, not Opsgenie's.");
  if (suppressNotifications) {
    const [alerts, ruleName] = [`${what}: its alerts`, `${name}: suppressed`];
    const branch = { what: alerts, name: ruleName, when: ALWAYS_HOLDS, recipients: undefined };
    draft.different(what, "The integration suppresses notifications: a rule on its key notifies nobody.");
    addBranches(draft, name, [toReachingEvents(source, createSenderFormula([key]))], [branch]);
    return [];
  }
  const followsAlert =
    source === OPSGENIE && !integration.ignoreRespondersFromPayload && !integration.ignoreTeamsFromPayload;
  return [{ key, source, owner, responders, followsAlert }];
};

/** Adds one key for all senders, and reports that the export has no integrations. */
const addOnlySender = (draft: Draft): Sender[] => {
  draft.missing(
    "Integrations",
    "The export has no integrations: one key replaces all of them, and alerts go to the responders that the alerts name.",
  );
  const key = draft.addKey("Opsgenie", "opsgenie");
  return key === undefined ? [] : [{ key, source: OPSGENIE, owner: undefined, responders: [], followsAlert: true }];
};

/** Adds a key for each integration. Returns a function that lists the alerts that reach a responder, no alert twice. */
export const addSenders = (
  draft: Draft,
  integrations: readonly Integration[],
): ((responder: Responder) => readonly ReachingEvents[]) => {
  const all = integrations.length === 0 ? addOnlySender(draft) : integrations.flatMap((one) => addSender(draft, one));
  const hasNoOwner = (sender: Sender) => (sender.owner ?? undefined) === undefined;
  const groupAlertsBySource = (isSender: (sender: Sender) => boolean, ...conditions: Formula[]): ReachingEvents[] =>
    [...Map.groupBy(all.filter(isSender), ({ source }) => source)].map(([source, senders]) =>
      toReachingEvents(source, { all: [createSenderFormula(senders.map(({ key }) => key)), ...conditions] }),
    );
  return (responder) => {
    const isOwnedByResponder = ({ owner }: Sender) =>
      responder.type === "team" && owner !== null && owner !== undefined && refersTo(responder, owner);
    const namesResponder = (sender: Sender) =>
      sender.responders.some((one) => one.type === responder.type && refersTo(responder, one));
    const names = [responder.name, ...(typeof responder.id === "string" ? [responder.id] : [])];
    const isNamed: Formula = {
      is: containsListedName(
        RESPONDERS,
        names.map((name) => `${responder.type}:${name.trim()}`),
      ),
    };
    const isRoutedToResponder = (sender: Sender) =>
      hasNoOwner(sender) && !sender.followsAlert && namesResponder(sender);
    const isRoutedByAlert = (sender: Sender) => hasNoOwner(sender) && sender.followsAlert;
    return [
      ...groupAlertsBySource((sender) => isOwnedByResponder(sender) || isRoutedToResponder(sender)),
      ...groupAlertsBySource(isRoutedByAlert, isNamed),
      ...groupAlertsBySource((sender) => isRoutedByAlert(sender) && namesResponder(sender), {
        is: { field: RESPONDERS, operator: "is_empty" },
      }),
    ];
  };
};
