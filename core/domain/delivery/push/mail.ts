import type { Language } from "../../basics/language.ts";
import { escapeMarkup } from "../../basics/markup.ts";
import { pickEventFields, formatPushBody, formatPushTitle, type PushInput } from "./input.ts";

export type MailMessage = {
  email: string;
  notification: { title: string; body: string };
  html: string;
  /** The token with which SES reports a bounce. If the email has a button, its link also contains the token. */
  receipt?: string | undefined;
  /** The data of the push; an email uses the data only for its links. */
  data: Record<string, string>;
};

/** The token is in the fragment of the page's URL, so that no request contains the token. */
const PRESS_PAGE = "/press";

/** Returns the text in one line. */
const formatSubject = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();

type Link = { label: string; href: string };

const renderHtml = (title: string, body: string, links: readonly Link[]): string =>
  [
    '<!doctype html><meta charset="utf-8">',
    `<h1 style="font-size:18px">${escapeMarkup(title)}</h1>`,
    `<p style="white-space:pre-wrap">${escapeMarkup(body)}</p>`,
    ...links.map(({ label, href }) => `<p><a href="${escapeMarkup(href)}">${label}</a></p>`),
  ].join("\n");

const formatMail = (email: string, title: string, body: string, links: readonly Link[]): Omit<MailMessage, "data"> => ({
  email,
  notification: {
    title: formatSubject(title),
    body: [title, "", body, ...links.flatMap(({ label, href }) => ["", `${label}: ${href}`]), ""].join("\n"),
  },
  html: renderHtml(title, body, links),
});

const CONFIRM: Readonly<Record<Language, string>> = { en: "Confirm receipt", de: "Empfang bestätigen" };

/** Builds an email. Opening the link changes nothing, because scanners open links: the linked page has a button. */
export const buildMail = (input: PushInput, email: string): MailMessage => {
  const { workspaceId, eventId, priority, requiresAck, receipt, consoleUrl } = input;
  const press = requiresAck ? "Acknowledge" : eventId === undefined ? CONFIRM[input.language ?? "en"] : undefined;
  const links = [
    ...(receipt === undefined || press === undefined
      ? []
      : [{ label: press, href: `${consoleUrl}${PRESS_PAGE}#${receipt}` }]),
    ...(eventId === undefined
      ? []
      : [{ label: "Open the event", href: `${consoleUrl}/events/${eventId}?workspace=${workspaceId}` }]),
  ];
  return {
    ...formatMail(email, formatPushTitle(input), formatPushBody(input).toWellFormed(), links),
    ...(receipt === undefined ? {} : { receipt }),
    data: { ...pickEventFields(input), priority, ...(input.state === undefined ? {} : { state: input.state }) },
  };
};

const LIKE_A_LINK = /[/@]|\.\p{L}{2}/u;
/** Returns the name; the replacement for an empty name, or for a name that mail programs would turn into a link. */
const replaceLinkLikeName = (name: string, replacement: string): string =>
  name === "" || LIKE_A_LINK.test(name) ? replacement : name;

/**
 * Builds the email that invites somebody to `workspace`. `by`: the inviter's name. The email contains no secret: accepting
 * requires a sign-in with the invited address. Users cannot choose the subject or the link, so that nobody can send spam.
 */
export const buildInvitationMail = (
  email: string,
  { workspace, by, consoleUrl }: { workspace: string; by: string; consoleUrl: string },
): MailMessage => ({
  ...formatMail(
    email,
    "You are invited to a workspace",
    `${replaceLinkLikeName(by, "A member")} invites you to ${replaceLinkLikeName(workspace, "their workspace")}. To join, sign in with this address. If you do not want to join, ignore this email.`,
    [{ label: "Open the console", href: `${consoleUrl}/inbox` }],
  ),
  data: {},
});

export const buildCodeMail = (email: string, code: string): MailMessage => ({
  ...formatMail(
    email,
    `${code} is your code`,
    `Enter ${code} under Devices to get alerts at this address. If you did not request it, ignore this email.`,
    [],
  ),
  data: {},
});
