type LinkListProps = {
  heading: string;
  /** The path of the items' pages, without an id. */
  to: string;
  items: readonly { id: string; name: string }[];
  empty: string;
};

/** Links to the page of each item. `empty`: shown if there are no items. */
export const LinkList = ({ heading, to, items, empty }: LinkListProps) => (
  <section aria-label={heading}>
    <h2>{heading}</h2>
    {items.length === 0 ? (
      <p class="soft">{empty}</p>
    ) : (
      <ul class="rows">
        {items.map(({ id, name }) => (
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
