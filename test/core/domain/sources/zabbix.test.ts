import { event, testMessages } from "./table.ts";

const problem = (fields: object) => ({
  event_id: "1507",
  event_source: "0",
  event_value: "1",
  event_update_status: "0",
  event_name: "No space on /var",
  event_nseverity: "5",
  event_severity: "Disaster",
  event_opdata: "Free: 1 %",
  event_tags: '[{"tag":"scope","value":"capacity"},{"tag":"team","value":"db"},{"tag":"scope","value":"notice"}]',
  trigger_id: "42",
  trigger_description: "",
  host_name: "db-1",
  host_ip: "10.0.0.7",
  zabbix_url: "https://zabbix.example/",
  alert_subject: "Problem: No space on /var",
  alert_message: "Problem began at 03:12",
  ...fields,
});

const fired = event("zabbix.firing URGENT | db-1: No space on /var | Problem began at 03:12", {
  data: {
    host: "db-1",
    ip: "10.0.0.7",
    severity: "Disaster",
    trigger: "42",
    operationalData: "Free: 1 %",
    "tags.scope": "capacity, notice",
    "tags.team": "db",
  },
  url: "https://zabbix.example/tr_events.php?triggerid=42&eventid=1507",
  dedupeKey: "zabbix:event:1507",
});
const ended = event("zabbix.resolved LOW | Resolved: db-1: No space on /var | Problem was resolved at 03:40", {
  data: { ...fired.data, operationalData: "Free: 40 %" },
  url: "https://zabbix.example/tr_events.php?triggerid=42&eventid=1507",
  resolves: "zabbix:event:1507",
  once: "zabbix:event:1507:resolved",
});

testMessages("zabbix", {
  "a problem, sent by the media type": [problem({}), fired],
  "the end of a problem": [
    problem({
      event_value: "0",
      event_nseverity: "5",
      alert_message: "Problem was resolved at 03:40",
      event_opdata: "Free: 40 %",
    }),
    ended,
  ],
  "a problem, sent by a media type with other fields": [
    {
      event_id: "1507",
      event_value: "1",
      event_name: "No space on /var",
      message: "Problem began at 03:12 on db-1",
      severity: "High",
      host: "db-1",
      url: "https://zabbix.example/tr_events.php?triggerid=1&eventid=1507",
    },
    {
      ...fired,
      body: "Problem began at 03:12 on db-1",
      priority: "HIGH",
      url: "https://zabbix.example/tr_events.php?triggerid=1&eventid=1507",
      data: { host: "db-1", severity: "High" },
    },
  ],
  "a problem of Zabbix 5, with macros that Zabbix 5 does not know": [
    problem({
      event_tags: "{EVENT.TAGSJSON}",
      event_opdata: "*UNKNOWN*",
      zabbix_url: "{$ZABBIX.URL}",
      trigger_description: "{TRIGGER.DESCRIPTION}",
      alert_message: undefined,
      event_nseverity: "2",
      event_severity: "Warning",
    }),
    event("zabbix.firing NORMAL | db-1: No space on /var | Problem: No space on /var", {
      data: { host: "db-1", ip: "10.0.0.7", severity: "Warning", trigger: "42" },
      dedupeKey: "zabbix:event:1507",
    }),
  ],
  "a problem whose name contains the name of its host": [
    problem({
      event_name: "db-1 is not reachable",
      event_nseverity: "4",
      event_severity: "Hoch",
      event_tags: "scope:availability",
    }),
    {
      ...fired,
      title: "db-1 is not reachable",
      priority: "HIGH",
      data: {
        host: "db-1",
        ip: "10.0.0.7",
        severity: "Hoch",
        trigger: "42",
        operationalData: "Free: 1 %",
        tags: "scope:availability",
      },
    },
  ],
  "a problem without a classification": [
    problem({ event_nseverity: "0", event_severity: "Not classified" }),
    { ...fired, priority: "LOW", data: { ...fired.data, severity: "Not classified" } },
  ],
  "a problem of a service": [
    { event_id: "1600", event_source: "4", event_value: "1", event_name: "Checkout is down", event_nseverity: "3" },
    event("zabbix.firing NORMAL | Checkout is down", { dedupeKey: "zabbix:event:1600" }),
  ],
  "the end of a service's problem": [
    { event_id: "1600", event_source: "4", event_value: "0", event_name: "Checkout is down" },
    event("zabbix.resolved LOW | Resolved: Checkout is down | Checkout is down", {
      resolves: "zabbix:event:1600",
      once: "zabbix:event:1600:resolved",
    }),
  ],
  "a host that is discovered": [
    {
      event_id: "9",
      event_source: "1",
      event_value: "0",
      alert_subject: "Discovery: 10.0.0.9 UP",
      alert_message: "Discovery rule: office",
    },
    event("zabbix.info LOW | Discovery: 10.0.0.9 UP | Discovery rule: office"),
  ],
  "a host that registers itself automatically": [
    { event_id: "10", event_source: "2", alert_subject: "Autoregistration: web-9", alert_message: "Host name: web-9" },
    event("zabbix.info LOW | Autoregistration: web-9 | Host name: web-9"),
  ],
  "an unsupported item": [
    {
      event_id: "11",
      event_source: "3",
      event_value: "1",
      alert_subject: "cpu.load is not supported",
      alert_message: "Host: db-1",
    },
    event("zabbix.info LOW | cpu.load is not supported | Host: db-1"),
  ],
  "the test button, which replaces no macro": [
    {
      event_id: "{EVENT.ID}",
      event_source: "{EVENT.SOURCE}",
      event_value: "{EVENT.VALUE}",
      event_name: "{EVENT.NAME}",
      event_nseverity: "{EVENT.NSEVERITY}",
      host_name: "{HOST.NAME}",
      alert_subject: "{ALERT.SUBJECT}",
      zabbix_url: "{$ZABBIX.URL}",
    },
    event("zabbix.test LOW | Zabbix"),
  ],
  "a message with only a subject and a text": [
    { to: "ops", subject: "Zabbix server is down", message: "It does not answer." },
    event("zabbix.info LOW | Zabbix server is down | It does not answer."),
  ],
  "an acknowledgement": [problem({ event_update_status: "1", alert_message: "Ann acknowledged the problem" }), []],
  "a comment on a problem that has ended": [problem({ event_update_status: "1", event_value: "0" }), []],
  "a problem without an event, trigger and host": [
    { event_value: "1", event_name: "No space", zabbix_url: "https://zabbix.example" },
    event("zabbix.firing NORMAL | No space"),
  ],
  "the end of a problem without an event": [
    { event_value: "0", event_name: "No space", zabbix_url: "https://zabbix.example", trigger_id: "42" },
    event("zabbix.resolved LOW | Resolved: No space | No space", {
      data: { trigger: "42" },
      url: "https://zabbix.example/tr_events.php?triggerid=42&eventid=",
    }),
  ],
});
