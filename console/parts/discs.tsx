/** The number of colours for people, as discs and in shifts. */
export const COLOURS = 6;

/** Returns the first letters of a name, at most two. */
export const initials = (name: string): string =>
  name
    .split(/\s+/u)
    .slice(0, 2)
    .map(([first = ""]) => first.toUpperCase())
    .join("");

type DiscsProps = {
  /** The people who are shown as discs; their names are the accessible names. */
  people: readonly { userId: string; name: string }[];
  /** All people, in the order that determines the colours. */
  of: readonly { userId: string }[];
};

/** Shows people as discs with their initials, each a link to their page. */
export const PersonDiscs = ({ people, of }: DiscsProps) => (
  <ul class="discs">
    {people.map(({ userId, name }) => (
      <li key={userId}>
        <a
          class={`disc person-${
            Math.max(
              0,
              of.findIndex((one) => one.userId === userId),
            ) % COLOURS
          }`}
          href={`/people/${userId}`}
          title={name}
          aria-label={name}
        >
          {initials(name === "" ? userId : name)}
        </a>
      </li>
    ))}
  </ul>
);
