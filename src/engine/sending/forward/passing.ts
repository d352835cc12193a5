import { setTimeout as pause } from 'node:timers/promises'
import { keptResponseBytes } from '#contract/constants.ts'
import { formatSize } from '#shared/text/format.ts'
import type { Clock } from '../../platform/clock.ts'
import type { OtherResponse, PassResponse, PassRequest } from '../../receiving/listener/messages.ts'
import type { SenderParts } from '../parts.ts'
import type { WireOutcome } from '../wire/exchange.ts'
import { type Backlog, sentenceOf, resultOf, forwardDelivery } from './forwarding.ts'
import type { TargetQueue } from './target-queue.ts'
import { type ForwardVersions, unchanged } from './versions.ts'

/** Hop-by-hop headers (RFC 9110, 7.6.1) and framing headers, which our own response sets itself. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
])

/** The end-to-end headers with order, case and duplicates as received, as a flat list: name, value, name, value. */
export function endToEnd(headers: readonly (readonly [string, string])[]): string[] {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(','))
      .map((name) => name.trim().toLowerCase()),
  )
  return headers
    .filter(([name]) => {
      const lower = name.toLowerCase()
      return !hopByHop.has(lower) && !lower.startsWith('proxy-') && !named.has(lower)
    })
    .flatMap(([name, value]) => [name, value])
}

export function createPassing(
  parts: SenderParts,
  backlog: Backlog,
  clock: Clock,
  versions: ForwardVersions,
  queueOf: (forwardId: number) => TargetQueue | undefined,
): (request: PassRequest) => void {
  const answerTo = async (request: PassRequest): Promise<Outcome> => {
    const queue = queueOf(request.forwardId)
    if (!queue?.isOpen) return noResponse('The target was deleted or is switched off.')
    const { target } = queue
    if (queue.inFlight >= target.queueLimit || backlog.isFull) {
      queue.skip(request.deliveryId, tooMany)
      return noResponse(tooMany)
    }
    const answered = queue.startPassThrough()
    try {
      const captured = parts.captured(request.deliveryId)
      if (!captured) {
        answered(null)
        return noResponse('The delivery was deleted.')
      }
      const made = versions.isPlain(target) ? unchanged : await versions.of(target, captured)
      if (made.kind !== 'send') {
        answered(null)
        const reason = made.kind === 'held' ? tooMany : made.reason
        queue.skip(request.deliveryId, reason)
        if (made.kind !== 'respond') return { response: emptyResponse, reason }
        await pause(made.response.delayMs)
        return responseOfScript(made.response, reason)
      }
      const of = { kind: 'pass_through', at: clock.now(), tryNumber: 1 } as const
      const outcome = await forwardDelivery(parts, backlog, captured, target, made.version, {
        ...of,
        signal: queue.signal,
      })
      const response = responseOf(outcome)
      answered({ ...resultOf(outcome), error: response.reason })
      return response
    } catch (error) {
      answered(null)
      queue.skip(request.deliveryId, sentenceOf(error))
      return noResponse(sentenceOf(error))
    } finally {
      versions.forget(target, request.deliveryId)
    }
  }

  return (request) => {
    void answerTo(request).then((response) =>
      parts.respond({ kind: 'pass', key: request.key, ...response }),
    )
  }
}

const tooMany = 'Too many deliveries are already waiting for this target.'

type Outcome = Omit<PassResponse, 'kind' | 'key'>

const emptyResponse = { status: 200, rawHeaders: [], body: new Uint8Array() }

function responseOfScript({ status, headers, body }: OtherResponse, reason: string): Outcome {
  if (status === null) return noResponse(reason)
  const response = { status, rawHeaders: headers.flat(), body: Buffer.from(body, 'utf8') }
  return { response, reason }
}

function noResponse(reason: string): Outcome {
  return { response: null, reason }
}

function responseOf({ response, error }: WireOutcome): Outcome {
  if (error) return noResponse(error.message)
  if (!response) return noResponse('The target did not respond.')
  if (response.bytes > response.body.byteLength) {
    const limit = formatSize(keptResponseBytes)
    return noResponse(
      `The target's response is larger than ${limit}. Tabscope responded to the service with 502 instead.`,
    )
  }
  const { status, headers, body } = response
  return { response: { status, rawHeaders: endToEnd(headers), body }, reason: null }
}
