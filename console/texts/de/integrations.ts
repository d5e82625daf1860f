import type { Texts } from "../en/integrations.ts";

export const texts = {
  sources: {
    lead: "Wählen Sie, was Ereignisse sendet. Jedes Werkzeug bekommt einen eigenen Schlüssel und eine Anleitung.",
    tiles: "Werkzeuge",
    own: "Ein eigenes Programm",
    ownHint: "Ein Schlüssel und Beispiele für curl, JavaScript und Python",
    state: { off: "Nicht verbunden", waiting: "Wartet auf das erste Ereignis", on: "Empfängt Ereignisse" },
    keys: (n: number) => `${n} Schlüssel`,
    name: "Name",
    nameHint: "Was damit sendet, etwa der Name eines Teams. Regeln können darauf prüfen.",
    create: "Anlegen",
    another: "Noch einen Schlüssel anlegen",
    close: "Schließen",
    once: "Der Schlüssel darin wird nur einmal angezeigt. Wer ihn kennt, kann Ereignisse senden; behandeln Sie ihn wie ein Passwort.",
    see: "Ereignisse ansehen",
    address: "URL",
    key: "Schlüssel",
    routingKey: "Routing-Key",
    commandLine: "Befehlszeile",
    payload: "Payload",
    already: (names: readonly string[]) =>
      `Es sendet mit ${names.join(", ")}. Ein Schlüssel wird nur einmal gezeigt; ist er verloren, legen Sie einen neuen an.`,
    toSettings: "Topics werden unter Einstellungen erlaubt",
    where: {
      alertmanager: "In der Konfiguration des Alertmanagers, als Empfänger, den eine Route nennt:",
      grafana: "In Grafana: Alerting, Contact points, Webhook. Als URL, per POST:",
      cloudwatch: "Erlauben Sie zuerst das Topic der Alarme. Dann abonnieren Sie es:",
      sentry:
        "In Sentry: Settings, Integrations, Internal integration. Als Webhook-URL, mit eingeschalteter Alert-Rule-Action:",
      github: "In GitHub: Settings, Webhooks. Als Payload-URL, mit dem Content-Type application/json:",
      "uptime-kuma": "In Uptime Kuma: Notification, Webhook. Als POST-URL, mit dem Body application/json:",
      opsgenie: "In dem Programm, das Opsgenie aufruft, als Host seines Clients und als sein API-Key:",
      pagerduty: "In dem Programm, das PagerDuty aufruft, als Host seines Clients und als sein Routing-Key:",
      gitlab:
        "In GitLab: Settings, Webhooks. Als URL, mit den Auslösern Pipeline events, Deployment events und Vulnerability events:",
      zabbix:
        "In Zabbix: Alerts, Media types. Importieren Sie docs/examples/zabbix-media-type.yaml dieses Dienstes, und tragen Sie als Parameter address ein:",
      datadog: "In Datadog: Integrations, Webhooks, New. Als URL und als Payload:",
      "azure-monitor":
        "In Azure: Monitor, Alerts, Action groups. Als URI eines Webhooks, mit eingeschaltetem Common alert schema:",
      "google-cloud-monitoring":
        "In Google Cloud: Monitoring, Alerting, Edit notification channels, Webhooks. Als Endpoint-URL:",
      mapped: "Als Adresse, an die das Werkzeug seine Nachrichten sendet, in JSON oder als Formular:",
    },
  },
} satisfies Texts;
