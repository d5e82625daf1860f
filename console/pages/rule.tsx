import { useEffect, useState } from "preact/hooks";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { listHumanMembers } from "../app/people.ts";
import { navigate } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { DraftNotice, useDraft } from "../parts/draft.tsx";
import { Choices } from "../parts/choices.tsx";
import { CheckField, bindFields, Form, SelectField, TextField } from "../parts/form.tsx";
import { priorityOptions } from "../parts/priorities.ts";
import { OpenButton } from "../parts/needs.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Warnings } from "../parts/warnings.tsx";
import { texts } from "../page-texts/rules.ts";
import { type Draft, emptyDraft, toDraft, toRuleInput } from "./rule/draft.ts";
import { createDraftTester, type RuleEffect } from "./rule/effect.ts";
import { EffectView } from "./rule/effect-view.tsx";
import { MatchingFields } from "./rule/matching.tsx";
import { suggestPatterns } from "./rule/patterns.ts";
import { ProbePanel } from "./rule/probe-panel.tsx";
import { GroupingFields, groupingFields } from "./rule/ringing.tsx";
import { ApplicabilityFields, listApplicabilityFields } from "./rule/applicability.tsx";

type Data = {
  rule: Answers["RoutingRule"] | undefined;
  draft: Draft;
  groups: Answers["Group"][];
  policies: Answers["EscalationPolicy"][];
  members: Answers["ListedMember"][];
  eventKeys: readonly string[];
  effect: RuleEffect;
};

const priorities = [["", texts.rule.asEvent], ...priorityOptions, ["CRITICAL", texts.rule.critical]] as const;

type FieldsProps = { data: Data; draft: Draft; change: (changes: Partial<Draft>) => void };

const RecipientFields = ({ data: { groups, policies }, draft, change }: FieldsProps) => {
  const { field, check } = bindFields(draft, change);
  return (
    <fieldset class="panel card">
      <legend>{texts.rule.whom}</legend>
      <fieldset>
        <legend>{texts.rule.groups}</legend>
        {groups.length === 0 && (
          <p class="hint">
            {texts.rule.noGroups} <a href="/groups">{texts.pages.groups}</a>
          </p>
        )}
        <div class="checks">
          <Choices options={groups} chosen={draft.groupIds} onChosen={(groupIds) => change({ groupIds })} />
        </div>
      </fieldset>
      <CheckField label={texts.rule.onCallOnly} hint={texts.rule.onCallOnlyHint} {...check("onCallOnly")} />
      <SelectField
        label={texts.rule.policy}
        options={[["", texts.rule.noPolicy], ...policies.map(({ id, name }) => [id, name] as const)]}
        {...field("policyId", "escalationPolicyId")}
      />
    </fieldset>
  );
};

const UrgencyFields = ({ draft, change }: Omit<FieldsProps, "data">) => {
  const { field, check } = bindFields(draft, change);
  return (
    <fieldset class="panel card">
      <legend>{texts.rule.how}</legend>
      <CheckField label={texts.rule.requiresAck} {...check("requiresAck")} />
      <SelectField label={texts.rule.priority} options={priorities} {...field("priority", "priorityOverride")} />
      <GroupingFields draft={draft} change={change} />
    </fieldset>
  );
};

const FIELDS = ["name", "eventKey", "escalationPolicyId", "priorityOverride"];

const RuleView = ({ data, context }: ViewProps<Data>) => {
  const { api } = context;
  const { rule, groups, effect } = data;
  const { draft, change, version, saved, leave, notice } = useDraft(context, () => data.draft, rule?.version);
  const [warnings, setWarnings] = useState<Answers["RoutingRule"]["warnings"]>([]);
  useEffect(() => effect.follow(draft, groups[0]?.id), [draft, effect]);
  useEffect(() => effect.close, [effect]);

  const saveRule = async (): Promise<StatusText> => {
    const body = toRuleInput(draft);
    const written =
      rule === undefined
        ? await api("routing-rules/create-routing-rule", { body })
        : await api("routing-rules/update-routing-rule", { path: { ruleId: rule.id }, body, version });
    setWarnings(written.warnings);
    saved(written.version);
    if (rule === undefined) navigate(`/rules/${written.id}`, { replace: true });
    return texts.rule.saved(written.name);
  };
  const deleteRule = async ({ id, name }: Answers["RoutingRule"]): Promise<StatusText> => {
    await api("routing-rules/delete-routing-rule", { path: { ruleId: id }, version });
    leave("/rules");
    return texts.rule.deleted(name);
  };
  const { field, check } = bindFields(draft, change);
  return (
    <div class="beside">
      <Form
        send={saveRule}
        submit={texts.rule.save}
        fields={[...FIELDS, ...listApplicabilityFields(draft), ...groupingFields]}
        cancel={() => leave("/rules")}
        unsaved={notice.isChanged}
      >
        <DraftNotice {...notice} item={rule} />
        <TextField label={texts.matching.name} {...field("name")} />
        <CheckField role="switch" label={texts.rule.enabled} {...check("enabled")} />
        <fieldset class="panel card">
          <legend>{texts.rule.when}</legend>
          <MatchingFields draft={draft} change={change} eventKeys={data.eventKeys} eventType={effect.eventType} />
          <ApplicabilityFields draft={draft} change={change} />
        </fieldset>
        <RecipientFields data={data} draft={draft} change={change} />
        <UrgencyFields draft={draft} change={change} />
        <Warnings warnings={warnings} members={data.members} />
      </Form>
      <div>
        <EffectView effect={effect} hasGroups={draft.groupIds.length > 0} members={data.members} />
        {rule !== undefined && <ProbePanel ruleId={rule.id} api={api} />}
        {rule !== undefined && (
          <p class="buttons">
            <OpenButton href={`/rules/new?like=${rule.id}`}>{texts.rule.like}</OpenButton>
            <Confirm
              text={texts.rule.delete}
              question={texts.rule.deleteQuestion(rule.name)}
              action={() => deleteRule(rule)}
            />
          </p>
        )}
      </div>
    </div>
  );
};

/** The number of recent events that are read: the API's maximum. */
const RECENT_MAX = 100;

export const page = definePage<Data>({
  heading: texts.rule.heading,
  headingOf: ({ rule }) => rule?.name ?? texts.rules.newRule,
  load: async ({ api, params, query }) => {
    const ruleId = params["id"];
    const [replayedId, likeId] = [query().get("event"), query().get("like")];
    const [rule, like, groups, policies, members, types, recent, replayed] = await Promise.all([
      ruleId === undefined ? undefined : api("routing-rules/get-routing-rule", { path: { ruleId } }),
      likeId === null ? undefined : api("routing-rules/get-routing-rule", { path: { ruleId: likeId } }),
      api("groups/list-groups", {}),
      api("escalation-policies/list-escalation-policies", {}),
      listHumanMembers(api),
      api("event-types/list-event-types", {}),
      api("events/list-events", { query: { limit: RECENT_MAX } }),
      replayedId === null ? undefined : api("events/get-event", { path: { eventId: replayedId } }),
    ]);
    const empty = like === undefined ? emptyDraft : { ...toDraft(like), name: "" };
    const draft = replayed === undefined ? empty : { ...empty, eventKey: replayed.eventKey };
    return {
      rule,
      draft: rule === undefined ? draft : toDraft(rule),
      groups,
      policies,
      members,
      eventKeys: ["*", ...suggestPatterns(types)],
      effect: createDraftTester(api, recent.items, replayed, ruleId),
    };
  },
  needs: "manager",
  View: RuleView,
});
