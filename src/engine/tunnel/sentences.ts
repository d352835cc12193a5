import type { ListenerState } from '#contract/models.ts'
import type { TunnelCause } from '#contract/tunnel.ts'
import { formatDuration, plural } from '#shared/text/format.ts'

/** Why the tunnel is in its state: for scripts, and for people. */
export interface Why {
  readonly cause: TunnelCause
  readonly reason: string
}

/** What is to be known before a server is used that volunteers run for everybody. */
export function publicServerNotice(label: string, server: string): string {
  return `${label} uses ${server}, a public server run by volunteers. Whoever runs it can read everything that passes through the tunnel.`
}

/** What the supervisor says. `label`: the provider's name, as it stands within a sentence. What a provider or a probe says comes from there. */
export const why = {
  never: (): Why => ({ cause: 'stopped', reason: 'No tunnel has been opened.' }),
  closed: (): Why => ({ cause: 'stopped', reason: 'You closed it.' }),
  ended: (): Why => ({ cause: 'stopped', reason: 'Tabscope is being closed.' }),
  asked: (label: string): Why => ({ cause: 'asked', reason: `Opening ${label}, as you asked.` }),
  resumed: (label: string): Why => ({
    cause: 'asked',
    reason: `Opening ${label} again: it was open when Tabscope was last closed.`,
  }),
  again: (label: string): Why => ({ cause: 'asked', reason: `Trying ${label} now, as you asked.` }),
  /** `tries`: how many have failed in a row; `before`: why the last one did. */
  retry: (label: string, tries: number, before: Why): Why => ({
    cause: before.cause,
    reason:
      tries === 0
        ? `Opening ${label}. Previous error: ${before.reason}`
        : `Trying ${label} again, after ${plural(tries, 'try', 'tries')} in vain. The last time: ${before.reason}`,
  }),
  lost: (before: Why): Why => ({
    cause: before.cause,
    reason: `${before.reason} It is being reopened.`,
  }),
  /** `cause`: of its being opened. */
  assigned: (cause: TunnelCause, url: string): Why => ({
    cause,
    reason: `The address is ${url}. Looking whether a request to it arrives here.`,
  }),
  notYet: (url: string, before: Why): Why => ({
    cause: before.cause,
    reason: `Requests to ${url} do not arrive yet; looking again. ${before.reason}`,
  }),
  online: (url: string): Why => ({ cause: 'probe_ok', reason: `Requests to ${url} arrive here.` }),
  /** `said`: what looks wrong, as a sentence. */
  doubted: (cause: TunnelCause, said: string): Why => ({
    cause,
    reason: `${said} Looking whether requests still arrive.`,
  }),
  slow: (before: Why): Why => ({
    cause: before.cause,
    reason: `Something still comes through, but a request of Tabscope's own did not: ${before.reason}`,
  }),
  held: (before: Why): Why => ({
    cause: before.cause,
    reason: `Responses are delayed here, by a rule or for a target, and may use all of its connections: a self-check did not get through. ${before.reason}`,
  }),
  openTimeout: (label: string, ms: number): Why => ({
    cause: 'open_timeout',
    reason: `No URL was received from ${label} within ${Math.round(ms / 1000)} s. Its server may be overloaded, or something in between may delay the connection.`,
  }),
  /** `opening`: something else is to be opened when it is gone. */
  stuck: (label: string, ms: number, opening: boolean): string =>
    `What was opened before (${label}) is not gone after ${Math.round(ms / 1000)} s: its address may still lead here. ${
      opening ? 'The next tunnel is opened when it is.' : 'Close Tabscope to be sure.'
    }`,
  ran: (label: string): Why => ({
    cause: 'ended',
    reason: `The tunnel (${label}) ended without saying why.`,
  }),
  /** `happened`: what has happened to this computer, as a sentence. */
  after: (label: string, happened: Why): Why => ({
    cause: happened.cause,
    reason: `${happened.reason} Trying ${label} again.`,
  }),
  internal: (label: string, what: string, logId: string): Why => ({
    cause: 'internal',
    reason: `By a fault of Tabscope, ${label} could not ${what}. See the log entry ${logId}.`,
  }),
  unknown: (id: string): Why => ({
    cause: 'bad_options',
    reason: `There is no tunnel of the kind ${JSON.stringify(id)} in this version of Tabscope. Choose another.`,
  }),
  badOptions: (said: string): Why => ({ cause: 'bad_options', reason: said }),
  woke: (ms: number): Why => ({
    cause: 'woke',
    reason: `Nothing ran here for ${formatDuration(ms)}: the computer was asleep, or its clock was set.`,
  }),
  networkChanged: (): Why => ({
    cause: 'network_changed',
    reason: 'The network of this computer has changed.',
  }),
  listenerDown: (listener: ListenerState): Why => ({
    cause: 'listener_down',
    reason: `${
      listener.state === 'failed'
        ? listener.message
        : 'The listener does not listen, so a tunnel would lead to nothing.'
    } The tunnel opens by itself once the listener listens.`,
  }),
  listenerBack: (label: string): Why => ({
    cause: 'listener_down',
    reason: `The listener listens again: opening ${label}.`,
  }),
  listenerMoved: (label: string, port: number): Why => ({
    cause: 'listener_down',
    reason: `The listener has moved to port ${port}: reopening ${label}.`,
  }),
} as const
