import { useId, useState } from "preact/hooks";
import { createApi } from "../app/api.ts";
import { links } from "../app/navigation.ts";
import { paletteShown } from "../app/keys.ts";
import { listHumanMembers } from "../app/people.ts";
import { navigate } from "../app/router.ts";
import { matchesAllWords } from "../app/search.ts";
import { texts } from "../texts.ts";
import { Dialog } from "./dialog.tsx";
import { useResource } from "./use-resource.ts";

type Target = { to: string; name: string; kind: keyof typeof texts.palette.kinds; more?: string };

/** The maximum number of results. More results would not be visible at once. */
const SHOWN_MAX = 50;
const FRESH_SECONDS = 60;

const pages: readonly Target[] = links.map(([to, name]) => ({ to, name, kind: "page" }));

const formatSearchUrl = (path: string, name: string, otherParameters: Record<string, string> = {}): string =>
  `${path}?${new URLSearchParams({ ...otherParameters, search: name }).toString()}`;

/** Reads the rules, groups and people of the workspace, with the URLs that show them. */
const readTargets = async (workspaceId: string, signal: AbortSignal): Promise<Target[]> => {
  const api = createApi(workspaceId, signal);
  const [rules, groups, members] = await Promise.all([
    api("routing-rules/list-routing-rules", {}),
    api("groups/list-groups", {}),
    listHumanMembers(api),
  ]);
  return [
    ...rules.map(({ id, name, eventKey }): Target => ({ to: `/rules/${id}`, name, kind: "rule", more: eventKey })),
    ...groups.map(({ id, name }): Target => ({
      to: formatSearchUrl("/groups", name, { open: id }),
      name,
      kind: "group",
    })),
    ...members.map(({ userId, name, email }): Target => {
      const shown = name === "" ? userId : name;
      return { to: formatSearchUrl("/people", shown), name: shown, kind: "person", more: email };
    }),
  ];
};

/** Returns the targets that contain all typed words, first those whose names begin with the typed text. */
const findTargets = (typed: string, targets: readonly Target[]): Target[] => {
  const begun = typed.trim().toLowerCase();
  const rankTarget = ({ name }: Target): number => Number(!name.toLowerCase().startsWith(begun));
  return targets
    .filter(({ name, kind, more }) => matchesAllWords(typed.trim(), [name, texts.palette.kinds[kind], more]))
    .toSorted((one, other) => rankTarget(one) - rankTarget(other))
    .slice(0, SHOWN_MAX);
};

const closePalette = (): void => {
  paletteShown.value = false;
};

/** Shows the search dialog, which finds pages at once, and items such as rules as soon as they are loaded. */
export const Palette = ({ workspaceId }: { workspaceId: string }) => {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const read = useResource((signal) => readTargets(workspaceId, signal), FRESH_SECONDS, workspaceId);
  const found = findTargets(typed, [...pages, ...(read?.kind === "ready" ? read.data : [])]);
  const active = Math.min(at, found.length - 1);
  const openTarget = (target: Target | undefined): void => {
    if (target === undefined) return;
    closePalette();
    navigate(target.to);
  };
  const moveSelectionTo = (nextIndex: number): void => {
    setAt(nextIndex);
    document.getElementById(`${id}-${nextIndex}`)?.scrollIntoView({ block: "nearest" });
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => moveSelectionTo((active + 1) % found.length),
    ArrowUp: () => moveSelectionTo((active - 1 + found.length) % found.length),
    Enter: () => openTarget(found[active]),
  };
  return (
    <Dialog heading={texts.palette.heading} close={closePalette}>
      <input
        type="search"
        role="combobox"
        list={undefined}
        data-first
        class="palette-field"
        aria-label={texts.palette.heading}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const run = found.length > 0 ? keys[event.key] : undefined;
          if (run === undefined) return;
          event.preventDefault();
          run();
        }}
      />
      <p class="soft small" role="status">
        {texts.palette.found(found.length)}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label={texts.palette.places} class="palette">
        {found.map((target, index) => (
          <div
            key={target.to}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => openTarget(target)}
          >
            <span>{target.name}</span>
            {target.more !== undefined && <span class="soft small">{target.more}</span>}
            <span class="soft small">{texts.palette.kinds[target.kind]}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
};
