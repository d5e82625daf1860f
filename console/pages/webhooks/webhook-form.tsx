import type { Answers, Inputs } from "../../app/types.ts";
import { explainMissingRole } from "../../app/role.ts";
import { CheckField, Form, TextField, useFields } from "../../parts/form.tsx";
import { texts } from "../../page-texts/webhooks.ts";

type EventTypeName = NonNullable<Inputs["WebhookInput"]["types"]>[number];
const { typeNames, otherTypeNames } = texts.webhooks;
const names: Readonly<Record<EventTypeName, string>> = { ...typeNames, ...otherTypeNames };
const isType = (name: string): name is EventTypeName => Object.hasOwn(names, name);
export type WebhookFields = { name: string; url: string; types: EventTypeName[]; eventKeys: string[] | null };
const types = Object.keys(names).filter(isType);
/** The types of messages about events. A new webhook gets messages of all these types by default. */
const ofEvents = types.filter((type) => Object.hasOwn(typeNames, type));
const others = types.filter((type) => !ofEvents.includes(type));

type FormProps = {
  webhook: Answers["Webhook"] | undefined;
  save: (input: WebhookFields) => Promise<string | undefined>;
  close: () => void;
};

export const WebhookForm = ({ webhook, save, close }: FormProps) => {
  const { values, set, field } = useFields({
    name: webhook?.name ?? "",
    url: webhook?.url ?? "",
    chosen: webhook?.types ?? ofEvents,
    patterns: webhook?.eventKeys?.join(", ") ?? "",
  });
  const { name, url, chosen } = values;
  const ofTrail = explainMissingRole("owner", texts.webhooks.trail);
  const saveWebhook = (): Promise<string | undefined> => {
    const eventKeys = values.patterns.split(/[\s,]+/).filter((pattern) => pattern !== "");
    return save({
      name,
      url,
      types: types.filter((type) => chosen.includes(type)),
      eventKeys: eventKeys.length === 0 ? null : eventKeys,
    });
  };
  const heading = webhook === undefined ? texts.webhooks.newWebhook : texts.webhooks.edit;
  return (
    <section class="panel" aria-label={heading}>
      <h2>{heading}</h2>
      <Form send={saveWebhook} submit={texts.webhooks.save} fields={["name", "url", "eventKeys"]} cancel={close}>
        <TextField label={texts.webhooks.name} hint={texts.webhooks.nameHint} {...field("name")} autoFocus />
        <TextField label={texts.webhooks.url} hint={texts.webhooks.urlHint} {...field("url")} />
        {[
          { legend: texts.webhooks.types, offered: ofEvents },
          { legend: texts.webhooks.otherTypes, offered: others },
        ].map(({ legend, offered }) => (
          <fieldset key={legend}>
            <legend>{legend}</legend>
            {offered.map((type) => (
              <CheckField
                key={type}
                label={names[type]}
                checked={chosen.includes(type)}
                // Only an owner may add the type `audit.recorded`, but anybody who edits the webhook may remove it.
                {...(type !== "audit.recorded" || ofTrail === undefined
                  ? {}
                  : { hint: ofTrail, disabled: !chosen.includes(type) })}
                onChecked={(checked) =>
                  set({ chosen: checked ? [...chosen, type] : chosen.filter((one) => one !== type) })
                }
              />
            ))}
          </fieldset>
        ))}
        <TextField
          label={texts.webhooks.eventKeys}
          hint={texts.webhooks.eventKeysHint}
          {...field("patterns", "eventKeys")}
        />
      </Form>
    </section>
  );
};
