/**
 * Stands in for `@aws-sdk/endpoint-cache` in the bundles: a cache that keeps nothing. The DynamoDB client makes one for
 * endpoint discovery, which is off unless somebody turns it on, and which asks again for what is not kept.
 */
export class EndpointCache {
  get(): undefined {
    return undefined;
  }
  getEndpoint(): undefined {
    return undefined;
  }
  has(): boolean {
    return false;
  }
  set(): void {}
  delete(): void {}
  clear(): void {}
}
