import { narrow } from "../../parts/narrow.ts";
import { texts } from "../../page-texts/on-call.ts";
import { type GroupShifts, listPersonShifts } from "./person-lines.ts";
import { Axis, Timeline } from "./timeline.tsx";

type PeopleProps = {
  groups: readonly GroupShifts[];
  members: readonly { userId: string; name: string }[];
  /** In milliseconds. */
  from: number;
  days: readonly number[];
};

export const People = ({ groups, members, from, days }: PeopleProps) => {
  const lines = listPersonShifts(
    groups,
    members.map(({ userId }) => userId),
  );
  if (lines.length === 0) return <p class="soft">{texts.onCall.nobodyThen}</p>;
  const nameOf = (userId: string): string => members.find((member) => member.userId === userId)?.name ?? userId;
  const findGroupName = (groupId: string): string => groups.find(({ id }) => id === groupId)?.name ?? groupId;
  const replaceUsersByGroupId = ({ id, shifts }: GroupShifts) => shifts.map((shift) => ({ ...shift, userIds: [id] }));
  const renderTimeline = (label: string, groupShifts: readonly GroupShifts[]) => (
    <Timeline
      key={label}
      label={label}
      shifts={groupShifts.flatMap(replaceUsersByGroupId).toSorted((one, other) => one.start - other.start)}
      from={from}
      days={days}
      nameOf={findGroupName}
      colourOf={(groupId) => groups.findIndex(({ id }) => id === groupId)}
      bare
    />
  );
  return (
    <div class="by-person">
      <Axis from={from} days={days} />
      {lines.map(({ userId, groups: own }) => (
        <section key={userId} aria-labelledby={userId}>
          <h2 id={userId}>{nameOf(userId)}</h2>
          <div>
            {narrow.value
              ? renderTimeline(texts.onCall.fortnight(nameOf(userId)), own)
              : own.map((group) => renderTimeline(texts.onCall.fortnightOf(nameOf(userId), group.name), [group]))}
          </div>
        </section>
      ))}
    </div>
  );
};
