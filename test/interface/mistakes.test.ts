import { expect, it } from "vitest";
import { mistakes, type Mistake } from "../../scripts/openapi/mistakes.ts";
import type { Ask } from "../world/app.ts";
import { startFurnished } from "../support/furnished.ts";
import { alice } from "../support/people.ts";

const { app, mine } = await startFurnished();

type Said = {
  detail?: string;
  errors?: { field: string; message: string }[];
  warnings?: { field: string; message: string }[];
};

const callerOf = ({ as }: Mistake): Pick<Ask, "apiKey" | "as" | "headers"> => {
  if (as === "nobody") return {};
  if (as === "bearer") return { headers: { authorization: `Bearer ${mine.key}` } };
  return as === "session" ? { as: alice } : { apiKey: mine.key };
};

it.each(mistakes.map((mistake) => [mistake.mistake, mistake] as const))("%s", async (_, mistake) => {
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
});
