import type { Catalogue } from "../catalogue.ts";

/** The texts of sources. */
export const texts = {
  sources: {
    lead: "Choose what sends events. Each tool gets its own key and instructions.",
    tiles: "Tools",
    own: "Your own program",
    ownHint: "A key, and snippets for curl, JavaScript and Python",
    state: { off: "Not connected", waiting: "Waiting for the first event", on: "Receiving events" },
    keys: (n: number) => (n === 1 ? "1 key" : `${n} keys`),
    name: "Name",
    nameHint: "What sends with it, such as the name of a team. Rules can match on it.",
    create: "Create",
    another: "Create another key",
    close: "Close",
    once: "The key in it is shown only once. Anybody who has it can send events, so treat it as a password.",
    see: "Show events",
    address: "URL",
    key: "Key",
    routingKey: "Routing key",
    commandLine: "Command line",
    payload: "Payload",
    already: (names: readonly string[]) =>
      `It sends with ${names.join(", ")}. A key is shown only once; if it is lost, create another.`,
    toSettings: "Allow topics under Settings",
    where: {
      alertmanager: "In Alertmanager's configuration, add a receiver that a route names:",
      grafana: "In Grafana, open Alerting, Contact points, Webhook. Enter as the URL, by POST:",
      cloudwatch: "Allow the topic of the alarms first. Then subscribe to it:",
      sentry:
        "In Sentry, open Settings, Integrations, Internal integration. Turn the alert rule action on and enter as the webhook URL:",
      github:
        "In GitHub, open Settings, Webhooks. Choose the content type application/json and enter as the payload URL:",
      "uptime-kuma":
        "In Uptime Kuma, open Notification, Webhook. Choose the body application/json and enter as the POST URL:",
      opsgenie: "In the program that calls Opsgenie, enter as the host of its client and as its API key:",
      pagerduty: "In the program that calls PagerDuty, enter as the host of its client and as its routing key:",
      gitlab:
        "In GitLab, open Settings, Webhooks. Choose the triggers Pipeline events, Deployment events and Vulnerability events, and enter as the URL:",
      zabbix:
        "In Zabbix, open Alerts, Media types. Import docs/examples/zabbix-media-type.yaml of this service, and enter as its parameter address:",
      datadog: "In Datadog, open Integrations, Webhooks, New. Enter as the URL and as the payload:",
      "azure-monitor":
        "In Azure, open Monitor, Alerts, Action groups. Add a webhook, turn the common alert schema on and enter as the URI:",
      "google-cloud-monitoring":
        "In Google Cloud, open Monitoring, Alerting, Edit notification channels, Webhooks. Enter as the endpoint URL:",
      mapped: "The URL to which the tool posts its messages, as JSON or as a form:",
    },
  },
};
export type Texts = Catalogue<typeof texts>;
