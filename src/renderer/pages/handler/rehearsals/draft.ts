import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type { RehearsalCase } from '#catalogue/rehearsal/define.ts'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import { oauthTimes } from '#contract/constants.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Rehearsal, RehearsalOptions } from '#contract/rehearsal.ts'
import type { Endpoint } from '#contract/models.ts'
import { targetAddress } from '#shared/text/address.ts'
import type { ClientInput } from '#client/client.ts'
import { anyNumber, numberOf, onlyErrors } from '#kit/field-checks.ts'
import { urlError } from '#parts/send/send-draft.ts'

/** The start form as entered by the user. */
export interface RehearsalDraft {
  readonly url: string
  /** Null: no secret. */
  readonly endpointId: number | null
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

/** The precheck runs in every rehearsal: without it, no other result means anything. */
export function isGate({ group }: Partial<Pick<RehearsalCase, 'group'>>): boolean {
  return group === 'precheck'
}

export function defaultDraft(url: string, endpointId: number | null, seed: number): RehearsalDraft {
  return {
    url,
    endpointId,
    cases: new Set(rehearsalCases.map(({ id }) => id)),
    seed: String(seed),
    accept: '',
    acknowledgesFirst: false,
    load: false,
    seconds: '15',
  }
}

type DraftErrors = Partial<Record<'url' | 'cases' | 'seed' | 'accept' | 'seconds', string>>

function statusesOf(text: string): number[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599
}

export function draftErrors(draft: RehearsalDraft): DraftErrors {
  const errors: DraftErrors = {}
  const url = draft.url.trim() === '' ? 'Enter the URL of your handler.' : urlError(draft.url)
  if (url !== null) errors.url = url
  if (draft.cases.size === 0) errors.cases = 'Select at least one case.'
  if (!/^\d{1,10}$/.test(draft.seed.trim()) || Number(draft.seed) > largestSeed) {
    errors.seed = 'Enter a whole number from 0 to 2,147,483,647.'
  }
  if (!statusesOf(draft.accept).every(isStatus)) {
    errors.accept = 'Enter statuses from 100 to 599, such as 200, 202.'
  }
  const seconds = anyNumber(draft.seconds, 0.1, 120)
  if (seconds !== null) errors.seconds = seconds
  return errors
}

function millisecondsOf(seconds: string): number {
  return Math.round(numberOf(seconds) * 1000)
}

/** The input of `rehearsals.start`. The draft must have no errors. */
export function startInput(
  draft: RehearsalDraft,
  endpoints: readonly Endpoint[],
): ClientInput<'rehearsals.start'> {
  const endpoint = endpoints.find(({ id }) => id === draft.endpointId)
  const all = rehearsalCases.every(({ id }) => draft.cases.has(id))
  return {
    url: targetAddress(draft.url),
    endpointId: endpoint?.id ?? null,
    only: all ? [] : rehearsalCases.map(({ id }) => id).filter((id) => draft.cases.has(id)),
    seed: Number(draft.seed),
    accept: statusesOf(draft.accept),
    acknowledgesFirst: draft.acknowledgesFirst,
    load: draft.load,
    requestTimeout: millisecondsOf(draft.seconds),
    secretOption: endpoint ? `--endpoint ${endpoint.slug}` : '',
  }
}

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

/** The endpoint that a suggested target belongs to: that of the newest rehearsal of it, else of a forward target; undefined: not known. */
export function endpointOfTarget<E extends Pick<Endpoint, 'id'>>(
  url: string,
  endpoints: readonly E[],
  earlier: readonly Pick<RehearsalOptions, 'url' | 'endpointId'>[],
  forwards: readonly Pick<ForwardTarget, 'url' | 'endpointId'>[],
): E | undefined {
  for (const target of [...earlier, ...forwards]) {
    const endpoint = endpoints.find(({ id }) => id === target.endpointId)
    if (target.url === url && endpoint) return endpoint
  }
  return undefined
}

/** The start form for an OAuth client as entered by the user. */
export interface OAuthDraft {
  /** Empty: the user begins each flow. */
  readonly startUrl: string
  readonly callUrl: string
  readonly redirectUrl: string
  /** Empty: a free port. */
  readonly port: string
  /** Empty: made up. */
  readonly accessId: string
  readonly accessSecret: string
  /** IDs of the selected cases. */
  readonly cases: ReadonlySet<string>
  /** Seconds until a flow must have begun. */
  readonly flowSeconds: string
  /** Seconds in which nothing must happen. */
  readonly watchSeconds: string
  /** Seconds for one request. */
  readonly seconds: string
}

function secondsText(ms: number): string {
  return String(ms / 1000)
}

function urlOf(text: string): string | null {
  return text.trim() === '' ? null : targetAddress(text)
}

/** The options of an earlier run, without its secret, which is not stored; undefined: the defaults. */
export function defaultOAuthDraft(earlier: Rehearsal | undefined): OAuthDraft {
  const { oauth, requestTimeout = 15_000 } = earlier?.options ?? {}
  return {
    startUrl: oauth?.startUrl ?? '',
    callUrl: oauth?.callUrl ?? '',
    redirectUrl: oauth?.redirectUrl ?? '',
    port: oauth ? String(oauth.port) : '',
    accessId: oauth?.accessId ?? '',
    accessSecret: '',
    cases: new Set(oauthCases.map(({ id }) => id)),
    flowSeconds: secondsText(oauth?.flowTimeout ?? oauthTimes.flow),
    watchSeconds: secondsText(oauth?.watchTime ?? oauthTimes.watch),
    seconds: secondsText(requestTimeout),
  }
}

export function oauthErrors(draft: OAuthDraft): Partial<Record<keyof OAuthDraft, string>> {
  const { startUrl, callUrl, redirectUrl, port, accessSecret, cases } = draft
  return onlyErrors({
    startUrl: urlError(startUrl),
    callUrl:
      callUrl.trim() !== '' && startUrl.trim() === ''
        ? 'Enter the URL that begins a flow as well, or leave this empty.'
        : urlError(callUrl),
    redirectUrl:
      redirectUrl.trim() === '' || URL.canParse(redirectUrl.trim())
        ? null
        : 'Enter the complete URL, such as http://127.0.0.1:3000/callback.',
    port:
      /^\d{0,5}$/.test(port.trim()) && Number(port) <= 65_535
        ? null
        : 'Enter a port from 1 to 65535, or leave it empty.',
    accessSecret:
      accessSecret === '' || accessSecret.length >= 8 ? null : 'Enter at least 8 characters.',
    cases: cases.size > 0 ? null : 'Select at least one case.',
    flowSeconds: anyNumber(draft.flowSeconds, 0.05, 3600),
    watchSeconds: anyNumber(draft.watchSeconds, 0.05, 60),
    seconds: anyNumber(draft.seconds, 0.1, 120),
  })
}

/** The input of `rehearsals.startOauth`. The draft must have no errors. */
export function oauthInput(draft: OAuthDraft): ClientInput<'rehearsals.startOauth'> {
  const { startUrl, callUrl, redirectUrl, port, accessId, accessSecret, cases } = draft
  const isAll = oauthCases.every(({ id }) => cases.has(id))
  return {
    startUrl: urlOf(startUrl),
    callUrl: urlOf(callUrl),
    // Compared exactly, so that nothing is added.
    redirectUrl: redirectUrl.trim() || null,
    port: Number(port),
    accessId: accessId.trim(),
    only: isAll ? [] : oauthCases.map(({ id }) => id).filter((id) => cases.has(id)),
    flowTimeout: millisecondsOf(draft.flowSeconds),
    watchTime: millisecondsOf(draft.watchSeconds),
    requestTimeout: millisecondsOf(draft.seconds),
    ...(accessSecret === ''
      ? {}
      : { accessSecret, secretOption: '--access-secret-env ACCESS_SECRET' }),
  }
}
