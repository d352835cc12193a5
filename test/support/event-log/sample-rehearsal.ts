import type { RehearsalRequest, CaseResult, Rehearsal } from '#contract/rehearsal.ts'
import type { LogLine } from '#contract/event-log.ts'
import { caseLines } from '#engine/event-logs/format-parts/rehearsal-lines.ts'
import type { LogItem } from '#engine/event-logs/items.ts'

/** A request of a rehearsal with this text in every text field. */
export function rehearsalRequest(
  text: string,
  more: Partial<RehearsalRequest> = {},
): RehearsalRequest {
  return {
    caseId: 'S4',
    variant: text,
    repetition: 0,
    method: 'POST',
    url: `http://127.0.0.1:3000/${text}`,
    headers: [
      ['Host', '127.0.0.1:3000'],
      ['X-Text', text],
    ],
    missingHeaders: [['X-Missing', text]],
    changedHeaders: [1],
    body: Buffer.from(JSON.stringify({ type: 'OPEN_TAB', data: { text } })),
    bodyBytes: Buffer.byteLength(JSON.stringify({ type: 'OPEN_TAB', data: { text } })),
    bodyChange: [1, 4],
    status: 200,
    error: null,
    responseHeaders: [['X-Text', text]],
    responseBody: Buffer.from([0, 255, ...Buffer.from(text)]),
    durationMs: 1.5,
    ...more,
  }
}

/** A rehearsal with one failed case, and with this text in every text field. */
export function sampleRehearsal(
  text: string,
  more: { readonly id?: number; readonly requests?: readonly RehearsalRequest[] } = {},
): LogItem[] {
  const { id = 1, requests = [rehearsalRequest(text), rehearsalRequest(text, { status: null })] } =
    more
  const rehearsal: Rehearsal = {
    id,
    startedAt: 1_773_500_000_000,
    endedAt: 1_773_500_001_000,
    state: 'done',
    options: {
      url: `http://127.0.0.1:3000/${text}`,
      endpointId: 1,
      only: ['S4'],
      skip: [],
      seed: 7,
      accept: [],
      acknowledgesFirst: false,
      observer: { kind: 'command', command: text },
      load: false,
      requestTimeout: 15_000,
      runTimeout: 600_000,
      secretOption: text.slice(0, 300),
    },
    hasSecret: true,
    total: 1,
    counts: { pass: 0, fail: 1, warn: 0, review: 0, skipped: 0, flaky: 0 },
    grade: 'F',
    cappedBy: 'S4',
    problem: { message: text, causes: [text] },
  }
  const result: CaseResult = {
    id: 'S4',
    level: 'MUST',
    result: 'fail',
    sent: text,
    expected: text,
    received: text,
    reason: text,
    repeat: `tabscope rehearse --to ${text} --only S4 --seed 7`,
    variants: [{ name: text, result: 'fail', received: text, reason: text }],
    durationMs: 12.5,
  }
  return [
    { kind: 'rehearsal', rehearsal },
    { kind: 'rehearsal_case', rehearsal: id, result, requests },
  ]
}

export function sampleRehearsalLines(...input: Parameters<typeof sampleRehearsal>): LogLine[] {
  return sampleRehearsal(...input).flatMap((item): LogLine[] => {
    if (item.kind === 'rehearsal_case') return [...caseLines(item)]
    return item.kind === 'rehearsal' ? [item] : []
  })
}
