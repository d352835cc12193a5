import type { Integration, Preflight } from '#contract/integrations.ts'
import { coloured } from './output.ts'
import { facts, formatTime } from './text.ts'
import { printable } from '../printable.ts'

/** One integration on a line. */
export function integrationLine({
  name,
  kind,
  baseUrl,
  accessId,
  redirectUrl,
}: Integration): string {
  const parts = [
    kind === 'sandbox' ? 'sandbox' : baseUrl || 'no base URL',
    accessId || 'no access id',
    redirectUrl || 'no redirect URL',
  ]
  return `${coloured('bold', printable(name))}  ${parts.map(printable).join('  ')}`
}

/** All of one integration as people read it; of the secret, how it ends. */
export function integrationText(integration: Integration): string {
  const { accessSecret, redirectUrl, redirectUrls, refresh } = integration
  const { template } = refresh
  const ending = accessSecret.ending === null ? '' : `, ends in ${accessSecret.ending}`
  return facts([
    ['Name', integration.name],
    ...(integration.kind === 'sandbox' ? [['Kind', 'the built-in sandbox'] as const] : []),
    ['Brand', integration.brand],
    ['Base URL', integration.baseUrl || 'not set'],
    ['Access id', integration.accessId || 'not set'],
    [
      'Access secret',
      accessSecret.unavailable
        ? 'set, but sealed with another key: set it again'
        : accessSecret.set
          ? `set${ending}`
          : 'not set',
    ],
    ...redirectUrls.map(
      (url) => ['Redirect URL', url === redirectUrl ? `${url}  (used)` : url] as const,
    ),
    ...(redirectUrls.length === 0 ? [['Redirect URL', 'not set'] as const] : []),
    ['Refresh', `${template.method} ${template.path} (an assumption: the document shows none)`],
    [
      '',
      refresh.provenAt === null
        ? 'never tried with success, so nothing refreshes by itself'
        : `brought a token at ${formatTime(refresh.provenAt)}; by itself: ${refresh.automatic ? 'on' : 'off'}`,
    ],
    ['Due', `${refresh.dueBefore} s before the end`],
  ])
}

const marks = {
  ok: coloured('green', '✓'),
  warning: coloured('yellow', '!'),
  error: coloured('red', '✗'),
} as const

/** What was looked at before anything opens, and what it found. */
export function preflightText({ checks, ready, redirectUrl, comesBack }: Preflight): string {
  return [
    ...checks.map(({ outcome, message, suggestion }) =>
      [marks[outcome], printable(message), suggestionText(suggestion)].filter(Boolean).join(' '),
    ),
    ...(redirectUrl
      ? [`The dashboard must have, to the byte: ${printable(redirectUrl)}`, wayBack[comesBack]]
      : []),
    ready ? 'Ready to authorize.' : 'Not ready to authorize.',
  ].join('\n')
}

const wayBack = {
  served: 'The way back is served here while the flow runs.',
  paste: 'The way back cannot be served here: paste the address that the browser lands on.',
} as const

export function suggestionText(suggestion: string | null): string {
  return suggestion === null ? '' : `(${printable(suggestion)})`
}
