import type { Texts } from "../en/night.ts";
import { formatCount as count } from "../numbers.ts";

export const texts: Texts = {
  night: {
    heading: "Nachts",
    lead: "Ein Telefon, das nachts stumm ist, bleibt auch bei Alarmen stumm, wenn Sie die Alarme nicht erlauben. Die Schritte unten dauern zwei Minuten.",
    card: "Kontakt der Alarmierung speichern",
    cardLead:
      "Anrufe und SMS dieses Dienstes kommen von diesem Kontakt. Speichern Sie den Kontakt auf Ihrem Telefon und erlauben Sie ihn dann wie unten beschrieben.",
    noCard: "Dieser Dienst ruft nicht an. Erlauben Sie seine Benachrichtigungen wie unten beschrieben.",
    platforms: [
      {
        name: "iPhone und iPad",
        steps: [
          "Öffnen Sie den gespeicherten Kontakt, drücken Sie „Bearbeiten“, dann „Klingelton“, und schalten Sie „Notfallumgehung“ ein. Tun Sie dasselbe unter „Nachrichtenton“.",
          "Erlauben Sie den Kontakt in jedem Fokus: „Einstellungen“ > „Fokus“ > „Nicht stören“ > „Personen“.",
          "Die Web-App ist in einem Fokus stumm. Erlauben Sie die App unter „Einstellungen“ > „Fokus“ > „Nicht stören“ > „Apps“, oder ergänzen Sie Ihre Benachrichtigungsschritte um einen Anruf.",
        ],
      },
      {
        name: "Android",
        steps: [
          "Erlauben Sie unter „Einstellungen“ > „Benachrichtigungen“ > „Bitte nicht stören“ > „Personen“ die Anrufe und Nachrichten markierter Kontakte. Markieren Sie den gespeicherten Kontakt mit einem Stern.",
          "Halten Sie eine Benachrichtigung dieser Website gedrückt, öffnen Sie die Einstellungen der Benachrichtigung, wählen Sie ihren Kanal und schalten Sie „Bitte nicht stören umgehen“ ein.",
          "Schalten Sie die Akku-Optimierung für den Browser aus: „Einstellungen“ > „Apps“ > Ihr Browser > „Akku“ > „Uneingeschränkt“.",
        ],
      },
      {
        name: "Computer",
        steps: [
          "Lassen Sie den Browser laufen. Erlauben Sie den Browser im „Fokus“ (macOS) oder als wichtige App von „Nicht stören“ (Windows).",
        ],
      },
    ],
    check: "Prüfen Sie Ihr Telefon",
    checkLead: "Schalten Sie „Nicht stören“ ein, sperren Sie das Telefon und drücken Sie dann den Knopf.",
    ring: "Jetzt klingeln lassen",
    rung: (devices: number) =>
      `Test an ${count(devices, "Gerät", "Geräte")} gesendet. Jedes muss innerhalb einer Minute klingeln.`,
    nothing: "Sie haben kein bestätigtes Gerät. Fügen Sie zuerst eines hinzu.",
    steps: "Wann Sie angerufen werden, bestimmen die Benachrichtigungsschritte",
  },
};
