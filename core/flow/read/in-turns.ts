/** Does something for every item, at most `atOnce` at a time. Gives the results in the items' order. */
export const inTurns = async <Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let index = 0; index < items.length; index += atOnce)
    results.push(...(await Promise.all(items.slice(index, index + atOnce).map(work))));
  return results;
};
