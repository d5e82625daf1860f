import * as v from "valibot";
import { createAdapter, findText, list, joinNames, maybe, partSchema, mapStates, type Action } from "./draft.ts";

const Payload = v.object({
  msg: v.string("msg must be the string that Uptime Kuma's webhook (application/json) sends."),
  heartbeat: partSchema({ monitorID: maybe, status: maybe, msg: maybe, time: maybe, ping: maybe }),
  monitor: partSchema({ id: maybe, name: maybe, url: maybe, hostname: maybe, port: maybe, type: maybe, tags: list }),
});

const actions = mapStates({ "0": "firing", "1": "resolved", "2": "info", "3": "info" });
const states: Readonly<Record<string, string>> = {
  "0": "is down",
  "1": "is up again",
  "2": "is pending",
  "3": "is under maintenance",
};

/** Returns whether the message is from the test button, whose messages contain the notification's name and "Testing". */
const isTestMessage = (text: string): boolean => /\bTesting\s*$/.test(text);

const Tag = v.object({ name: v.string(), value: maybe });
const formatTag = (tag: unknown): string => {
  const read = v.safeParse(Tag, tag);
  if (!read.success) return "";
  const { name, value = "" } = read.output;
  return value === "" ? name : `${name}=${value}`;
};

const toTextDrafts = (text: string) => {
  const action: Action = isTestMessage(text) ? "test" : "info";
  const title = findText(text) ?? "Uptime Kuma";
  return [{ action, title, body: title, priority: "NORMAL" as const, data: { message: text } }];
};

export const uptimeKuma = createAdapter(Payload, ({ msg, heartbeat, monitor }) => {
  if (heartbeat?.status === undefined) return toTextDrafts(msg);
  const { status, monitorID, msg: said, time, ping } = heartbeat;
  const name = findText(monitor?.name) ?? "Uptime Kuma";
  const id = monitor?.id ?? monitorID;
  return [
    {
      action: actions.get(status) ?? "info",
      title: `${name} ${states[status] ?? `has the status ${status}`}`,
      body: findText(said, msg) ?? name,
      priority: "HIGH" as const,
      // If a monitor has no address, its URL contains only the scheme.
      links: { Monitor: monitor?.url?.replace(/^https?:\/\/$/, "") },
      data: {
        monitor: monitor?.name,
        type: monitor?.type,
        hostname: monitor?.hostname,
        port: monitor?.port,
        tags: joinNames((monitor?.tags ?? []).map(formatTag)),
        time,
        ping,
        message: msg,
      },
      key: id === undefined ? undefined : `monitor:${id}`,
    },
  ];
});
