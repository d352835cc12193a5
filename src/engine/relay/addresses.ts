/** `nats://127.0.0.1:4222`: it never leaves this computer. */
export function isLoopbackHost(server: string): boolean {
  const { hostname } = URL.canParse(server) ? new URL(server) : { hostname: '' }
  return /^127\.|^localhost$|^\[?::1\]?$/.test(hostname)
}
