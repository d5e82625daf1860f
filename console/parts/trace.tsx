import type { Answers } from "../app/types.ts";
import { texts } from "../texts.ts";

type Trace = NonNullable<Answers["EventExplanation"]["rules"][number]["trace"]>;

const shown = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? texts.trace.missing);

/** What a rule requires and what the event had, line by line; sign and word say whether it held. */
export const TraceList = ({ trace: { eventKey, conditions } }: { trace: Pick<Trace, "eventKey" | "conditions"> }) => (
  <ul class="trace">
    {[{ field: texts.trace.eventKey, operator: "", ...eventKey }, ...conditions].map(
      ({ field, operator, expected, actual, verdict }, index) => (
        <li key={index} class={verdict ? "status-acknowledged" : "status-failed"}>
          <span aria-hidden="true">{verdict ? "✓" : "✗"}</span>{" "}
          <span class="unseen">{texts.trace.verdict(verdict)}</span>
          <code>{field}</code> {texts.operators[operator] ?? ""} <code>{shown(expected)}</code>
          {!verdict && (
            <>
              {" "}
              <span class="soft">
                {texts.trace.was} <code>{shown(actual)}</code>
              </span>
            </>
          )}
        </li>
      ),
    )}
  </ul>
);
