import type { WorkspaceId } from "../../basics/ids.ts";
import type { Language } from "../../basics/language.ts";
import type { Priority } from "../../basics/priority.ts";
import type { PushAddress } from "../../device/device.ts";
import type { Quiet } from "../../people/recipient.ts";
import { oneLine } from "../../basics/text.ts";
import { fitText } from "./fit-text.ts";

/** A site's name is a prefix of the title; a longer one would push the title itself off the lock screen. */
const PUSH_SITE_NAME_MAX_BYTES = 120;

export type PushPlatform = "ios" | "android" | "web" | "email" | "phone";

export type PushInput = {
  workspaceId: WorkspaceId;
  /** Undefined in a test of the device, which is not about an event. */
  eventId: string | undefined;
  notificationId: string;
  title: string;
  body: string;
  /** The event's `data.site_name`. */
  siteName?: string | undefined;
  url?: string | undefined;
  priority: Priority;
  requiresAck: boolean;
  /** The reader's language, if a test is in it; the service's texts around an event are English. */
  language?: Language | undefined;
  /** Set on a push that replaces an earlier one of the notification: the event's state. */
  state?: "resolved" | "acknowledged" | "grouped";
  to: PushAddress;
  platform: PushPlatform;
  /** Whether it pages a device again, for a later step of the notification. */
  again?: boolean | undefined;
  /** Whether it is a reachability check: it travels as a page, and is shown silently. */
  proves?: true | undefined;
  /** Why it is silent. Over the page limit, such pushes of a workspace replace each other on the device. */
  quiet?: Quiet | undefined;
  /** The time of sending: APNs needs the time of expiry, not a duration. */
  nowMs: number;
  /** The console's URL; a notification in a browser opens the event there. */
  consoleUrl: string;
  /** The token with which the device can confirm and acknowledge without a session. */
  receipt?: string | undefined;
  /** A name that all its tries share, for services that recognize a repeated request. */
  once?: string | undefined;
};

/** The event of a message to a contact, as in every other push. It is not sent. */
export const aboutOf = ({
  workspaceId,
  eventId,
  notificationId,
  again,
}: Pick<PushInput, "workspaceId" | "eventId" | "notificationId" | "again">): Record<string, string> => ({
  workspaceId,
  ...(eventId === undefined ? {} : { eventId }),
  notificationId,
  ...(again === true ? { again: "true" } : {}),
});

/** The title on one line, with the site's name before it. */
export const titleOf = ({ title, siteName }: Pick<PushInput, "title" | "siteName">): string => {
  const site = siteName?.toWellFormed().replaceAll(/\s+/gu, " ").trim() ?? "";
  const text = oneLine(title.toWellFormed());
  return site === "" ? text : `${fitText(site, PUSH_SITE_NAME_MAX_BYTES)}: ${text}`;
};

const because: Readonly<Record<Quiet, string>> = {
  too_many: "because many came",
  acknowledged: "because you have acknowledged its group",
};

/** The text, which says why it is silent. */
export const bodyOf = ({ quiet, state, body }: Pick<PushInput, "quiet" | "state" | "body">): string =>
  quiet !== undefined && state === undefined ? `Silent, ${because[quiet]}: ${body}` : body;
