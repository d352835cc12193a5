/** Returns whether a URL has the protocol `http:` or `https:`. */
export function isHttp({ protocol }: { readonly protocol: string | undefined }): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** Returns whether the `hostname` of a URL is `127.0.0.1`, `[::1]` or `localhost` (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}
