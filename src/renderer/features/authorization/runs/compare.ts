import type { Run, RunStep } from '#contract/authorization.ts'
import type { Header } from '#contract/models.ts'

/** One thing that is not the same in two steps. Null: it is not there at all. */
export interface Difference {
  readonly what: string
  readonly left: string | null
  readonly right: string | null
}

/** Two steps side by side; null where only one of the runs has it. */
export interface Pair {
  readonly left: RunStep | null
  readonly right: RunStep | null
  /** Empty where a side is null. */
  readonly differences: readonly Difference[]
}

/**
 * Two runs step by step. What is new in every run (times, the state) is no difference; secrets are markers in both, and differ only where
 * one has a secret that the other has not.
 */
export function compareRuns(left: Run, right: Run): Pair[] {
  const a = left.steps.map((step) => withoutState(step, stateOf(left)))
  const b = right.steps.map((step) => withoutState(step, stateOf(right)))
  return aligned(a, b).map(([at, bt]) => {
    const one = at === null ? null : (a[at] ?? null)
    const other = bt === null ? null : (b[bt] ?? null)
    return {
      left: one,
      right: other,
      differences: one && other ? differencesOf(one, other) : [],
    }
  })
}

/** The state that a run sent, as it stands in its address. */
function stateOf({ authorizeUrl }: Run): string | null {
  const state = authorizeUrl === null ? null : URL.parse(authorizeUrl)?.searchParams.get('state')
  return state ? state : null
}

/** A step with a name in the place of the state of its run. */
function withoutState(step: RunStep, state: string | null): RunStep {
  if (state === null) return step
  const spoken = (text: string): string =>
    text.replaceAll(encodeURIComponent(state), '{state}').replaceAll(state, '{state}')
  return {
    ...step,
    title: spoken(step.title),
    detail: step.detail === null ? null : spoken(step.detail),
    facts: step.facts.map(({ name, value }) => ({ name, value: spoken(value) })),
    request: step.request && {
      ...step.request,
      url: spoken(step.request.url),
      body: step.request.body === null ? null : spoken(step.request.body),
    },
  }
}

type Places = readonly [number | null, number | null]

/** The longest common run of kinds, with what is between on its own side. */
function aligned(a: readonly RunStep[], b: readonly RunStep[]): Places[] {
  const lengths = Array.from({ length: a.length + 1 }, () =>
    Array.from({ length: b.length + 1 }, () => 0),
  )
  const length = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (!row) continue
      row[j] =
        a[i]?.kind === b[j]?.kind
          ? length(i + 1, j + 1) + 1
          : Math.max(length(i + 1, j), length(i, j + 1))
    }
  }
  const places: Places[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i]?.kind === b[j]?.kind) places.push([i++, j++])
    else if (j >= b.length || (i < a.length && length(i + 1, j) >= length(i, j + 1))) {
      places.push([i++, null])
    } else places.push([null, j++])
  }
  return places
}

function differencesOf(a: RunStep, b: RunStep): Difference[] {
  const all = [
    { what: 'Outcome', left: a.outcome, right: b.outcome },
    { what: 'Title', left: a.title, right: b.title },
    { what: 'Detail', left: a.detail, right: b.detail },
    ...named('', factsOf(a), factsOf(b)),
    { what: 'Method', left: a.request?.method ?? null, right: b.request?.method ?? null },
    { what: 'Address', left: a.request?.url ?? null, right: b.request?.url ?? null },
    ...named('Sent ', headersOf(a.request?.headers), headersOf(b.request?.headers)),
    { what: 'Body sent', left: a.request?.body ?? null, right: b.request?.body ?? null },
    { what: 'Status', left: statusOf(a), right: statusOf(b) },
    ...named('Came ', headersOf(a.answer?.headers), headersOf(b.answer?.headers)),
    { what: 'Body that came', left: a.answer?.body ?? null, right: b.answer?.body ?? null },
  ]
  return all.filter(({ left, right }) => left !== right)
}

function statusOf({ answer }: RunStep): string | null {
  return answer ? `${answer.status} ${answer.statusText}`.trim() : null
}

function factsOf({ facts }: RunStep): Map<string, string> {
  return gathered(facts.map(({ name, value }) => [name, value]))
}

/** Headers under one spelling; `Date` is new with every answer. */
function headersOf(headers: readonly Header[] | undefined): Map<string, string> {
  return gathered(
    (headers ?? [])
      .map(([name, value]): Header => [name.toLowerCase(), value])
      .filter(([name]) => name !== 'date'),
  )
}

function gathered(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  const all = new Map<string, string>()
  for (const [name, value] of pairs) {
    const before = all.get(name)
    all.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  return all
}

function named(prefix: string, a: Map<string, string>, b: Map<string, string>): Difference[] {
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => ({
    what: `${prefix}${name}`,
    left: a.get(name) ?? null,
    right: b.get(name) ?? null,
  }))
}
