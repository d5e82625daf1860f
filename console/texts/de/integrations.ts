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
    nameHint: "Der Name des Absenders, etwa eines Teams. Regeln können diesen Namen prüfen.",
    create: "Anlegen",
    another: "Noch einen Schlüssel anlegen",
    close: "Schließen",
    once: "Der Schlüssel oben wird nur einmal angezeigt. Wer ihn kennt, kann Ereignisse senden; behandeln Sie ihn wie ein Passwort.",
    see: "Ereignisse ansehen",
    address: "URL",
    key: "Schlüssel",
    routingKey: "Routing-Key",
    commandLine: "Befehlszeile",
    payload: "Payload",
    already: (names: readonly string[]) =>
      `Schlüssel dieses Werkzeugs: ${names.join(", ")}. Ein Schlüssel wird nur einmal angezeigt; ist er verloren, legen Sie einen neuen an.`,
    toSettings: "Topics unter Einstellungen erlauben",
    where: {
      alertmanager:
        "Tragen Sie in der Konfiguration des Alertmanagers diesen Empfänger ein, und nennen Sie ihn in einer Route:",
      grafana:
        "Öffnen Sie in Grafana „Alerting“ > „Contact points“ > „Webhook“. Wählen Sie die Methode POST, und tragen Sie diese URL ein:",
      cloudwatch:
        "Erlauben Sie zuerst das SNS-Topic Ihrer Alarme in den Einstellungen dieses Arbeitsbereichs. Abonnieren Sie das Topic dann mit dieser URL:",
      sentry:
        "Öffnen Sie in Sentry „Settings“ > „Integrations“ > „Internal integration“. Schalten Sie „Alert Rule Action“ ein, und tragen Sie diese Webhook-URL ein:",
      github:
        "Öffnen Sie in GitHub „Settings“ > „Webhooks“. Wählen Sie den Content-Type application/json, und tragen Sie diese Payload-URL ein:",
      "uptime-kuma":
        "Öffnen Sie in Uptime Kuma „Notification“ > „Webhook“. Wählen Sie den Body application/json, und tragen Sie diese POST-URL ein:",
      opsgenie:
        "Stellen Sie in dem Programm, das Opsgenie aufruft, den Opsgenie-Client auf diesen Host und diesen API-Key um:",
      pagerduty:
        "Stellen Sie in dem Programm, das PagerDuty aufruft, den PagerDuty-Client auf diesen Host und diesen Routing-Key um:",
      gitlab:
        "Öffnen Sie in GitLab „Settings“ > „Webhooks“. Wählen Sie die Auslöser „Pipeline events“, „Deployment events“ und „Vulnerability events“, und tragen Sie diese URL ein:",
      zabbix:
        "Öffnen Sie in Zabbix „Alerts“ > „Media types“. Importieren Sie die Datei docs/examples/zabbix-media-type.yaml dieses Dienstes, und setzen Sie den Parameter „address“ des Medientyps auf:",
      datadog:
        "Öffnen Sie in Datadog „Integrations“ > „Webhooks“ > „New“. Tragen Sie diese URL und diesen Payload ein:",
      "azure-monitor":
        "Öffnen Sie in Azure „Monitor“ > „Alerts“ > „Action groups“. Legen Sie einen Webhook an, schalten Sie „Common alert schema“ ein, und tragen Sie diese URI ein:",
      "google-cloud-monitoring":
        "Öffnen Sie in Google Cloud „Monitoring“ > „Alerting“ > „Edit notification channels“ > „Webhooks“. Tragen Sie diese Endpoint-URL ein:",
      mapped: "Lassen Sie das Werkzeug seine Nachrichten an diese URL senden, als JSON oder als Formular:",
    },
  },
} satisfies Texts;
