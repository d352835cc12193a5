import type { ListenerState } from '#contract/models.ts'
import type { TunnelCause } from '#contract/tunnel.ts'
import { formatDuration, plural } from '#shared/text/format.ts'

export interface Why {
  readonly cause: TunnelCause
  readonly reason: string
}

/** The user must confirm this before a public server run by volunteers is used. */
export function publicServerNotice(label: string, server: string): string {
  return `${label} uses ${server}, a public server run by volunteers. Its operators can read everything that passes through the tunnel.`
}

/** Reasons of the supervisor; providers and probes word their own. `label`: the provider's name, as used within a sentence. */
export const why = {
  never: (): Why => ({ cause: 'stopped', reason: 'No tunnel has been opened.' }),
  closed: (): Why => ({ cause: 'stopped', reason: 'You closed it.' }),
  ended: (): Why => ({ cause: 'stopped', reason: 'Tabscope is closing.' }),
  asked: (label: string): Why => ({ cause: 'asked', reason: `Opening ${label}, as requested.` }),
  resumed: (label: string): Why => ({
    cause: 'asked',
    reason: `Reopening ${label}: it was open when Tabscope was last closed.`,
  }),
  again: (label: string): Why => ({
    cause: 'asked',
    reason: `Retrying ${label} now, as requested.`,
  }),
  /** `tries`: how many attempts failed in a row; `before`: why the last one failed. */
  retry: (label: string, tries: number, before: Why): Why => ({
    cause: before.cause,
    reason:
      tries === 0
        ? `Opening ${label}. Previous error: ${before.reason}`
        : `Retrying ${label} after ${plural(tries, 'failed attempt', 'failed attempts')}. Last error: ${before.reason}`,
  }),
  lost: (before: Why): Why => ({
    cause: before.cause,
    reason: `${before.reason} Reopening the tunnel.`,
  }),
  assigned: (cause: TunnelCause, url: string): Why => ({
    cause,
    reason: `The URL is ${url}. Checking whether requests to it arrive here.`,
  }),
  notYet: (url: string, before: Why): Why => ({
    cause: before.cause,
    reason: `Requests to ${url} do not arrive yet. Checking again. ${before.reason}`,
  }),
  online: (url: string): Why => ({ cause: 'probe_ok', reason: `Requests to ${url} arrive here.` }),
  /** `problem`: suspected, as a sentence. */
  doubted: (cause: TunnelCause, problem: string): Why => ({
    cause,
    reason: `${problem} Checking whether requests still arrive.`,
  }),
  slow: (before: Why): Why => ({
    cause: before.cause,
    reason: `Requests still arrive, but a self-check failed: ${before.reason}`,
  }),
  held: (before: Why): Why => ({
    cause: before.cause,
    reason: `A self-check failed. Responses that a rule or a target delays may be using all of the tunnel's connections. ${before.reason}`,
  }),
  openTimeout: (label: string, ms: number): Why => ({
    cause: 'open_timeout',
    reason: `No URL was received from ${label} within ${Math.round(ms / 1000)} s. Its server may be overloaded, or something in between may delay the connection.`,
  }),
  ran: (label: string): Why => ({
    cause: 'ended',
    reason: `The tunnel (${label}) closed without a reason.`,
  }),
  /** `happened`: what happened to this computer, as a sentence. */
  after: (label: string, happened: Why): Why => ({
    cause: happened.cause,
    reason: `${happened.reason} Retrying ${label}.`,
  }),
  internal: (label: string, what: string, logId: string): Why => ({
    cause: 'internal',
    reason: `${label} could not ${what} because of an internal error. See log entry ${logId}.`,
  }),
  unknown: (id: string): Why => ({
    cause: 'bad_options',
    reason: `This version of Tabscope has no tunnel provider ${JSON.stringify(id)}. Select another.`,
  }),
  badOptions: (problem: string): Why => ({ cause: 'bad_options', reason: problem }),
  woke: (ms: number): Why => ({
    cause: 'woke',
    reason: `The computer was asleep for ${formatDuration(ms)}, or its clock was changed.`,
  }),
  listenerDown: (listener: ListenerState): Why => ({
    cause: 'listener_down',
    reason: `${
      listener.state === 'failed' ? listener.message : 'The listener is not running.'
    } The tunnel opens automatically once the listener is running.`,
  }),
  listenerBack: (label: string): Why => ({
    cause: 'listener_down',
    reason: `The listener is running again. Opening ${label}.`,
  }),
  listenerMoved: (label: string, port: number): Why => ({
    cause: 'listener_down',
    reason: `The listener moved to port ${port}. Reopening ${label}.`,
  }),
} as const
