export const singleAddressHeaders: readonly string[] = [
  'cf-connecting-ip',
  'true-client-ip',
  'x-real-ip',
]

const otherProxyHeaders: ReadonlySet<string> = new Set([
  'cdn-loop',
  'cf-connecting-ipv6',
  'cf-ew-via',
  'cf-ipcountry',
  'cf-pseudo-ipv4',
  'cf-ray',
  'cf-visitor',
  'cf-warp-tag-id',
  'cf-worker',
  'via',
  'x-nginx-proxy',
])

export function isProxyHeader(lowerName: string): boolean {
  return (
    lowerName.startsWith('x-forwarded-') ||
    lowerName === 'forwarded' ||
    singleAddressHeaders.includes(lowerName) ||
    otherProxyHeaders.has(lowerName)
  )
}
