/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles by a cache that stores nothing. The DynamoDB client creates the cache for
 * endpoint discovery, which is off by default and works without the cache.
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
