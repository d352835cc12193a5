import type { RefreshRule, RefreshTemplate } from './integrations.ts'

// Constants of the contract that threads need. They are here because a module with schemas loads zod, which delays the start of a thread.

/** Maximum stored size of a response body in bytes. Further bytes are counted up to a limit, then the connection is closed. */
export const keptAnswerBytes = 1024 * 1024

/** Maximum size of an edited body in bytes. */
export const draftBodyLimit = 6 * 1024 * 1024

/** Number of recent deliveries in the success rate of a forward target. */
export const healthWindow = 100

/** Maximum number of tags of a delivery. */
export const maxTags = 20

export const itemStates = [
  'waiting',
  /** About to be sent, or waiting for the response. */
  'claimed',
  /** Was claimed when Tabscope ended, so it may have been delivered. */
  'uncertain',
  'ok',
  'failed',
  'skipped',
] as const

/**
 * `off`: not requested; `opening`: first attempt; `online`: the last self-probe succeeded; `degraded`: open, but with a
 * problem; `offline`: not open, waiting for the next attempt or unable to retry; `reconnecting`: a replacement is being opened.
 */
export const tunnelStates = [
  'off',
  'opening',
  'online',
  'degraded',
  'offline',
  'reconnecting',
] as const

/** Why a tunnel is in its state. Stable, because scripts and the interface depend on it. The accompanying message is for users. */
export const tunnelCauses = [
  /** The user opened or closed it, or it was open when Tabscope was last closed. */
  'asked',
  'stopped',
  'probe_ok',
  'probe_failed',
  /** The public URL responds, but not from this Tabscope. */
  'other_answer',
  /** The server is not reachable, cannot be found, or did not respond in time. */
  'server_down',
  'server_unresolved',
  'open_timeout',
  /** The server sent an unexpected response. */
  'server_answer',
  /** The server rejected the request. */
  'server_refused',
  /** The other side closed the tunnel or its connections. */
  'ended',
  'program_missing',
  'program_failed',
  /** The listener is not running. */
  'listener_down',
  'woke',
  'network_changed',
  'bad_options',
  'internal',
] as const

/** An assumption: the documented code exchange, with the refresh token instead of the code (RFC 6749, section 6). */
export const defaultRefreshTemplate: RefreshTemplate = {
  method: 'POST',
  path: '/api/oauth/token',
  headers: [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/json'],
  ],
  body: JSON.stringify(
    {
      grant_type: 'refresh_token',
      api_access_id: '{{access_id}}',
      api_access_secret: '{{access_secret}}',
      refresh_token: '{{refresh_token}}',
    },
    null,
    2,
  ),
}

export const defaultRefreshRule: RefreshRule = {
  template: defaultRefreshTemplate,
  provenAt: null,
  automatic: true,
  dueBeforeSeconds: 3600,
}

/** How much of a body is kept with a request of a rehearsal, in bytes. */
export const keptRehearsalBytes = 64 * 1024

/** Default times of a rehearsal of an OAuth client, in milliseconds: until a flow must have begun, and in which nothing must happen. */
export const oauthTimes = { flow: 120_000, watch: 5000 } as const

/** Frameworks with code and advice for handlers. The IDs of `catalogue/raw-body-checks/`. */
export const frameworkIds = [
  'aspnet',
  'django',
  'express',
  'fastify',
  'flask',
  'go',
  'hono',
  'next',
  'php',
  'rails',
  'spring',
] as const
export type FrameworkId = (typeof frameworkIds)[number]
