import type { Api } from "../../app/api.ts";
import { formatExactTime } from "../../app/clock.ts";
import { refreshAll } from "../../app/resource.ts";
import { Action } from "../../parts/action.tsx";
import { ProbeMark } from "../../parts/probe-mark.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { texts as all } from "../../page-texts/rules.ts";
import { explainTooSoon, listLinks, type Probe } from "./probe.ts";

const { probeLinks: texts } = all;

const LOOK_SECONDS = 30;

const LinkList = ({ links }: { links: NonNullable<Probe["links"]> }) => (
  <ol class="trace">
    {listLinks(links).map(({ name, at, remedy }) => {
      const [look, sign] =
        remedy !== undefined ? ["status-failed", "✗"] : at === null ? ["soft", "·"] : ["status-acknowledged", "✓"];
      return (
        <li key={name} class={look}>
          <span aria-hidden="true">{sign}</span> {name}:{" "}
          <span class="soft">{remedy ?? (at === null ? texts.waiting : formatExactTime(at))}</span>
        </li>
      );
    })}
  </ol>
);

/** Shows the five links of a rule's last probe, and sends a probe. */
export const ProbePanel = ({ ruleId, api }: { ruleId: string; api: Api }) => {
  const state = useResource(() => api("routing-rules/list-probes", {}), LOOK_SECONDS, ruleId);
  const shown = state?.kind === "ready" ? state.data.find(({ id }) => id === ruleId) : undefined;
  const sendProbe = async (): Promise<string> => {
    try {
      await api("routing-rules/probe-routing-rule", { path: { ruleId } });
    } catch (error) {
      return explainTooSoon(error);
    }
    refreshAll();
    return texts.sent;
  };
  return (
    <section class="panel" aria-labelledby="probe">
      <h2 id="probe">{texts.heading}</h2>
      <p class="soft">{texts.lead}</p>
      {shown !== undefined && (
        <p>
          <ProbeMark status={shown.status} />
        </p>
      )}
      {shown?.links === null && <p class="soft">{texts.none}</p>}
      {shown !== undefined && shown.links !== null && <LinkList links={shown.links} />}
      <p class="buttons">
        <Action action={sendProbe}>{texts.run}</Action>
        {typeof shown?.eventId === "string" && <a href={`/events/${shown.eventId}`}>{texts.event}</a>}
      </p>
    </section>
  );
};
