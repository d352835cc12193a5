import { keptAnswerBytes } from '#contract/sending.ts'
import type { Header } from '#contract/models.ts'
import { formatSize } from '#shared/text/format.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { PassAnswer, PassQuestion } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import type { WireOutcome } from '../wire/exchange.ts'
import { type Backlog, sentenceOf, triedOf, sendOn } from './forwarding.ts'
import type { TargetQueue } from './target-queue.ts'

/** Of one connection, whatever stands in `Connection` (RFC 9110, 7.6.1), and framing: our own answer has its own. */
const ofOneConnection = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
])

/** The headers of an answer that may go along with it on another connection: order, case and duplicates as they were. Name, value, name, value. */
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
      return !ofOneConnection.has(lower) && !lower.startsWith('proxy-') && !named.has(lower)
    })
    .flatMap(([name, value]) => [name, value])
}

/** Bodies of deliveries that wait for the answer of a target, of all of them together, in bytes. */
const mostBytes = 64 * 1024 * 1024

/** Asks a target for our answer, for each question at once: the service waits. */
export function createPassing(
  parts: SenderParts,
  backlog: Backlog,
  clock: Clock,
  laneOf: (forwardId: number) => TargetQueue | undefined,
): (question: PassQuestion) => void {
  let bytes = 0

  const answerTo = async (question: PassQuestion): Promise<Omit<PassAnswer, 'key'>> => {
    const lane = laneOf(question.forwardId)
    if (!lane?.isOpen) return no('The target was deleted or is switched off.')
    const { target } = lane
    const size = question.body.byteLength
    // One alone may be as large as it came.
    const isHeavy = bytes > 0 && bytes + size > mostBytes
    if (lane.underWay >= target.queue || backlog.isFull || isHeavy) {
      lane.leaveOut(question.deliveryId, tooMany)
      return no(tooMany)
    }
    bytes += size
    const answered = lane.answering()
    const captured = capturedOf(question, target.endpointId)
    try {
      const of = { kind: 'pass_through', at: clock.now(), tryNumber: 1 } as const
      const outcome = await sendOn(parts, backlog, captured, target, { ...of, signal: lane.signal })
      const answer = answerOf(outcome)
      answered({ ...triedOf(outcome), error: answer.reason })
      return answer
    } catch (error) {
      answered(null)
      lane.leaveOut(question.deliveryId, sentenceOf(error))
      return no(sentenceOf(error))
    } finally {
      bytes -= size
    }
  }

  return (question) => {
    void answerTo(question).then((answer) => parts.answerPass({ key: question.key, ...answer }))
  }
}

const tooMany = 'Too many deliveries were already waiting for this target.'

function no(reason: string): Omit<PassAnswer, 'key'> {
  return { answer: null, reason }
}

function answerOf({ answer, error }: WireOutcome): Omit<PassAnswer, 'key'> {
  if (error) return no(error.message)
  if (!answer) return no('The target did not respond.')
  if (answer.bytes > answer.body.byteLength) {
    const limit = formatSize(keptAnswerBytes)
    return no(
      `The target's answer is larger than ${limit}: Tabscope responded to the service with 502 instead.`,
    )
  }
  const { status, headers, body } = answer
  return { answer: { status, rawHeaders: endToEnd(headers), body }, reason: null }
}

/** The delivery as the store will have it: it is on the disk, but perhaps not there yet. */
function capturedOf(question: PassQuestion, endpointId: number): Captured {
  return {
    id: question.deliveryId,
    method: question.method,
    path: question.path,
    headers: pairs(question.rawHeaders),
    trailers: pairs(question.rawTrailers),
    body: question.body,
    whole: true,
    sha256: null,
    endpointId,
    // Only what signs anew asks for these.
    brand: '',
    type: null,
    receivedUs: 0,
    own: null,
  }
}

function pairs(raw: readonly string[]): Header[] {
  return Array.from({ length: raw.length / 2 }, (_, index): Header => [
    raw[index * 2] ?? '',
    raw[index * 2 + 1] ?? '',
  ])
}
