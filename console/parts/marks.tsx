import type { ComponentChildren } from "preact";
import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";

type Priority = Answers["Notification"]["priority"];
type Status = Answers["Notification"]["status"];

export const PriorityMark = ({ value }: { value: Priority }) => (
  <span class={`mark priority-${value.toLowerCase()}`}>
    <svg viewBox="0 0 12 12" aria-hidden="true">
      {value === "URGENT" && <path d="M6 0 12 12H0Z" />}
      {value === "HIGH" && <path d="M6 1 12 11H0Z" class="hollow" />}
      {value === "NORMAL" && <rect x="2" y="2" width="8" height="8" />}
      {value === "LOW" && <circle cx="6" cy="6" r="3" />}
    </svg>
    {texts.priority[value]}
  </span>
);

/** The CSS class of a colour, and the SVG path of a shape in a square of 12 by 12. */
type MarkLook = readonly [colourClass: string, path: string];
export type MarkLooks<State extends string> = Readonly<Record<State, MarkLook>>;

/** Shows a state by shape, colour and word. */
export const Mark = ({ look: [colourClass, path], children }: { look: MarkLook; children: ComponentChildren }) => (
  <span class={`mark ${colourClass}`}>
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d={path} class="line" />
    </svg>
    {children}
  </span>
);

const shapes: Readonly<Record<Status, string>> = {
  QUEUED: "M6 1v5l3 2",
  SENT: "M1 6h9M7 3l3 3-3 3",
  DELIVERED: "M1 6l3 3 7-7",
  OPENED: "M1 6q5-6 10 0q-5 6-10 0",
  ACKNOWLEDGED: "M1 6l3 3 7-7M1 10h10",
  FAILED: "M2 2l8 8M10 2l-8 8",
  SHADOW: "M1 6h10",
};

export const StatusMark = ({ value }: { value: Status }) => (
  <Mark look={[`status-${value.toLowerCase()}`, shapes[value]]}>{texts.status[value]}</Mark>
);

type EventState = Exclude<Answers["Event"]["state"], "none">;

const stateLooks: MarkLooks<EventState> = {
  open: ["priority-high", "M6 1a5 5 0 1 0 .01 0"],
  acknowledged: ["status-delivered", "M1 6l3 3 7-7"],
  resolved: ["status-acknowledged", "M1 6l3 3 7-7M1 10h10"],
  expired: ["status-failed", "M2 2l8 8M10 2l-8 8M1 11h10"],
};

/** Shows the event's state, except for an event that requires no acknowledgement. */
export const StateMark = ({ value }: { value: Answers["Event"]["state"] }) =>
  value === "none" ? null : <Mark look={stateLooks[value]}>{texts.states[value]}</Mark>;
