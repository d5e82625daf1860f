/*
 * German sentences, by English sentence. `{}` is a name or a number; `{text}` is another sentence, a part of a sentence, or a
 * name. Other sentences stay in English.
 */
const sentences: Readonly<Record<string, string>> = {
  "A schedule has at most {} layers.": "Ein Dienstplan hat höchstens {} Rotationen.",
  "Pushes need a device on which the person signs in; other kinds of contacts do not exist here.":
    "Für Pushes meldet sich die Person auf einem Gerät an; andere Kanäle gibt es hier nicht.",
  "An acknowledgement ends the escalation, including levels that wait for the alert to be closed.":
    "Eine Quittierung beendet die Eskalation, auch Stufen, die auf das Schließen des Alarms warten würden.",
  "An earlier rule always matches first.": "Eine frühere Regel trifft immer zuerst zu.",
  "If nobody has acknowledged after the last repetition, the first level is notified once more.":
    "Nach der letzten Wiederholung wird die erste Stufe noch einmal benachrichtigt, wenn niemand quittiert hat.",
  "Here an alert of a higher severity pages even if its group has paged already.":
    "Hier alarmiert ein schwererer Alarm auch dann, wenn seine Gruppe schon alarmiert hat.",
  "Heartbeats are created with POST /heartbeats, which returns the URL to call.":
    "Legen Sie Lebenszeichen unter „Integrationen“ an; dort steht die Adresse, die aufgerufen wird.",
  "In PagerDuty an acknowledgement ends after {} minutes; here it ends only if the policy has ackMinutes.":
    "In PagerDuty endet eine Quittierung nach {} Minuten; hier nur, wenn die Richtlinie ackMinutes hat.",
  "This part cannot be read: {}": "Nicht lesbar: {}",
  "This layer exceeds a limit of this service: {text}.": "Die Ebene lässt sich hier nicht abbilden: {text}.",
  "This rotation exceeds a limit of this service: {text}.": "Die Rotation lässt sich hier nicht abbilden: {text}.",
  "This shift exceeds a limit of this service: {text}.": "Die Schicht lässt sich hier nicht abbilden: {text}.",
  "These steps cannot be converted to notification steps: {}":
    "Diese Schritte lassen sich nicht in Benachrichtigungsschritte umwandeln: {}",
  "The file contains nothing that the import of {} reads.": "Die Datei enthält nichts, was der Import kennt.",
  "The grouping has no time window.": "Die Dauer der Gruppierung fehlt.",
  "The service groups alerts that have any of several fields in common; a rule groups by all of its fields.":
    "Der Dienst gruppiert Alarme, die eines von mehreren Feldern gemeinsam haben; eine Regel gruppiert nach allen ihren Feldern.",
  "The schedule has no rotation that puts anybody on call.":
    "Der Dienstplan hat keine Rotation, in der jemand Bereitschaft hat.",
  "The service is disabled, so its rule is disabled too.": "Der Dienst ist ausgeschaltet und damit auch seine Regel.",
  "The schedule of these overrides is disabled.": "Der Dienstplan dieser Vertretungen ist ausgeschaltet.",
  "The {} is disabled.": "Ausgeschaltet.",
  "The schedule is disabled, so it puts nobody on call.":
    "Der Dienstplan ist ausgeschaltet, daher hat niemand darin Bereitschaft.",
  "The service is in maintenance now; its rule ignores maintenance.":
    "Der Dienst wird gerade gewartet; seine Regel berücksichtigt keine Wartung.",
  "The file is not JSON: fetch it again.": "Die Datei ist kein JSON: Rufen Sie sie noch einmal ab.",
  "The {} is over.": "Bereits vorbei.",
  "In the export, this route has no escalation chain, or its chain notifies nobody.":
    "Im Export hat die Route keine Eskalationskette, oder ihre Kette benachrichtigt niemanden.",
  "The grouping names no field to group by.": "Die Gruppierung nennt kein Feld, nach dem gruppiert wird.",
  "No level of this escalation names anybody whom this service can notify.":
    "Die Eskalation benachrichtigt niemanden, der hier erreichbar ist.",
  "The integration suppresses notifications: a rule on its key notifies nobody.":
    "Die Integration unterdrückt Benachrichtigungen: Eine Regel zu ihrem Schlüssel benachrichtigt niemanden.",
  "The alerts of this rule notify nobody, in PagerDuty and here.":
    "Alarme dieser Regel benachrichtigen niemanden, in PagerDuty wie hier.",
  "Rules check this condition only for some event keys; other alerts reach later rules.":
    "Die Bedingung lässt sich nur für manche Ereignisschlüssel prüfen: Über andere Alarme entscheiden die späteren Regeln.",
  "The conditions of a rule cannot express this condition: {text}":
    "Die Bedingung lässt sich nicht als Bedingungen einer Regel schreiben: {text}",
  "The first level notifies nobody here, so those who would be notified after {} minutes are notified at once: {}.":
    "Die erste Stufe benachrichtigt hier niemanden. Daher wird sofort benachrichtigt, wer sonst nach {} Minuten an der Reihe wäre: {}.",
  "The service of this integration is not imported.": "Der Dienst dieser Integration wird nicht übernommen.",
  "The shifts are written one by one until {}. After that day, nobody is on call: add a rotation before that day.":
    "Die Schichten sind bis {} einzeln übernommen. Danach hat niemand Bereitschaft: Fügen Sie vorher eine Rotation hinzu.",
  "The times are in {} and were converted to {} with the zones' difference on the first day. When the difference changes, the times are wrong.":
    "Die Zeiten gelten in {} und wurden mit dem Zeitunterschied des ersten Tages nach {} umgerechnet. Ändert sich der Unterschied, stimmen sie nicht mehr.",
  "Steps that notify the {} person have a group of their own, with the rotations shifted by one turn and without overrides.":
    "Für Schritte, die nicht die Person in Bereitschaft benachrichtigen ({}), sind in eigenen Gruppen die Rotationen um einen Abschnitt verschoben, ohne Vertretungen.",
  "The turns of {} seconds are not whole hours.": "Abschnitte von {} Sekunden sind keine ganzen Stunden.",
  "The integration accepts email. Let its senders use the service's key, or a key with the source of their tool.":
    "Die Integration nimmt E-Mails an. Lassen Sie ihre Absender den Schlüssel des Dienstes verwenden, oder einen mit der Quelle ihres Werkzeugs.",
  "The senders do not use Events API v2, which the service's key accepts. Let them use Events API v2, or give them a key with a mapping (docs/sources.md).":
    "Die Absender verwenden nicht die Events API v2, die der Schlüssel des Dienstes annimmt. Stellen Sie sie auf die Events API v2 um, oder geben Sie ihnen einen Schlüssel mit einer Zuordnung (docs/sources.md).",
  "The tool ({}) does not call Opsgenie's alert API: give the tool its own key as docs/sources.md says, and write a rule on the name of the key.":
    "Das Werkzeug ({}) ruft nicht die Alarm-API von Opsgenie auf: Geben Sie ihm einen eigenen Schlüssel (docs/sources.md) und schreiben Sie eine Regel zu dessen Namen.",
  "Let the tool send to the key's own URL. Rules then use its fields, not Opsgenie's.":
    "Lassen Sie das Werkzeug an die Adresse des Schlüssels senden. Regeln verwenden dann die Felder des Werkzeugs statt derer von Opsgenie.",
  "More pages follow this page, but the export does not contain them.{text}":
    "Auf diese Seite folgen weitere, die im Export fehlen.{text}",
  " {} of {} are missing.": " Es fehlen {} von {}.",
  "No event can meet the conditions.": "Kein Ereignis kann die Bedingungen erfüllen.",
  "No layer can express the events of the shift ({}, {} s){text}.":
    "Keine Rotation kann die Termine der Schicht abbilden ({}, {} s){text}.",
  "; the comparison leaves them out, too": "; auch im Vergleich fehlen sie",
  "No program sends to this integration ({}).": "Kein Programm sendet an diese Integration ({}).",
  "No program sends to the integration of this route.": "Kein Programm sendet an die Integration dieser Route.",
  "No sender in the export sends alerts that this rule could match.":
    "Kein Absender im Export sendet Alarme, auf die diese Regel passen könnte.",
  "No source here accepts the messages of {}: let the tool POST /v1/events with the key, and with its previous payload as data.":
    "Hier gibt es keine Quelle für die Meldungen von {}. Stellen Sie das Werkzeug so ein, dass es POST /v1/events mit dem neuen Schlüssel aufruft und den bisherigen Inhalt als data sendet.",
  "No user of the export is in this team.": "Keine Person des Exports ist in diesem Team.",
  "No user of the export names this team.": "Keine Person des Exports nennt dieses Team.",
  "Nobody is in {}: the level notifies its other targets.":
    "In {} ist niemand: Die Stufe benachrichtigt ihre anderen Ziele.",
  "OnCall groups alerts until somebody resolves the alert group; here a rule groups for at most a day, and an alert of a higher priority pages.":
    "OnCall gruppiert Alarme, bis jemand die Alarmgruppe löst; hier gruppiert eine Regel höchstens einen Tag, und ein Alarm höherer Priorität alarmiert.",
  "OnCall notifies the people of a step in turn, one person for each alert; this service notifies all of these people at once.":
    "OnCall benachrichtigt die Personen eines Schritts reihum, je Alarm eine; hier werden alle diese Personen zugleich benachrichtigt.",
  "Only people and teams can be on call: nobody is on call in this turn.":
    "Nur Personen und Teams können Bereitschaft haben: In diesem Abschnitt hat sie niemand.",
  "The people on call differ from the export: see the report.":
    "Andere Personen als im Export haben Bereitschaft: siehe Bericht.",
  "PagerDuty counts the time from the latest alert of a group; a rule counts from the first alert.":
    "PagerDuty zählt die Zeit ab dem letzten Alarm einer Gruppe, Regeln ab dem ersten.",
  "PagerDuty groups alerts until the incident is resolved; a rule groups for at most a day.":
    "PagerDuty gruppiert Alarme, bis der Vorfall gelöst ist; eine Regel höchstens einen Tag.",
  "PagerDuty notifies the targets of a level in turn (round robin); this service notifies all of these targets at once.":
    "PagerDuty benachrichtigt die Ziele einer Stufe reihum (Round Robin); hier werden alle diese Ziele zugleich benachrichtigt.",
  "PagerDuty resolves an alert after {} minutes; here an alert is open until its sender or a person resolves it.":
    "PagerDuty löst einen Alarm nach {} Minuten; hier ist er offen, bis sein Absender oder eine Person ihn löst.",
  "Personal notification rules here apply to every alert, and have no conditions.":
    "Persönliche Benachrichtigungsregeln gelten hier für jeden Alarm und haben keine Bedingungen.",
  "Policies change alerts before people are notified. Write the important policies as silences, or as conditions or priorityOverride of rules.":
    "Richtlinien ändern Alarme, bevor jemand benachrichtigt wird. Schreiben Sie die wichtigen als Stummschaltungen oder als Bedingungen oder priorityOverride von Regeln.",
  "Filters and actions of integrations change or ignore alerts. Write the important filters and actions as conditions of rules.":
    "Filter und Aktionen von Integrationen ändern oder verwerfen Alarme. Schreiben Sie die wichtigen als Bedingungen von Regeln.",
  "Rules here notify groups: put these responders in a group, and add a rule with a condition on data.responders.":
    "Regeln benachrichtigen hier Gruppen: Empfänger solcher Alarme brauchen eine Gruppe und eine Regel mit einer Bedingung zu data.responders.",
  "Rulesets are not imported: PagerDuty converts them to event orchestrations, which are imported.":
    "Regelsätze werden nicht übernommen: PagerDuty wandelt sie in Ereignisorchestrierungen um, die übernommen werden.",
  "Save the calendar as {} beside the export and import again, so that its events are imported.":
    "Speichern Sie den Kalender als {} neben dem Export und importieren Sie noch einmal.",
  "The hours of the layer are rounded down to whole minutes.": "Die Zeiten der Ebene sind auf ganze Minuten gekürzt.",
  "Support hours do not change the priority here.": "Servicezeiten ändern hier die Priorität nicht.",
  "Team {}: all of its members are notified, not the people whom its routing rules choose.":
    "Team {}: Alle Mitglieder werden benachrichtigt, nicht nur die Personen, die seine Weiterleitungsregeln wählen.",
  "The export does not say who owns the account: nobody is notified of an alert that no rule matches. Write a rule with fallback: true.":
    "Der Export nennt keinen Eigentümer des Kontos: Niemand wird über einen Alarm benachrichtigt, auf den keine Regel passt. Schreiben Sie eine Regel mit fallback: true.",
  "The export has neither the layers nor the shifts of this schedule: fetch each schedule by its id, and oncalls.json for shift-based schedules.":
    "Im Export fehlen die Ebenen und die Schichten dieses Dienstplans: Rufen Sie jeden Dienstplan mit seiner ID ab, und oncalls.json für Dienstpläne aus Schichten.",
  "The export has no email address of this person.": "Der Export hat keine E-Mail-Adresse dieser Person.",
  "The export has no escalation policy {} that notifies anybody.":
    "Der Export hat keine Eskalationsrichtlinie {}, die jemanden benachrichtigt.",
  "The export has no integrations: one key replaces all of them, and alerts go to the responders that the alerts name.":
    "Der Export hat keine Integrationen: Ein Schlüssel ersetzt alle, und Alarme gehen an die Personen, die sie nennen.",
  "The export has no person with this id who has an email address. Nobody is on call in this person's turns.":
    "Der Export hat niemanden mit dieser ID und einer E-Mail-Adresse: In diesen Abschnitten hat niemand Bereitschaft.",
  "The export has no routes of this integration, so nobody is notified through it.":
    "Der Export hat keine Routen dieser Integration: Über sie wird niemand benachrichtigt.",
  "The export has no routing rules of this team: everybody in the team is notified at once.":
    "Der Export hat keine Weiterleitungsregeln dieses Teams: Alle im Team werden sofort benachrichtigt.",
  "The export does not contain this {}.": "Im Export gibt es das nicht.",
  "The export does not contain these users.": "Im Export gibt es diese Personen nicht.",
  "The export does not contain this team or its members.": "Im Export gibt es dieses Team oder seine Mitglieder nicht.",
  "The export does not contain this team: nobody is on call in this turn.":
    "Im Export gibt es dieses Team nicht: In diesem Abschnitt hat niemand Bereitschaft.",
  "The export has no user with this name who has an email address and is not blocked. Nobody is on call in this user's turns.":
    "Der Export hat niemanden dieses Namens mit E-Mail-Adresse und ohne Sperre: In diesen Abschnitten hat niemand Bereitschaft.",
  "The export has no user with that id{}.": "Der Export hat niemanden mit dieser ID und einer E-Mail-Adresse.",
  "The export has no {} that notifies anybody.": "Im Export benachrichtigt das niemanden: {}.",
  "The first targets are notified at once here, not after {} minutes; the times between the later levels do not change.":
    "Die ersten Ziele werden hier sofort benachrichtigt, nicht nach {} Minuten; die Abstände danach bleiben.",
  "The last event of a turn overlaps the first event of the next turn: here the next turn takes precedence.":
    "Die letzte Schicht eines Abschnitts überschneidet sich mit der ersten des nächsten: Hier gilt der nächste.",
  "The {} has no people.": "Niemand ist eingeteilt.",
  "The user name is not an email address.": "Der Benutzername ist keine E-Mail-Adresse.",
  "The name {} is already used, so this name has a number added.":
    "Den Namen {} gibt es schon, daher hängt der Import eine Nummer an.",
  "The person is not imported.": "Die Person wird nicht übernommen.",
  "The user is blocked and is never notified.": "Die Person ist gesperrt: Nichts benachrichtigt sie.",
  "These steps are disabled, or their channel does not exist here.":
    "Diese Schritte sind ausgeschaltet, oder ihren Kanal gibt es hier nicht.",
  "These rules change or suppress events. Write the important rules as silences, or as conditions or priorityOverride of rules.":
    "Diese Regeln ändern oder unterdrücken Ereignisse. Schreiben Sie die wichtigen als Stummschaltungen oder als Bedingungen oder priorityOverride von Regeln.",
  "These overrides have ended.": "Diese Vertretungen sind vorbei.",
  "This service has no step of this type.": "So einen Schritt gibt es hier nicht.",
  "This service does not have this feature.": "Diese Funktion gibt es hier nicht.",
  "This service does not keep {} of events from PagerDuty's clients.":
    "Aus Ereignissen von PagerDutys Clients speichert dieser Dienst {} nicht.",
  "The grouping of the type {} is unknown: a rule groups by fields of the event.":
    "Eine Gruppierung der Art {} ist unbekannt: Eine Regel gruppiert nach Feldern des Ereignisses.",
  "A rule groups by at most {} fields.": "Eine Regel gruppiert nach höchstens {} Feldern.",
  "A rule groups by at most {} fields, not by {}": "Eine Regel gruppiert nach höchstens {} Feldern, nicht nach {}",
  "{text} Each alert pages.": "{text} Jeder Alarm alarmiert.",
  "The rule routes to the service {}, which the export does not have, so nobody is notified.":
    "Die Regel führt zum Dienst {}, der im Export fehlt, daher wird niemand benachrichtigt.",
  "These events go to the service {}, which the export does not have, so nobody is notified.":
    "Diese Ereignisse gehen an den Dienst {}, der im Export fehlt, daher wird niemand benachrichtigt.",
  "A calendar names somebody who is not in the export, or has no email address.":
    "Ein Kalender nennt jemanden, der im Export fehlt oder dort keine E-Mail-Adresse hat.",
  "The delay here is {} minutes, not {}.": "Die Wartezeit beträgt hier {} Minuten statt {}.",
  "A rule has at most {} groups.": "Eine Regel hat höchstens {} Gruppen.",
  "A workspace has at most {} API keys: let several senders share a key, and distinguish their events by conditions.":
    "Ein Arbeitsbereich hat höchstens {} API-Schlüssel: Lassen Sie mehrere Absender einen Schlüssel teilen, und unterscheiden Sie ihre Ereignisse durch Bedingungen.",
  "Besides the people on call, a level can notify at most {} people.":
    "Zusammen mit einem Dienstplan können höchstens {} Personen benachrichtigt werden.",
  "A policy has at most {} steps.": "Eine Richtlinie hat höchstens {} Schritte.",
  "A step has at most {} targets.": "Ein Schritt hat höchstens {} Ziele.",
  "The escalation is repeated {} times, not {}: this is the maximum.":
    "Die Eskalation wird {}-mal wiederholt statt {}-mal: Das ist das Maximum.",
  "The active hours of the rule need more than {} time ranges.":
    "Die aktiven Zeiten der Regel brauchen mehr als {} Zeiträume.",
  "The {} events of the next {} days are imported one by one; later events of the calendar are not imported.":
    "Die {} Termine der nächsten {} Tage werden einzeln übernommen, spätere Termine des Kalenders nicht.",
  "a turn has more than {} people": "ein Abschnitt hat mehr als {} Personen",
  "a turn is longer than {} units": "ein Abschnitt ist länger als {} Einheiten",
  "the hours need more than {} restrictions": "die Zeiten brauchen mehr als {} Einschränkungen",
  "it would need too many rules.": "Sie bräuchte zu viele Regeln.",
  "a line in the .people.csv file, with the role {}": "eine Zeile der Datei .people.csv, mit der Rolle {}",
  "drafts of the person's own notification rules": "Entwürfe der eigenen Benachrichtigungsregeln",
  "contacts for the person to verify": "Kontakte, die die Person bestätigt",
  "{} and groupMinutes {} on its rules": "{} und groupMinutes {} an ihren Regeln",
  "groupBy {} on its rules": "groupBy {} an ihren Regeln",
  "group {} with the shifts of the next days": "Gruppe {} mit den Schichten der nächsten Tage",
  "group {} with {} layers": "Gruppe {} (Rotationen: {})",
  "group {} with {} layers, and {} more for {} overrides": "Gruppe {} (Rotationen: {}, dazu {} für Vertretungen: {})",
  "group {}": "Gruppe {}",
  "groups {}": "Gruppen {}",
  "there are {} turns, and a layer has at most {} turns": "{} Abschnitte, eine Rotation hat höchstens {}",
  "the type of the route is {}.": "Die Route hat die Art {}.",
  "the expression {}, which OnCall searches for in the JSON of the whole alert.":
    "der Ausdruck {}, der im ganzen Alarm als JSON gesucht wird.",
  "the template {}": "die Vorlage {}",
  "the hours of the rule have no time zone.": "Die Zeiten der Regel haben keine Zeitzone.",
  "the rule routes by a field of the event.": "Ein Feld des Ereignisses bestimmt das Ziel.",
  "it uses fields that the sending tools do not send.":
    "Sie nennt Felder, die die Werkzeuge der Absender nicht senden.",
  "key {} for the source {}": "Schlüssel {} für die Quelle {}",
  "key {} replaces this integration": "Schlüssel {} ersetzt diese Integration",
  "key {}, which replaces the orchestration's integration keys":
    "Schlüssel {}, der die Integrationsschlüssel der Orchestrierung ersetzt",
  "key {}, whose URL replaces the integration's URL": "Schlüssel {}, dessen Adresse die der Integration ersetzt",
  "key {}": "Schlüssel {}",
  "layers that end when the overrides end": "Rotationen, die mit den Vertretungen enden",
  "notified first: {}; there are no later levels": "zuerst benachrichtigt: {}; keine weiteren Stufen",
  "policy {} with {} step{text}; notified first: {}": "Richtlinie {} (Stufen: {}{text}); zuerst benachrichtigt: {}",
  "policy {} with {} steps{text}; notified first: {}": "Richtlinie {} (Stufen: {}{text}); zuerst benachrichtigt: {}",
  ", including the first level": ", darunter die erste",
  "rule {}, notifying nobody": "Regel {}, die niemanden benachrichtigt",
  "rule {}, which notifies the owners": "Regel {}, die die Eigentümer benachrichtigt",
  "rule {}": "Regel {}",
  "rules {}, notifying nobody": "Regeln {}, die niemanden benachrichtigen",
  "rules {}": "Regeln {}",
};

/** Names of parts come before names of whole items, because the first pattern that matches applies. */
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
  "{text}, rotation {}": "{text}, Rotation {}",
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
  "groups at first": "zuerst benachrichtigte Gruppen",
  "{} overrides": "Vertretungen ({})",
  "{} overrides ahead": "künftige Vertretungen ({})",
  "{} members": "Mitglieder ({})",
  "{} levels": "Stufen ({})",
  "{} targets of a level": "Ziele einer Stufe ({})",
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

/** Translates a text of an importer; returns unknown texts unchanged. */
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
