import { definePage, type PageContext, type ViewProps } from "../app/page.tsx";
import { setQuery } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { AreaField, Form, SelectField, TextField, useFields } from "../parts/form.tsx";
import { priorityOptions } from "../parts/priorities.ts";
import { texts as all } from "../page-texts/simulator.ts";
import { suggestPatterns } from "./rule/patterns.ts";
import { type SimulatorForm, hasRequest, readRequest, toSimulationInput, toQuery } from "./simulator/request.ts";
import { Result } from "./simulator/result.tsx";

const { simulator: texts } = all;

type Simulation = Answers["Simulation"];
type Data = { event: Answers["Event"] | undefined; eventKeys: readonly string[]; simulation: Simulation | undefined };

/** The last simulation, which is reused when the page loads again because the simulation has changed the URL. */
let last: { question: string; simulation: Simulation } | undefined;

const formatSimulationKey = (workspaceId: string, request: SimulatorForm): string =>
  JSON.stringify([workspaceId, toQuery(request)]);

const simulateAndKeep = async ({ api, workspaceId }: PageContext, request: SimulatorForm): Promise<Simulation> => {
  const simulation = await api("simulate/simulate-event", { body: toSimulationInput(request) });
  last = { question: formatSimulationKey(workspaceId, request), simulation };
  return simulation;
};

const WhatIfView = ({ data: { event, eventKeys, simulation }, context }: ViewProps<Data>) => {
  const { values, field } = useFields(readRequest(context.query()));
  const simulateInput = async (): Promise<undefined> => {
    const asked = { ...values, eventId: event?.id ?? "" };
    await simulateAndKeep(context, asked);
    setQuery(toQuery(asked));
    return undefined;
  };
  return (
    <>
      <p class="soft">{texts.lead}</p>
      <div class="beside">
        <Form
          send={simulateInput}
          submit={texts.run}
          fields={["event.event", "event.title", "event.body", "event.data", "at"]}
          role="viewer"
        >
          <TextField {...field("at")} label={texts.at} hint={texts.atHint} type="datetime-local" />
          {event === undefined ? (
            <>
              <TextField {...field("eventKey")} label={all.eventKey} name="event.event" options={eventKeys} />
              <TextField {...field("title")} label={texts.title} name="event.title" />
              <TextField {...field("body")} label={texts.body} name="event.body" />
              <SelectField {...field("priority")} label={texts.priority} options={priorityOptions} />
              <AreaField {...field("data")} label={texts.data} rows={4} name="event.data" hint={texts.dataHint} />
            </>
          ) : (
            <p class="note">
              {texts.ofEvent} <a href={`/events/${event.id}`}>{event.title}</a>{" "}
              <button type="button" onClick={() => setQuery({ event: undefined })}>
                {texts.another}
              </button>
            </p>
          )}
        </Form>
        {simulation !== undefined && <Result simulation={simulation} />}
      </div>
    </>
  );
};

export const page = definePage<Data>({
  heading: all.pages.simulator,
  load: async (context) => {
    const { api, workspaceId, query } = context;
    const asked = readRequest(query());
    const question = formatSimulationKey(workspaceId, asked);
    const reuseOrSimulate = (): Promise<Simulation> | Simulation =>
      last?.question === question ? last.simulation : simulateAndKeep(context, asked);
    const [event, types, simulation] = await Promise.all([
      asked.eventId === "" ? undefined : api("events/get-event", { path: { eventId: asked.eventId } }),
      api("event-types/list-event-types", {}),
      hasRequest(asked) ? reuseOrSimulate() : undefined,
    ]);
    const eventKeys = suggestPatterns(types).filter((key) => !key.endsWith("*"));
    return { event, eventKeys, simulation };
  },
  View: WhatIfView,
});
