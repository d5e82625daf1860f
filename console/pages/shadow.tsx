import { formatClockTime, formatDayAndTime, formatExactTime, now, readServiceTime } from "../app/clock.ts";
import { formatMinute, toTimestamp } from "../app/dates.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { refreshAll } from "../app/resource.ts";
import { createUrlWithQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { Form, TextField, useFields } from "../parts/form.tsx";
import { type MarkLooks, Mark } from "../parts/marks.tsx";
import { MissingRole } from "../parts/needs.tsx";
import { Empty } from "../parts/states.tsx";
import { texts as all } from "../page-texts/shadow.ts";
import { countResults, listEvents, type RowResult, type ComparisonRow } from "./shadow/rows.ts";
import { DAY_MS } from "../../core/domain/basics/units.ts";

const { shadow: texts, pages } = all;

type Comparison = Answers["ShadowComparison"];

const DEFAULT_DAYS = 7;

const ShadowForm = ({ data: { active, until }, context: { api } }: ViewProps<Comparison>) => {
  const { values, field } = useFields({
    until: formatMinute(active && until !== null ? Date.parse(until) : readServiceTime() + DEFAULT_DAYS * DAY_MS),
  });
  const beginShadow = async (): Promise<StatusText> => {
    const begun = await api("workspaces/begin-shadow", { body: { until: toTimestamp(values.until) } });
    refreshAll();
    return texts.begun(formatDayAndTime(begun.until));
  };
  return (
    <>
      <MissingRole role="owner" />
      <Form send={beginShadow} submit={active ? texts.change : texts.begin} fields={["until"]} role="owner">
        <TextField label={texts.until} type="datetime-local" hint={texts.untilHint} {...field("until")} />
      </Form>
    </>
  );
};

const looks: MarkLooks<RowResult> = {
  nobody: ["status-failed", "M2 2l8 8M10 2l-8 8"],
  "other person": ["priority-high", "M6 2v5M6 9v1"],
  later: ["priority-high", "M6 1v5l3 2"],
  earlier: ["soft", "M6 1v5l-3 2"],
  "more people": ["soft", "M6 2v8M2 6h8"],
  same: ["status-acknowledged", "M1 6l3 3 7-7"],
  unknown: ["soft", "M2 6h8"],
};

const PersonCell = ({ service, page, none }: { service: string; page: ComparisonRow["ours"]; none: string }) => (
  <td data-label={service}>
    {page === null ? (
      <span class="soft">{none}</span>
    ) : (
      <>
        {page.person}{" "}
        <time class="soft" dateTime={page.at} title={formatExactTime(page.at)}>
          {formatClockTime(Date.parse(page.at))}
        </time>
      </>
    )}
  </td>
);

const ComparisonTable = ({ events }: { events: ReturnType<typeof listEvents<Comparison["items"][number]>> }) => (
  <div class="wide" role="region" aria-label={texts.comparison} tabIndex={0}>
    <table class="compared">
      <thead>
        <tr>
          <th scope="col">{texts.event}</th>
          <th scope="col">{texts.result}</th>
          <th scope="col">{texts.theirs}</th>
          <th scope="col">{texts.ours}</th>
        </tr>
      </thead>
      {events.map(({ event: { id, title, receivedAt }, rows }) => (
        <tbody key={id}>
          {rows.map(({ result, theirs, ours }, index) => (
            <tr key={index}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={rows.length}>
                  <a href={`/events/${id}`} data-row>
                    {title}
                  </a>
                  <br />
                  <time class="soft" dateTime={receivedAt} title={formatExactTime(receivedAt)}>
                    {formatDayAndTime(receivedAt)}
                  </time>
                </th>
              )}
              <td>
                <Mark look={looks[result]}>{texts.results[result]}</Mark>
              </td>
              <PersonCell service={texts.theirs} page={theirs} none={result === "unknown" ? "–" : texts.nobody} />
              <PersonCell service={texts.ours} page={ours} none={texts.nobody} />
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </div>
);

const ComparisonView = ({ data, context: { query } }: ViewProps<Comparison>) => {
  const { since, until, active, items, nextCursor } = data;
  const chosen = query().get("result");
  const events = listEvents(items, chosen);
  const isLater = query().has("cursor");
  return (
    <section>
      <h2>{texts.comparison}</h2>
      {since !== null && until !== null && (
        <p class="soft">{texts.span(formatDayAndTime(since), formatDayAndTime(active ? now.value : until))}</p>
      )}
      {items.length === 0 && !isLater && nextCursor === null ? (
        <Empty>{since === null ? texts.empty : texts.noEvents}</Empty>
      ) : (
        <>
          <nav class="tabs" aria-label={texts.result}>
            <a href={createUrlWithQuery({ result: undefined })} aria-current={chosen === null ? "page" : undefined}>
              {texts.allResults}
            </a>
            {countResults(items).map(([result, n]) => (
              <a
                key={result}
                href={createUrlWithQuery({ result })}
                aria-current={chosen === result ? "page" : undefined}
              >
                <Mark look={looks[result]}>{texts.counted(texts.results[result], n)}</Mark>
              </a>
            ))}
          </nav>
          {events.length === 0 ? <Empty>{texts.noMatch}</Empty> : <ComparisonTable events={events} />}
          <p class="hint">{texts.hints}</p>
        </>
      )}
      {(isLater || nextCursor !== null) && (
        <nav class="bar" aria-label={texts.pages}>
          {isLater ? <a href={createUrlWithQuery({ cursor: undefined })}>{texts.newest}</a> : <span />}
          {nextCursor === null ? <span /> : <a href={createUrlWithQuery({ cursor: nextCursor })}>{texts.older}</a>}
        </nav>
      )}
    </section>
  );
};

export const page = definePage<Comparison>({
  heading: pages.shadow,
  load: ({ api, query }) => api("workspaces/get-shadow", { query: { cursor: query().get("cursor") ?? undefined } }),
  everySeconds: 30,
  View: (props) => (
    <>
      <p class="soft">{texts.lead}</p>
      <ShadowForm key={String(props.data.active)} {...props} />
      <ComparisonView {...props} />
    </>
  ),
});
