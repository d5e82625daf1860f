import type { Texts } from "../en/guide.ts";

export const texts = {
  guide: {
    heading: "Von null bis zum ersten Push",
    steps: {
      device: "Ein Gerät, das benachrichtigt wird",
      rule: "Eine Regel, welche Ereignisse wen wecken",
      key: "Ein Schlüssel, mit dem eine Anwendung sendet",
      event: "Ein Ereignis",
      acknowledge: "Eine Quittierung",
    },
    isDone: "erledigt",
    makeRule: "Mich über jedes Ereignis benachrichtigen",
    makeKey: "Schlüssel anlegen",
    send: "Ereignis senden",
    sent: "Das Ereignis ist gesendet.",
    wait: "Der Push ist unterwegs. Drücken Sie auf Quittieren, wo er unten erscheint.",
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
