import { createServer } from "node:net";

export const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address === null || typeof address === "string" ? reject(new Error("no port")) : resolve(address.port),
      );
    });
  });
