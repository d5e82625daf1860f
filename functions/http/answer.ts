/** An answer in the format of API Gateway. */
export type GatewayAnswer = { statusCode: number; headers: Record<string, string>; body: string };
