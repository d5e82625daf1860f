import type { Api } from "../../app/api.ts";
import type { StatusText } from "../../app/page.tsx";
import { refreshAll } from "../../app/resource.ts";
import type { Answers } from "../../app/types.ts";
import { Action } from "../../parts/action.tsx";
import { ProbeMark } from "../../parts/probe-mark.tsx";
import { StepList } from "../../parts/step-list.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { texts as all } from "../../page-texts/rules.ts";
import { explainTooSoon, listLinks } from "./probe.ts";

const { probeLinks: texts } = all;

const LOOK_SECONDS = 30;

export const ProbePanel = ({ ruleId, api }: { ruleId: string; api: Api }) => {
  const state = useResource(() => api("routing-rules/list-probes", {}), LOOK_SECONDS, ruleId);
  const shown = state?.kind === "ready" ? state.data.find(({ id }) => id === ruleId) : undefined;
  const sendProbe = async (): Promise<StatusText> => {
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
      {shown !== undefined && shown.links !== null && (
        <StepList steps={listLinks(shown.links)} waiting={texts.waiting} />
      )}
      <p class="buttons">
        <Action action={sendProbe}>{texts.run}</Action>
        {typeof shown?.eventId === "string" && <a href={`/events/${shown.eventId}`}>{texts.event}</a>}
      </p>
    </section>
  );
};

type RuleOfProbeProps = { ruleId: string; eventId: string; api: Api };

const RuleOfProbe = ({ ruleId, eventId, api }: RuleOfProbeProps) => {
  const state = useResource(() => api("routing-rules/list-probes", {}), LOOK_SECONDS, ruleId);
  if (state?.kind !== "ready") return null;
  const rule = state.data.find((one) => one.id === ruleId);
  if (rule === undefined) return <p>{texts.ofGone}</p>;
  return (
    <>
      <p>
        {texts.of}{" "}
        <a href={`/rules/${ruleId}`} dir="auto">
          {rule.name}
        </a>
      </p>
      {rule.links !== null && rule.eventId === eventId ? (
        <StepList steps={listLinks(rule.links)} waiting={texts.waiting} />
      ) : (
        <p class="soft">{texts.later}</p>
      )}
    </>
  );
};

type ProbedRuleProps = { event: Pick<Answers["Event"], "id" | "probe">; api: Api };

/** Shows the rule that the event probes, but only if the event is the rule's last probe. */
export const ProbedRule = ({ event: { id, probe }, api }: ProbedRuleProps) => {
  const ruleId = probe?.ruleId ?? null;
  return ruleId === null ? <p>{texts.ofSwitch}</p> : <RuleOfProbe ruleId={ruleId} eventId={id} api={api} />;
};
