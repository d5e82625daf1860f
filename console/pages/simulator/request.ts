import { createLocalFailure } from "../../app/failure.ts";
import { formatMinute, toTimestamp } from "../../app/dates.ts";
import type { Answers, Inputs } from "../../app/types.ts";
import { texts as all } from "../../page-texts/simulator.ts";

const { simulator: texts } = all;

type Priority = Answers["Notification"]["priority"];

/** `eventId`: a received event, which replaces the other fields. */
export type SimulatorForm = {
  eventId: string;
  eventKey: string;
  title: string;
  body: string;
  priority: Priority;
  data: string;
  at: string;
};

const isPriority = (text: string | null): text is Priority =>
  text === "LOW" || text === "NORMAL" || text === "HIGH" || text === "URGENT";

export const readRequest = (query: URLSearchParams): SimulatorForm => {
  const readParameter = (name: string): string => query.get(name) ?? "";
  const priority = query.get("priority");
  return {
    eventId: readParameter("event"),
    eventKey: readParameter("eventKey"),
    title: readParameter("title"),
    body: readParameter("body"),
    priority: isPriority(priority) ? priority : "NORMAL",
    data: readParameter("data"),
    at: readParameter("at") === "" ? "" : formatMinute(Date.parse(readParameter("at"))),
  };
};

export const hasRequest = ({ eventId, eventKey }: SimulatorForm): boolean => eventId !== "" || eventKey !== "";

export const toQuery = ({ eventId, eventKey, title, body, priority, data, at }: SimulatorForm) => ({
  event: eventId,
  eventKey,
  title,
  body,
  priority: priority === "NORMAL" ? "" : priority,
  data,
  at: at && toTimestamp(at),
});

/** Parses the event's data. Throws `Failed` if the text is not JSON. Only the service checks the data. */
const parseData = (text: string): Pick<Inputs["EventInput"], "data"> => {
  if (text.trim() === "") return {};
  try {
    return { data: JSON.parse(text) };
  } catch {
    throw createLocalFailure(texts.noJson);
  }
};

export const toSimulationInput = ({
  eventId,
  eventKey,
  title,
  body,
  priority,
  data,
  at,
}: SimulatorForm): Inputs["SimulationInput"] => ({
  ...(at === "" ? {} : { at: toTimestamp(at) }),
  ...(eventId === ""
    ? {
        event: {
          event: eventKey,
          title: title || eventKey,
          body: body || title || eventKey,
          priority,
          ...parseData(data),
        },
      }
    : { eventId }),
});
