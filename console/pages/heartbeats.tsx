import { signal } from "@preact/signals";
import { DraftNotice, useDraft } from "../parts/draft.tsx";
import { formatClockTime } from "../app/clock.ts";
import { definePage, type StatusText, type ViewProps } from "../app/page.tsx";
import { NEW, setQuery } from "../app/router.ts";
import type { Undoable } from "../app/status.ts";
import type { Answers } from "../app/types.ts";
import { workspace } from "../app/workspace.ts";
import { Action } from "../parts/action.tsx";
import { Ago } from "../parts/ago.tsx";
import { bindFields, Form, SelectField, TextField } from "../parts/form.tsx";
import { type MarkLooks, Mark, PriorityMark } from "../parts/marks.tsx";
import { priorityOptions } from "../parts/priorities.ts";
import { OpenButton } from "../parts/needs.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { createNewButton, SearchableList } from "../parts/searched.tsx";
import { Copyable, Snippet } from "../parts/snippet.tsx";
import { Warnings } from "../parts/warnings.tsx";
import { texts as all } from "../page-texts/heartbeats.ts";
import { SwitchSection } from "./heartbeats/switch-section.tsx";
import { emptyDraft, toIntervalDraft, toDraft, toHeartbeatInput, units } from "./heartbeats/draft.ts";

const { heartbeats: texts } = all;

type Heartbeat = Answers["Heartbeat"];
type SavedHeartbeatData = Answers["ChangedHeartbeat"];
type Props = ViewProps<Heartbeat[]>;

/** The saved heartbeat is shown until the reader closes it, because its URL is not stored anywhere. */
const written = signal<{ workspaceId: string; heartbeat: SavedHeartbeatData } | undefined>(undefined);

const closeEditForm = (): void => setQuery({ edit: undefined });

const unitOptions = units.map((unit) => [unit, texts.units[unit]] as const);

const HeartbeatForm = ({ heartbeat, props }: { heartbeat: Heartbeat | undefined; props: Props }) => {
  const { context, refresh } = props;
  const { api, workspaceId } = context;
  const createInitialDraft = () => (heartbeat === undefined ? emptyDraft : toDraft(heartbeat));
  const { draft, change, version, saved, notice } = useDraft(context, createInitialDraft, heartbeat?.version);
  const { field } = bindFields(draft, change);
  const closeForm = (): void => {
    saved();
    closeEditForm();
  };
  const saveHeartbeat = async (): Promise<StatusText> => {
    const body = toHeartbeatInput(draft);
    const answer =
      heartbeat === undefined
        ? await api("heartbeats/create-heartbeat", { body })
        : await api("heartbeats/update-heartbeat", { path: { heartbeatId: heartbeat.id }, body, version });
    written.value = { workspaceId, heartbeat: answer };
    closeForm();
    await refresh();
    return heartbeat === undefined ? texts.made(answer.name) : texts.saved(answer.name);
  };
  return (
    <section class="panel" aria-label={heartbeat?.name ?? texts.newHeartbeat}>
      <Form
        send={saveHeartbeat}
        submit={texts.save}
        fields={["name", "everySeconds", "graceSeconds", "priority"]}
        cancel={closeForm}
        unsaved={notice.isChanged}
      >
        <DraftNotice {...notice} item={heartbeat} />
        <TextField label={texts.name} autoFocus {...field("name")} />
        <div class="pair">
          <TextField label={texts.every} type="number" {...field("every", "everySeconds")} />
          <SelectField label={texts.unit} options={unitOptions} {...field("unit")} />
        </div>
        <TextField
          label={texts.grace}
          hint={texts.graceHint}
          type="number"
          {...field("graceMinutes", "graceSeconds")}
        />
        <SelectField label={texts.priority} options={priorityOptions} {...field("priority")} />
      </Form>
    </section>
  );
};

const SavedHeartbeat = ({ heartbeat }: { heartbeat: SavedHeartbeatData }) => {
  const { name, url, warnings } = heartbeat;
  if (url === undefined && warnings.length === 0) return null;
  return (
    <section class="panel" aria-label={name}>
      <h2>{name}</h2>
      <Warnings warnings={warnings} members={[]} />
      {url !== undefined && (
        <>
          <p>{texts.once}</p>
          <Copyable name={texts.address} text={url} label={all.copyOf(texts.address)} />
          <Snippet name={texts.example} text={`./backup.sh && curl -sS -m 10 --retry 4 ${url}`} />
        </>
      )}
      <p class="buttons">
        <button type="button" onClick={() => (written.value = undefined)}>
          {texts.done}
        </button>
      </p>
    </section>
  );
};

const looks: MarkLooks<Heartbeat["status"]> = {
  new: ["soft", "M2 6h8"],
  up: ["status-acknowledged", "M1 6l3 3 7-7"],
  late: ["priority-high", "M6 2v5M6 9v1"],
  missed: ["status-failed", "M2 2l8 8M10 2l-8 8"],
  paused: ["soft", "M4 2v8M8 2v8"],
};

const HeartbeatMark = ({ value }: { value: Heartbeat["status"] }) => (
  <Mark look={looks[value]}>{texts.status[value]}</Mark>
);

const HeartbeatRow = ({ heartbeat, props }: { heartbeat: Heartbeat; props: Props }) => {
  const { context, refresh } = props;
  const { api, workspaceId } = context;
  const { id, name, paused, priority, status, everySeconds, lastCallAt, missedSince, version } = heartbeat;
  const path = { heartbeatId: id };
  const isOpen = context.query().get("edit") === id;
  const { every, unit } = toIntervalDraft(everySeconds);
  const updateHeartbeat = async (
    body: { paused: boolean } | { newUrl: true },
    knownVersion = version,
  ): Promise<SavedHeartbeatData> => {
    const answer = await api("heartbeats/update-heartbeat", { path, body, version: knownVersion });
    written.value = { workspaceId, heartbeat: answer };
    await refresh();
    return answer;
  };
  const togglePaused = async (): Promise<Undoable> => {
    const turned = await updateHeartbeat({ paused: !paused });
    return {
      message: turned.paused ? texts.paused(name) : texts.resumed(name),
      undo: () => updateHeartbeat({ paused }, turned.version),
    };
  };
  const renewUrl = async (): Promise<StatusText> => texts.saved((await updateHeartbeat({ newUrl: true })).name);
  const deleteHeartbeat = async (): Promise<StatusText> => {
    await api("heartbeats/delete-heartbeat", { path, version });
    if (written.peek()?.heartbeat.id === id) written.value = undefined;
    await refresh();
    return texts.deleted(name);
  };
  return (
    <li tabIndex={-1} data-row>
      <strong>{name}</strong>
      <HeartbeatMark value={status} />
      <PriorityMark value={priority} />
      <span class="soft number">{every === "1" ? texts.everyOne[unit] : texts.everyOf(every, texts.units[unit])}</span>
      <span class={missedSince === null ? "soft" : "wrong"}>
        {missedSince !== null && `${texts.missedSince} ${formatClockTime(Date.parse(missedSince))}`}
        {missedSince === null && lastCallAt !== null && (
          <>
            {texts.lastCall} <Ago at={lastCallAt} />
          </>
        )}
      </span>
      <span class="acts">
        <OpenButton
          expanded={isOpen}
          label={all.editOf(name)}
          onClick={() => setQuery({ edit: isOpen ? undefined : id })}
        >
          {all.edit}
        </OpenButton>
        <Action action={togglePaused} label={texts.turn(paused, name)}>
          {paused ? texts.resume : texts.pause}
        </Action>
      </span>
      {isOpen && (
        <div class="opened">
          <HeartbeatForm heartbeat={heartbeat} props={props} />
          <Confirm text={texts.newAddress} question={texts.newAddressQuestion(name)} action={renewUrl} />
          <Confirm
            text={texts.delete}
            label={texts.deleteOf(name)}
            question={texts.deleteQuestion(name)}
            action={deleteHeartbeat}
          />
        </div>
      )}
    </li>
  );
};

const HeartbeatsView = (props: Props) => {
  const { data, context } = props;
  const made = written.value?.workspaceId === context.workspaceId ? written.value.heartbeat : undefined;
  return (
    <>
      <p class="soft">{texts.lead}</p>
      {context.query().get("edit") === NEW && <HeartbeatForm heartbeat={undefined} props={props} />}
      {made !== undefined && <SavedHeartbeat heartbeat={made} />}
      <SearchableList
        items={data}
        table="table-heartbeats"
        textsOf={({ name, status }) => [name, texts.status[status]]}
        empty={texts.empty}
      >
        {(heartbeat) => <HeartbeatRow key={heartbeat.id} heartbeat={heartbeat} props={props} />}
      </SearchableList>
      {workspace.value?.role === "owner" && <SwitchSection context={context} />}
    </>
  );
};

export const page = definePage<Heartbeat[]>({
  heading: all.pages.heartbeats,
  load: ({ api }) => api("heartbeats/list-heartbeats", {}),
  everySeconds: 15,
  needs: "manager",
  Actions: createNewButton(texts.newHeartbeat),
  View: HeartbeatsView,
});
