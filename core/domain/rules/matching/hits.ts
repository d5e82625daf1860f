/** The rules of one bucket that an event may match, each once. Rules are numbers: their places in the bucket. */
export type Hits = { rules: Int32Array; count: number; stamps: Uint32Array; turn: number };

export const createHits = (): Hits => ({
  rules: new Int32Array(0),
  count: 0,
  stamps: new Uint32Array(0),
  turn: 0,
});

/** Makes room for a bucket of so many rules. */
export const clearHits = (hits: Hits, rules: number): void => {
  const target = hits;
  target.count = 0;
  target.turn += 1;
  if (rules > hits.rules.length || hits.turn === 0xffffffff) {
    target.rules = new Int32Array(Math.max(rules, hits.rules.length));
    target.stamps = new Uint32Array(target.rules.length);
    target.turn = 1;
  }
};

export const addHit = (hits: Hits, rule: number): void => {
  const target = hits;
  if (hits.stamps[rule] === hits.turn) return;
  target.stamps[rule] = hits.turn;
  target.rules[hits.count] = rule;
  target.count += 1;
};
