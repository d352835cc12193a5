import type { SizeStep } from '#contract/tunnel.ts'
import type { Heard } from './ask.ts'
import type { ProbeBody } from './probe-body.ts'
import { failureSentence, isPage, otherAnswerSentence } from './sentences.ts'

/** What one probe has shown. */
export interface Verdict {
  readonly outcome: SizeStep['outcome']
  /** Somebody else, or another Tabscope, answers there. */
  readonly isOther: boolean
  readonly status: number | null
  /** As a sentence; null where it passed. */
  readonly reason: string | null
  /** The largest body that this Tabscope's listener takes, where that is what it stopped at; in bytes. */
  readonly ownLimit: number | null
}

const mib = 1024 * 1024

/** Judges what came back by what was sent. */
export function verdictOf(heard: Heard, sent: ProbeBody, url: URL): Verdict {
  const none = { isOther: false, status: null, ownLimit: null }
  switch (heard.kind) {
    case 'ours':
      return verdictOfOurs(heard, sent)
    case 'stale':
      return {
        ...none,
        outcome: 'refused',
        status: heard.status,
        reason:
          'An answer to an earlier probe came: something on the way keeps answers and repeats them. Switch its cache off for /hooks/.',
      }
    case 'tabscope':
      return {
        ...none,
        outcome: 'refused',
        isOther: true,
        status: heard.status,
        reason:
          'A Tabscope answers there, but it did not know the probe of this one: another Tabscope has this address, or something on the way takes headers out. Open the tunnel anew, under another name if need be.',
      }
    case 'other': {
      const { answer, text } = heard
      const isAnswer = answer.status >= 200 && answer.status < 300
      return {
        ...none,
        outcome: 'refused',
        isOther: isAnswer && !isPage(answer, text),
        status: answer.status,
        reason: otherAnswerSentence(url, answer, text),
      }
    }
    case 'failure':
      return { ...none, outcome: 'failed', reason: failureSentence(heard.failure, url) }
  }
}

function verdictOfOurs(
  { answer, status }: Extract<Heard, { kind: 'ours' }>,
  { content, sha256 }: ProbeBody,
): Verdict {
  const sent = content.byteLength
  const none = { isOther: false, status, ownLimit: null }
  switch (answer.outcome) {
    case 'whole':
      return answer.sha256 === sha256 && answer.bytes === sent
        ? { ...none, outcome: 'passed', reason: null }
        : { ...none, outcome: 'changed', reason: changedSentence(sent, answer.bytes) }
    case 'too_large':
      return {
        ...none,
        outcome: 'refused',
        reason: `It came through to Tabscope, whose own limit for a body is ${+(answer.limit / mib).toFixed(3)} MiB. It can be raised under Settings, Listener.`,
        ownLimit: answer.limit,
      }
    case 'busy':
      return {
        ...none,
        outcome: 'refused',
        reason:
          'It came through to Tabscope, which held too many large bodies at that moment. Try again later.',
      }
    case 'broken':
      return {
        ...none,
        outcome: 'changed',
        reason: `Only ${answer.bytes} of ${sent} bytes arrived: something on the way cuts bodies off.`,
      }
  }
}

function changedSentence(sent: number, arrived: number): string {
  const how =
    sent === arrived
      ? `${arrived} bytes arrived, but not those that were sent`
      : `${sent} bytes were sent and ${arrived} arrived`
  return `The body was changed on the way: ${how}. No signature would fit. Something in between rewrites bodies (compresses, filters or decodes them): switch that off for /hooks/.`
}
