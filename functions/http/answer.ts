/** The answer in the form that API Gateway expects. */
export type GatewayAnswer = { statusCode: number; headers: Record<string, string>; body: string };
