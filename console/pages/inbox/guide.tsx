import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type Api, toFailure, sendRequest } from "../../app/api.ts";
import { enableNotifications } from "../../app/browser-push.ts";
import type { StatusText } from "../../app/page.tsx";
import { setting } from "../../app/setting.ts";
import type { Answers } from "../../app/types.ts";
import { Action } from "../../parts/action.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { texts } from "../../page-texts/guide.ts";
import { endGuide, storeGuideEventSent } from "./guided.ts";

export type Progress = {
  devices: number;
  rules: Answers["RoutingRule"][];
  groups: Answers["Group"][];
  acknowledged: boolean;
};

type GuideProps = { progress: Progress; api: Api; workspaceId: string; me: string; refresh: () => Promise<void> };

/** The key's text is kept only while the page is open. */
const made = signal<{ workspaceId: string; key: string } | undefined>(undefined);

export const readSetupProgress = async (api: Api): Promise<Progress> => {
  const [devices, rules, groups, events] = await Promise.all([
    api("devices/list-devices", {}),
    api("routing-rules/list-routing-rules", {}),
    api("groups/list-groups", {}),
    api("events/list-events", { query: { limit: 1 } }),
  ]);
  const [latest] = events.items;
  const acknowledged = latest?.state === "acknowledged" || latest?.state === "resolved";
  return { devices: devices.length, rules, groups, acknowledged };
};

/** Creates a rule by which all events notify the first or a new group, adds the reader to the group, and returns a message. */
const createRule = async ({ api, me, progress }: GuideProps): Promise<StatusText> => {
  const group = progress.groups[0] ?? (await api("groups/create-group", { body: { name: texts.guide.groupName } }));
  await api("groups/add-group-member", { path: { groupId: group.id }, body: { userId: me } });
  const { name } = await api("routing-rules/create-routing-rule", {
    body: {
      name: texts.guide.ruleName,
      eventKey: "*",
      targets: [{ type: "group", groupId: group.id }],
      requiresAck: true,
    },
  });
  return texts.guide.ruleSaved(name);
};

const createKey = async ({ api, workspaceId }: GuideProps): Promise<undefined> => {
  const created = await api("api-keys/create-api-key", { body: { name: texts.guide.keyName } });
  made.value = { workspaceId, key: created.key };
  return undefined;
};

const sendEvent = async (workspaceId: string, key: string): Promise<StatusText> => {
  const answer = await sendRequest("POST", "/v1/events", { "X-Api-Key": key }, texts.guide.event);
  if (!answer.ok) throw toFailure(answer);
  storeGuideEventSent(workspaceId);
  return texts.guide.sent;
};

const formatCurlCommand = (key: string): string =>
  `curl -sS --fail-with-body --max-time 10 --retry 4 ${setting.origin}/v1/events -H 'X-Api-Key: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(texts.guide.event)}'`;

type StepProps = { text: string; done: boolean; current: boolean; children: ComponentChildren };

const GuideStep = ({ text, done, current, children }: StepProps) => (
  <li aria-current={current ? "step" : undefined} class={done ? "done" : undefined}>
    <span class={done ? "status-acknowledged" : "soft"} aria-hidden="true">
      {done ? "✓" : "○"}
    </span>
    <span>
      {text}
      {done && <span class="unseen"> ({texts.guide.isDone})</span>}
    </span>
    {current && <div class="guide-act">{children}</div>}
  </li>
);

/** Leads from an empty workspace to the first acknowledged push, in single steps. */
export const Guide = (props: GuideProps & { sent: boolean }) => {
  const { progress, workspaceId, refresh, sent } = props;
  const key = made.value?.workspaceId === workspaceId ? made.value.key : undefined;
  const done = [
    progress.devices > 0,
    progress.rules.length > 0,
    key !== undefined || sent,
    sent,
    progress.acknowledged,
  ];
  const current = done.indexOf(false);
  const createStepAction = (action: () => Promise<string | undefined>) => async (): Promise<string | undefined> => {
    const said = await action();
    await refresh();
    return said;
  };
  const buttons = [
    [texts.guide.steps.device, texts.push.notifyHere, () => enableNotifications(props), "viewer"],
    [texts.guide.steps.rule, texts.guide.makeRule, () => createRule(props), "manager"],
    [texts.guide.steps.key, texts.guide.makeKey, () => createKey(props), "manager"],
    [texts.guide.steps.event, texts.guide.send, () => sendEvent(workspaceId, key ?? ""), "viewer"],
  ] as const;
  return (
    <section class="panel guide" aria-labelledby="guide">
      <h2 id="guide">{texts.guide.heading}</h2>
      <ol>
        {buttons.map(([text, button, action, role], index) => (
          <GuideStep key={text} text={text} done={done[index] === true} current={current === index}>
            {index === 3 && key !== undefined && (
              <p class="copyable">
                <code aria-label={texts.guide.key}>{key}</code>
                <CopyButton text={formatCurlCommand(key)} label={texts.copyOf("curl")} />
              </p>
            )}
            <Action look="main" action={createStepAction(action)} role={role}>
              {button}
            </Action>
          </GuideStep>
        ))}
        <GuideStep text={texts.guide.steps.acknowledge} done={progress.acknowledged} current={current === 4}>
          <p class="soft">{texts.guide.wait}</p>
        </GuideStep>
      </ol>
      <p>
        <a href="/import">{texts.guide.move}</a>
      </p>
      <p class="buttons">
        <Action action={createStepAction(async () => endGuide(workspaceId))}>
          {progress.acknowledged ? texts.guide.finish : texts.guide.skip}
        </Action>
      </p>
    </section>
  );
};
