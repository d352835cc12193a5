import { isIP } from 'node:net'
import type { Span } from './emails.ts'

const written = /[0-9a-fA-F:.]{3,45}/g
const longest = 45

/** IP addresses in a text, without a port: those of machines alone (loopback) stay. */
export function ipAddressesIn(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(written)) {
    const run = match[0]
    if (run.length > longest) continue
    const before = text.charAt(match.index - 1)
    const after = text.charAt(match.index + run.length)
    if (/[\w]/.test(before) || /[\w]/.test(after)) continue
    // A port may follow, or the end of a sentence.
    const ip = [run, run.replace(/[.:]$/, ''), run.replace(/:\d{1,5}$/, '')].find((one) =>
      isIP(one),
    )
    if (ip === undefined || isLoopback(ip)) continue
    found.push({ from: match.index, to: match.index + ip.length })
  }
  return found
}

/** The whole text is one. */
export function isIpAddress(text: string): boolean {
  return isIP(text.trim()) !== 0
}

export function isLoopback(ip: string): boolean {
  return /^127\.|^::1$|^::ffff:127\./i.test(ip)
}
