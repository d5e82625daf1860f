/** Processes at most `atOnce` items at a time. Returns the results in the order of the items. Rejects if an item fails. */
export const mapLimit = async <Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let index = 0; index < items.length; index += atOnce)
    results.push(...(await Promise.all(items.slice(index, index + atOnce).map(work))));
  return results;
};

/** Returns up to `count` items, in a circle: turn 0 begins at the first item, turn 1 after the last item of turn 0. */
export const rotateItems = <Item>(items: readonly Item[], count: number, turn: number): Item[] => {
  const from = items.length === 0 ? 0 : (turn * count) % items.length;
  return [...items.slice(from), ...items.slice(0, from)].slice(0, count);
};

/** Processes at most `atOnce` items at a time. Returns outcomes, also errors, in the order in which the items finished. */
export const processConcurrently = async <Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<PromiseSettledResult<void>[]> => {
  const left = [...items];
  const ends: PromiseSettledResult<void>[] = [];
  const runLane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      ends.push(...(await Promise.allSettled([work(item)])));
  };
  await Promise.all(Array.from({ length: atOnce }, runLane));
  return ends;
};
