import { expect, it } from "vitest";
import { texts } from "../../console/texts/en/events.ts";
import { reasonMessages } from "../../core/domain/planning/explanation.ts";

it.each(Object.entries(texts.event.reasons))(
  `the API's explanation of the reason "%s" contains the console's text`,
  (reason, text) => {
    expect(reasonMessages).toHaveProperty(reason, expect.stringContaining(text));
  },
);
