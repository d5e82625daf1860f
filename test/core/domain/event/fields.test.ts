import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EventContent, EventInput } from "../../../../core/domain/event/event.ts";
import { EventView } from "../../../../core/domain/event/event-view.ts";

/* CONTRIBUTING lists these files in "Add a field to an event". */

const readFile = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const reference = readFile("docs/api.md");
const checks = readFile("conformance/checks/event-fields.ts");

const taken = Object.keys(EventInput.pipe[0].entries);
const storedName = (field: string) => ({ event: "eventKey", link: "url" })[field] ?? field;

describe.each(taken)("the input field %j of an event", (field) => {
  it("is stored", () => {
    const message = `${field} is taken and thrown away: add it to EventContent in core/domain/event/event.ts`;
    expect(Object.keys(EventContent.entries), message).toContain(storedName(field));
  });

  it("is shown by the API", () => {
    const message = `GET event does not show ${field}: add it to EventView and to core/flow/read-event.ts`;
    expect(Object.keys(EventView.entries), message).toContain(storedName(field));
  });

  it("is in the API reference", () => {
    expect(reference, `docs/api.md says nothing of ${field}: add a row under "Events"`).toContain(`\`${field}\``);
  });

  it("is tested over HTTP by the conformance checks", () => {
    const message = `no check posts ${field}: add one to conformance/checks/event-fields.ts`;
    expect(checks, message).toMatch(new RegExp(`\\b${field}\\b`));
  });
});

it("each stored field of an event can also be sent, except those that only the service sets", () => {
  const made = ["resolvesAny", "resolvesFormer", "alert", "sender", "changedAt", "heartbeat", "notice", "probe"];
  const untaken = Object.keys(EventContent.entries).filter((name) => !taken.map(storedName).includes(name));
  expect(untaken, "kept, but never taken: add it to entries in core/domain/event/event.ts").toEqual(made);
});
