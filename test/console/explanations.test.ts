import { expect, it } from "vitest";
import { texts } from "../../console/texts/en/events.ts";
import { reasonMessages } from "../../core/domain/planning/explanation.ts";

it.each(Object.entries(texts.event.reasons))(
  `for the reason "%s" why a person was or was not notified, the API's sentence contains the console's text`,
  (reason, text) => {
    expect(reasonMessages).toHaveProperty(reason, expect.stringContaining(text));
  },
);
