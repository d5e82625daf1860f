import type { Catalogue } from "../catalogue.ts";

/** What the sources say. */
export const texts = {
  sources: {
    lead: "Choose what sends events. Each tool gets a key of its own, and what to paste where.",
    tiles: "Tools",
    own: "A program of yours",
    ownHint: "A key, and lines in curl, JavaScript and Python",
    state: { off: "Not connected", waiting: "Waiting for the first event", on: "Events come in" },
    keys: (n: number) => (n === 1 ? "1 key" : `${n} keys`),
    name: "Name",
    nameHint: "What sends with it, such as the name of a team. Rules may ask for it.",
    create: "Create",
    another: "Make another key",
    close: "Close",
    once: "The key in it is shown this once. Whoever has it can send such events, so treat it as a password.",
    see: "See its events",
    address: "Address",
    key: "Key",
    routingKey: "Routing key",
    commandLine: "Command line",
    payload: "Payload",
    already: (names: readonly string[]) =>
      `It sends by ${names.join(", ")}. A key is shown once only; where it is lost, make another.`,
    toSettings: "Topics are allowed under Settings",
    where: {
      alertmanager: "In Alertmanager's configuration, as a receiver that a route names:",
      grafana: "In Grafana: Alerting, Contact points, Webhook. As the URL, by POST:",
      cloudwatch: "Allow the topic of the alarms first. Then subscribe to it:",
      sentry:
        "In Sentry: Settings, Integrations, Internal integration. As the webhook URL, with the alert rule action on:",
      github: "In GitHub: Settings, Webhooks. As the payload URL, with the content type application/json:",
      "uptime-kuma": "In Uptime Kuma: Notification, Webhook. As the POST URL, with the body application/json:",
      opsgenie: "In the program that calls Opsgenie, as the host of its client and as its API key:",
      pagerduty: "In the program that calls PagerDuty, as the host of its client and as its routing key:",
      gitlab:
        "In GitLab: Settings, Webhooks. As the URL, with the triggers Pipeline events, Deployment events and Vulnerability events:",
      zabbix:
        "In Zabbix: Alerts, Media types. Import docs/examples/zabbix-media-type.yaml of this service, and enter as its parameter address:",
      datadog: "In Datadog: Integrations, Webhooks, New. As the URL and as the payload:",
      "azure-monitor":
        "In Azure: Monitor, Alerts, Action groups. As the URI of a webhook, with the common alert schema on:",
      "google-cloud-monitoring":
        "In Google Cloud: Monitoring, Alerting, Edit notification channels, Webhooks. As the endpoint URL:",
      mapped: "As the address to which the tool posts its messages, in JSON or as a form:",
    },
  },
};
export type Texts = Catalogue<typeof texts>;
