import * as z from 'zod'
import { LogWhat } from './logs.ts'
import { Id, None } from './models.ts'
import { Job, JobItem } from './sending.ts'

/** Of the largest scenario. */
export const scenarioLimits = { deliveries: 10_000, bytes: 256 * 1024 * 1024 } as const

export const ScenarioName = z
  .string()
  .trim()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u,
    'The name can have letters, digits, spaces, dots, hyphens and underscores, and at most 80 characters.',
  )

const Count = z.int().nonnegative()

/** What a job says about the scenario that it sends. */
export const ScenarioRun = z.object({
  /** Of the job. */
  id: Id,
  scenario: z.string(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** `interrupted`: paused, cancelled, or Tabscope ended during the run. */
  state: z.enum(['running', 'done', 'interrupted']),
  url: z.string(),
  /** 1: the original pace. Null: at once. */
  speed: z.number().nullable(),
  keepIds: z.boolean(),
  seed: z.int(),
  total: Count,
  /** With a 2xx status. */
  ok: Count,
  failed: Count,
  /** Sent without a signature, because there is no secret. */
  unsigned: Count,
  /** The last complete run to the same target; null: there is none. */
  comparedTo: Id.nullable(),
  /** With another status than in that run. */
  changed: Count,
  /** Why the run ended early; null: it did not, or it was stopped. */
  problem: z.string().nullable(),
})
export type ScenarioRun = z.infer<typeof ScenarioRun>

export const Scenario = z.object({
  id: Id,
  name: z.string(),
  savedAt: z.number(),
  deliveries: Count,
  bytes: Count,
  firstAt: z.number(),
  lastAt: z.number(),
  /** Of the first delivery with one. */
  endpointId: Id.nullable(),
  /** Selected deliveries that cannot be sent again. */
  leftOut: z.array(z.object({ reason: z.string(), count: Count })),
  lastRun: ScenarioRun.nullable(),
})
export type Scenario = z.infer<typeof Scenario>

export const ScenarioDelivery = z.object({
  position: Count,
  /** In its event log: that of the delivery. */
  id: Id,
  receivedAt: z.number(),
  type: z.string().nullable(),
  title: z.string(),
  bytes: Count,
})
export type ScenarioDelivery = z.infer<typeof ScenarioDelivery>

export const ScenarioResult = JobItem.pick({
  position: true,
  status: true,
  error: true,
  durationMs: true,
  before: true,
  attemptId: true,
})
export type ScenarioResult = z.infer<typeof ScenarioResult>

export const scenarioCalls = {
  'scenarios.list': { input: None, output: z.array(Scenario) },
  /** `runs`: newest first. */
  'scenarios.get': {
    input: z.object({ name: ScenarioName }),
    output: z.object({
      scenario: Scenario,
      deliveries: z.array(ScenarioDelivery),
      runs: z.array(ScenarioRun),
    }),
  },
  /** Throws `name_taken`, `bad_filter`, `not_found`, `bad_input` for too many deliveries or none that can be sent. */
  'scenarios.save': {
    input: z.object({
      name: ScenarioName,
      what: LogWhat,
      /** Replaces the scenario with this name, and deletes its runs. */
      force: z.boolean().default(false),
    }),
    output: Scenario,
  },
  'scenarios.remove': { input: z.object({ name: ScenarioName }), output: None },
  /** Starts the job that sends it. Throws `bad_target`, `target_unconfirmed`, `not_found`, `in_use`. */
  'scenarios.run': {
    input: z.object({
      name: ScenarioName,
      /** Null: the target of the last run, else the first forward target of the endpoint. */
      url: z.string().max(8000).nullable(),
      /** Signs with the secret of this endpoint. Null: of that of each delivery, else the one with its path, else the only one. */
      endpointId: Id.nullable().default(null),
      /** Signs instead of the endpoint's secret. Never stored. */
      secret: z.string().min(1).max(1000).optional(),
      speed: z.number().min(0.01).max(100_000).nullable().default(1),
      keepIds: z.boolean().default(false),
      /** Of the new IDs. Absent: random. */
      seed: z
        .int()
        .nonnegative()
        .max(2 ** 31)
        .optional(),
      /** Milliseconds. */
      timeout: z.int().min(1).max(600_000).default(30_000),
      insecure: z.boolean().default(false),
    }),
    output: Job,
  },
} as const

export const scenarioPushes = {
  /** A scenario was saved or deleted. */
  'scenarios.changed': z.object({ name: z.string() }),
} as const
