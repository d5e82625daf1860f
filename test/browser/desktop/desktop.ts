import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A notification on the desktop. `actions`: the key of each action, and its button's text. */
export type Shown = { id: number; title: string; body: string; actions: string[]; at: number };

type Line = { kind: "ready" } | { kind: "closed"; id: number } | ({ kind: "shown" } & Omit<Shown, "at">);

const endProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, "exit");
};

/**
 * Starts a message bus with a notification service, like that of a desktop. Needs the Debian packages dbus, python3-dbus and
 * python3-gi.
 */
export const startDesktop = async () => {
  const bus = spawn("dbus-daemon", ["--session", "--nofork", "--print-address"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [address] = (await once(createInterface(bus.stdout), "line")) as [string];
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: address };
  const service = spawn("/usr/bin/python3", [join(import.meta.dirname, "notifications.py")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const shown: Shown[] = [];
  const open = new Set<number>();
  let look = (): void => {};
  const lines = createInterface(service.stdout);
  const ready = once(lines, "line");
  lines.on("line", (text) => {
    const line = JSON.parse(text) as Line;
    if (line.kind === "shown") {
      open.add(line.id);
      shown.push({ ...line, at: performance.now() });
    }
    if (line.kind === "closed") open.delete(line.id);
    look();
  });
  await ready;

  const waitUntilFound = async <Found>(find: () => Found | undefined, description: string): Promise<Found> => {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (performance.now() > deadline)
        throw new Error(`the desktop waited 30 s for ${description}: ${JSON.stringify(shown)}`);
      await new Promise<void>((resolve) => {
        look = resolve;
        setTimeout(resolve, 200);
      });
    }
  };

  return {
    env,
    /** Waits for a notification with this title that is newer than `after`. */
    shown: (title: string, after?: Shown): Promise<Shown> =>
      waitUntilFound(() => shown.findLast((one) => one.title === title && one.at > (after?.at ?? 0)), title),
    count: (): number => shown.length,
    closed: (id: number): Promise<true> =>
      waitUntilFound(() => (open.has(id) ? undefined : (true as const)), `the end of ${id}`),
    press: ({ id, actions }: Shown, text: string): void => {
      const key = actions[actions.indexOf(text) - 1];
      if (key === undefined) throw new Error(`${text} is none of ${actions.join(", ")}`);
      service.stdin.write(`press ${id} ${key}\n`);
    },
    close: async (): Promise<void> => {
      await endProcess(service);
      await endProcess(bus);
    },
  };
};
