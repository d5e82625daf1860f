import { describe, expect, it } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";

const FLOOR = { ways: ["voice", "sms"], withinMinutes: 5 };
const file = `floors:
  - priority: URGENT
    ways: [voice, sms]
    withinMinutes: 5
`;

describe("a setup file's minimum for the notification steps of URGENT events", () => {
  it("is written if the workspace has none, and a second run changes nothing", async () => {
    const { run, files, byHand, requests, takeWrites } = aWorkspace();
    files.set("set-up.yaml", file);

    expect((await run("plan set-up.yaml")).text).toContain('+ floor for "URGENT"');
    expect(await run("apply set-up.yaml")).toMatchObject({ code: 0 });

    expect(takeWrites()).toEqual(["PATCH "]);
    expect(requests.findLast(({ method }) => method === "PATCH")?.body).toEqual({ urgentFloor: FLOOR });
    expect(await byHand("GET", "").json()).toMatchObject({ urgentFloor: FLOOR });
    expect(await run("plan set-up.yaml")).toMatchObject({ code: 0 });
  });

  it("is exported, or left out if the workspace has none; a plan of the export changes nothing", async () => {
    const { run, files, byHand } = aWorkspace();
    await run("export none.yaml");
    expect(files.get("none.yaml")).not.toContain("floors");

    byHand("PATCH", "", { urgentFloor: FLOOR });
    await run("export new.yaml");

    expect(files.get("new.yaml")).toContain(file);
    expect(await run("plan new.yaml")).toMatchObject({ code: 0 });
  });

  it("is changed only if nobody else has changed it since it was read, and the plan shows the change", async () => {
    const { run, files, byHand, requests } = aWorkspace();
    byHand("PATCH", "", { urgentFloor: { ways: ["sms"], withinMinutes: 10 } });
    files.set("set-up.yaml", file);

    const { text } = await run("plan set-up.yaml");
    await run("apply set-up.yaml");

    expect(text).toContain('~ floor for "URGENT"\n    ways: +voice\n    withinMinutes: 10 -> 5');
    expect(requests.findLast(({ method }) => method === "PATCH")?.ifMatch).toBe('"2"');
  });

  it("is kept if the file does not name it, and removed with --prune", async () => {
    const { run, files, byHand } = aWorkspace();
    byHand("PATCH", "", { urgentFloor: FLOOR });
    files.set("set-up.yaml", "groups: []\n");

    expect((await run("plan set-up.yaml")).text).toContain('? floor for "URGENT" is not in the file');
    await run("apply set-up.yaml");
    expect(await byHand("GET", "").json()).toMatchObject({ urgentFloor: FLOOR });
    await run("apply set-up.yaml --prune");

    expect(await byHand("GET", "").json()).toMatchObject({ urgentFloor: null });
  });

  it("is not applied if somebody has changed the workspace's minimum since the plan was shown", async () => {
    const { run, files, byHand, send } = aWorkspace();
    byHand("PATCH", "", { urgentFloor: { ways: ["sms"], withinMinutes: 10 } });
    files.set("set-up.yaml", file);
    let looks = 0;
    const fetchAndChangeMinimum: typeof fetch = async (url, init) => {
      const path = new URL(url instanceof Request ? url.url : url).pathname;
      if (path === "/v1/workspaces/ws_1" && init?.method === "GET") {
        looks += 1;
        if (looks === 2) byHand("PATCH", "", { urgentFloor: { ways: ["email"], withinMinutes: 1 } });
      }
      return send(url, init);
    };

    const { code, text } = await run("apply set-up.yaml", { fetch: fetchAndChangeMinimum });

    expect(code).toBe(1);
    expect(text).toContain('The floor for "URGENT" has changed since the plan. Run plan again.');
    expect(await byHand("GET", "").json()).toMatchObject({ urgentFloor: { ways: ["email"] } });
  });

  it.each([
    ["HIGH", "priority must be URGENT"],
    ["URGENT, ways: [fax]", "A channel must be push, email, sms or voice."],
    ["URGENT, ways: [sms], withinMinutes: 61", "withinMinutes must be"],
  ])('is refused if it is written as "priority: %s"', async (entry, fault) => {
    const { run, files } = aWorkspace();
    files.set("set-up.yaml", `floors: [{ priority: ${entry} }]\n`);

    const { code, text } = await run("plan set-up.yaml");

    expect(code).toBe(1);
    expect(text).toContain(fault);
  });
});
