import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";

type Priority = Answers["Notification"]["priority"];
type Status = Answers["Notification"]["status"];

/** Priority by shape, colour and word. */
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

const shapes: Readonly<Record<Status, string>> = {
  QUEUED: "M6 1v5l3 2",
  SENT: "M1 6h9M7 3l3 3-3 3",
  DELIVERED: "M1 6l3 3 7-7",
  OPENED: "M1 6q5-6 10 0q-5 6-10 0",
  ACKNOWLEDGED: "M1 6l3 3 7-7M1 10h10",
  FAILED: "M2 2l8 8M10 2l-8 8",
};

/** The state of a notification by shape, colour and word. */
export const StatusMark = ({ value }: { value: Status }) => (
  <span class={`mark status-${value.toLowerCase()}`}>
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d={shapes[value]} class="line" />
    </svg>
    {texts.status[value]}
  </span>
);

type EventState = Exclude<Answers["Event"]["state"], "none">;

const stateLooks: Readonly<Record<EventState, readonly [look: string, path: string]>> = {
  open: ["priority-high", "M6 1a5 5 0 1 0 .01 0"],
  acknowledged: ["status-delivered", "M1 6l3 3 7-7"],
  resolved: ["status-acknowledged", "M1 6l3 3 7-7M1 10h10"],
  expired: ["status-failed", "M2 2l8 8M10 2l-8 8M1 11h10"],
};

/** The state of an event by shape, colour and word; empty if nobody has to acknowledge it. */
export const StateMark = ({ value }: { value: Answers["Event"]["state"] }) => {
  if (value === "none") return null;
  const [look, path] = stateLooks[value];
  return (
    <span class={`mark ${look}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={path} class="line" />
      </svg>
      {texts.states[value]}
    </span>
  );
};
