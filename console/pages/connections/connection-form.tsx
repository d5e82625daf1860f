import { useState } from "preact/hooks";
import type { Answers, Inputs } from "../../app/types.ts";
import { CheckField, Form, SelectField, TextField } from "../../parts/form.tsx";
import { texts } from "../../page-texts/connections.ts";

type Kind = Inputs["ConnectionInput"]["kind"];
const kinds: readonly (readonly [Kind, string])[] = [
  ["slack", texts.connections.kinds.slack],
  ["teams", texts.connections.kinds.teams],
  ["slack_user_group", texts.connections.kinds.slack_user_group],
];

/** What one may tie a room to. */
export type Ties = { rules: readonly Answers["RoutingRule"][]; groups: readonly Answers["Group"][] };
/** What the form sends, for a new connection and for a change of one. */
export type Save = {
  create: (input: Inputs["ConnectionInput"]) => Promise<string>;
  change: (patch: Inputs["ConnectionPatch"], name: string) => Promise<string>;
};

type ChoiceProps = {
  legend: string;
  options: readonly { id: string; name: string }[];
  chosen: readonly string[];
  choose: (ids: readonly string[]) => void;
};

const Choice = ({ legend, options, chosen, choose }: ChoiceProps) =>
  options.length === 0 ? null : (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChecked={(checked) => choose(checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );

type FormProps = {
  /** What is edited; undefined for a new one. */
  connection: Answers["Connection"] | undefined;
  ties: Ties;
  save: Save;
  close: () => void;
};

const orNull = (ids: readonly string[]): string[] | null => (ids.length === 0 ? null : [...ids]);

export const ConnectionForm = ({ connection, ties, save, close }: FormProps) => {
  const [name, setName] = useState(connection?.name ?? "");
  const [kind, setKind] = useState<Kind>(connection?.kind ?? "slack");
  const [channel, setChannel] = useState("");
  const [url, setUrl] = useState("");
  const [userGroup, setUserGroup] = useState("");
  const [ruleIds, setRuleIds] = useState<readonly string[]>(connection?.ruleIds ?? []);
  const [groupIds, setGroupIds] = useState<readonly string[]>(connection?.groupIds ?? []);
  const words = texts.connections;
  const isRoom = kind !== "slack_user_group";
  const send = (): Promise<string> => {
    const follows = { name, groupIds: [...groupIds] };
    const tied = { name, ruleIds: orNull(ruleIds), groupIds: orNull(groupIds) };
    if (connection !== undefined) return save.change(isRoom ? tied : follows, name);
    if (kind === "slack") return save.create({ ...tied, kind, channel: channel.trim() });
    if (kind === "teams") return save.create({ ...tied, kind, url: url.trim() });
    return save.create({ ...follows, kind, userGroup: userGroup.trim() });
  };
  const heading = connection === undefined ? words.newConnection : words.edit;
  const isNew = connection === undefined;
  return (
    <section class="panel" aria-label={heading}>
      <h2>{heading}</h2>
      <Form send={send} submit={words.save} fields={["name", "kind", "channel", "url", "userGroup"]} cancel={close}>
        <TextField label={words.name} name="name" hint={words.nameHint} value={name} onValue={setName} autoFocus />
        {isNew && <SelectField label={words.kind} name="kind" value={kind} options={kinds} onValue={setKind} />}
        {isNew && kind === "slack" && (
          <TextField
            label={words.channel}
            name="channel"
            hint={words.channelHint}
            value={channel}
            onValue={setChannel}
          />
        )}
        {isNew && kind === "teams" && (
          <TextField label={words.url} name="url" hint={words.urlHint} value={url} onValue={setUrl} />
        )}
        {isNew && kind === "slack_user_group" && (
          <TextField
            label={words.userGroup}
            name="userGroup"
            hint={words.userGroupHint}
            value={userGroup}
            onValue={setUserGroup}
          />
        )}
        {isRoom && (
          <>
            <p class="soft small">{words.tiesHint}</p>
            <Choice legend={words.rules} options={ties.rules} chosen={ruleIds} choose={setRuleIds} />
          </>
        )}
        <Choice
          legend={isRoom ? words.groups : words.followed}
          options={ties.groups}
          chosen={groupIds}
          choose={setGroupIds}
        />
      </Form>
    </section>
  );
};
