import type { WorkspaceId } from "../../basics/ids.ts";
import type { Language } from "../../basics/language.ts";
import type { Priority } from "../../basics/priority.ts";
import type { PushAddress } from "../../device/device.ts";
import type { Quiet } from "../../people/recipient.ts";
import { joinLines } from "../../basics/text.ts";
import { fitText } from "./fit-text.ts";

/** The maximum length of the name of an event's site, which precedes the title. A longer name would hide the title. */
const PUSH_SITE_NAME_MAX_BYTES = 120;

export type PushPlatform = "ios" | "android" | "web" | "email" | "phone";

export type PushInput = {
  workspaceId: WorkspaceId;
  /** The event of the notification; undefined for a test of the device. */
  eventId: string | undefined;
  notificationId: string;
  title: string;
  body: string;
  siteName?: string | undefined;
  url?: string | undefined;
  priority: Priority;
  requiresAck: boolean;
  /** The language of the button in a test email, whose title and body are already translated. */
  language?: Language | undefined;
  /** The event's new state, if the push replaces an earlier push of the notification. */
  state?: "resolved" | "acknowledged" | "grouped";
  to: PushAddress;
  platform: PushPlatform;
  /** Whether the push belongs to a later step, which pages the device again. */
  again?: boolean | undefined;
  /** Whether the push is a reachability check, which is as urgent as a page but silent. */
  proves?: true | undefined;
  /** Why the push is silent. Pushes above the page limit are silent and replace each other on the device. */
  quiet?: Quiet | undefined;
  /** The present time, because APNs takes a time of expiry, not a duration. */
  nowMs: number;
  /** The console that a browser's notification and the links in emails open. */
  consoleUrl: string;
  /** The token with which the device can confirm and acknowledge without a session. */
  receipt?: string | undefined;
  /** An id that is the same for all attempts, so that services recognize a repeated request. */
  once?: string | undefined;
};

type PushData = Pick<PushInput, "workspaceId" | "eventId" | "notificationId" | "again">;

/** Returns the fields that identify the event and the notification in a push. */
export const pickEventFields = ({ workspaceId, eventId, notificationId, again }: PushData): Record<string, string> => ({
  workspaceId,
  ...(eventId === undefined ? {} : { eventId }),
  notificationId,
  ...(again === true ? { again: "true" } : {}),
});

/** Returns the title in one line, after the site's name if there is one. */
export const formatPushTitle = ({ title, siteName }: Pick<PushInput, "title" | "siteName">): string => {
  const site = siteName?.toWellFormed().replaceAll(/\s+/gu, " ").trim() ?? "";
  const text = joinLines(title.toWellFormed());
  return site === "" ? text : `${fitText(site, PUSH_SITE_NAME_MAX_BYTES)}: ${text}`;
};

const because: Readonly<Record<Quiet, string>> = {
  too_many: "because you got many alerts",
  acknowledged: "because you have acknowledged this group of alerts",
};

/** Returns the push's body. A silent push begins with the reason for the silence, unless it reports a new state. */
export const formatPushBody = ({ quiet, state, body }: Pick<PushInput, "quiet" | "state" | "body">): string =>
  quiet !== undefined && state === undefined ? `Silent, ${because[quiet]}: ${body}` : body;
