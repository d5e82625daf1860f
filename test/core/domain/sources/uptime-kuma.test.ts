import { table } from "./table.ts";

table("uptime-kuma", {
  "a monitor that is down, with all that it may say": [
    {
      msg: "[Shop] down",
      heartbeat: { status: 0, msg: "refused", time: "2026-11-21 12:00:00", ping: 31 },
      monitor: { id: 1, name: "Shop", url: "https://shop.example", hostname: "shop", port: 443, type: "http" },
    },
    {
      eventKey: "uptime_kuma.firing",
      title: "Shop is down",
      body: "refused",
      priority: "HIGH",
      data: {
        "links.Monitor": "https://shop.example",
        monitor: "Shop",
        type: "http",
        hostname: "shop",
        port: "443",
        time: "2026-11-21 12:00:00",
        ping: "31",
        message: "[Shop] down",
      },
      url: "https://shop.example",
      dedupeKey: "uptime-kuma:monitor:1",
    },
  ],
  "a monitor without an id that is up again": [
    { msg: "[Shop] up", heartbeat: { status: 1, msg: " " }, monitor: { name: "Shop" } },
    {
      eventKey: "uptime_kuma.resolved",
      title: "Shop is up again",
      body: "[Shop] up",
      priority: "LOW",
      data: { monitor: "Shop", message: "[Shop] up" },
    },
  ],
  "a monitor without a name that is pending": [
    { msg: "pending", heartbeat: { status: 2 }, monitor: null },
    {
      eventKey: "uptime_kuma.info",
      title: "Uptime Kuma is pending",
      body: "pending",
      priority: "LOW",
      data: { message: "pending" },
    },
  ],
  "a message without a text": [
    { msg: "", heartbeat: null, monitor: null },
    {
      eventKey: "uptime_kuma.info",
      title: "Uptime Kuma",
      body: "Uptime Kuma",
      priority: "NORMAL",
      data: { message: "" },
    },
  ],
});
