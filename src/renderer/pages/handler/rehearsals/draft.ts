import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type { RehearsalCase } from '#catalogue/rehearsal/define.ts'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Rehearsal, RehearsalOptions } from '#contract/rehearsal.ts'
import type { Endpoint } from '#contract/models.ts'
import { targetAddress } from '#shared/text/address.ts'
import type { ClientInput } from '#client/client.ts'
import { urlError } from '#parts/send/SendFields.tsx'

/** The start form: the input of its call, and what is typed. */
export interface RehearsalDraft {
  readonly url: string
  /** Null: no secret. */
  readonly endpointId: number | null
  /** IDs of the selected cases. */
  readonly cases: ReadonlySet<string>
  readonly seed: number
  /** Accepted statuses, separated by commas. Empty: any 2xx. */
  readonly accept: string
  readonly acknowledgesFirst: boolean
  readonly load: boolean
  /** Of one request, in milliseconds. */
  readonly requestTimeout: number
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
    seed,
    accept: '',
    acknowledgesFirst: false,
    load: false,
    requestTimeout: 15_000,
  }
}

function statusesOf(text: string): number[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599
}

export function draftErrors({ url, cases, accept }: RehearsalDraft) {
  return {
    url: url.trim() === '' ? 'Enter the URL of your handler.' : urlError(url),
    cases: cases.size === 0 ? 'Select at least one case.' : null,
    accept: statusesOf(accept).every(isStatus)
      ? null
      : 'Enter statuses from 100 to 599, such as 200, 202.',
  }
}

/** The input of `rehearsals.start`. The draft must have no errors. */
export function startInput(
  draft: RehearsalDraft,
  endpoints: readonly Endpoint[],
): ClientInput<'rehearsals.start'> {
  const endpoint = endpoints.find(({ id }) => id === draft.endpointId)
  return {
    url: targetAddress(draft.url),
    endpointId: endpoint?.id ?? null,
    only: selected(rehearsalCases, draft.cases),
    seed: draft.seed,
    accept: statusesOf(draft.accept),
    acknowledgesFirst: draft.acknowledgesFirst,
    load: draft.load,
    requestTimeout: draft.requestTimeout,
    secretOption: endpoint ? `--endpoint ${endpoint.slug}` : '',
  }
}

function selected(all: readonly { readonly id: string }[], ids: ReadonlySet<string>): string[] {
  const chosen = all.map(({ id }) => id).filter((id) => ids.has(id))
  return chosen.length === all.length ? [] : chosen
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
}

function urlOf(text: string): string | null {
  return text.trim() === '' ? null : targetAddress(text)
}

/** The options of an earlier run, without its secret, which is not stored; undefined: the defaults. */
export function defaultOAuthDraft(earlier: Rehearsal | undefined): OAuthDraft {
  const { oauth } = earlier?.options ?? {}
  return {
    startUrl: oauth?.startUrl ?? '',
    callUrl: oauth?.callUrl ?? '',
    redirectUrl: oauth?.redirectUrl ?? '',
    port: oauth ? String(oauth.port) : '',
    accessId: oauth?.accessId ?? '',
    accessSecret: '',
    cases: new Set(oauthCases.map(({ id }) => id)),
  }
}

export function oauthErrors(draft: OAuthDraft) {
  const { startUrl, callUrl, redirectUrl, port, accessSecret, cases } = draft
  return {
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
  }
}

/** The input of `rehearsals.startOauth`. The draft must have no errors. */
export function oauthInput(draft: OAuthDraft): ClientInput<'rehearsals.startOauth'> {
  const { startUrl, callUrl, redirectUrl, port, accessId, accessSecret, cases } = draft
  return {
    startUrl: urlOf(startUrl),
    callUrl: urlOf(callUrl),
    // Compared exactly, so that nothing is added.
    redirectUrl: redirectUrl.trim() || null,
    port: Number(port),
    accessId: accessId.trim(),
    only: selected(oauthCases, cases),
    ...(accessSecret === ''
      ? {}
      : { accessSecret, secretOption: '--access-secret-env ACCESS_SECRET' }),
  }
}
