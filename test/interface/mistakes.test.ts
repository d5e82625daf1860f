import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { goodEvent, mistakes, type Mistake } from "../support/mistakes.ts";
import type { Ask } from "../world/app.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";

const { app, mine } = await startFilled();

type Said = {
  detail?: string;
  message?: string;
  errors?: { field: string; message: string }[];
  warnings?: { field: string; message: string }[];
};

const callerOf = ({ as }: Mistake): Pick<Ask, "apiKey" | "as" | "headers"> => {
  if (as === "nobody") return {};
  if (as === "bearer") return { headers: { authorization: `Bearer ${mine.key}` } };
  return as === "session" ? { as: alice } : { apiKey: mine.key };
};

it.each(mistakes.map((mistake) => [mistake.mistake, mistake] as const))(
  'the API explains the mistake "%s" in a request',
  async (_, mistake) => {
    const { path = "/v1/events", method = "POST", body, contentType } = mistake;
    const { headers, ...caller } = callerOf(mistake);

    const answer = await app.ask<Said>(mistake.as === "session" ? `/v1/workspaces/${mine.workspaceId}${path}` : path, {
      method,
      ...caller,
      headers: { ...headers, ...(contentType === undefined ? {} : { "content-type": contentType }) },
      ...(body === undefined ? {} : { body }),
    });

    const { detail, errors, warnings } = answer.body;
    const says = (errors ?? warnings)?.map(({ field, message }) => `${field}: ${message}`) ?? [detail];
    expect({ status: answer.status, says }).toEqual({ status: mistake.status, says: mistake.says });
  },
);

const parseBody = (written: string): unknown => {
  if (written === "good") return goodEvent;
  const more = /^good \+ (?<more>.*)$/.exec(written)?.groups?.["more"];
  return more === undefined ? JSON.parse(written) : { ...goodEvent, ...(JSON.parse(more) as object) };
};

const table = readFileSync(new URL("more-mistakes.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" | "));

describe("an error for a usual mistake of a script, a proxy, a template or another service's client", () => {
  it.each(table)(
    'explains the mistake "%s" in the request %s',
    async (_, request = "", sender = "", body = "", status = "", says = "") => {
      const [method, path = ""] = request.replace("WS", mine.workspaceId).split(" ");
      const [who = "", ...headers] = sender.replace("KEY", mine.key).replace("KEY", mine.key).split(" ");

      const answer = await app.ask<Said>(path.replace("KEY", mine.key), {
        method: method as "POST",
        ...(who === "key" ? { apiKey: mine.key } : {}),
        ...(who === "session" ? { as: alice } : {}),
        headers: headers.length === 0 ? {} : (JSON.parse(headers.join(" ")) as Record<string, string>),
        ...(body === "" ? {} : { body: parseBody(body.replace("KEY", mine.key)) }),
      });
      app.advance(1000);

      const { detail, message, errors, warnings } = answer.body;
      const faultTexts = (errors ?? warnings)?.map((fault) => `${fault.field}: ${fault.message}`) ?? [];
      const all = faultTexts.length > 0 || answer.status < 300 ? faultTexts : [detail ?? message];
      expect({ status: answer.status, says: all }).toEqual({
        status: Number(status),
        says: JSON.parse(says) as unknown,
      });
    },
  );

  it("says that a compressed body is not supported", async () => {
    for (const [path, apiKey] of [
      ["/v1/events", mine.key],
      ["/v1/events/from/grafana", mine.key],
    ] as const) {
      const headers = { "content-encoding": "gzip", "content-type": "application/json" };
      const body = gzipSync(JSON.stringify(goodEvent)).toString("utf8");

      const answer = await app.ask<Said>(path, { method: "POST", apiKey, headers, body });

      expect([answer.status, answer.body.detail]).toEqual([
        415,
        "A body with Content-Encoding gzip is not supported. Send the body uncompressed.",
      ]);
    }
  });
});
