import { z } from 'zod'
import { Header, Id, SecretView } from './models.ts'

const None = z.object({})

/**
 * The request that refreshes a token. The service's document does not show one (SPEC, "Refresh exchange: not shown"): every part is the
 * user's to change. `{{refresh_token}}`, `{{access_id}}` and `{{access_secret}}` are filled in, in path, headers and body.
 */
export const RefreshTemplate = z.object({
  method: z.enum(['POST', 'PUT', 'PATCH', 'GET']),
  /** Under the base URL. */
  path: z.string().min(1).max(2000),
  headers: z.array(Header).max(50),
  /** JSON with placeholders; empty: no body. */
  body: z.string().max(100_000),
})
export type RefreshTemplate = z.infer<typeof RefreshTemplate>

/** An assumption: the document's code exchange, with the refresh token in the place of the code (RFC 6749, section 6). */
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

export const RefreshRule = z.object({
  template: RefreshTemplate,
  /** When this template last brought a token, in milliseconds since the epoch; null: never, so nothing refreshes by itself. */
  provenAt: z.number().nullable(),
  /** Whether tokens are refreshed without being asked, once the template is proven. */
  automatic: z.boolean(),
  /** Seconds before its end at which a token is due. */
  dueBefore: z.int().min(0).max(86_400),
})
export type RefreshRule = z.infer<typeof RefreshRule>

export const defaultRefreshRule: RefreshRule = {
  template: defaultRefreshTemplate,
  provenAt: null,
  automatic: true,
  dueBefore: 3600,
}

/** A client application of the service. */
export const Integration = z.object({
  id: Id,
  name: z.string(),
  /** `sandbox`: the built-in one; its address and credentials are filled in when the sandbox starts. */
  kind: z.enum(['service', 'sandbox']),
  /** The word in `X-<brand>-Signature` and `<brand>-WebhookAgent`. */
  brand: z.string(),
  /** `{base_url}` of the document; empty: not entered yet. */
  baseUrl: z.string(),
  /** `api_access_id`; empty: not entered yet. */
  accessId: z.string(),
  accessSecret: SecretView,
  /** As listed on the dashboard, to the byte. */
  redirectUrls: z.array(z.string()),
  /** The one of them that a flow uses; empty: none is chosen. */
  redirectUrl: z.string(),
  refresh: RefreshRule,
})
export type Integration = z.infer<typeof Integration>

/** One thing looked at before anything is opened. */
export const PreflightCheck = z.object({
  /** Stable: `base_url.missing`, `redirect_url.fragment` ... */
  code: z.string(),
  /** `error`: the flow cannot begin. `warning`: it may well fail on the dashboard's comparison. */
  outcome: z.enum(['ok', 'warning', 'error']),
  field: z.enum(['baseUrl', 'accessId', 'accessSecret', 'redirectUrl']),
  /** Which redirect URL it is about: the one in use, or another one that is listed; null: about none. */
  redirectUrl: z.string().nullable(),
  message: z.string(),
  /** What the field would be if this were mended. */
  suggestion: z.string().nullable(),
})
export type PreflightCheck = z.infer<typeof PreflightCheck>

export const Preflight = z.object({
  /** True when no check is an error. */
  ready: z.boolean(),
  checks: z.array(PreflightCheck),
  /** What must equal the dashboard's entry to the byte. */
  redirectUrl: z.string(),
  /** How the user comes back: `served` by a listener of ours, else by `paste` (or in a window of ours, which takes any). */
  comesBack: z.enum(['served', 'paste']),
  /** The authorization address, with `{state}` where each run puts its own; null while it cannot be built. */
  authorizeUrl: z.string().nullable(),
  /** The token endpoint's address; null while it cannot be built. */
  tokenUrl: z.string().nullable(),
})
export type Preflight = z.infer<typeof Preflight>

const Fields = z.object({
  name: z.string().trim().min(1).max(80),
  brand: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/, 'Use letters and digits, a letter first.'),
  baseUrl: z.string().trim().max(2000),
  accessId: z.string().trim().max(1000),
  redirectUrls: z.array(z.string().min(1).max(2000)).max(50),
  /** Must be one of `redirectUrls`, or empty. */
  redirectUrl: z.string().max(2000),
})

const AccessSecret = z.string().min(1).max(4000)
const RefreshFields = RefreshRule.omit({ provenAt: true }).partial()

export const integrationCalls = {
  'integrations.create': {
    input: Fields.partial().extend({
      name: Fields.shape.name,
      accessSecret: AccessSecret.optional(),
    }),
    output: Integration,
  },
  'integrations.update': {
    input: Fields.partial().extend({ id: Id, refresh: RefreshFields.optional() }),
    output: Integration,
  },
  /** Changes the integration of this name, whatever its case, or creates it where there is none. What is left out stays as it is. */
  'integrations.set': {
    input: Fields.partial().extend({
      name: Fields.shape.name,
      accessSecret: AccessSecret.optional(),
      refresh: RefreshFields.optional(),
    }),
    output: Integration,
  },
  /** With its tokens and runs. Refused with `in_use` while endpoints belong to it, and for the last one. */
  'integrations.remove': { input: z.object({ id: Id }), output: None },
  'integrations.setAccessSecret': {
    input: z.object({ id: Id, secret: AccessSecret }),
    output: Integration,
  },
  'integrations.clearAccessSecret': { input: z.object({ id: Id }), output: Integration },
  /** Lets the secret out; only ever on a click of the user. */
  'integrations.revealAccessSecret': {
    input: z.object({ id: Id }),
    output: z.object({ secret: z.string() }),
  },
  /** What is given stands in for what is stored, to check a form before it is saved. */
  'integrations.preflight': {
    input: z.object({
      id: Id,
      baseUrl: z.string().max(2000).optional(),
      accessId: z.string().max(1000).optional(),
      redirectUrl: z.string().max(2000).optional(),
    }),
    output: Preflight,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
