import { z } from 'zod'
import { ForwardHealth, ForwardTarget, ResponseRule, RuleUse } from './answering.ts'
import { Run } from './authorization.ts'
import {
  DeliverySummary,
  Endpoint,
  ListenerState,
  SandboxState,
  Settings,
  StoreStats,
} from './models.ts'
import { SavedFilter } from './deliveries.ts'
import { Integration } from './integrations.ts'
import { UpdateState } from './desktop.ts'
import { LogsView } from './logs.ts'
import { SandboxService } from './sandbox-service.ts'
import { DraftSummary } from './compose.ts'
import { AttemptSummary, Job } from './sending.ts'
import { TokenView } from './tokens.ts'
import { TunnelView } from './tunnel.ts'

/** Every push from the engine to the interface. */
export const pushes = {
  /**
   * In order of id, `arrivedAtMost` of them. Under a flood not every delivery is pushed: when `stats.newestId` is ahead of what one has,
   * the rest is fetched by `deliveries.page`.
   */
  'deliveries.arrived': z.object({ rows: z.array(DeliverySummary), stats: StoreStats }),
  /** A row changed after it was pushed (pinned, noted, answered late, found to repeat another). */
  'deliveries.changed': z.object({ rows: z.array(DeliverySummary) }),
  /** Rows went: by retention or by the user. */
  'deliveries.removed': z.object({
    reason: z.enum(['retention', 'cleared', 'deleted']),
    stats: StoreStats,
  }),
  /** The search index has come as far as `stats.indexedId`. At most four times a second. */
  'deliveries.indexed': z.object({ stats: StoreStats }),
  'filters.changed': z.array(SavedFilter),
  'listener.changed': ListenerState,
  /** On every change of what it says, at most five times a second but for its state, which is told at once. */
  'tunnel.changed': TunnelView,
  'endpoints.changed': z.array(Endpoint),
  'integrations.changed': z.array(Integration),
  'settings.changed': Settings,
  /** The system's keyring was unlocked. Ask for everything again: capabilities have changed as well. */
  'secrets.changed': z.object({ locked: z.boolean() }),
  'sandbox.changed': SandboxState,
  'sandboxService.changed': SandboxService,
  /** A run began, took a step or ended; the whole of it. */
  'authorization.changed': Run,
  'tokens.changed': z.array(TokenView),
  /** History or saved requests changed: ask again. */
  'api.changed': z.object({ what: z.enum(['history', 'saved']) }),
  /** New ones, oldest first; under a flood the newest of them. Lists of attempts are asked for again where one concerns them. */
  'attempts.made': z.object({ rows: z.array(AttemptSummary) }),
  /** At most five times a second for each job. `removed`: it is gone. */
  'jobs.changed': z.object({ job: Job, removed: z.boolean() }),
  'drafts.changed': z.array(DraftSummary),
  'forwards.changed': z.array(ForwardTarget),
  /** At most five times a second. */
  'forwards.health': z.array(ForwardHealth),
  'responses.changed': z.array(ResponseRule),
  /** At most five times a second. */
  'responses.used': z.array(RuleUse),
  /** Exports and imports as they go on, logs, rules. At most five times a second, but for an end, which is told at once. */
  'logs.changed': LogsView,
  /** At most five times a second. */
  'updates.changed': UpdateState,
} as const satisfies Record<string, z.ZodType>

export type Pushes = typeof pushes
export type PushName = keyof Pushes
export type PushPayload<N extends PushName> = z.output<Pushes[N]>
