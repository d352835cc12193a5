import * as z from 'zod'
import { assistantPushes } from './assistants.ts'
import { ForwardHealth, ForwardTarget, ResponseRule, RuleUse } from './endpoint-rules.ts'
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
import { rehearsalPushes } from './rehearsal.ts'
import { scenarioPushes } from './scenarios.ts'
import { HealthAlerts } from './health.ts'
import { holdPushes } from './hold.ts'
import { RelayView } from './relay.ts'
import { SandboxService } from './sandbox-service.ts'
import { scriptPushes } from './scripts.ts'
import { DraftSummary } from './compose.ts'
import { AttemptSummary, Job } from './sending.ts'
import { TokenView } from './tokens.ts'
import { TunnelView } from './tunnel.ts'

export const pushes = {
  /** In order of id, at most `arrivedAtMost`. Under high load not all: when `stats.newestId` is ahead of the last row, fetch the rest (`deliveries.page`). */
  'deliveries.arrived': z.object({ rows: z.array(DeliverySummary), stats: StoreStats }),
  /** After they were pushed: pinned, note added, late response, detected as duplicate. */
  'deliveries.changed': z.object({ rows: z.array(DeliverySummary) }),
  'deliveries.removed': z.object({
    reason: z.enum(['retention', 'cleared', 'deleted']),
    stats: StoreStats,
  }),
  /** At most four times a second. */
  'deliveries.indexed': z.object({ stats: StoreStats }),
  /** Fetch fields and notices again. At most four times a second. */
  'deliveries.observed': z.object({}),
  'filters.changed': z.array(SavedFilter),
  'listener.changed': ListenerState,
  /** At most five times a second, except changes of the state, which are sent immediately. */
  'tunnel.changed': TunnelView,
  /** At most five times a second, except changes of a state. */
  'relay.changed': z.array(RelayView),
  /** An alert was raised or ended, or a rule was changed. */
  'health.changed': HealthAlerts,
  'endpoints.changed': z.array(Endpoint),
  'integrations.changed': z.array(Integration),
  'settings.changed': Settings,
  /** Request a new snapshot, because capabilities have changed as well. */
  'secrets.changed': z.object({ locked: z.boolean() }),
  'sandbox.changed': SandboxState,
  'sandboxService.changed': SandboxService,
  'authorization.changed': Run,
  'tokens.changed': z.array(TokenView),
  /** Fetch them again. */
  'api.changed': z.object({ what: z.enum(['history', 'saved']) }),
  /** Oldest first; under high load only the newest. Fetch a list of attempts again when one belongs to it. */
  'attempts.made': z.object({ rows: z.array(AttemptSummary) }),
  /** At most five times a second for each job. `removed`: the job was deleted. */
  'jobs.changed': z.object({ job: Job, removed: z.boolean() }),
  'drafts.changed': z.array(DraftSummary),
  'forwards.changed': z.array(ForwardTarget),
  /** At most five times a second. */
  'forwards.health': z.array(ForwardHealth),
  'responses.changed': z.array(ResponseRule),
  /** At most five times a second. */
  'responses.used': z.array(RuleUse),
  /** At most five times a second, except the end of a job, which is sent immediately. */
  'logs.changed': LogsView,
  ...holdPushes,
  ...scriptPushes,
  ...rehearsalPushes,
  ...scenarioPushes,
  ...assistantPushes,
  /** At most five times a second. */
  'updates.changed': UpdateState,
} as const satisfies Record<string, z.ZodType>

export type Pushes = typeof pushes
export type PushName = keyof Pushes
export type PushPayload<N extends PushName> = z.output<Pushes[N]>
