import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import * as v from "valibot";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { fitDraft } from "../../../../core/domain/sources/fit.ts";
import { sources } from "../../../../core/domain/sources/index.ts";
import { sourcePayloads } from "../../../support/source-payloads.ts";

const mediaType = v.parse(
  v.object({
    name: v.string(),
    parameters: v.array(v.object({ name: v.string(), value: v.string() })),
    script: v.string(),
  }),
  parse(readFileSync("docs/examples/zabbix-media-type.yaml", "utf8")).zabbix_export.media_types[0],
);

/** Runs the script of the media type as Zabbix does, and answers its request with `status`. */
const runScript = (parameters: object, status: number) => {
  const sent: { address: string; headers: string[]; body: unknown }[] = [];
  class HttpRequest {
    headers: string[] = [];
    addHeader(header: string) {
      this.headers.push(header);
    }
    post(address: string, body: string) {
      sent.push({ address, headers: this.headers, body: JSON.parse(body) });
      return "answer";
    }
    getStatus() {
      return status;
    }
  }
  const value = JSON.stringify(parameters);
  const returned: unknown = runInNewContext(`(function (value) {${mediaType.script}})(value)`, { value, HttpRequest });
  return { returned, sent };
};

it("the Zabbix media type posts all its parameters except the URL to that URL", () => {
  const { returned, sent } = runScript(
    { address: "https://alerts.example/x", ...sourcePayloads["zabbix"]!.firing },
    201,
  );

  expect(sent).toEqual([
    {
      address: "https://alerts.example/x",
      headers: ["Content-Type: application/json"],
      body: sourcePayloads["zabbix"]!.firing,
    },
  ]);
  expect(returned).toBe("answer");
});

it("the Zabbix media type fails if the service refuses a message, so that Zabbix sends it again", () => {
  expect(() => runScript({ address: "https://alerts.example/x" }, 503)).toThrow("Status 503: answer");
});

it("the Zabbix media type with unreplaced macros sends a test message", () => {
  const parameters = Object.fromEntries(mediaType.parameters.map(({ name, value }) => [name, value]));
  const drafts = v.parse(sources.zabbix.adapter, runScript(parameters, 201).sent[0]?.body);

  expect(drafts.map((draft) => fitDraft("zabbix", draft).event)).toEqual([
    { eventKey: "zabbix.test", title: "Zabbix", body: "Zabbix", priority: "LOW" },
  ]);
});

const page = readFileSync("docs/sources.md", "utf8");
const [, payload = ""] = /## datadog\n[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];

it("the Datadog payload is the same in the documentation and in the console", () => {
  expect(readFileSync("console/pages/sources/tools.ts", "utf8")).toContain(`\`${payload}\``);
});

it("the Datadog payload with its variables replaced becomes an alert", () => {
  const variables: Readonly<Record<string, string>> = {
    $ID: "7001",
    $EVENT_TITLE: "[P2] [Triggered on {host:db-1}] CPU is high",
    $TEXT_ONLY_MSG: "CPU is above 90 %.",
    $ALERT_ID: "9876",
    $ALERT_TRANSITION: "Triggered",
    $ALERT_PRIORITY: "P2",
    $ALERT_SCOPE: "host:db-1",
    $LINK: "https://app.datadoghq.com/monitors/9876",
    $DATE: "1795262400000",
  };
  const filled = payload.replaceAll(/\$[A-Z_]+/g, (variable) => variables[variable] ?? "");
  const [draft] = v.parse(sources.datadog.adapter, JSON.parse(filled));

  expect(fitDraft("datadog", draft!).event).toEqual({
    eventKey: "datadog.firing",
    title: "CPU is high on host:db-1",
    body: "CPU is above 90 %.",
    priority: "HIGH",
    url: "https://app.datadoghq.com/monitors/9876",
    data: {
      "links.Event": "https://app.datadoghq.com/monitors/9876",
      monitor: "9876",
      transition: "Triggered",
      scope: "host:db-1",
    },
    dedupeKey: "datadog:monitor:9876:host:db-1",
  });
});
