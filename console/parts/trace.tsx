import type { ComponentChildren } from "preact";
import type { Answers } from "../app/types.ts";
import { texts } from "../page-texts.ts";
import { formatExactTime } from "../app/clock.ts";

type Trace = NonNullable<Answers["EventExplanation"]["rules"][number]["trace"]>;

const formatTraceValue = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? texts.trace.missing);

type LineProps = { verdict: boolean; children: ComponentChildren };

const TraceLine = ({ verdict, children }: LineProps) => (
  <li class={verdict ? "status-acknowledged" : "status-failed"}>
    <span aria-hidden="true">{verdict ? "✓" : "✗"}</span> <span class="unseen">{texts.trace.verdict(verdict)}</span>
    {children}
  </li>
);

const ActualValue = ({ children }: { children: ComponentChildren }) => (
  <>
    {" "}
    <span class="soft">{children}</span>
  </>
);

type TraceListProps = { trace: Pick<Trace, "eventKey" | "conditions" | "activeHours" | "fallback" | "chain"> };

/** The type allows any operator, because an old trace may contain an operator that no longer exists. */
const operators: Readonly<Record<string, string>> = texts.operators;

/** Shows by a sign and a word whether each condition was met. */
export const TraceList = ({ trace: { eventKey, conditions, activeHours, fallback, chain } }: TraceListProps) => (
  <ul class="trace">
    {[{ field: texts.eventKey, operator: "", ...eventKey }, ...conditions].map(
      ({ field, operator, not, ignoreCase, expected, actual, verdict }, index) => (
        <TraceLine key={index} verdict={verdict}>
          <code>{field}</code> {not && texts.trace.notBefore} {operators[operator] ?? ""}{" "}
          <code>{formatTraceValue(expected)}</code> {ignoreCase && texts.trace.anyCase}
          {!verdict && (
            <ActualValue>
              {texts.trace.was} <code>{formatTraceValue(actual)}</code>
            </ActualValue>
          )}
        </TraceLine>
      ),
    )}
    {activeHours !== null && (
      <TraceLine verdict={activeHours.verdict}>
        {texts.trace.activeHours}
        {!activeHours.verdict && (
          <ActualValue>
            {texts.trace.came} {formatExactTime(activeHours.actual)}
          </ActualValue>
        )}
      </TraceLine>
    )}
    {fallback !== null && (
      <TraceLine verdict={fallback.verdict}>{texts.trace.fallback(fallback.matched?.name)}</TraceLine>
    )}
    {chain !== null && (
      <TraceLine verdict={chain.verdict}>{texts.trace.chain(chain.name, chain.matched?.name)}</TraceLine>
    )}
  </ul>
);
