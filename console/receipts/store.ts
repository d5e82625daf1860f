/*
 * What the browser keeps for receipts, where the worker finds it too: its key, and the unsent receipts. None of it is
 * secret from the console's own pages, but no page can export the key.
 */

const DATABASE = "receipts";
const VERSION = 1;
const KEYS = "keys";
const KEPT = "kept";
const OWN = "own";
/** Replaces the key once somebody has signed out for good: later pushes are for nobody. */
const NOBODY = "nobody";

/** A receipt that was signed but not sent; `tag` is its notification's, `eventId` its event's. */
export type Kept = { id: string; body: string; status: string; tag: string; eventId: string };

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("IndexedDB failed")));
  });

const inStore = async <Result>(
  name: string,
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> => {
  const opening = indexedDB.open(DATABASE, VERSION);
  opening.addEventListener("upgradeneeded", () => {
    opening.result.createObjectStore(KEYS);
    opening.result.createObjectStore(KEPT, { keyPath: "id" });
  });
  const database = await done(opening);
  try {
    return await done(run(database.transaction(name, mode).objectStore(name)));
  } finally {
    database.close();
  }
};

const isPair = (value: unknown): value is CryptoKeyPair =>
  typeof value === "object" && value !== null && "privateKey" in value && "publicKey" in value;

/** The key that this browser signs with; undefined if it has made none. */
export const readKey = async (): Promise<CryptoKeyPair | undefined> => {
  const found: unknown = await inStore(KEYS, "readonly", (store) => store.get(OWN));
  return isPair(found) ? found : undefined;
};

export const writeKey = async (pair: CryptoKeyPair): Promise<void> => {
  await inStore(KEYS, "readwrite", (store) => store.put(pair, OWN));
};

/** Removes the key and all unsent receipts. */
export const forgetReceipts = async (): Promise<void> => {
  await inStore(KEYS, "readwrite", (store) => store.put(NOBODY, OWN));
  await inStore(KEPT, "readwrite", (store) => store.clear());
};
/**
 * Whether the person whom this browser notified has signed out, and nobody has registered it since. If a browser does
 * not know, it notifies: an alert for nobody is better than an unheard one.
 */
export const isNobodys = (): Promise<boolean> =>
  inStore<unknown>(KEYS, "readonly", (store) => store.get(OWN)).then(
    (found) => found === NOBODY,
    () => false,
  );

export const keepReceipt = async (kept: Kept): Promise<void> => {
  await inStore(KEPT, "readwrite", (store) => store.put(kept));
};
export const dropReceipt = async (id: string): Promise<void> => {
  await inStore(KEPT, "readwrite", (store) => store.delete(id));
};
export const listReceipts = (): Promise<Kept[]> => inStore<Kept[]>(KEPT, "readonly", (store) => store.getAll());
