import { beforeEach, describe, expect, it } from "vitest";
import type { BrowserConnection } from "../../../setup/in-browser.ts";
import { aBrowser, aService, failureOf, createTokenAnswer, tokenOf } from "./browser.ts";

type Importer = {
  createImporterConnection: (workspaceId: string) => BrowserConnection;
  withImporter: (use: () => Promise<unknown>) => Promise<unknown>;
};
// Imported by a variable name, because the module's types need the DOM.
const openImporter = async (name = "importer") =>
  (await import(`../../../console/pages/import/${name}.ts`)) as Importer;

let service: ReturnType<typeof aService>;
beforeEach(() => {
  aBrowser().kept.set("refresh-token", "first");
  service = aService();
});

describe("a request of the importer", () => {
  const URL = "https://a.example/v1/workspaces/ws_1/groups";
  const sendRequest = async (statuses: readonly number[]) => {
    service.answers.api = () => new Response(null, { status: statuses[service.calls.length - 1]! });
    service.answers.pool = () => createTokenAnswer({ access_token: tokenOf("ann", service.pool.length) });
    const { fetch, baseUrl } = (await openImporter()).createImporterConnection("ws_1");
    const { status } = await fetch(URL, { method: "POST", headers: { authorization: "Bearer none", "if-match": "1" } });
    return { status, baseUrl, tokens: service.calls.map(({ headers }) => headers.get("authorization")) };
  };

  it("goes to the console's own service, with the user's token and the given headers", async () => {
    expect(await sendRequest([201])).toEqual({
      status: 201,
      baseUrl: "https://a.example",
      tokens: [`Bearer ${tokenOf("ann", 1)}`],
    });
    expect(service.calls[0]).toMatchObject({ method: "POST", address: URL });
    expect(service.calls[0]!.headers.get("if-match")).toBe("1");
  });

  it("is sent once more with a new token only if the API refuses the token", async () => {
    expect(await sendRequest([401, 401])).toMatchObject({
      status: 401,
      tokens: [`Bearer ${tokenOf("ann", 1)}`, `Bearer ${tokenOf("ann", 2)}`],
    });
    service.calls.length = 0;
    expect((await sendRequest([403])).tokens).toHaveLength(1);
  });
});

describe("the importer's errors", () => {
  it("that the user can fix are shown with one fault for each line of the message", async () => {
    const { withImporter } = await openImporter();
    // Imported only here, because `aBrowser` resets all modules, and the page must use the same class.
    const { CommandError } = await import("../../../setup/command.ts");

    expect(await failureOf(withImporter(() => Promise.reject(new CommandError("a: b\nc: d"))))).toMatchObject({
      message: "a: b\nc: d",
      faults: [
        { field: "0", code: "", message: "a: b" },
        { field: "1", code: "", message: "c: d" },
      ],
    });
  });

  it("that are faults of the program are thrown unchanged", async () => {
    const { withImporter } = await openImporter();
    const fault = new TypeError("a fault");

    await expect(withImporter(() => Promise.reject(fault))).rejects.toBe(fault);
    expect(await withImporter(async () => "done")).toBe("done");
  });
});
