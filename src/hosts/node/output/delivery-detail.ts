import { sentenceText } from '#catalogue/sentence.ts'
import { describeFindings } from '#catalogue/findings.ts'
import { describeCause } from '#catalogue/signature-causes.ts'
import { isUtf8 } from 'node:buffer'
import type { CliLine } from '#contract/cli-output.ts'
import { readClaims, claimNotes, namesThroughTunnel, describeClaims } from '#contract/forwarded.ts'
import type { Delivery, Finding, Severity } from '#contract/models.ts'
import { escapeControls, visibleLines } from '#shared/text/visible.ts'
import { formatSize } from '#shared/text/format.ts'
import { decodeBody, encodingsOf } from '#engine/payload/decode-body.ts'
import { AppError } from '#engine/platform/errors.ts'
import { verdictText } from './delivery-line.ts'
import { bodyJson, colored, headerLines } from './output.ts'
import { facts, formatClock, formatTime, roundMs } from './text.ts'

/** A body without its content encoding. */
export interface ShownBody {
  readonly bytes: Uint8Array
  /** As declared; null: none, or the body could not be decoded. */
  readonly decodedFrom: string | null
  /** Why a binary body could not be decoded. */
  readonly problem: string | null
}

/** For display: the signature is over the bytes as sent. */
export function shownBody(
  { headers, arrival }: Pick<Delivery, 'headers' | 'arrival'>,
  body: Uint8Array,
): ShownBody {
  const decodedFrom = encodingsOf(headers).join(', ')
  const asSent = { bytes: body, decodedFrom: null, problem: null }
  if (decodedFrom === '' || arrival !== 'complete' || body.byteLength === 0) return asSent
  try {
    return { bytes: decodeBody(body, headers), decodedFrom, problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // A sender may declare an encoding that it does not use.
    return isUtf8(body) ? asSent : { ...asSent, problem: error.message }
  }
}

export function deliveryJson(
  delivery: Delivery,
  body: Uint8Array,
  { bytes, decodedFrom, problem }: ShownBody,
): CliLine<'delivery'> {
  return {
    ...delivery,
    findings: describeFindings(delivery),
    claims: describeClaims(readClaims(delivery.headers), delivery.via),
    ...bodyJson(bytes),
    ...(decodedFrom !== null && {
      bodyDecodedFrom: decodedFrom,
      bodyBase64: Buffer.from(body).toString('base64'),
    }),
    ...(problem !== null && { bodyProblem: problem }),
  }
}

/** Facts, request head, body if it is text, findings. */
export function deliveryDetail(
  delivery: Delivery,
  { bytes, decodedFrom, problem }: ShownBody,
): string {
  const { method, path, httpVersion, headers, findings, reason } = delivery
  return [
    facts(factsOf(delivery)),
    ...claimLines(delivery),
    '',
    method === ''
      ? colored('gray', 'no HTTP request line')
      : escapeControls(`${method} ${path} HTTP/${httpVersion}`),
    ...headerLines(headers),
    '',
    bodyText(bytes),
    ...(decodedFrom === null
      ? []
      : [
          colored(
            'gray',
            escapeControls(
              `Decoded from ${decodedFrom}. The signature is over the ${formatSize(delivery.storedBytes)} as sent, which --body prints.`,
            ),
          ),
        ]),
    ...(problem === null ? [] : [colored('gray', escapeControls(problem))]),
    ...(reason === null ? [] : ['', escapeControls(reason)]),
    ...(findings.length === 0 ? [] : ['', ...findingLines(describeFindings(delivery))]),
  ].join('\n')
}

function factsOf(delivery: Delivery): Parameters<typeof facts>[0] {
  const { type, target, locationName, endpointName, duplicateOf, note, tags, pinned } = delivery
  return [
    ['ID', delivery.id],
    ['Event', sentenceText(delivery, formatClock)],
    ['Received', formatTime(delivery.receivedAt, { milliseconds: true })],
    ['Verdict', verdictFact(delivery)],
    ...causeFacts(delivery),
    ['Response', responseFact(delivery)],
    ['Size', formatSize(delivery.bytes)],
    ['SHA-256', delivery.sha256],
    ['Type', type],
    ['Target', target],
    ['Location', locationName],
    ['Endpoint', endpointName],
    ['Repeats', duplicateOf && `delivery ${duplicateOf.id} (same ${duplicateOf.by})`],
    ['Note', note || null],
    ['Tags', tags.length === 0 ? null : tags.map((tag) => `#${tag}`).join(' ')],
    ['Pinned', pinned ? 'yes' : null],
  ]
}

function verdictFact({ verdict, secretName, recheck }: Delivery): string {
  return [
    verdictText(verdict),
    ...(secretName === null ? [] : [`with the secret ${secretName}`]),
    ...(recheck
      ? [`${recheck.verdictAtArrival} at arrival, checked again ${formatTime(recheck.at)}`]
      : []),
  ].join(', ')
}

function causeFacts({ causes }: Delivery): (readonly [name: string, value: string])[] {
  return (causes ?? []).flatMap((cause) => {
    const { title, sentence, fix } = describeCause(cause)
    return [
      ['Cause', `${title}. ${sentence}`],
      ['Fix', fix],
    ]
  })
}

function responseFact({ status, responseMs, respondedBy, sentBy }: Delivery): string {
  const text = status === null ? 'none' : String(status)
  return [
    responseMs === null ? text : `${text} after ${roundMs(responseMs)} ms`,
    ...(respondedBy === 'rule' ? ['by a response rule'] : []),
    ...(respondedBy === 'target' ? ['by the forward target'] : []),
    ...(respondedBy === 'hold' ? ['by you, while it was held'] : []),
    ...(sentBy === null ? [] : [`the request was sent by Tabscope (${sentBy})`]),
  ].join(', ')
}

function claimLines({ headers, via, remoteAddress }: Delivery): string[] {
  const claims = describeClaims(readClaims(headers), via)
  if (claims === null) return []
  return [
    escapeControls(`Received from ${remoteAddress}. ${claims.description}`),
    ...[...claimNotes(claims), ...(via === 'tunnel' ? [namesThroughTunnel] : [])].map((note) =>
      colored('gray', note),
    ),
  ]
}

/** For binary data only its size. */
export function bodyText(body: Uint8Array): string {
  if (body.byteLength === 0) return colored('gray', 'no body')
  if (!isUtf8(body)) {
    return colored('gray', `${formatSize(body.byteLength)} of binary data`)
  }
  // Keep the line breaks of the body; escape every other control character.
  return visibleLines(Buffer.from(body).toString('utf8'))
}

const severityStyles = { error: 'red', warning: 'yellow', info: 'cyan' } as const
const severities: readonly Severity[] = ['error', 'warning', 'info']

/** Errors first, equal ones combined. */
function findingLines(findings: readonly Finding[]): string[] {
  const counts = new Map<string, { finding: Finding; count: number }>()
  for (const finding of findings) {
    const key = JSON.stringify(finding)
    counts.set(key, { finding, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return severities.flatMap((severity) =>
    [...counts.values()]
      .filter(({ finding }) => finding.severity === severity)
      .flatMap(({ finding, count }) => linesOf(finding, count)),
  )
}

function linesOf({ code, severity, location, message, expected, actual }: Finding, count: number) {
  const times = count === 1 ? '' : `  ×${count}`
  return [
    `${colored(severityStyles[severity], severity.padEnd(7))}  ${escapeControls(code)}  ${colored('bold', escapeControls(location))}${times}`,
    `         ${escapeControls(message)}`,
    ...(expected === undefined ? [] : [`         expected  ${escapeControls(expected)}`]),
    ...(actual === undefined ? [] : [`         actual    ${escapeControls(actual)}`]),
  ]
}
