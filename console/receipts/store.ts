/* Stores the key and unsent receipts where the worker can read them, too. Pages can use the private key, but cannot export it. */

const DATABASE = "receipts";
const VERSION = 1;
const KEYS = "keys";
const KEPT = "kept";
const OWN = "own";
/** Replaces the key after a sign-out, so that pushes are ignored. */
const NOBODY = "nobody";

/** An unsent receipt. `tag`: the tag of the notification. */
export type UnsentReceipt = { id: string; body: string; status: string; tag: string; eventId: string };

const awaitRequest = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("IndexedDB failed")));
  });

/** Runs a request in a store of the database, and returns the request's result. */
const withStore = async <Result>(
  name: string,
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> => {
  const opening = indexedDB.open(DATABASE, VERSION);
  opening.addEventListener("upgradeneeded", () => {
    opening.result.createObjectStore(KEYS);
    opening.result.createObjectStore(KEPT, { keyPath: "id" });
  });
  const database = await awaitRequest(opening);
  try {
    return await awaitRequest(run(database.transaction(name, mode).objectStore(name)));
  } finally {
    database.close();
  }
};

const isKeyPair = (value: unknown): value is CryptoKeyPair =>
  typeof value === "object" && value !== null && "privateKey" in value && "publicKey" in value;

/** Returns the key that signs receipts; undefined if this browser has no key. */
export const readKey = async (): Promise<CryptoKeyPair | undefined> => {
  const found: unknown = await withStore(KEYS, "readonly", (store) => store.get(OWN));
  return isKeyPair(found) ? found : undefined;
};

export const writeKey = async (pair: CryptoKeyPair): Promise<void> => {
  await withStore(KEYS, "readwrite", (store) => store.put(pair, OWN));
};

/** Replaces the key by a mark that nobody is signed in, so that pushes are ignored, and deletes the unsent receipts. */
export const forgetReceipts = async (): Promise<void> => {
  await withStore(KEYS, "readwrite", (store) => store.put(NOBODY, OWN));
  await withStore(KEPT, "readwrite", (store) => store.clear());
};
/** Returns whether somebody signed out and nobody registered since; false if unknown, so that no alert is missed. */
export const isReaderSignedOut = (): Promise<boolean> =>
  withStore<unknown>(KEYS, "readonly", (store) => store.get(OWN)).then(
    (found) => found === NOBODY,
    () => false,
  );

export const storeReceipt = async (receipt: UnsentReceipt): Promise<void> => {
  await withStore(KEPT, "readwrite", (store) => store.put(receipt));
};
export const deleteReceipt = async (id: string): Promise<void> => {
  await withStore(KEPT, "readwrite", (store) => store.delete(id));
};
export const listReceipts = (): Promise<UnsentReceipt[]> =>
  withStore<UnsentReceipt[]>(KEPT, "readonly", (store) => store.getAll());
