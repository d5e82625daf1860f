type Entry<Item> = { at: number; order: number; item: Item };
const isBefore = <Item>(entry: Entry<Item>, other: Entry<Item>): boolean =>
  entry.at < other.at || (entry.at === other.at && entry.order < other.order);

/** Creates a binary heap of items, ordered by time. Items of equal times keep their order. */
export const createSchedule = <Item>() => {
  const heap: Entry<Item>[] = [];
  let count = 0;

  const replaceFirst = (entry: Entry<Item>): void => {
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, entry)) break;
      heap[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    heap[index] = entry;
  };

  return {
    first: (): { at: number; item: Item } | undefined => heap[0],
    add: (at: number, item: Item): void => {
      count += 1;
      const entry = { at, order: count, item };
      let index = heap.push(entry) - 1;
      while (index > 0) {
        const above = (index - 1) >> 1;
        const parent = heap[above];
        if (parent === undefined || isBefore(parent, entry)) break;
        heap[index] = parent;
        index = above;
      }
      heap[index] = entry;
    },
    removeFirst: (): void => {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) replaceFirst(last);
    },
  };
};
