import * as z from 'zod'
import { Run } from './authorization.ts'
import { Finding, Id, None } from './models.ts'

/** `refresh_unreached`: no response, or too many requests, so the service did not reject the refresh. `unauthorized` and `forbidden`: a call with the token got 401 or 403. */
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
  at: z.number(),
  detail: z.string().nullable(),
  runId: Id.nullable(),
})
export type TokenEvent = z.infer<typeof TokenEvent>

/** Never the token itself. */
export const TokenView = z.object({
  id: Id,
  integrationId: Id,
  /** Identifies the owner of the token for the user. */
  label: z.string(),
  /** The last four characters; null when the token is shorter than twelve or no longer stored. */
  ending: z.string().nullable(),
  hasRefreshToken: z.boolean(),
  /** Seconds since the epoch, as reported by the service; null: not reported. */
  initiated: z.int().nullable(),
  expires: z.int().nullable(),
  /** Seconds. */
  expiresIn: z.int().nullable(),
  obtainedAt: z.number(),
  /** Incremented when the token is refreshed or replaced. */
  version: z.int().positive(),
  /**
   * `suspect`: one call got 401 before expiry, so the token may be revoked. `revoked`: a second call got 401 too. `invalid`: a call got 403.
   * `forgotten`: revoked in Tabscope, its values are deleted. `unavailable`: stored, but cannot be decrypted on this computer.
   */
  status: z.enum(['good', 'suspect', 'revoked', 'invalid', 'forgotten', 'unavailable']),
  /** Before expiry. */
  dueBeforeSeconds: z.int().nonnegative(),
  refreshing: z.boolean(),
  findings: z.array(Finding),
  /** Oldest first, at most the last 100. */
  events: z.array(TokenEvent),
})
export type TokenView = z.infer<typeof TokenView>

export type TokenState = 'active' | 'due' | 'expired' | Exclude<TokenView['status'], 'good'>

export const tokenCalls = {
  'tokens.list': {
    input: z.object({ integrationId: Id.optional() }),
    output: z.array(TokenView),
  },
  'tokens.label': {
    input: z.object({
      id: Id,
      label: z.string().trim().max(80).describe('Text of the label; empty to remove it'),
    }),
    output: TokenView,
  },
  /** Resolves when the refresh has finished. A failed refresh is a failed run, not an exception. */
  'tokens.refresh': { input: z.object({ id: Id }), output: Run },
  /** Called only when the user asks for it. */
  'tokens.reveal': {
    input: z.object({ id: Id, which: z.enum(['access', 'refresh']) }),
    output: z.object({ value: z.string() }),
  },
  /** To the system's clipboard, without sending it to the interface. `copied` false: the host has none, so the interface uses `tokens.reveal`. */
  'tokens.copy': {
    input: z.object({ id: Id, which: z.enum(['access', 'refresh']) }),
    output: z.object({ copied: z.boolean() }),
  },
  /** The values are deleted, the timeline stays. The API documentation shows no way to revoke a token at the service. */
  'tokens.forget': { input: z.object({ id: Id }), output: TokenView },
  /** With its timeline. */
  'tokens.remove': { input: z.object({ id: Id }), output: None },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
