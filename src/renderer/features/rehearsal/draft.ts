import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type { RehearsalCase } from '#catalogue/rehearsal/define.ts'
import type { Endpoint } from '#contract/models.ts'
import { isHttp, withScheme } from '#shared/text/address.ts'
import type { ClientInput } from '../../platform/client.ts'
import { urlError } from '../sending/index.ts'

/** The start form as entered by the user. */
export interface RehearsalDraft {
  readonly url: string
  /** Null: no secret. */
  readonly endpointId: number | null
  /** Empty: no oracle. */
  readonly oracle: string
  /** IDs of the selected cases. */
  readonly cases: ReadonlySet<string>
  readonly seed: string
  /** Accepted statuses, separated by commas. Empty: any 2xx. */
  readonly accept: string
  readonly acknowledgesFirst: boolean
  readonly load: boolean
  /** The time limit for one request, in seconds. */
  readonly seconds: string
}

export const largestSeed = 2 ** 31 - 1

/** The gate runs in every rehearsal: without it, no other result means anything. */
export function isGate({ group }: Pick<RehearsalCase, 'group'>): boolean {
  return group === 'gate'
}

export function defaultDraft(url: string, endpointId: number | null, seed: number): RehearsalDraft {
  return {
    url,
    endpointId,
    oracle: '',
    cases: new Set(rehearsalCases.map(({ id }) => id)),
    seed: String(seed),
    accept: '',
    acknowledgesFirst: false,
    load: false,
    seconds: '15',
  }
}

type DraftErrors = Partial<
  Record<'url' | 'oracle' | 'cases' | 'seed' | 'accept' | 'seconds', string>
>

function statusesOf(text: string): number[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599
}

/** The errors in a draft. */
export function draftErrors(draft: RehearsalDraft): DraftErrors {
  const errors: DraftErrors = {}
  const url = draft.url.trim() === '' ? 'Enter the URL of your handler.' : urlError(draft.url)
  if (url !== null) errors.url = url
  const oracle = URL.parse(withScheme(draft.oracle.trim()))
  if (draft.oracle.trim() !== '' && !(oracle && isHttp(oracle))) {
    errors.oracle = 'Enter an http or https URL, or leave it empty.'
  }
  if (draft.cases.size === 0) errors.cases = 'Select at least one case.'
  if (!/^\d{1,10}$/.test(draft.seed.trim()) || Number(draft.seed) > largestSeed) {
    errors.seed = 'Enter a whole number from 0 to 2,147,483,647.'
  }
  if (!statusesOf(draft.accept).every(isStatus)) {
    errors.accept = 'Enter statuses from 100 to 599, such as 200, 202.'
  }
  const seconds = Number(draft.seconds.trim().replace(',', '.'))
  if (draft.seconds.trim() === '' || !(seconds >= 0.1 && seconds <= 120)) {
    errors.seconds = 'Enter a number from 0.1 to 120 seconds.'
  }
  return errors
}

/** The input of `rehearsals.start`. The draft must have no errors. */
export function startInput(
  draft: RehearsalDraft,
  endpoints: readonly Endpoint[],
): ClientInput<'rehearsals.start'> {
  const endpoint = endpoints.find(({ id }) => id === draft.endpointId)
  const all = rehearsalCases.every(({ id }) => draft.cases.has(id))
  const oracle = draft.oracle.trim()
  return {
    url: withScheme(draft.url),
    endpointId: endpoint?.id ?? null,
    only: all ? [] : rehearsalCases.map(({ id }) => id).filter((id) => draft.cases.has(id)),
    seed: Number(draft.seed),
    accept: statusesOf(draft.accept),
    acknowledgesFirst: draft.acknowledgesFirst,
    oracle: oracle === '' ? { kind: 'none' } : { kind: 'url', url: withScheme(oracle) },
    load: draft.load,
    requestTimeout: Math.round(Number(draft.seconds.trim().replace(',', '.')) * 1000),
    secretOption: endpoint ? `--endpoint ${endpoint.slug}` : '',
  }
}

/** Whether an endpoint has a secret that can sign. */
export function canSign({ secret }: Pick<Endpoint, 'secret'>): boolean {
  return secret.set && !secret.unavailable
}

/** The endpoint to select first: that of the address, else that of a forward target with this URL, else the first that can sign. */
export function initialEndpoint(
  endpoints: readonly Endpoint[],
  requested: number | null,
  forwardEndpoint: number | null,
): number | null {
  const wanted = requested ?? forwardEndpoint
  if (endpoints.some(({ id }) => id === wanted)) return wanted
  return endpoints.find(canSign)?.id ?? null
}
