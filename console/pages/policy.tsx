import { useState } from "preact/hooks";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { navigate } from "../app/router.ts";
import type { Answers } from "../app/types.ts";
import { DraftNotice, useDraft } from "../parts/draft.tsx";
import { bindFields, Form, TextField } from "../parts/form.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Warnings } from "../parts/warnings.tsx";
import { texts } from "../page-texts/escalation.ts";
import { emptyDraft, FIRST_DELAY, type PolicyDraft, toDraft, toPolicyInput } from "./policy/draft.ts";
import { type Names, readNames } from "./policy/names.ts";
import { ProbePanel } from "./policy/probe-panel.tsx";
import { PolicyTimes } from "./policy/run.tsx";
import { Step } from "./policy/steps.tsx";

type Data = { policy: Answers["EscalationPolicy"] | undefined; names: Names };

const Steps = ({
  steps,
  names,
  onSteps,
}: {
  steps: PolicyDraft["steps"];
  names: Names;
  onSteps: (to: PolicyDraft["steps"]) => void;
}) => {
  const addStep = (): void => {
    const id = Math.max(0, ...steps.map((one) => one.id)) + 1;
    onSteps([...steps, { id, delayMinutes: FIRST_DELAY, targets: [] }]);
  };
  return (
    <>
      {steps.map((step, index) => (
        <Step
          key={step.id}
          step={step}
          index={index}
          names={names}
          onStep={(change) => onSteps(steps.map((one) => (one.id === step.id ? { ...one, ...change } : one)))}
          remove={() => onSteps(steps.filter(({ id }) => id !== step.id))}
        />
      ))}
      <button type="button" onClick={addStep}>
        {texts.policy.addStep}
      </button>
    </>
  );
};

type FieldsProps = { draft: PolicyDraft; names: Names; change: (change: Partial<PolicyDraft>) => void };

const PolicyFields = ({ draft, names, change }: FieldsProps) => {
  const { field } = bindFields(draft, change);
  return (
    <>
      <TextField label={texts.policy.name} {...field("name")} />
      <Steps steps={draft.steps} names={names} onSteps={(steps) => change({ steps })} />
      <TextField label={texts.policy.repeat} type="number" {...field("repeat")} />
      <TextField
        label={texts.policy.confirm}
        hint={texts.policy.confirmHint}
        type="number"
        {...field("confirm", "confirmWithinSeconds")}
      />
      <TextField
        label={texts.policy.ackMinutes}
        hint={texts.policy.ackMinutesHint}
        type="number"
        {...field("ackMinutes")}
      />
    </>
  );
};

const PolicyView = ({ data: { policy, names }, context }: ViewProps<Data>) => {
  const { api } = context;
  const createInitialDraft = () => (policy === undefined ? emptyDraft : toDraft(policy));
  const { draft, change, version, saved, leave, notice } = useDraft(context, createInitialDraft, policy?.version);
  const [warnings, setWarnings] = useState(policy?.warnings ?? []);
  const savePolicy = async (): Promise<StatusText> => {
    const body = toPolicyInput(draft);
    const written =
      policy === undefined
        ? await api("escalation-policies/create-escalation-policy", { body })
        : await api("escalation-policies/update-escalation-policy", { path: { policyId: policy.id }, body, version });
    setWarnings(written.warnings);
    saved(written.version);
    if (policy === undefined) navigate(`/escalation/${written.id}`, { replace: true });
    return texts.policy.saved(written.name);
  };
  const listNamesOfRulesWithPolicy = async (id: string): Promise<string[]> =>
    (await api("routing-rules/list-routing-rules", {}))
      .filter(({ escalationPolicyId }) => escalationPolicyId === id)
      .map(({ name }) => name);
  const [users, setUsers] = useState<readonly string[]>([]);
  const createDeletionQuestion = async ({ id, name }: Answers["EscalationPolicy"]): Promise<string> => {
    const found = await listNamesOfRulesWithPolicy(id);
    setUsers(found);
    return texts.policy.deleteQuestion(name, found);
  };
  const deletePolicy = async ({ id, name }: Answers["EscalationPolicy"]): Promise<StatusText> => {
    // The deletion is forced only if the question named the rules. If rules were added later, the service refuses the deletion.
    const force = users.length > 0 ? { query: { force: "true" } } : {};
    await api("escalation-policies/delete-escalation-policy", { path: { policyId: id }, version, ...force });
    leave("/escalation");
    return texts.policy.deleted(name);
  };
  const fields = [
    "name",
    "repeat",
    "confirmWithinSeconds",
    "ackMinutes",
    ...draft.steps.map((_, i) => `steps.${i}.delayMinutes`),
  ];
  return (
    <div class="beside">
      <Form
        send={savePolicy}
        submit={texts.policy.save}
        fields={fields}
        cancel={() => leave("/escalation")}
        unsaved={notice.isChanged}
      >
        <DraftNotice {...notice} item={policy} />
        <PolicyFields draft={draft} names={names} change={change} />
        <Warnings warnings={warnings} members={names.members} />
      </Form>
      <div>
        <PolicyTimes steps={draft.steps} repeat={Number(draft.repeat)} names={names} />
        {policy !== undefined && <ProbePanel policy={policy} api={api} />}
        {policy !== undefined && (
          <Confirm
            text={texts.policy.delete}
            question={() => createDeletionQuestion(policy)}
            action={() => deletePolicy(policy)}
          />
        )}
      </div>
    </div>
  );
};

export const page = definePage<Data>({
  heading: texts.policy.heading,
  headingOf: ({ policy }) => policy?.name ?? texts.policy.newPolicy,
  load: async ({ api, params }) => {
    const policyId = params["id"];
    const [policy, names] = await Promise.all([
      policyId === undefined ? undefined : api("escalation-policies/get-escalation-policy", { path: { policyId } }),
      readNames(api),
    ]);
    return { policy, names };
  },
  needs: "manager",
  View: PolicyView,
});
