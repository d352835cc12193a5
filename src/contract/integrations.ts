import * as z from 'zod'
import { brandPattern } from './constants.ts'
import { Header, Id, None, SecretView, UrlSetting } from './models.ts'

/** The API documentation does not show this request ("Refresh exchange: not shown"), so the user can change every part, with `{{refresh_token}}` etc. */
export const RefreshTemplate = z.object({
  method: z.enum(['POST', 'PUT', 'PATCH', 'GET']),
  /** Relative to the base URL. */
  path: z.string().min(1).max(2000),
  headers: z.array(Header).max(50),
  /** JSON with placeholders; empty: no body. */
  body: z.string().max(100_000),
})
export type RefreshTemplate = z.infer<typeof RefreshTemplate>

export const RefreshRule = z.object({
  template: RefreshTemplate,
  /** When this template last returned a token; null: never, so automatic refresh is inactive. */
  provenAt: z.number().nullable(),
  /** Once the template is verified. */
  automatic: z.boolean(),
  /** Before expiry. */
  dueBeforeSeconds: z.int().min(0).max(86_400),
})
export type RefreshRule = z.infer<typeof RefreshRule>

export const Integration = z.object({
  id: Id,
  name: z.string(),
  /** `sandbox`: its URL and credentials are filled in when the sandbox starts. */
  kind: z.enum(['service', 'sandbox']),
  /** As in `X-<brand>-Signature` and `<brand>-WebhookAgent`. */
  brand: z.string(),
  /** `{base_url}` of the API documentation; empty: not entered yet. */
  baseUrl: z.string(),
  /** `api_access_id`; empty: not entered yet. */
  accessId: z.string(),
  accessSecret: SecretView,
  /** Exactly as listed on the dashboard. */
  redirectUrls: z.array(z.string()),
  /** Empty: none is selected. */
  redirectUrl: z.string(),
  refresh: RefreshRule,
})
export type Integration = z.infer<typeof Integration>

export const PreflightCheck = z.object({
  /** Stable: `base_url.missing`, `redirect_url.fragment` ... */
  code: z.string(),
  /** `error`: the flow cannot start. `warning`: the redirect URL may not match the dashboard. */
  outcome: z.enum(['ok', 'warning', 'error']),
  field: z.enum(['baseUrl', 'accessId', 'accessSecret', 'redirectUrl']),
  /** What the check applies to: the selected redirect URL or another listed one. */
  redirectUrl: z.string().nullable(),
  message: z.string(),
  suggestion: z.string().nullable(),
})
export type PreflightCheck = z.infer<typeof PreflightCheck>

export const Preflight = z.object({
  ready: z.boolean(),
  checks: z.array(PreflightCheck),
  /** Must exactly match the entry on the dashboard. */
  redirectUrl: z.string(),
  /** `served`: by a local listener. `paste`: by the user, or in a window of Tabscope, which accepts any URL. */
  redirectMode: z.enum(['served', 'paste']),
  /** With the placeholder `{state}`; null while it cannot be built. */
  authorizeUrl: z.string().nullable(),
  tokenUrl: z.string().nullable(),
})
export type Preflight = z.infer<typeof Preflight>

/** Whether the service answers at its base URL. */
export const ServiceProbe = z.object({
  /** Method and URL. No parameters and no credentials are sent. */
  requested: z.string(),
  /** `error`: the authorization page probably does not work. `unreachable`: there is no response. */
  outcome: z.enum(['answers', 'error', 'unreachable']),
  message: z.string(),
})
export type ServiceProbe = z.infer<typeof ServiceProbe>

export const Brand = z.string().regex(brandPattern, 'Use letters and digits, a letter first.')

const Fields = z.object({
  name: z.string().trim().min(1).max(80),
  brand: Brand,
  baseUrl: UrlSetting.trim().max(2000),
  accessId: z.string().trim().max(1000),
  redirectUrls: z.array(UrlSetting.min(1).max(2000)).max(50),
  /** Must be one of `redirectUrls`, or empty. */
  redirectUrl: UrlSetting.max(2000),
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
  /** Updates the integration with this name (case-insensitive), or creates it. Omitted fields are not changed. */
  'integrations.set': {
    input: Fields.partial().extend({
      name: Fields.shape.name,
      accessSecret: AccessSecret.optional(),
      refresh: RefreshFields.optional(),
    }),
    output: Integration,
  },
  /** Also removes its tokens and runs. Throws `in_use` if endpoints belong to it, or if it is the last one. */
  'integrations.remove': { input: z.object({ id: Id }), output: None },
  'integrations.setAccessSecret': {
    input: z.object({ id: Id, secret: AccessSecret }),
    output: Integration,
  },
  'integrations.clearAccessSecret': { input: z.object({ id: Id }), output: Integration },
  /** Called only when the user asks for it. */
  'integrations.revealAccessSecret': {
    input: z.object({ id: Id }),
    output: z.object({ secret: z.string() }),
  },
  /** Given values override stored ones, to check a form before it is saved. */
  'integrations.preflight': {
    input: z.object({
      id: Id,
      baseUrl: z.string().max(2000).optional(),
      accessId: z.string().max(1000).optional(),
      redirectUrl: z.string().max(2000).optional(),
    }),
    output: Preflight,
  },
  /** Connects to the stored base URL, for at most 5 s. Throws `bad_input` if it cannot be used. */
  'integrations.probe': { input: z.object({ id: Id }), output: ServiceProbe },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
