import type { Deps } from "../../deps.ts";
import { isId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import type { Member } from "../../domain/people/member.ts";
import { isAppUsableBy, type SlackApp } from "../../domain/connection/slack-app.ts";
import { parseSlackAnswer } from "../../domain/connection/slack-answer.ts";
import {
  parseButtonPress,
  findSigningApp,
  createLinkToken,
  type Press,
  type SignedRequest,
} from "../../domain/connection/slack-request.ts";
import { readEvent } from "../../store/events/events.ts";
import { hasRole, readMember } from "../../store/people/read-members.ts";
import { readSlackAccount } from "../../store/delivery/slack.ts";
import { acknowledgeEvents, resolveEvent } from "./lifecycle.ts";
import type { NotifyDeps } from "./notify-end.ts";

export type PressDeps = Pick<Deps, "table" | "now" | "log" | "slack" | "slackApps" | "baseUrl"> & NotifyDeps;

const refuseUnsigned = (): Refusal =>
  new Refusal("unauthenticated", "The request must be signed by Slack within the last five minutes.");

type SlackPress = { press: Press; ws: WorkspaceId; eventId: string; app: SlackApp };

/** Reads the member whose Slack account pressed the button; undefined if no member has linked the account. */
const readMemberWhoPressed = async (deps: PressDeps, { press, ws }: SlackPress): Promise<Member | undefined> => {
  const account = await readSlackAccount(deps, { workspaceId: ws, team: press.team.id, user: press.user.id });
  return account === undefined ? undefined : readMember(deps, ws, account.userId);
};

/** Acknowledges or resolves the event. Returns a text for the person who pressed the button if the action was not possible. */
const acknowledgeOrResolve = async (
  deps: PressDeps,
  { press, ws, eventId }: SlackPress,
  member: Member,
): Promise<string | undefined> => {
  const by = { id: member.userId, name: member.name };
  const event = await readEvent(deps, ws, eventId);
  if (event === undefined) return "This event no longer exists.";
  const [{ action_id: action }] = press.actions;
  if (action === "acknowledge") {
    await acknowledgeEvents(deps, ws, [eventId], by);
    return undefined;
  }
  if (!(await hasRole(deps, ws, member, "responder")))
    return "Resolving requires the role responder. An owner of the workspace can give it to you.";
  await resolveEvent(deps, ws, eventId, by, undefined);
  return undefined;
};

/** Shows a text to the person who pressed the button. A failure to show the text does not undo the action. */
const replyToPresser = async (deps: PressDeps, { press, app }: SlackPress, text: string): Promise<void> => {
  const body = { channel: press.channel.id, user: press.user.id, text };
  const { kind, code } = parseSlackAnswer(
    await deps.slack({ method: "chat.postEphemeral", token: app.botToken, body }),
  );
  if (kind !== "taken") deps.log.warn("slack.not_answered", { code });
};

/** Returns the URL at which members confirm that the Slack account is theirs, with a token in a fragment that no server gets. */
const createAccountLink = async ({ baseUrl, now }: PressDeps, { press, ws, app }: SlackPress): Promise<string> => {
  const { team, user } = press;
  const person = { workspaceId: ws, team: team.id, user: user.id, name: user.username };
  return `${baseUrl}/connections?workspace=${ws}#tie=${await createLinkToken(app, person, now())}`;
};

/** Processes a button press in Slack. Checks the signature first; an unlinked account gets a link. Throws `unauthenticated`. */
export const processPress = async (deps: PressDeps, request: SignedRequest): Promise<void> => {
  const app = await findSigningApp((await deps.slackApps()) ?? [], request, deps.now());
  if (app === undefined) throw refuseUnsigned();
  // Slack also sends a request when somebody opens a link button.
  const press = parseButtonPress(request.body);
  if (press === undefined) return;
  const [ws = "", eventId = ""] = press.actions[0].value.split("/");
  if (!isId("ws", ws)) throw refuseUnsigned();
  if (!isAppUsableBy(app, ws)) throw refuseUnsigned();
  const pressed: SlackPress = { press, ws, eventId, app };
  const member = await readMemberWhoPressed(deps, pressed);
  const said =
    member === undefined
      ? `This Slack account is not linked to a member yet. <${await createAccountLink(deps, pressed)}|Sign in to link your account>, then press again. Only you can use the link, for ten minutes.`
      : await acknowledgeOrResolve(deps, pressed, member);
  const outcome = member === undefined ? "unknown" : said === undefined ? press.actions[0].action_id : "refused";
  deps.log.info("slack.pressed", { workspaceId: ws, eventId, outcome });
  if (said !== undefined) await replyToPresser(deps, pressed, said);
};
