import * as v from "valibot";
import { adapter, first, words, maybe, part } from "./draft.ts";

const Payload = v.object({
  msg: v.string("msg must be the text that Uptime Kuma's webhook (application/json) has there."),
  heartbeat: part({ status: maybe, msg: maybe, time: maybe, ping: maybe }),
  monitor: part({ id: maybe, name: maybe, url: maybe, hostname: maybe, port: maybe, type: maybe }),
});

const DOWN = "0";
const UP = "1";
const actions = words({ [DOWN]: "firing", [UP]: "resolved" });

/** Uptime Kuma's webhook. Its test button sends neither a heartbeat nor a monitor. */
export const uptimeKuma = adapter(Payload, ({ msg, heartbeat, monitor }) => {
  const name = first(monitor?.name) ?? "Uptime Kuma";
  const status = heartbeat?.status;
  const action = status === undefined ? "test" : (actions.get(status) ?? "info");
  const verb = action === "firing" ? "is down" : "is up again";
  return [
    {
      action,
      title: action === "firing" || action === "resolved" ? `${name} ${verb}` : name,
      body: first(heartbeat?.msg, msg) ?? name,
      priority: "HIGH",
      url: first(monitor?.url),
      data: {
        monitor: monitor?.name,
        type: monitor?.type,
        hostname: monitor?.hostname,
        port: monitor?.port,
        time: heartbeat?.time,
        ping: heartbeat?.ping,
        message: msg,
      },
      key: monitor?.id === undefined ? undefined : `monitor:${monitor.id}`,
    },
  ];
});
