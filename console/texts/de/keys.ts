import type { Texts } from "../en/keys.ts";

export const texts = {
  keys: {
    newKey: "Neuer Schlüssel",
    name: "Name",
    nameHint: "Was damit senden wird, etwa der Name eines Systems.",
    usedBy: "Benutzt von",
    anyApplication: "Einer eigenen Anwendung",
    eventKeys: "Ereignisschlüssel",
    eventKeysHint: "Muster wie order.*, durch Kommas getrennt. Leer: alles.",
    mayResolve: "Darf lösen",
    resolves: { own: "Was er selbst gesendet hat", any: "Alles" },
    sends: (patterns: string) => `sendet ${patterns}`,
    resolvesAll: "löst alles",
    ends: "Endet",
    by: (name: string) => `von ${name}`,
    lastUsed: "Zuletzt benutzt",
    neverUsed: "Noch nicht benutzt",
    addressForTool: "Adresse für das Werkzeug",
    addressHint:
      "Das Werkzeug sendet dorthin, ganz ohne Header. Der Schlüssel steckt darin; behandeln Sie sie wie ein Passwort.",
    create: "Anlegen",
    empty: "Noch kein Schlüssel. Eine Anwendung sendet Ereignisse mit einem Schlüssel; legen Sie den ersten an.",
    created: "Angelegt",
    delete: "Löschen",
    deleteQuestion: (name: string) =>
      `Den Schlüssel „${name}“ löschen? Was mit ihm sendet, bekommt von da an die Antwort 401.`,
    deleted: (name: string) => `Der Schlüssel „${name}“ ist gelöscht.`,
    once: "Das ist der Schlüssel. Er wird nur dieses eine Mal gezeigt; bewahren Sie ihn auf, wo nur Ihre Server ihn lesen.",
    key: "Schlüssel",
    tryIt: "Ein Ereignis damit senden",
    tryItHint:
      "Adresse und Schlüssel sind eingesetzt: In einem Programm lesen Sie beide dort, wo Sie Geheimnisse aufbewahren. Jedes Stück versucht es wieder, solange der Dienst beschäftigt ist, macht trotzdem nur ein Ereignis, und gibt aus, was ihm bei einer Ablehnung gesagt wird.",
    signed: "signiert",
    withClient: "JavaScript, mit dem Client",
    clientHint: "Das Paket entsteht durch npm pack im Ordner client der Quellen dieses Dienstes.",
    done: "Fertig",
  },
} satisfies Texts;
