import { defaultForward, type ForwardTarget } from '#contract/endpoint-rules.ts'
import type { CallInput } from '#contract/calls.ts'

export type ForwardInput = Omit<CallInput<'forwards.add'>, 'endpointId' | 'temporary'>

export interface ForwardDraft {
  readonly url: string
  readonly types: readonly string[]
  readonly mode: ForwardTarget['mode']
  readonly retries: string
  /** Seconds. */
  readonly timeout: string
  readonly inFlight: string
  readonly queue: string
}

export function draftOf(forward: ForwardTarget | null): ForwardDraft {
  const { url, types, mode, retries, timeoutMs, concurrency, queueLimit } = {
    url: '',
    ...defaultForward,
    ...forward,
  }
  return {
    url,
    types,
    mode,
    retries: String(retries),
    timeout: String(timeoutMs / 1000),
    inFlight: String(concurrency),
    queue: String(queueLimit),
  }
}

export type ForwardFaults = Partial<
  Record<'url' | 'retries' | 'timeout' | 'inFlight' | 'queue', string>
>

/** Returns the errors of the form fields. The engine validates the address itself. */
export function faultsOf(draft: ForwardDraft): ForwardFaults {
  const faults: ForwardFaults = {}
  if (draft.url.trim() === '') faults.url = 'Enter an address, such as http://localhost:3000/hooks.'
  if (!isWhole(draft.retries, 0, 20)) faults.retries = 'Enter a whole number from 0 to 20.'
  const timeout = Number(draft.timeout)
  if (draft.timeout.trim() === '' || !(timeout >= 0.001 && timeout <= 120)) {
    faults.timeout = 'Enter up to 120 seconds.'
  }
  if (!isWhole(draft.inFlight, 1, 32)) faults.inFlight = 'Enter a whole number from 1 to 32.'
  if (!isWhole(draft.queue, 1, 100_000)) faults.queue = 'Enter a whole number from 1 to 100,000.'
  return faults
}

/** Converts a valid form into the input of the call. */
export function inputOf(draft: ForwardDraft): ForwardInput {
  return {
    url: draft.url.trim(),
    types: [...draft.types],
    mode: draft.mode,
    retries: Number(draft.retries),
    timeoutMs: Math.round(Number(draft.timeout) * 1000),
    concurrency: Number(draft.inFlight),
    queueLimit: Number(draft.queue),
  }
}

function isWhole(text: string, from: number, to: number): boolean {
  const value = Number(text)
  return /^\d+$/.test(text.trim()) && value >= from && value <= to
}
