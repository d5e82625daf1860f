import type { Catalogue } from "../catalogue.ts";

export const texts = {
  sources: {
    lead: "Choose what sends events. Each tool gets its own key and instructions.",
    tiles: "Tools",
    own: "Your own program",
    ownHint: "A key, and snippets for curl, JavaScript and Python",
    state: { off: "Not connected", waiting: "Waiting for the first event", on: "Receiving events" },
    keys: (n: number) => (n === 1 ? "1 key" : `${n} keys`),
    name: "Name",
    nameHint: "The name of the sender, such as a team. Rules can match on this name.",
    create: "Create",
    another: "Create another key",
    close: "Close",
    once: "The key above is shown only once. Anybody who has the key can send events, so treat it as a password.",
    see: "Show events",
    address: "URL",
    key: "Key",
    routingKey: "Routing key",
    commandLine: "Command line",
    payload: "Payload",
    already: (names: readonly string[]) =>
      `Keys of this tool: ${names.join(", ")}. A key is shown only once; if you lose it, create another.`,
    toSettings: "Allow topics under Settings",
    where: {
      alertmanager: "In Alertmanager's configuration, add this receiver and name it in a route:",
      grafana: "In Grafana, open “Alerting” > “Contact points” > “Webhook”. Choose the method POST and enter this URL:",
      cloudwatch:
        "First allow the SNS topic of your alarms in the settings of this workspace. Then subscribe this URL to the topic:",
      sentry:
        "In Sentry, open “Settings” > “Integrations” > “Internal integration”. Turn on “Alert Rule Action” and enter this webhook URL:",
      github:
        "In GitHub, open “Settings” > “Webhooks”. Choose the content type application/json and enter this payload URL:",
      "uptime-kuma":
        "In Uptime Kuma, open “Notification” > “Webhook”. Choose the body application/json and enter this POST URL:",
      opsgenie: "In the program that calls Opsgenie, set the Opsgenie client to this host and this API key:",
      pagerduty: "In the program that calls PagerDuty, set the PagerDuty client to this host and this routing key:",
      gitlab:
        "In GitLab, open “Settings” > “Webhooks”. Choose the triggers “Pipeline events”, “Deployment events” and “Vulnerability events”, and enter this URL:",
      zabbix:
        "In Zabbix, open “Alerts” > “Media types”. Import the file docs/examples/zabbix-media-type.yaml of this service, and set the parameter “address” of the media type to:",
      datadog: "In Datadog, open “Integrations” > “Webhooks” > “New”. Enter this URL and this payload:",
      "azure-monitor":
        "In Azure, open “Monitor” > “Alerts” > “Action groups”. Add a webhook, turn on the common alert schema and enter this URI:",
      "google-cloud-monitoring":
        "In Google Cloud, open “Monitoring” > “Alerting” > “Edit notification channels” > “Webhooks”. Enter this endpoint URL:",
      mapped: "Let the tool post its messages to this URL, as JSON or as a form:",
    },
  },
};
export type Texts = Catalogue<typeof texts>;
