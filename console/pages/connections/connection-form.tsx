import type { StatusText } from "../../app/page.tsx";
import type { Answers, Inputs } from "../../app/types.ts";
import { Choices } from "../../parts/choices.tsx";
import { Form, SelectField, TextField, useFields } from "../../parts/form.tsx";
import { texts } from "../../page-texts/connections.ts";

type ConnectionKind = Inputs["ConnectionInput"]["kind"];
const kinds: readonly (readonly [ConnectionKind, string])[] = [
  ["slack", texts.connections.kinds.slack],
  ["teams", texts.connections.kinds.teams],
  ["slack_user_group", texts.connections.kinds.slack_user_group],
];

export type Selectable = { rules: readonly Answers["RoutingRule"][]; groups: readonly Answers["Group"][] };
export type SaveActions = {
  create: (input: Inputs["ConnectionInput"]) => Promise<StatusText>;
  change: (patch: Inputs["ConnectionPatch"], name: string) => Promise<StatusText>;
};

type ChoiceProps = { legend: string; options: readonly { id: string; name: string }[]; chosen: readonly string[] };

const ChoiceFieldset = ({ legend, ...choices }: ChoiceProps & { onChosen: (ids: string[]) => void }) =>
  choices.options.length === 0 ? null : (
    <fieldset>
      <legend>{legend}</legend>
      <Choices {...choices} />
    </fieldset>
  );

type FormProps = {
  connection: Answers["Connection"] | undefined;
  selectable: Selectable;
  save: SaveActions;
  close: () => void;
};

const nullIfEmpty = (ids: string[]): string[] | null => (ids.length === 0 ? null : ids);

export const ConnectionForm = ({ connection, selectable, save, close }: FormProps) => {
  const { values, set, field } = useFields({
    name: connection?.name ?? "",
    kind: connection?.kind ?? "slack",
    channel: "",
    url: "",
    userGroup: "",
    ruleIds: connection?.ruleIds ?? [],
    groupIds: connection?.groupIds ?? [],
  });
  const { name, kind, ruleIds, groupIds } = values;
  const words = texts.connections;
  const isRoom = kind !== "slack_user_group";
  const saveForm = (): Promise<StatusText> => {
    const follows = { name, groupIds };
    const tied = { name, ruleIds: nullIfEmpty(ruleIds), groupIds: nullIfEmpty(groupIds) };
    if (connection !== undefined) return save.change(isRoom ? tied : follows, name);
    if (kind === "slack") return save.create({ ...tied, kind, channel: values.channel.trim() });
    if (kind === "teams") return save.create({ ...tied, kind, url: values.url.trim() });
    return save.create({ ...follows, kind, userGroup: values.userGroup.trim() });
  };
  const heading = connection === undefined ? words.newConnection : words.edit;
  const isNew = connection === undefined;
  return (
    <section class="panel" aria-label={heading}>
      <h2>{heading}</h2>
      <Form send={saveForm} submit={words.save} fields={["name", "kind", "channel", "url", "userGroup"]} cancel={close}>
        <TextField label={words.name} hint={words.nameHint} {...field("name")} autoFocus />
        {isNew && <SelectField label={words.kind} options={kinds} {...field("kind")} />}
        {isNew && kind === "slack" && (
          <TextField label={words.channel} hint={words.channelHint} {...field("channel")} />
        )}
        {isNew && kind === "teams" && <TextField label={words.url} hint={words.urlHint} {...field("url")} />}
        {isNew && kind === "slack_user_group" && (
          <TextField label={words.userGroup} hint={words.userGroupHint} {...field("userGroup")} />
        )}
        {isRoom && (
          <>
            {selectable.rules.length + selectable.groups.length > 0 && <p class="soft small">{words.tiesHint}</p>}
            <ChoiceFieldset
              legend={words.rules}
              options={selectable.rules}
              chosen={ruleIds}
              onChosen={(ids) => set({ ruleIds: ids })}
            />
          </>
        )}
        <ChoiceFieldset
          legend={isRoom ? words.groups : words.followed}
          options={selectable.groups}
          chosen={groupIds}
          onChosen={(ids) => set({ groupIds: ids })}
        />
      </Form>
    </section>
  );
};
