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
      alertmanager: "Tragen Sie in der Konfiguration des Alertmanagers einen Empfänger ein, den eine Route nennt:",
      grafana: "Öffnen Sie in Grafana Alerting, Contact points, Webhook. Tragen Sie als URL ein, per POST:",
      cloudwatch: "Erlauben Sie zuerst das Topic der Alarme. Dann abonnieren Sie es:",
      sentry:
        "Öffnen Sie in Sentry Settings, Integrations, Internal integration. Schalten Sie die Alert-Rule-Action ein, und tragen Sie als Webhook-URL ein:",
      github:
        "Öffnen Sie in GitHub Settings, Webhooks. Wählen Sie den Content-Type application/json, und tragen Sie als Payload-URL ein:",
      "uptime-kuma":
        "Öffnen Sie in Uptime Kuma Notification, Webhook. Wählen Sie den Body application/json, und tragen Sie als POST-URL ein:",
      opsgenie: "Tragen Sie in dem Programm, das Opsgenie aufruft, als Host seines Clients und als API-Key ein:",
      pagerduty: "Tragen Sie in dem Programm, das PagerDuty aufruft, als Host seines Clients und als Routing-Key ein:",
      gitlab:
        "Öffnen Sie in GitLab Settings, Webhooks. Wählen Sie die Auslöser Pipeline events, Deployment events und Vulnerability events, und tragen Sie als URL ein:",
      zabbix:
        "Öffnen Sie in Zabbix Alerts, Media types. Importieren Sie docs/examples/zabbix-media-type.yaml dieses Dienstes, und tragen Sie als Parameter address ein:",
      datadog: "Öffnen Sie in Datadog Integrations, Webhooks, New. Tragen Sie als URL und als Payload ein:",
      "azure-monitor":
        "Öffnen Sie in Azure Monitor, Alerts, Action groups. Legen Sie einen Webhook an, schalten Sie das Common alert schema ein, und tragen Sie als URI ein:",
      "google-cloud-monitoring":
        "Öffnen Sie in Google Cloud Monitoring, Alerting, Edit notification channels, Webhooks. Tragen Sie als Endpoint-URL ein:",
      mapped: "Als Adresse, an die das Werkzeug seine Nachrichten sendet, in JSON oder als Formular:",
    },
  },
} satisfies Texts;
