import * as fc from "fast-check";
import { expect, it } from "vitest";
import { routes } from "../../interface/routes.ts";
import { createDocument } from "../../interface/document.ts";
import { startApp } from "../world/app.ts";
import { createConformanceCheck } from "../support/conforms.ts";
import { alice, fillWorkspace } from "../support/people.ts";
import { arbitraryRequest } from "../support/random-requests.ts";

/** `npm run test:random` sends 20,000 requests. */
const COUNT = Number(process.env["RANDOM_REQUESTS"] ?? 300);
/** The number of requests to one workspace. Requests delete its items, so further requests go to a new workspace. */
const ROUND = 60;

it(
  `${COUNT} random requests cause no 5xx, and every answer matches the OpenAPI document`,
  { timeout: 900_000 },
  async () => {
    const app = await startApp();
    const conforms = createConformanceCheck(createDocument("0.0.0", {}));
    const seen = new Map<string, number>();

    for (let round = 0; round * ROUND < COUNT; round += 1) {
      const requests = fc.sample(arbitraryRequest(await fillWorkspace(app, alice)), {
        numRuns: ROUND,
        seed: 20_261_121 + round,
      });
      for (const { route, url, ask } of requests) {
        const answer = await app.ask(url, ask);
        const said = `${route.method} ${url} ${JSON.stringify(ask)} answered ${JSON.stringify(answer)}`;
        const fault = answer.status >= 500 ? "a failure of the service" : conforms(route, answer);
        expect(fault === undefined ? [] : [fault, said]).toEqual([]);
        const kind = `${route.entry} ${answer.status < 300 ? "ok" : "refused"}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
      await app.work();
      app.advance(60_000);
    }
    await app.close();

    // Each route needs a request that succeeds, because refusals test little. A few hundred requests cannot reach all routes, and
    // random requests have no valid signature.
    const reachable = routes.filter(({ auth }) => auth !== "receipt").map(({ entry }) => entry);
    if (COUNT >= 3_000) expect(reachable.filter((entry) => !seen.has(`${entry} ok`))).toEqual([]);
    const ungranted = routes.flatMap(({ entry, access }) =>
      [...(app.used.get(entry) ?? [])].filter((action) => !access.table.some((granted) => granted === action)),
    );
    expect(ungranted).toEqual([]);
  },
);
