import { signal } from "@preact/signals";
import { definePage, type PageContext, type StatusText, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import type { Undoable } from "../app/status.ts";
import type { Answers } from "../app/types.ts";
import { Action } from "../parts/action.tsx";
import { DeliveryState } from "../parts/delivery-state.tsx";
import { OpenButton } from "../parts/needs.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { createNewButton, SearchableList } from "../parts/searched.tsx";
import { Copyable } from "../parts/snippet.tsx";
import { texts } from "../page-texts/webhooks.ts";
import { Deliveries } from "./webhooks/deliveries.tsx";
import { WebhookForm, type WebhookFields } from "./webhooks/webhook-form.tsx";

type Webhook = Answers["Webhook"];
type Data = { webhooks: Webhook[]; of: Webhook | undefined; deliveries: Answers["WebhookDeliveries"]["items"] };

/** The new webhook is shown until the reader closes it, because its secret is not stored anywhere else. */
const shown = signal<{ workspaceId: string; made: Answers["WebhookWithSecret"] } | undefined>(undefined);

const NewSecret = ({ webhook }: { webhook: Answers["WebhookWithSecret"] }) => (
  <section class="panel" aria-label={webhook.name}>
    <h2>{webhook.name}</h2>
    <p>{texts.webhooks.once}</p>
    <Copyable name={texts.webhooks.secret} text={webhook.secret} />
    <button type="button" onClick={() => (shown.value = undefined)}>
      {texts.webhooks.done}
    </button>
  </section>
);

const WebhookRow = ({ webhook, context, refresh }: Omit<ViewProps<Data>, "data"> & { webhook: Webhook }) => {
  const { api, workspaceId } = context;
  const { id, name, url, paused } = webhook;
  const path = { webhookId: id };
  const testWebhook = async (): Promise<StatusText> => {
    const { delivered, code } = await api("webhooks/test-webhook", { path });
    await refresh();
    return delivered ? texts.webhooks.tested(code) : texts.webhooks.notTested(code);
  };
  const setPaused = (isPaused: boolean) => api("webhooks/update-webhook", { path, body: { paused: isPaused } });
  const togglePaused = async (): Promise<Undoable> => {
    await setPaused(!paused);
    await refresh();
    const message = paused ? texts.webhooks.resumed(name) : texts.webhooks.paused(name);
    return { message, undo: () => setPaused(paused) };
  };
  const rotateSecret = async (): Promise<undefined> => {
    shown.value = { workspaceId, made: await api("webhooks/rotate-webhook-secret", { path }) };
    await refresh();
    return undefined;
  };
  const deleteWebhook = async (): Promise<StatusText> => {
    await api("webhooks/delete-webhook", { path });
    if (shown.value?.made.id === id) shown.value = undefined;
    setQuery({ of: undefined, edit: undefined });
    await refresh();
    return texts.webhooks.deleted(name);
  };
  return (
    <li tabIndex={-1} data-row>
      <strong>{name}</strong>
      <span class="soft address">{url}</span>
      <span class="facts">
        <DeliveryState {...webhook} texts={texts.webhooks} />
      </span>
      <span class="acts">
        <button
          type="button"
          aria-label={texts.webhooks.deliveriesOf(name)}
          onClick={() => setQuery({ of: id, edit: undefined })}
        >
          {texts.webhooks.deliveries}
        </button>
        <Action label={`${texts.webhooks.test} ${name}`} action={testWebhook}>
          {texts.webhooks.test}
        </Action>
        <OpenButton label={texts.editOf(name)} onClick={() => setQuery({ edit: id, of: undefined })}>
          {texts.edit}
        </OpenButton>
        <Action label={`${paused ? texts.webhooks.resume : texts.webhooks.pause} ${name}`} action={togglePaused}>
          {paused ? texts.webhooks.resume : texts.webhooks.pause}
        </Action>
        <Confirm
          text={texts.webhooks.rotate}
          label={texts.webhooks.rotateOf(name)}
          question={texts.webhooks.rotateQuestion(name)}
          action={rotateSecret}
        />
        <Confirm
          text={texts.webhooks.delete}
          label={texts.webhooks.deleteOf(name)}
          question={texts.webhooks.deleteQuestion(name)}
          action={deleteWebhook}
        />
      </span>
    </li>
  );
};

const EditedWebhook = ({ data: { webhooks }, context, refresh }: ViewProps<Data>) => {
  const { api, query, workspaceId } = context;
  const asked = query().get("edit");
  const webhook = webhooks.find(({ id }) => id === asked);
  if (asked !== NEW && webhook === undefined) return null;
  const closeForm = (): void => setQuery({ edit: undefined });
  const saveWebhook = async (input: WebhookFields): Promise<StatusText> => {
    if (webhook === undefined)
      shown.value = { workspaceId, made: await api("webhooks/create-webhook", { body: input }) };
    else
      await api("webhooks/update-webhook", { path: { webhookId: webhook.id }, body: input, version: webhook.version });
    closeForm();
    await refresh();
    return texts.webhooks.saved(input.name);
  };
  return <WebhookForm key={asked} webhook={webhook} save={saveWebhook} close={closeForm} />;
};

const WebhooksView = (props: ViewProps<Data>) => {
  const { data, context, refresh } = props;
  const { webhooks, of, deliveries } = data;
  const made = shown.value?.workspaceId === context.workspaceId ? shown.value.made : undefined;
  const replayDelivery = async ({ createdAt }: Data["deliveries"][number]): Promise<StatusText> => {
    const path = { webhookId: of?.id ?? "" };
    await context.api("webhooks/replay-webhook", { path, body: { from: createdAt, to: createdAt } });
    await refresh();
    return texts.webhooks.replayed;
  };
  return (
    <>
      <EditedWebhook {...props} />
      {made !== undefined && <NewSecret webhook={made} />}
      <SearchableList
        items={webhooks}
        table="table-webhooks"
        textsOf={({ name, url }) => [name, url]}
        empty={texts.webhooks.empty}
      >
        {(webhook) => <WebhookRow key={webhook.id} webhook={webhook} context={context} refresh={refresh} />}
      </SearchableList>
      {of !== undefined && <Deliveries name={of.name} items={deliveries} replay={replayDelivery} />}
    </>
  );
};

const loadWebhooks = async ({ api, query }: PageContext): Promise<Data> => {
  const webhooks = await api("webhooks/list-webhooks", {});
  const of = webhooks.find(({ id }) => id === query().get("of"));
  if (of === undefined) return { webhooks, of, deliveries: [] };
  const { items } = await api("webhooks/list-webhook-deliveries", { path: { webhookId: of.id } });
  return { webhooks, of, deliveries: items };
};

export const page = definePage<Data>({
  heading: texts.pages.webhooks,
  load: loadWebhooks,
  everySeconds: 15,
  needs: "manager",
  Actions: createNewButton(texts.webhooks.newWebhook, { edit: NEW, of: undefined }),
  View: WebhooksView,
});
