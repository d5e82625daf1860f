import type { Texts } from "../en/keys.ts";

export const texts = {
  keys: {
    newKey: "Neuer Schlüssel",
    name: "Name",
    nameHint: "Das System, das mit diesem Schlüssel sendet, etwa der Shop.",
    usedBy: "Benutzt von",
    anyApplication: "Eigene Anwendung",
    eventKeys: "Ereignisschlüssel",
    eventKeysHint: "Muster wie order.*, durch Kommas getrennt. Leer: alle Ereignisse.",
    mayResolve: "Darf lösen",
    resolves: { own: "Eigene Ereignisse", any: "Alle Ereignisse" },
    sends: (patterns: string) => `sendet ${patterns}`,
    resolvesAll: "darf alle Ereignisse lösen",
    ends: "Läuft ab",
    by: (name: string) => `von ${name}`,
    lastUsed: "Zuletzt benutzt",
    neverUsed: "Noch nicht benutzt",
    addressForTool: "URL für das Werkzeug",
    addressHint:
      "Das Werkzeug sendet an diese URL und braucht keinen Authorization-Header. Die URL enthält den Schlüssel; behandeln Sie sie wie ein Passwort.",
    create: "Anlegen",
    empty:
      "Noch kein Schlüssel. Eine Anwendung sendet Ereignisse mit einem Schlüssel; legen Sie den ersten an, etwa für Ihren Shop.",
    created: "Angelegt",
    delete: "Löschen",
    deleteOf: (name: string) => `${name} löschen`,
    deleteQuestion: (name: string) =>
      `Den Schlüssel „${name}“ löschen? Anfragen mit diesem Schlüssel werden sofort abgewiesen (401).`,
    deleted: (name: string) => `Der Schlüssel „${name}“ ist gelöscht.`,
    once: "Dieser Schlüssel wird nur einmal angezeigt. Speichern Sie ihn dort, wo nur Ihre Server ihn lesen können.",
    key: "Schlüssel",
    tryIt: "Ein Ereignis mit diesem Schlüssel senden",
    tryItHint:
      "URL und Schlüssel sind eingesetzt; lesen Sie in einem Programm beide aus Ihrem Geheimnisspeicher. Jedes Beispiel sendet die Anfrage erneut, solange der Dienst ausgelastet ist. Wiederholte Anfragen erzeugen kein zweites Ereignis. Wird das Ereignis abgelehnt, gibt das Beispiel den Fehler aus.",
    signed: "signiert",
    withClient: "JavaScript, mit dem Client",
    clientHint: "Erzeugen Sie das Paket mit „npm pack“ im Ordner „client“ des Quellcodes dieses Dienstes.",
    done: "Fertig",
  },
} satisfies Texts;
