import { causeTitle } from '#catalogue/cause-titles.ts'
import { describeFinding, severityOf } from '#catalogue/findings.ts'
import { outcomeOf } from '#catalogue/outcome.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { plural, formatDuration } from '#shared/text/format.ts'

export interface OutcomeLabel {
  readonly text: string
  readonly title: string
  /** `quiet`: worth knowing, but nothing is wrong. `ok`: everything is as it should be. */
  readonly tone: 'invalid' | 'warning' | 'quiet' | 'ok'
}

/** The outcome of a delivery in a few words. */
export function outcomeLabel(row: DeliverySummary): OutcomeLabel {
  const [cause] = row.causes ?? []
  const why = cause && causeTitle(cause.code)
  const short = why?.replace(/^(?:An?|The) (.)/, (_, first: string) => first.toUpperCase())
  switch (outcomeOf(row)) {
    case 'invalid':
    case 'missing': {
      const word = row.verdict === 'invalid' ? 'Signature is invalid' : 'Signature is missing'
      return {
        text: short ?? word,
        title: why === undefined ? word : `${word}: ${why}`,
        tone: 'invalid',
      }
    }
    case 'rejected': {
      const status = row.lastAttempt?.status ?? null
      const text = `Your handler: ${status ?? 'no response'}`
      return { text, title: `Response of your handler${why ? `: ${why}` : ''}`, tone: 'invalid' }
    }
    case 'refused':
      return { text: responseText(row), title: describeResponse(row), tone: 'warning' }
    case 'ok':
      return quietLabel(row)
  }
}

function responseText({ status, respondedBy }: DeliverySummary): string {
  if (status === null) return respondedBy === 'rule' ? 'Dropped by rule' : 'No response sent'
  if (respondedBy === null) return `Tabscope sent ${status}`
  return `Sent ${status} ${byWords[respondedBy]}`
}

const byWords = { rule: 'by rule', target: 'of target', hold: 'by you' } as const

function quiet(text: string, title: string, tone: OutcomeLabel['tone'] = 'quiet'): OutcomeLabel {
  return { text, title, tone }
}

function quietLabel(row: DeliverySummary): OutcomeLabel {
  const [finding] = row.findings
  const found =
    finding &&
    quiet(
      plural(row.findings.length, 'finding', 'findings'),
      describeFinding(finding, row.type).message,
    )
  if (found && row.findings.some((each) => severityOf(each) !== 'info')) return found
  if (row.recheck && row.recheck.verdictAtArrival !== row.verdict) {
    return quiet('Valid now', `The signature was ${row.recheck.verdictAtArrival} on arrival.`)
  }
  if (row.verdict === 'unsigned') {
    return quiet('Not signed', 'No secret is set, and no signature came.')
  }
  if (row.verdict === 'unchecked') {
    return quiet('Not checked', 'A signature came, but no secret is set.')
  }
  if (row.respondedBy !== null) return quiet(responseText(row), describeResponse(row))
  if (found) return found
  const status = row.lastAttempt ? `your handler ${row.lastAttempt.status}` : row.status
  return quiet(
    `Valid · ${status}`,
    `The signature is valid, Tabscope ${describeResponse(row)}`,
    'ok',
  )
}

type Answered = Pick<DeliverySummary, 'status' | 'responseMs' | 'respondedBy'>

/** The response for a table column: the status, "dropped" by a rule, or "none". */
export function statusLabel({ status, respondedBy }: Answered): string {
  if (status !== null) return String(status)
  return respondedBy === 'rule' ? 'dropped' : 'none'
}

/** The response in words: its status, how long it took, and whether a rule or the target produced it. */
export function describeResponse({ status, responseMs, respondedBy }: Answered): string {
  const by = respondedBy === null ? '' : responders[respondedBy]
  if (status === null) {
    return respondedBy === 'rule' ? 'connection dropped by a response rule' : `no response${by}`
  }
  const took = responseMs === null ? '' : ` in ${formatDuration(responseMs)}`
  return `responded with ${status}${by}${took}`
}

const responders = {
  rule: ' by a response rule',
  target: ' by the forward target',
  hold: ' by you, while it was held',
} as const satisfies Record<NonNullable<DeliverySummary['respondedBy']>, string>

export function describeSender(own: NonNullable<DeliverySummary['sentBy']>): string {
  return own === 'forward' ? 'forwarded by Tabscope: not forwarded again' : 'sent by Tabscope'
}
