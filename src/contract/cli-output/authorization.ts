import { z } from 'zod'
import { Id } from '../models.ts'
import { Time } from './common.ts'

/** The address to open, and where the browser is redirected to afterwards. */
export const AuthorizeUrlOutput = z.strictObject({
  event: z.literal('authorize_url'),
  url: z.string().nullable(),
  redirectUrl: z.string(),
  runId: Id,
})

/** A deviation of a token response from the API documentation. */
export const TokenFinding = z.looseObject({ code: z.string(), message: z.string() })

/** A token; never its value, unless `token show --reveal` asks for it. */
export const TokenOutput = z.strictObject({
  event: z.literal('token'),
  id: Id,
  integrationId: Id,
  label: z.string(),
  state: z.enum([
    'active',
    'due',
    'expired',
    'suspect',
    'revoked',
    'invalid',
    'forgotten',
    'unavailable',
  ]),
  /** The last four characters of the value. */
  ending: z.string().nullable(),
  hasRefreshToken: z.boolean(),
  /** As the service sent them, in seconds since the epoch; the same as times are `initiatedAt` and `expiresAt`. */
  initiated: z.int().nullable(),
  expires: z.int().nullable(),
  /** Seconds, as the service sent it. */
  expiresIn: z.int().nullable(),
  initiatedAt: Time.nullable(),
  expiresAt: Time.nullable(),
  obtainedAt: Time,
  version: z.int().positive(),
  refreshing: z.boolean(),
  findings: z.array(TokenFinding),
  /** Oldest first. */
  timeline: z.array(
    z.strictObject({
      kind: z.string(),
      at: Time,
      detail: z.string().nullable(),
      runId: Id.nullable(),
    }),
  ),
  /** Only with `--reveal`. */
  accessToken: z.string().optional(),
  refreshToken: z.string().optional(),
})

export const authorizationOutputs = [AuthorizeUrlOutput, TokenOutput] as const
