/** Whether it is an `http:` or `https:` address. */
export function isHttp({ protocol }: { readonly protocol: string | undefined }): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** `127.0.0.1`, `[::1]` or `localhost`, as the `hostname` of a URL: three origins, one machine (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}
