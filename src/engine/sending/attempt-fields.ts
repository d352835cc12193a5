import { hash } from 'node:crypto'
import type { Attempt, AttemptSummary } from '#contract/sending.ts'
import { formatCount, quoteForeign } from '#shared/text/format.ts'
import { keptResponseBytes } from '#contract/constants.ts'
import type { SendOptions } from './messages.ts'
import type { OwnSender } from '../receiving/listener/messages.ts'
import type { SenderParts } from './parts.ts'
import type { AttemptFields } from './store/attempt-rows.ts'
import { recordText, type AttemptRecord } from './store/attempt-record.ts'
import type { Prepared } from './prepare/draft.ts'
import type { WireOutcome } from './wire/exchange.ts'
import type { WireRequest } from './wire/request-bytes.ts'
import type { WireResponse } from './wire/response-reader.ts'

export interface AttemptContext {
  readonly kind: AttemptSummary['kind']
  readonly deliveryId: number | null
  readonly draftId?: number
  readonly jobId?: number
  readonly position?: number
  readonly forwardId?: number
  readonly at: number
  readonly tryNumber?: number
  readonly notes?: readonly string[]
  readonly scriptFailed?: boolean | undefined
}

interface ExchangeOptions extends SendOptions {
  readonly keepAlive: boolean
  readonly own: OwnSender
  readonly signal: AbortSignal
}

export function exchange(
  { configuration, wire }: Pick<SenderParts, 'configuration' | 'wire'>,
  { request }: Prepared,
  { insecure, ...options }: ExchangeOptions,
): Promise<WireOutcome> {
  // An earlier lookup does not count: the name may resolve differently by now.
  const known = configuration.known(request.url.origin)
  return wire.exchange(request, {
    ...options,
    maxResponseBytes: keptResponseBytes,
    verifyTls: !insecure && known?.verifyTls !== false,
    publicAllowed: known?.confirmed === true,
  })
}

export function reachedListener(
  { configuration }: Pick<SenderParts, 'configuration'>,
  { remoteAddress }: WireOutcome,
): boolean {
  return remoteAddress !== null && `http://${remoteAddress}` === configuration.listener
}

export function requestOf({ request, sha256 }: Prepared): Attempt['request'] {
  return {
    target: targetOf(request),
    headers: [...request.headers],
    trailers: [...request.trailers],
    sha256: sha256 ?? hash('sha256', request.body, 'hex'),
  }
}

export function outcomeOf(
  prepared: Prepared,
  outcome: WireOutcome,
  context: Pick<AttemptContext, 'notes'>,
): Omit<AttemptRecord, 'request'> {
  const { response, timings, remoteAddress, reused: reusedConnection, tlsVerified, proxy } = outcome
  return {
    response: response && {
      status: response.status,
      statusText: response.statusText,
      httpVersion: response.httpVersion,
      headers: [...response.headers],
      storedBytes: response.body.byteLength,
    },
    timings,
    remoteAddress,
    reusedConnection,
    tlsVerified,
    notes: [
      ...prepared.notes,
      ...(proxy === null ? [] : [proxyNote(proxy, prepared.request.url, response)]),
      ...(tlsVerified === false ? ['TLS verification was skipped.'] : []),
      ...(response ? notesOn(response) : []),
      ...(context.notes ?? []),
    ],
  }
}

export function attemptFields(
  prepared: Prepared,
  outcome: WireOutcome,
  context: AttemptContext,
): AttemptFields {
  const { request } = prepared
  const { response, error, timings } = outcome
  const failed = context.scriptFailed === true && { scriptFailed: true }
  const record = recordText({
    ...failed,
    request: prepared.asStored ? { target: targetOf(request) } : requestOf(prepared),
    ...outcomeOf(prepared, outcome, context),
  })
  return {
    deliveryId: context.deliveryId,
    draftId: context.draftId ?? null,
    jobId: context.jobId ?? null,
    forwardId: context.forwardId ?? null,
    position: context.position ?? null,
    kind: context.kind,
    sentAt: context.at,
    method: request.method,
    url: request.url.href,
    status: response?.status ?? null,
    error,
    durationMs: timings.totalMs,
    edited: prepared.edited,
    bodyEdited: prepared.bodyEdited,
    ...failed,
    signing: prepared.signing,
    secretName: prepared.secretName,
    tryNumber: context.tryNumber ?? 1,
    requestBytes: request.body.byteLength,
    responseBytes: response?.bytes ?? 0,
    record,
    requestBody: prepared.bodyEdited || context.deliveryId === null ? request.body : null,
    answerBody: response && response.body.byteLength > 0 ? response.body : null,
  }
}

function targetOf({ target, url }: WireRequest): string {
  return target ?? url.pathname + url.search
}

function proxyNote(proxy: string, { protocol }: URL, response: WireResponse | null): string {
  const isUncertain = protocol === 'http:' && response !== null && response.status >= 400
  return `Sent through the proxy ${proxy}${isUncertain ? ', which may have responded itself' : ''}.`
}

function notesOn({ status, headers, body, bytes }: WireResponse): string[] {
  const notes: string[] = []
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (status >= 300 && status < 400 && location !== undefined) {
    notes.push(
      `The target responded with a redirect to ${quoteForeign(location)}. Redirects are not followed.`,
    )
  }
  if (bytes > body.byteLength) {
    notes.push(
      `Only the first ${formatCount(body.byteLength)} bytes of the response body are stored.`,
    )
  }
  return notes
}
