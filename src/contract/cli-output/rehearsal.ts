import { z } from 'zod'
import { RehearsalGrade, RehearsalLevel, RehearsalResult } from '../rehearsal.ts'
import { Duration } from './common.ts'

/** One case of a rehearsal, as it ends. */
export const RehearsalCaseOutput = z.strictObject({
  event: z.literal('case'),
  /** Stable: `S4`. */
  id: z.string(),
  /** The worst result of its variants. */
  result: RehearsalResult,
  level: RehearsalLevel,
  sent: z.string(),
  expected: z.string(),
  received: z.string(),
  /** Why it did not pass. */
  reason: z.string().nullable(),
  /** The command that repeats only this case. */
  repeat: z.string(),
  /** How to fix it, in general and in the framework of `--framework`. Null: it passed, or was skipped. */
  fix: z.string().nullable(),
  durationMs: Duration,
  variants: z.array(
    z.strictObject({
      name: z.string(),
      result: RehearsalResult,
      received: z.string(),
      reason: z.string().nullable(),
    }),
  ),
})

/** The last line of `rehearse`. */
export const RehearsalOutput = z.strictObject({
  event: z.literal('rehearsal'),
  /** Null: the run is partial, or could not judge the handler. */
  grade: RehearsalGrade.nullable(),
  /** The case that caps the grade, or `no-secret`. */
  cappedBy: z.string().nullable(),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  warned: z.int().nonnegative(),
  review: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  flaky: z.int().nonnegative(),
  seed: z.int().nonnegative(),
  runId: z.int().positive(),
  state: z.enum(['running', 'interrupted', 'done', 'cancelled', 'failed']),
  /** Why the handler could not be judged, or why the run is incomplete. */
  problem: z.strictObject({ message: z.string(), causes: z.array(z.string()) }).nullable(),
})

/** What an app must be configured with, at the start of `rehearse oauth`. */
export const RehearsalClientOutput = z.strictObject({
  event: z.literal('client'),
  baseUrl: z.string(),
  accessId: z.string(),
  /** Null: the one that was given. */
  accessSecret: z.string().nullable(),
})

/** What the user has to do next, in `rehearse oauth` without --start-url. */
export const RehearsalStepOutput = z.strictObject({
  event: z.literal('step'),
  step: z.string(),
})

/** One case of the catalogue, in `rehearse list`. */
export const RehearsalDefinitionOutput = z.strictObject({
  event: z.literal('rehearsal_case'),
  id: z.string(),
  group: z.string(),
  level: RehearsalLevel,
  title: z.string(),
  expected: z.string(),
  why: z.string(),
  /** The section of the API documentation, or the RFC. */
  basis: z.string().nullable(),
  /** The result depends on an effect, which needs an oracle. */
  needsOracle: z.boolean(),
  load: z.boolean(),
})

export const rehearsalOutputs = [
  RehearsalCaseOutput,
  RehearsalOutput,
  RehearsalClientOutput,
  RehearsalStepOutput,
  RehearsalDefinitionOutput,
] as const
