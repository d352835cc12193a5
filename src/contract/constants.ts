import { plural } from '#shared/text/format.ts'

// Threads need these. A module with schemas loads zod, which delays the start of a thread.

/** Of a response body. Further bytes are counted up to a limit, then the connection is closed. */
export const keptResponseBytes = 1024 * 1024

/** In bytes. */
export const draftBodyLimit = 6 * 1024 * 1024

/** `receivedAt` of a delivery whose time is unknown, from a HAR entry without one. */
export const unknownTime = 0

/** Recent deliveries in the success rate of a forward target. */
export const healthWindow = 100

/** Beyond either, a matching delivery is not held and goes on. */
export const maxHeld = { deliveries: 100, bytes: 64 * 1024 * 1024 } as const
/** Of a delivery whose response waits. The API documentation does not say how long the service waits. */
export const holdLimit = { defaultMs: 10_000, maxMs: 120_000 } as const

/** Their result is a secret: they are made only at the explicit request of the user. */
export const revealingCalls: ReadonlySet<string> = new Set([
  'api.reveal',
  'authorization.reveal',
  'endpoints.revealSecret',
  'integrations.revealAccessSecret',
  'tokens.reveal',
])

/** Of an endpoint. */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export const maxTags = 20
/** Stored with a delivery. */
export const maxCauses = 4

export const itemStates = [
  'waiting',
  /** Being sent, or waiting for the response. */
  'claimed',
  /** Was claimed when Tabscope ended, so it may have been delivered. */
  'uncertain',
  'ok',
  'failed',
  'skipped',
] as const

/**
 * `opening`: first attempt; `online`: the last self-probe succeeded; `degraded`: open, but with a problem; `offline`: waiting for the next attempt, or
 * unable to retry; `reconnecting`: a replacement is being opened.
 */
export const tunnelStates = [
  'off',
  'opening',
  'online',
  'degraded',
  'offline',
  'reconnecting',
] as const

/** Stable, because scripts and the interface depend on it. The accompanying message is for users. */
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
  'server_answer',
  'server_refused',
  /** The other side closed the tunnel or its connections. */
  'ended',
  'program_missing',
  'program_failed',
  'listener_down',
  'woke',
  'bad_options',
  'internal',
] as const

/** Per request of a rehearsal. */
export const keptRehearsalBytes = 64 * 1024

/** In milliseconds, for an OAuth client: until a flow must have begun, and in which nothing must happen. */
export const oauthTimes = { flow: 120_000, watch: 5000 } as const

/** Part of the names of headers. */
export const brandPattern = /^[A-Za-z][A-Za-z0-9]{0,39}$/

/** What `generate` writes. */
export const generateOutputs = [
  'types',
  'schema',
  'openapi',
  'asyncapi',
  'handler',
  'fixtures',
] as const
export type GenerateOutput = (typeof generateOutputs)[number]

/** Rows in `deliveries.arrived`. The interface fetches further rows when it shows them. */
export const arrivedAtMost = 100

/** API documentation, "Signature verification". `missing`: a secret is set, but there is no signature. `unsigned`: neither. `unchecked`: no secret is set. */
export const verdicts = ['valid', 'invalid', 'missing', 'unsigned', 'unchecked'] as const

/** What masking does, for the interface, the help of the command line and the guide. */
export const maskingRules = [
  {
    what: 'As received',
    values:
      'documented fields that are known to be harmless: types, times, amounts, and names of spots, zones, products and tags; also protocol headers',
  },
  {
    what: 'Alias',
    values:
      'IDs, locations, addresses, items of no known product, and names, email addresses and phone numbers of guests: uuid 7, name 1. In one file, the same value has the same alias',
  },
  {
    what: 'Masked',
    values:
      'everything else: undocumented fields, other headers, notes and your tags. A mask shows the kind of text, not the value: Xxxxx 00000',
  },
] as const

/** `12 aliases, 30 masked values`. */
export function removedLabel({
  aliases = 0,
  masked = 0,
}: Readonly<Record<string, number>>): string {
  return `${plural(aliases, 'alias', 'aliases')}, ${plural(masked, 'masked value', 'masked values')}`
}

/** Until now. */
export const healthRanges = ['hour', 'day', 'week', 'month', 'year'] as const
export const healthGroupings = ['endpoint', 'location', 'type'] as const
export const alertKinds = ['silence', 'signatures', 'handler', 'delay', 'cause'] as const
/** Like hours that an alert needs. */
export const likeHoursNeeded = 3

/** In characters. */
export const maxScriptLength = 65_536

/** Deliveries of a job. */
export const jobLimit = 100_000

/** Filter fields whose values the engine suggests. */
export const suggestedFields = [
  'location',
  'tag',
  'finding',
  'type',
  'header',
  'status',
  'spot',
  'zone',
  'item',
  'tab',
  'order',
  'guest',
  'relay',
  'receiver',
] as const

/** Per chunk of a fed file, in bytes. */
export const feedLimit = 1024 * 1024

/** The interface checks `can('...')` instead of which host it runs in. */
export const capabilityNames = [
  /** The authorization page opens in a window of Tabscope. */
  'embeddedAuthWindow',
  /** Files are saved and opened with the system's dialogs. */
  'nativeDialogs',
  /** Secrets are encrypted by the operating system's secret store. */
  'osSecretStore',
  /** Continues capturing without a window, and shows its state in the system's tray. */
  'background',
  'notifications',
  'links',
  'updates',
] as const

export const noCapabilities: Readonly<Record<(typeof capabilityNames)[number], boolean>> = {
  embeddedAuthWindow: false,
  nativeDialogs: false,
  osSecretStore: false,
  background: false,
  notifications: false,
  links: false,
  updates: false,
}
