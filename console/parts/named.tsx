type NamedProps = {
  heading: string;
  /** The path of the items' pages, without an id. */
  to: string;
  things: readonly { id: string; name: string }[];
  none: string;
};

export const LinkList = ({ heading, to, things, none }: NamedProps) => (
  <section aria-label={heading}>
    <h2>{heading}</h2>
    {things.length === 0 ? (
      <p class="soft">{none}</p>
    ) : (
      <ul class="rows">
        {things.map(({ id, name }) => (
          <li key={id}>
            <a href={`${to}/${id}`} dir="auto">
              {name}
            </a>
          </li>
        ))}
      </ul>
    )}
  </section>
);
