import * as z from 'zod'
import {
  endpointRuleCalls,
  ForwardHealth,
  ForwardTarget,
  ResponseRule,
  RuleUse,
} from './endpoint-rules.ts'
import { apiCalls } from './api.ts'
import { authorizationCalls, Run } from './authorization.ts'
import { composeCalls } from './compose.ts'
import { slugPattern } from './constants.ts'
import { deliveryCalls } from './deliveries.ts'
import { desktopCalls, UpdateState } from './desktop.ts'
import { Capabilities } from './host.ts'
import {
  DamagedFile,
  Endpoint,
  Header,
  Id,
  ListenerState,
  None,
  SandboxProblem,
  SandboxRoute,
  SandboxState,
  Settings,
  StoreStats,
  Verdict,
} from './models.ts'
import { Integration, integrationCalls } from './integrations.ts'
import { logCalls, LogsView } from './logs.ts'
import { rehearsalCalls } from './rehearsal.ts'
import { scenarioCalls } from './scenarios.ts'
import { assistantCalls } from './assistants.ts'
import { SandboxService, sandboxServiceCalls } from './sandbox-service.ts'
import { healthCalls } from './health.ts'
import { generateCalls } from './generate.ts'
import { holdCalls } from './hold.ts'
import { relayCalls, RelayView } from './relay.ts'
import { scriptCalls } from './scripts.ts'
import { Job, sendingCalls } from './sending.ts'
import { tokenCalls, TokenView } from './tokens.ts'
import { tunnelCalls, TunnelView } from './tunnel.ts'

export const Snapshot = z.object({
  version: z.string(),
  capabilities: Capabilities,
  listener: ListenerState,
  tunnel: TunnelView,
  settings: Settings,
  integrations: z.array(Integration),
  endpoints: z.array(Endpoint),
  sandbox: SandboxState,
  sandboxService: SandboxService,
  tokens: z.array(TokenView),
  /** Running and waiting runs, and the last run of each integration. */
  runs: z.array(Run),
  forwards: z.array(ForwardTarget),
  forwardHealth: z.array(ForwardHealth),
  responses: z.array(ResponseRule),
  ruleUses: z.array(RuleUse),
  /** Running, paused and interrupted jobs. */
  jobs: z.array(Job),
  logs: LogsView,
  relays: z.array(RelayView),
  updates: UpdateState,
  /** The system's keyring is locked: no secret and no token can be used or stored. */
  secretsLocked: z.boolean(),
  /** Why the CA file in the settings was not loaded at the start; null: it was, or there is none. */
  caFileProblem: z.string().nullable(),
  damagedFiles: z.array(DamagedFile),
  stats: StoreStats,
  /** For each of the last 60 minutes, oldest first. The last entry is the current minute. */
  perMinute: z.array(z.int().nonnegative()).length(60),
})
export type Snapshot = z.infer<typeof Snapshot>

const EndpointInput = z.object({
  name: z.string().trim().min(1).max(80),
  integrationId: Id,
  slug: z
    .string()
    .regex(slugPattern, 'Use 1 to 63 lower-case letters, digits and hyphens, not at either end.'),
  applicationId: z.string().max(200),
  customHeaders: z.array(Header).max(100),
})

export const EndpointActivity = z.object({
  endpointId: Id,
  /** Null: it has no stored delivery. */
  last: z
    .object({
      id: Id,
      receivedAt: z.number(),
      verdict: Verdict,
      /** Status of the response of the user's handler; 0: there was none. Null: it was not sent to one. */
      handler: z.int().nullable(),
    })
    .nullable(),
  tenMinutes: z.int().nonnegative(),
})
export type EndpointActivity = z.infer<typeof EndpointActivity>

/** `<subject>.<verb>`. New calls need no changes in preload or transports. */
export const calls = {
  'app.snapshot': { input: None, output: Snapshot },

  ...deliveryCalls,

  /** Of each endpoint: its last delivery, and how many it had in the last ten minutes. */
  'endpoints.activity': { input: None, output: z.array(EndpointActivity) },
  'endpoints.create': {
    input: EndpointInput.extend({
      secret: z.string().max(1000).optional(),
    }),
    output: Endpoint,
  },
  'endpoints.update': { input: EndpointInput.partial().extend({ id: Id }), output: Endpoint },
  'endpoints.remove': { input: z.object({ id: Id }), output: None },
  /**
   * `secret` becomes the current one, by default a random one. The one that verified deliveries until now becomes the previous one, or is deleted with
   * `keepPrevious: false`.
   */
  'endpoints.rotateSecret': {
    input: z.object({
      id: Id,
      secret: z.string().min(1).max(1000).optional(),
      keepPrevious: z.boolean().default(true),
    }),
    output: Endpoint,
  },
  /**
   * Replaces a secret that was entered wrong, and keeps the other one. With `deliveryId`: the current one, by the secret that signed this delivery, if it
   * is a known one or a variant of one; then the one that verified other deliveries is kept. Throws `not_found`.
   */
  'endpoints.correctSecret': {
    input: z.object({
      id: Id,
      which: z.enum(['current', 'previous']).default('current'),
      secret: z.string().min(1).max(1000).optional(),
      deliveryId: Id.optional(),
    }),
    output: Endpoint,
  },
  /** Sets the secrets of before the last rotation or correction in this run of Tabscope. Throws `not_found`. */
  'endpoints.undoSecret': { input: z.object({ id: Id }), output: Endpoint },
  /** The current and the previous one. Deliveries are then `unsigned`. */
  'endpoints.clearSecret': { input: z.object({ id: Id }), output: Endpoint },
  /** Called only when the user asks for it. */
  'endpoints.revealSecret': {
    input: z.object({ id: Id, which: z.enum(['current', 'previous']) }),
    output: z.object({ secret: z.string() }),
  },

  ...integrationCalls,
  ...authorizationCalls,
  ...tokenCalls,
  ...apiCalls,
  ...holdCalls,
  ...scriptCalls,
  ...sendingCalls,
  ...composeCalls,
  ...endpointRuleCalls,
  ...tunnelCalls,
  ...logCalls,
  ...desktopCalls,
  ...rehearsalCalls,
  ...scenarioCalls,
  ...relayCalls,
  ...healthCalls,
  ...generateCalls,

  'settings.update': { input: Settings.partial(), output: Settings },

  /** Or restarts it. Without `port`: the port of the settings. */
  'listener.start': {
    input: z.object({ port: z.int().min(0).max(65535).optional() }),
    output: ListenerState,
  },

  /** One sample of each given type, over real HTTP. */
  'sandbox.send': {
    input: z.object({
      endpointId: Id,
      types: z.array(z.string()).min(1).max(100),
      through: SandboxRoute.default('listener'),
      problem: SandboxProblem.nullable().default(null),
    }),
    output: z.object({ sent: z.int().nonnegative() }),
  },
  'sandbox.startTraffic': {
    input: z.object({
      endpointId: Id,
      rate: z.number().min(0.1).max(1000),
      seed: z.int().nonnegative().optional(),
      through: SandboxRoute.default('listener'),
    }),
    output: SandboxState,
  },
  'sandbox.stop': { input: None, output: SandboxState },
  ...sandboxServiceCalls,
  ...assistantCalls,
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export type Calls = typeof calls
export type CallName = keyof Calls
/** For a caller: fields with defaults are optional. */
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>
/** For a handler: parsed, with defaults filled in. */
export type ParsedInput<N extends CallName> = z.output<Calls[N]['input']>
export type CallOutput<N extends CallName> = z.output<Calls[N]['output']>
/** Rejects with an `AppError`. */
export type Handlers = {
  readonly [N in CallName]: (input: ParsedInput<N>) => Promise<CallOutput<N>>
}
