/*
 * The sentences of the importers in German, by the English ones. `{}` is a name or a number, `{text}` another sentence
 * or name of an item. Other sentences stay in English.
 */
const sentences: Readonly<Record<string, string>> = {
  "A schedule has at most {} layers.": "Ein Dienstplan hat höchstens {} Rotationen.",
  "A push needs a device on which the person signs in; other channels do not exist here.":
    "Für Pushes meldet sich die Person auf einem Gerät an; andere Kanäle gibt es hier nicht.",
  "An acknowledgement ends the escalation, also levels that would wait for the alert to be closed.":
    "Eine Quittierung beendet die Eskalation, auch Stufen, die auf das Schließen des Alarms warten würden.",
  "An earlier rule always matches first.": "Eine frühere Regel trifft immer zuerst zu.",
  "After the last repetition the first level is notified once more, if nobody has acknowledged.":
    "Nach der letzten Wiederholung wird die erste Stufe noch einmal benachrichtigt, wenn niemand quittiert hat.",
  "Here an alert of a higher severity pages even if its group has paged already.":
    "Hier alarmiert ein schwererer Alarm auch dann, wenn seine Gruppe schon alarmiert hat.",
  "Heartbeats are created with POST /heartbeats, which returns the URL to call.":
    "Legen Sie Lebenszeichen unter „Integrationen“ an; dort steht die Adresse, die aufgerufen wird.",
  "In PagerDuty an acknowledgement ends after {} minutes; here it ends only if the policy has ackMinutes.":
    "In PagerDuty endet eine Quittierung nach {} Minuten; hier nur, wenn die Richtlinie ackMinutes hat.",
  "It cannot be read: {}": "Nicht lesbar: {}",
  "It cannot be written: {text}.": "Das lässt sich hier nicht abbilden: {text}.",
  "It contains nothing that the import knows of {}.": "Die Datei enthält nichts, was der Import kennt.",
  "It does not say for how long. Each alert pages.": "Die Dauer fehlt. Jeder Alarm alarmiert.",
  "It groups alerts that have any of several fields in common; a rule groups by all of its fields. Each alert pages.":
    "Es gruppiert Alarme, die eines von mehreren Feldern gemeinsam haben; eine Regel gruppiert nach allen ihren Feldern. Jeder Alarm alarmiert.",
  "It has no rotation that puts anybody on call.": "Keine Rotation gibt jemandem Bereitschaft.",
  "It is disabled, and so is its rule.": "Der Dienst ist ausgeschaltet, also auch seine Regel.",
  "It is disabled.": "Ausgeschaltet.",
  "It is disabled: nobody whom it would put on call is notified.":
    "Ausgeschaltet: Niemand, der hier Bereitschaft hätte, wird benachrichtigt.",
  "It is in maintenance now; its rule notifies people at once.":
    "Der Dienst wird gerade gewartet; seine Regel benachrichtigt sofort.",
  "It is not JSON: fetch it again.": "Die Datei ist kein JSON: Rufen Sie sie noch einmal ab.",
  "It is over.": "Vorbei.",
  "It leads to no escalation chain of the export that notifies anybody.":
    "Keine Eskalationskette des Exports, zu der sie führt, benachrichtigt jemanden.",
  "It names no field. Each alert pages.": "Kein Feld ist genannt. Jeder Alarm alarmiert.",
  "It notifies nobody whom this service can notify.": "Niemand darin ist hier erreichbar.",
  "It suppresses notifications: a rule on its key notifies nobody.":
    "Sie unterdrückt Benachrichtigungen: Eine Regel zu ihrem Schlüssel benachrichtigt niemanden.",
  "Its alerts notify nobody, in PagerDuty and here.": "Ihre Alarme benachrichtigen niemanden, in PagerDuty wie hier.",
  "Its condition cannot be checked for some tools: their alerts continue to the later rules.":
    "Für manche Werkzeuge ist die Bedingung nicht prüfbar: Deren Alarme gehen an die späteren Regeln.",
  "Its condition cannot be written as conditions of a rule: {text}":
    "Die Bedingung lässt sich nicht als Bedingungen einer Regel schreiben: {text}",
  "Its first level notifies nobody here, so the level after {} minutes is notified at once: {}.":
    "Die erste Stufe benachrichtigt hier niemanden, daher wird die Stufe nach {} Minuten sofort benachrichtigt: {}.",
  "Its schedule is disabled.": "Der Dienstplan ist ausgeschaltet.",
  "Its service is not imported.": "Der Dienst wird nicht übernommen.",
  "Its shifts are written one by one until {}. After that, nobody is on call: add a rotation before then.":
    "Die Schichten sind bis {} einzeln übernommen. Danach hat niemand Bereitschaft: Fügen Sie vorher eine Rotation hinzu.",
  "Its times are of {}, kept as they are in {} on the first day: they shift when only one of the two zones changes its clocks.":
    "Die Zeiten gelten in {} und sind so übernommen, wie sie am ersten Tag in {} sind: Sie verschieben sich, wenn nur eine der Zonen umstellt.",
  "For steps that notify the {} person, extra groups have each rotation shifted by one turn, without overrides.":
    "Für Schritte, die nicht die Person in Bereitschaft benachrichtigen ({}), sind in eigenen Gruppen die Rotationen um einen Abschnitt verschoben, ohne Vertretungen.",
  "Its turns of {} seconds are not whole hours.": "Abschnitte von {} Sekunden sind keine ganzen Stunden.",
  "It accepts email. Let its senders use the service's key, or a key with their tool's source.":
    "Sie nimmt E-Mails an. Lassen Sie ihre Absender den Schlüssel des Dienstes verwenden, oder einen mit der Quelle ihres Werkzeugs.",
  "Its senders do not use Events API v2, which the service's key accepts. Let them send that, or give them a key with a mapping (docs/sources.md).":
    "Ihre Absender verwenden nicht die Events API v2, die der Schlüssel des Dienstes annimmt. Lassen Sie sie diese senden, oder geben Sie ihnen einen Schlüssel mit einer Zuordnung (docs/sources.md).",
  "Its tool ({}) does not call Opsgenie's alert API: give it a key of its own as docs/sources.md says, and write a rule on its name.":
    "Das Werkzeug ({}) ruft nicht die Alarm-API von Opsgenie auf: Geben Sie ihm einen eigenen Schlüssel (docs/sources.md) und schreiben Sie eine Regel zu dessen Namen.",
  "Its tool sends to the key's own URL, and rules use the tool's own fields, not Opsgenie's.":
    "Das Werkzeug sendet an die Adresse des Schlüssels, und Regeln verwenden die Felder des Werkzeugs statt derer von Opsgenie.",
  "More pages follow this one, but the export does not contain them.{}":
    "Auf diese Seite folgen weitere, die im Export fehlen.",
  "No event can meet its conditions.": "Kein Ereignis kann die Bedingungen erfüllen.",
  "No layer can express its events ({}, {} s).": "Keine Rotation kann solche Schichten abbilden ({}, {} s).",
  "No layer can express its events ({}, {} s); the comparison leaves them out, too.":
    "Keine Rotation kann solche Schichten abbilden ({}, {} s); auch im Vergleich fehlen sie.",
  "No program sends to it ({}).": "Kein Programm sendet an sie ({}).",
  "No program sends to its integration.": "Kein Programm sendet an ihre Integration.",
  "No sender in the export sends to it.": "Kein Absender im Export sendet an sie.",
  "No source here accepts the messages of {}: let it POST /v1/events with the key, and its previous payload as data.":
    "Keine Quelle hier nimmt die Meldungen von {} an: Senden Sie sie mit dem Schlüssel an POST /v1/events, mit dem bisherigen Inhalt als data.",
  "No user of the export is in it.": "Keine Person des Exports ist darin.",
  "No user of the export names it among the teams.": "Keine Person des Exports nennt es unter ihren Teams.",
  "Nobody is in {}: the level continues without it.": "In {} ist niemand: Die Stufe gilt ohne diese Gruppe.",
  "OnCall groups alerts until somebody resolves the alert group; here a rule groups for at most a day, and an alert of a higher priority pages.":
    "OnCall gruppiert Alarme, bis jemand die Alarmgruppe löst; hier gruppiert eine Regel höchstens einen Tag, und ein Alarm höherer Priorität alarmiert.",
  "OnCall notifies the people of a step in turn, one for each alert; this service notifies all of them at once.":
    "OnCall benachrichtigt die Personen eines Schritts reihum, je Alarm eine; hier werden alle zugleich benachrichtigt.",
  "Only people and teams can be on call: nobody is on call in this turn.":
    "Nur Personen und Teams können Bereitschaft haben: In diesem Abschnitt hat sie niemand.",
  "Other people are on call than in the export: see the report.":
    "Andere Personen als im Export haben Bereitschaft: siehe Bericht.",
  "PagerDuty counts the time from the latest alert of a group, rules from the first.":
    "PagerDuty zählt die Zeit ab dem letzten Alarm einer Gruppe, Regeln ab dem ersten.",
  "PagerDuty groups alerts until the incident is resolved; a rule groups for at most a day.":
    "PagerDuty gruppiert Alarme, bis der Vorfall gelöst ist; eine Regel höchstens einen Tag.",
  "PagerDuty notifies the targets of a level in turn (round robin); this service notifies all of them at once.":
    "PagerDuty benachrichtigt die Ziele einer Stufe reihum; hier werden alle zugleich benachrichtigt.",
  "PagerDuty resolves an alert after {} minutes; here an alert is open until its sender or a person resolves it.":
    "PagerDuty löst einen Alarm nach {} Minuten; hier ist er offen, bis sein Absender oder eine Person ihn löst.",
  "Personal notification rules here apply to every alert, and have no conditions.":
    "Persönliche Benachrichtigungsregeln gelten hier für jeden Alarm und haben keine Bedingungen.",
  "Policies change alerts before they notify. Write the important ones as silences, or as conditions or priorityOverride of rules.":
    "Richtlinien ändern Alarme, bevor sie benachrichtigen. Schreiben Sie die wichtigen als Stummschaltungen oder als Bedingungen oder priorityOverride von Regeln.",
  "Filters and actions of integrations change or ignore alerts. Write the important ones as conditions of rules.":
    "Filter und Aktionen von Integrationen ändern oder verwerfen Alarme. Schreiben Sie die wichtigen als Bedingungen von Regeln.",
  "Rules here notify groups: recipients of such alerts need a group, and a rule with a condition on data.responders.":
    "Regeln benachrichtigen hier Gruppen: Empfänger solcher Alarme brauchen eine Gruppe und eine Regel mit einer Bedingung zu data.responders.",
  "Rulesets are not imported: PagerDuty converts them to event orchestrations, which are imported.":
    "Regelsätze werden nicht übernommen: PagerDuty wandelt sie in Ereignisorchestrierungen um, die übernommen werden.",
  "Save the calendar as {} beside the export and import again, so that its events are imported.":
    "Speichern Sie den Kalender als {} neben dem Export und importieren Sie noch einmal.",
  "Seconds in the hours are dropped.": "Sekunden in den Zeiten entfallen.",
  "Support hours do not change the priority.": "Servicezeiten ändern die Priorität nicht.",
  "Team {}: everybody in it is notified, not the people whom its routing rules choose.":
    "Alle im Team {} werden benachrichtigt, nicht nur die Personen, die seine Weiterleitungsregeln wählen.",
  "The export does not say who owns the account: nobody is notified of an alert that no rule matches. Write a rule with fallback: true.":
    "Der Export nennt keinen Eigentümer des Kontos: Niemand wird über einen Alarm benachrichtigt, auf den keine Regel passt. Schreiben Sie eine Regel mit fallback: true.",
  "The export has neither its layers nor its shifts: fetch each schedule by its id, and oncalls.json for shift-based ones.":
    "Im Export fehlen Ebenen und Schichten: Rufen Sie jeden Dienstplan mit seiner ID ab, und oncalls.json für solche aus Schichten.",
  "The export has no email address of this person.": "Der Export hat keine E-Mail-Adresse dieser Person.",
  "The export has no escalation policy {} that notifies anybody.":
    "Der Export hat keine Eskalationsrichtlinie {}, die jemanden benachrichtigt.",
  "The export has no integrations: one key replaces all of them, and alerts go to the responders that the alerts name.":
    "Der Export hat keine Integrationen: Ein Schlüssel ersetzt alle, und Alarme gehen an die Personen, die sie nennen.",
  "The export has no person with that id and an email address: nobody is on call in their turns.":
    "Der Export hat niemanden mit dieser ID und einer E-Mail-Adresse: In diesen Abschnitten hat niemand Bereitschaft.",
  "The export has no routes of this integration, so nobody is notified through it.":
    "Der Export hat keine Routen dieser Integration: Über sie wird niemand benachrichtigt.",
  "The export has no routing rules of this team: everybody in the team is notified at once.":
    "Der Export hat keine Weiterleitungsregeln dieses Teams: Alle im Team werden sofort benachrichtigt.",
  "The export has no such {}.": "Im Export gibt es das nicht.",
  "The export has no such team, or nobody in it.": "Im Export gibt es dieses Team nicht, oder niemand ist darin.",
  "The export has no such team: nobody is on call in its turn.":
    "Im Export gibt es dieses Team nicht: In diesem Abschnitt hat niemand Bereitschaft.",
  "The export has no user of that name who has an email address and is not blocked: nobody is on call in their turns.":
    "Der Export hat niemanden dieses Namens mit E-Mail-Adresse und ohne Sperre: In diesen Abschnitten hat niemand Bereitschaft.",
  "The export has no user with that id{}.": "Der Export hat niemanden mit dieser ID und einer E-Mail-Adresse.",
  "The export has no {} that notifies anybody.": "Im Export benachrichtigt das niemanden: {}.",
  "The first targets are notified at once here, not after {} minutes; the times between the later levels do not change.":
    "Die ersten Ziele werden hier sofort benachrichtigt, nicht nach {} Minuten; die Abstände danach bleiben.",
  "The last event of a turn overlaps the first event of the next turn: here the next turn takes precedence.":
    "Die letzte Schicht eines Abschnitts überschneidet sich mit der ersten des nächsten: Hier gilt der nächste.",
  "The {} has no people.": "Niemand ist eingeteilt.",
  "The name is not an email address.": "Der Name ist keine E-Mail-Adresse.",
  "The name {} is used already, so this name gets a number.":
    "Den Namen {} gibt es schon, daher bekommt dieser eine Nummer.",
  "The person is not imported.": "Die Person wird nicht übernommen.",
  "The user is blocked: nothing notifies them.": "Die Person ist gesperrt: Nichts benachrichtigt sie.",
  "They are disabled, or their channel does not exist here.": "Ausgeschaltet, oder ihren Kanal gibt es hier nicht.",
  "They change events or suppress them. Write the important ones as silences, or as conditions or priorityOverride of rules.":
    "Sie ändern oder unterdrücken Ereignisse. Schreiben Sie die wichtigen als Stummschaltungen oder als Bedingungen oder priorityOverride von Regeln.",
  "They have ended.": "Vorbei.",
  "This service has no such step.": "So einen Schritt gibt es hier nicht.",
  "This service has nothing like these.": "So etwas gibt es hier nicht.",
  "Events from PagerDuty's clients do not keep {}. Each alert pages.":
    "Ereignisse von PagerDutys Clients enthalten {} nicht. Jeder Alarm alarmiert.",
  "What it groups by ({}) is unknown: a rule groups by fields of the event. Each alert pages.":
    "Wonach es gruppiert ({}), ist unbekannt: Eine Regel gruppiert nach Feldern. Jeder Alarm alarmiert.",
  "A rule groups by at most {} fields. Each alert pages.":
    "Eine Regel gruppiert nach höchstens {} Feldern. Jeder Alarm alarmiert.",
  "A rule groups by at most {} fields, not by {}": "Eine Regel gruppiert nach höchstens {} Feldern, nicht nach {}",
  "{}, which the export does not have, so nobody is notified.":
    "Ihr Ziel fehlt im Export, daher wird niemand benachrichtigt.",
  "a line of the file .people.csv, as {}": "eine Zeile der Datei .people.csv, als {}",
  "drafts of the person's own notification rules": "Entwürfe der eigenen Benachrichtigungsregeln",
  "drafts that the person verifies": "Entwürfe, die die Person bestätigt",
  "{} and groupMinutes {} on its rules": "{} und groupMinutes {} an ihren Regeln",
  "groupBy {} on its rules": "groupBy {} an ihren Regeln",
  "group {} with the shifts of the next days": "Gruppe {} mit den Schichten der nächsten Tage",
  "group {} with {} layers": "Gruppe {} (Rotationen: {})",
  "group {} with {} layers, and {} more for {} overrides": "Gruppe {} (Rotationen: {}, dazu {} für Vertretungen: {})",
  "group {}": "Gruppe {}",
  "groups {}": "Gruppen {}",
  "it has {} turns, and a layer has at most {}": "{} Abschnitte, eine Rotation hat höchstens {}",
  "its type is {}.": "Ihre Art ist {}.",
  "the expression {}, which is searched for in the whole alert as JSON.":
    "der Ausdruck {}, der im ganzen Alarm als JSON gesucht wird.",
  "the template {}": "die Vorlage {}",
  "its hours have no time zone.": "Die Zeiten haben keine Zeitzone.",
  "it routes by a field of the event.": "Ein Feld des Ereignisses bestimmt das Ziel.",
  "it uses fields that its tools do not send.": "Sie nennt Felder, die ihre Werkzeuge nicht senden.",
  "key {} for the source {}": "Schlüssel {} für die Quelle {}",
  "key {} replaces it": "Schlüssel {} ersetzt sie",
  "key {}, which replaces the orchestration's integration keys":
    "Schlüssel {}, der die Integrationsschlüssel der Orchestrierung ersetzt",
  "key {}: its URL replaces the integration's": "Schlüssel {}: Seine Adresse ersetzt die der Integration",
  "key {}": "Schlüssel {}",
  "layers that end when the overrides end": "Rotationen, die mit den Vertretungen enden",
  "notified at first: {}; it has no later levels": "zuerst benachrichtigt: {}; keine weiteren Stufen",
  "policy {} with {} steps, the first level among them; notified at first: {}":
    "Richtlinie {} (Stufen: {}, darunter die erste); zuerst benachrichtigt: {}",
  "policy {} with {} steps; notified at first: {}": "Richtlinie {} (Stufen: {}); zuerst benachrichtigt: {}",
  "rule {}, notifying nobody": "Regel {}, die niemanden benachrichtigt",
  "rule {}, which notifies the owners": "Regel {}, die die Eigentümer benachrichtigt",
  "rule {}": "Regel {}",
  "rules {}": "Regeln {}",
};

/** The names of items, and what files of an export lack; a part of an item comes before the item. */
const names: Readonly<Record<string, string>> = {
  Owners: "Eigentümer",
  Integrations: "Integrationen",
  "Alerts that name a person among their responders": "Alarme, die eine Person nennen",
  "Alerts that no rule matches": "Alarme, auf die keine Regel passt",
  "{} is packed: unpack it, and name the folder.": "{} ist gepackt: Entpacken Sie die Datei und wählen Sie den Ordner.",
  "There is no .json file in {}.": "Keine .json-Datei gefunden: {}.",
  "{} files of {}": "Dateien: {} ({})",
  "Routing rule {}": "Weiterleitungsregel {}",
  "{text}, events that no rule matches": "{text}, Ereignisse, auf die keine Regel passt",
  "{text}, shift {}": "{text}, Schicht {}",
  "{text}, layer {}": "{text}, Ebene {}",
  "{text}, rule {}": "{text}, Regel {}",
  "{text}: {text}": "{text}: {text}",
  "contact methods": "Kontaktwege",
  devices: "Geräte",
  "notification steps": "Benachrichtigungsschritte",
  "other notification steps": "andere Benachrichtigungsschritte",
  "its routing rules": "Weiterleitungsregeln",
  "its routes": "Routen",
  "its grouping": "Gruppierung",
  "its alert grouping": "Gruppierung der Alarme",
  "its alerts": "Alarme",
  "its calendar": "Kalender",
  "its {} rules": "Regeln ({})",
  "{} overrides": "Vertretungen ({})",
  "{} overrides ahead": "künftige Vertretungen ({})",
  "{} members": "Mitglieder ({})",
  "{} layers of {}": "Rotationen ({})",
  "a team": "ein Team",
  "a step {}": "ein Schritt {}",
  "shift {}": "Schicht {}",
  "schedule {}": "Dienstplan {}",
  "Alerts for the {text}": "Alarme: {text}",
  "escalation {}": "Eskalation {}",
  "team {}": "Team {}",
  "A turn of the {text}": "Ein Abschnitt: {text}",
  "Escalation {}": "Eskalation {}",
  "Event orchestration {}": "Ereignisorchestrierung {}",
  "Integration {} of service {}": "Integration {} des Dienstes {}",
  "Key {}": "Schlüssel {}",
  "Route {} of {}": "Route {} von {}",
  "Routing rules of {}": "Weiterleitungsregeln von {}",
  "Rule {}": "Regel {}",
  "Schedule {}": "Dienstplan {}",
  "Service {}": "Dienst {}",
  "User {}": "Person {}",
};

const patterns = Object.entries({ ...sentences, ...names }).map(([english, german]) => ({
  pattern: new RegExp(
    `^${english.replaceAll(/[.*+?()[\]]/g, String.raw`\$&`).replaceAll(/\{(?:text)?\}/g, "(.*?)")}$`,
    "s",
  ),
  german,
}));

/** Returns a sentence of the importers, or the name of an item, in German; unchanged if it has no translation. */
export const translateImported = (text: string): string => {
  for (const { pattern, german } of patterns) {
    const found = pattern.exec(text)?.slice(1);
    if (found !== undefined)
      return german.replaceAll(/\{(text)?\}/g, (mark) => {
        const part = found.shift() ?? "";
        return mark === "{}" ? part : translateImported(part);
      });
  }
  return text;
};
