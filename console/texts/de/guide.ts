import type { Texts } from "../en/guide.ts";

export const texts = {
  guide: {
    heading: "Ihr erster Push",
    steps: {
      device: "Ein Gerät, das benachrichtigt wird",
      rule: "Eine Regel, die festlegt, wer bei welchen Ereignissen benachrichtigt wird",
      key: "Ein API-Schlüssel für eine Anwendung",
      event: "Ein Ereignis",
      acknowledge: "Eine Quittierung",
    },
    isDone: "erledigt",
    makeRule: "Mich über jedes Ereignis benachrichtigen",
    makeKey: "Schlüssel anlegen",
    send: "Ereignis senden",
    sent: "Ereignis gesendet.",
    wait: "Der Push ist unterwegs. Drücken Sie auf „Quittieren“, sobald der Alarm unten erscheint.",
    move: "Umzug von einem anderen Dienst? Dessen Konfiguration importieren",
    finish: "Fertig",
    skip: "Überspringen",
    groupName: "Im Dienst",
    ruleName: "Alles",
    keyName: "Erster Schlüssel",
    event: { event: "hello.world", title: "Hallo", body: "Das ist das erste Ereignis.", priority: "HIGH" },
    ruleSaved: (name: string) => `Die Regel „${name}“ ist gespeichert.`,
    key: "Schlüssel",
  },
} satisfies Texts;
