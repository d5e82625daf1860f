import { expect, it } from "vitest";
import { texts } from "../../console/texts/en/events.ts";
import { reasonMessages } from "../../core/domain/planning/explanation.ts";

it.each(Object.entries(texts.event.reasons))(
  "the API explains the reason %s in the console's words, and may add where to find details",
  (reason, text) => {
    expect(reasonMessages).toHaveProperty(reason, expect.stringContaining(text));
  },
);
