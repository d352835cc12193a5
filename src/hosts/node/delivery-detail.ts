import { isUtf8 } from 'node:buffer'
import { readClaims } from '#contract/forwarded.ts'
import { claimNotes, namesThroughTunnel, tellClaims } from '#contract/forwarded-words.ts'
import type { Delivery } from '#contract/models.ts'
import { deliveryLine } from './delivery-line.ts'
import { findingLines } from './finding-text.ts'
import { coloured } from './output.ts'
import { printable, printableLines } from '../printable.ts'

/** A delivery as people read it in a terminal: head, findings, and the body where it is text. */
export function deliveryDetail(delivery: Delivery, body: Uint8Array): string {
  const { method, path, httpVersion, headers, findings, reason } = delivery
  return [
    deliveryLine(delivery),
    ...wayLines(delivery),
    '',
    printable(`${method} ${path} HTTP/${httpVersion}`),
    ...headers.map(([name, value]) => `${coloured('cyan', printable(name))}: ${printable(value)}`),
    '',
    bodyText(body),
    ...(reason === null ? [] : ['', printable(reason)]),
    ...(findings.length === 0 ? [] : ['', ...findingLines(findings)]),
  ].join('\n')
}

/** Whence it came, as the headers claim it, and that it came through the tunnel. */
export function wayLines({ headers, via, remoteAddress }: Delivery): string[] {
  const claims = tellClaims(readClaims(headers), via)
  if (claims === null) return []
  return [
    printable(`Received from ${remoteAddress}. ${claims.says}`),
    ...[...claimNotes(claims), ...(via === 'tunnel' ? [namesThroughTunnel] : [])].map((note) =>
      coloured('gray', note),
    ),
  ]
}

function bodyText(body: Uint8Array): string {
  if (body.byteLength === 0) return coloured('gray', 'no body')
  if (!isUtf8(body))
    return coloured('gray', `${body.byteLength} bytes that are not text; see --body`)
  // Line breaks of the body are its own; every other control character is escaped.
  return printableLines(Buffer.from(body).toString('utf8'))
}
