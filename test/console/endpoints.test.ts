import { expect, test } from "vitest";
import { endpoints } from "../../console/app/endpoints.ts";
import { routes } from "../../interface/routes.ts";
import { operations } from "../../interface/operations.ts";

test.each(Object.entries(endpoints))(
  "the console asks %s as the API has it",
  (entry, { method, path, answer, body }) => {
    const route = routes.find((one) => one.entry === entry);
    const operation = operations[entry];
    const shapes = Object.values(operation?.answers ?? {}).map(({ shape }) => shape);

    expect({ method: route?.method, path: route?.path, body: operation?.body }).toEqual({ method, path, body });
    expect(shapes).toContainEqual(answer);
  },
);
