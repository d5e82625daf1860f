import * as v from "valibot";
import { expect, it } from "vitest";
import { timestampSchema } from "../../../../../core/domain/basics/clock/timestamp.ts";

it("an instant of any time zone is stored in UTC", () => {
  expect(v.parse(timestampSchema("startsAt"), "2026-03-02T09:00:00+01:00")).toBe("2026-03-02T08:00:00.000Z");
});

it.each(["2026-03-02T09:00:00", "soon", "", 5, null, "2100-01-01T00:00:00Z"])(
  "%j is refused as a timestamp",
  (value) => {
    expect(v.safeParse(timestampSchema("startsAt"), value).issues).toMatchObject([
      {
        message:
          "startsAt must be an ISO 8601 timestamp with Z or an offset, such as 2026-03-02T08:00:00Z, in the years 1970 to 2099.",
      },
    ]);
  },
);
