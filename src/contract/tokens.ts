import { z } from 'zod'
import { Run } from './authorization.ts'
import { Finding, Id } from './models.ts'

const None = z.object({})

/**
 * What happened to a token. `refresh_unreached`: a refresh brought no answer, so the service has refused nothing. `unauthorized` and `forbidden`: the service answered 401 or 403 to a call with it.
 */
export const TokenEvent = z.object({
  kind: z.enum([
    'issued',
    'due',
    'expired',
    'refreshed',
    'refresh_failed',
    'refresh_unreached',
    'unauthorized',
    'forbidden',
    'revoked',
    'replaced',
    'forgotten',
  ]),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** A sentence with more. */
  detail: z.string().nullable(),
  /** The run in whose record more stands. */
  runId: Id.nullable(),
})
export type TokenEvent = z.infer<typeof TokenEvent>

/** What the interface may know of a token: never the token. */
export const TokenView = z.object({
  id: Id,
  integrationId: Id,
  /** Given by the user: whose token it is. */
  label: z.string(),
  /** The last four characters; null when it is shorter than twelve, or not here any more. */
  ending: z.string().nullable(),
  hasRefreshToken: z.boolean(),
  /** Seconds since the epoch, as the service said; null where it did not. */
  initiated: z.int().nullable(),
  expires: z.int().nullable(),
  /** Seconds. */
  expiresIn: z.int().nullable(),
  /** When we got it, in milliseconds since the epoch. */
  obtainedAt: z.number(),
  /** Grows by one each time the token itself changes (refreshed, replaced). */
  version: z.int().positive(),
  /**
   * `suspect`: one call met 401 before its end, so it may be revoked. `revoked`: a second one did as well. `invalid`: a 403 came. `forgotten`: revoked here, its values are gone. `unavailable`: stored, but
   * it cannot be unsealed on this machine.
   */
  standing: z.enum(['good', 'suspect', 'revoked', 'invalid', 'forgotten', 'unavailable']),
  /** Seconds before its end at which it is due. */
  dueBefore: z.int().nonnegative(),
  refreshing: z.boolean(),
  findings: z.array(Finding),
  /** Oldest first, at most the last 100. */
  events: z.array(TokenEvent),
})
export type TokenView = z.infer<typeof TokenView>

export type TokenState = 'active' | 'due' | 'expired' | Exclude<TokenView['standing'], 'good'>

export const tokenCalls = {
  'tokens.list': {
    input: z.object({ integrationId: Id.optional() }),
    output: z.array(TokenView),
  },
  'tokens.label': {
    input: z.object({ id: Id, label: z.string().trim().max(80) }),
    output: TokenView,
  },
  /** Tries the refresh template; resolves when it is over. A refresh that fails is a failed run, not an error. */
  'tokens.refresh': { input: z.object({ id: Id }), output: Run },
  /** Lets the token out; only ever on a click of the user. */
  'tokens.reveal': {
    input: z.object({ id: Id, which: z.enum(['access', 'refresh']) }),
    output: z.object({ value: z.string() }),
  },
  /**
   * Puts the token on the system's clipboard without giving it to the interface; only ever on a click of the user. `copied` is false where the
   * host has no clipboard: the interface then asks for the value for this copy alone (`tokens.reveal`).
   */
  'tokens.copy': {
    input: z.object({ id: Id, which: z.enum(['access', 'refresh']) }),
    output: z.object({ copied: z.boolean() }),
  },
  /** Revokes it here: the values are deleted, the timeline stays. The document shows no way to revoke it at the service. */
  'tokens.forget': { input: z.object({ id: Id }), output: TokenView },
  /** Deletes it with its timeline. */
  'tokens.remove': { input: z.object({ id: Id }), output: None },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
