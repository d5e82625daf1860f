import { useState } from "preact/hooks";
import { paidFor } from "../../core/domain/shifts/pay.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { navigate } from "../app/router.ts";
import { setting } from "../app/setting.ts";
import { workspaces } from "../app/workspace.ts";
import type { Answers } from "../app/types.ts";
import { Ago } from "../parts/ago.tsx";
import { Choices } from "../parts/choices.tsx";
import { DraftNotice, useDraft } from "../parts/draft.tsx";
import { AreaField, CheckField, bindFields, Form, TextField } from "../parts/form.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { texts as all } from "../page-texts/settings.ts";
import { type Draft, toDraft, toPatch, type Channel } from "./settings/draft.ts";

const { settings: texts } = all;

type Data = { workspace: Answers["WorkspaceView"]; ways: readonly Channel[] };

type FloorProps = Pick<Data, "ways"> & { draft: Draft; change: (changes: Partial<Draft>) => void };

const RequiredChannelFields = ({ draft, change, ways }: FloorProps) => {
  const { field, check } = bindFields(draft, change);
  return (
    <>
      <CheckField label={texts.floor} hint={texts.floorHint} {...check("hasFloor")} />
      {draft.hasFloor && (
        <fieldset class="condition-block">
          <legend>{texts.floorWays}</legend>
          <Choices
            options={ways.map((id) => ({ id, name: all.ways[id] }))}
            chosen={draft.floorWays}
            onChosen={(chosen) => change({ floorWays: ways.filter((channel) => chosen.includes(channel)) })}
          />
          <TextField
            label={texts.floorMinutes}
            type="number"
            {...field("withinMinutes", "urgentFloor.withinMinutes")}
          />
        </fieldset>
      )}
    </>
  );
};

const PayFields = ({ draft, change }: Omit<FloorProps, "ways">) => {
  const { field, check } = bindFields(draft, change);
  return (
    <>
      <CheckField label={texts.pay} hint={texts.payHint} {...check("paysOnCall")} />
      {draft.paysOnCall && (
        <fieldset class="condition-block">
          <legend>{texts.cents}</legend>
          {paidFor.map((name) => (
            <TextField key={name} label={texts.paid[name]} type="number" {...field(name, `pay.${name}`)} />
          ))}
        </fieldset>
      )}
    </>
  );
};

const WorkspaceUsage = ({ workspace: { plan, usage } }: Pick<Data, "workspace">) => (
  <section aria-labelledby="usage">
    <h2 id="usage">{texts.plan}</h2>
    <dl class="pairs">
      <div>
        <dt id="events-used">{texts.events}</dt>
        <dd>
          <meter
            aria-labelledby="events-used"
            min={0}
            max={usage.limit}
            high={0.8 * usage.limit}
            optimum={0}
            value={usage.used}
          />{" "}
          <span class="number">{texts.used(usage.used, usage.limit)}</span>
        </dd>
      </div>
      <div>
        <dt>{texts.resetAt}</dt>
        <dd>
          <Ago at={usage.resetAt} />
        </dd>
      </div>
      <div>
        <dt>{texts.perMinute}</dt>
        <dd class="number">{texts.perMinuteOf(plan.eventsPerMinute, plan.burst)}</dd>
      </div>
      <div>
        <dt>{texts.kept}</dt>
        <dd class="number">{texts.keptFor(plan.retentionDays)}</dd>
      </div>
    </dl>
  </section>
);

const SetupCommand = ({ workspaceId }: { workspaceId: string }) => {
  const command = `export BASE_URL='${setting.origin}' WORKSPACE_ID='${workspaceId}'
npm run alerts -- export alerts.yaml
`;
  return (
    <section aria-labelledby="set-up">
      <h2 id="set-up">{texts.setUp}</h2>
      <p>{texts.setUpLead}</p>
      <Snippet name={texts.export} text={command} />
      <p class="hint">{texts.setUpToken}</p>
    </section>
  );
};

/** Shows a form that deletes the workspace. Only an owner can delete a workspace, after typing its name. */
const DeleteWorkspace = ({ context, name }: Pick<ViewProps<Data>, "context"> & { name: string }) => {
  const [typed, setTyped] = useState("");
  const deleteWorkspace = async (): Promise<undefined> => {
    await context.api("workspaces/delete-workspace", { query: { name: typed } });
    await workspaces.peek()?.refresh();
    navigate("/");
    return undefined;
  };
  return (
    <section aria-labelledby="delete">
      <h2 id="delete">{texts.remove}</h2>
      <p>{texts.removeLead}</p>
      <Form send={deleteWorkspace} submit={texts.remove} fields={["name"]} look="danger" ready={typed === name}>
        <TextField label={`${texts.removeName}: ${name}`} name="name" value={typed} onValue={setTyped} />
      </Form>
    </section>
  );
};

const SettingsView = ({ data, context, refresh }: ViewProps<Data>) => {
  const { workspace, ways } = data;
  const { draft, change, version, saved, notice } = useDraft(context, () => toDraft(workspace), workspace.version);
  const { field, check } = bindFields(draft, change);
  const saveSettings = async (): Promise<StatusText> => {
    const written = await context.api("workspaces/update-workspace", { body: toPatch(draft, workspace), version });
    saved(written.version);
    await Promise.all([refresh(), workspaces.peek()?.refresh()]);
    return texts.saved;
  };
  return (
    <>
      <Form
        send={saveSettings}
        submit={texts.save}
        fields={[
          "name",
          "loudPerTenMinutes",
          "urgentFloor.withinMinutes",
          "proveShifts.minutesBefore",
          ...paidFor.map((name) => `pay.${name}`),
          "snsTopics",
        ]}
        unsaved={notice.isChanged}
      >
        <DraftNotice {...notice} item={undefined} />
        <TextField label={texts.name} {...field("name")} />
        <CheckField label={texts.limited} hint={texts.limitedHint} {...check("isLimited")} />
        {draft.isLimited && <TextField label={texts.loud} type="number" {...field("loudPerTenMinutes")} />}
        <CheckField label={texts.open} hint={texts.openHint} {...check("openToAcknowledge")} />
        <RequiredChannelFields draft={draft} change={change} ways={ways} />
        <CheckField label={texts.proof} hint={texts.proofHint} {...check("provesShifts")} />
        {draft.provesShifts && (
          <TextField label={texts.proofMinutes} type="number" {...field("proofMinutes", "proveShifts.minutesBefore")} />
        )}
        <PayFields draft={draft} change={change} />
        <AreaField label={texts.topics} rows={3} hint={texts.topicsHint} {...field("snsTopics")} />
      </Form>
      <WorkspaceUsage workspace={workspace} />
      <SetupCommand workspaceId={workspace.id} />
      <DeleteWorkspace context={context} name={workspace.name} />
    </>
  );
};

export const page = definePage<Data>({
  heading: all.pages.settings,
  load: async ({ api }) => {
    const [workspace, { ways }] = await Promise.all([
      api("workspaces/get-workspace", {}),
      api("notification-rules/get-notification-rules", {}),
    ]);
    return { workspace, ways };
  },
  needs: "owner",
  View: SettingsView,
});
