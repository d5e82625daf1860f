import { account } from "./opsgenie.ts";
import { testMoves } from "./move.ts";

await testMoves("opsgenie", "whom an account of Opsgenie woke is woken by its clients' calls", account);
