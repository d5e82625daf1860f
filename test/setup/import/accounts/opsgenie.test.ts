import { account } from "./opsgenie.ts";
import { testMoves } from "./move.ts";

await testMoves("opsgenie", "an imported Opsgenie account notifies the same people as before", account);
