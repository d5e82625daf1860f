import { event, testMessages } from "./table.ts";

testMessages("uptime-kuma", {
  "a monitor that is down, with every field": [
    {
      msg: "[Shop] down",
      heartbeat: { status: 0, msg: "refused", time: "2026-11-21 12:00:00", ping: 31 },
      monitor: { id: 1, name: "Shop", url: "https://shop.example", hostname: "shop", port: 443, type: "http" },
    },
    event("uptime_kuma.firing HIGH | Shop is down | refused", {
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
    }),
  ],
  "a monitor without an id that is up again": [
    { msg: "[Shop] up", heartbeat: { status: 1, msg: " " }, monitor: { name: "Shop" } },
    event("uptime_kuma.resolved LOW | Shop is up again | [Shop] up", {
      data: { monitor: "Shop", message: "[Shop] up" },
    }),
  ],
  "a monitor without a name that is pending": [
    { msg: "pending", heartbeat: { status: 2 }, monitor: null },
    event("uptime_kuma.info LOW | Uptime Kuma is pending | pending", { data: { message: "pending" } }),
  ],
  "a message without a text": [
    { msg: "", heartbeat: null, monitor: null },
    event("uptime_kuma.info NORMAL | Uptime Kuma", { data: { message: "" } }),
  ],
  "a test message that ends with a space": [
    { msg: "[Shop] Testing ", heartbeat: null, monitor: null },
    event("uptime_kuma.test LOW | [Shop] Testing | [Shop] Testing ", { data: { message: "[Shop] Testing " } }),
  ],
  "a message whose last word only begins like that of a test message": [
    { msg: "[Shop] Testing2", heartbeat: null, monitor: null },
    event("uptime_kuma.info NORMAL | [Shop] Testing2", { data: { message: "[Shop] Testing2" } }),
  ],
});
