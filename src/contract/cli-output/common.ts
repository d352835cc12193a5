import { z } from 'zod'
import { AssistantTarget, Severity } from '../models.ts'

// What the command line prints with `--json`: one object a line, told apart by `event`. These shapes are version 1 of a public format: keys keep
// their names and meaning, and new ones may be added. The ID of a thing is its `id`, that of another one `<kind>Id`. Times are whole
// milliseconds since the epoch and end in `At`; durations are milliseconds with at most one decimal and end in `Ms`.

/** The version of the format; `tabscope version --json` prints it as `outputVersion`. It grows when a key changes its name or meaning. */
export const outputVersion = 1

/** Whole milliseconds since the epoch. */
export const Time = z.int()

/** Milliseconds, with at most one decimal. */
export const Duration = z
  .number()
  .refine((ms) => Math.abs(ms * 10 - Math.round(ms * 10)) < 1e-6, 'A duration has one decimal.')

/** What went wrong inside of another object. `code` is stable; `message` is a sentence that says what to do. */
export const ErrorOutput = z.strictObject({ code: z.string(), message: z.string() })
export type ErrorOutput = z.infer<typeof ErrorOutput>

/** A header: name with its case, value as Latin-1 text. */
export const HeaderOutput = z.tuple([z.string(), z.string()])

/** One deviation from the API documentation. */
export const FindingOutput = z.strictObject({
  code: z.string(),
  severity: Severity,
  /** `body.createdAt`, `header.x-service-signature`, `request` ... */
  location: z.string(),
  message: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
})
export type FindingOutput = z.infer<typeof FindingOutput>

/** Milliseconds of each phase of an HTTP request; null: it did not take place. */
export const TimingsOutput = z.strictObject({
  dnsMs: Duration.nullable(),
  connectMs: Duration.nullable(),
  tlsMs: Duration.nullable(),
  firstByteMs: Duration.nullable(),
  totalMs: Duration,
})
export type TimingsOutput = z.infer<typeof TimingsOutput>

/** Every failure of a command: the last line of its output. `code` is stable. */
export const Failed = z.strictObject({
  event: z.literal('failed'),
  code: z.string(),
  message: z.string(),
  /** Of an authorization or a refresh: what it means, and what to do. */
  meaning: z.string().nullable().optional(),
  remedy: z.string().nullable().optional(),
})

/** The result of `mcp install`. */
const AssistantConfigured = z.strictObject({
  event: z.literal('assistant_configured'),
  assistant: z.string(),
  file: z.string(),
  /** False: it was configured already. */
  changed: z.boolean(),
})

/** A target that coding assistants may ask to send to. */
const AssistantTargetOutput = z.strictObject({
  event: z.literal('assistant_target'),
  ...AssistantTarget.shape,
})

/** A target was removed. */
const AssistantTargetRemoved = z.strictObject({
  event: z.literal('assistant_target_removed'),
  name: z.string(),
})

/** Instructions for coding assistants, in Markdown. */
const Skill = z.strictObject({ event: z.literal('skill'), name: z.string(), text: z.string() })

/** The result of `skills install`. */
const SkillInstalled = z.strictObject({
  event: z.literal('skill_installed'),
  name: z.string(),
  file: z.string(),
  /** False: the file was up to date. */
  changed: z.boolean(),
})

/** Something was removed or deleted. */
export const Removed = z.strictObject({
  event: z.literal('removed'),
  kind: z.enum([
    'delivery',
    'endpoint',
    'event_log',
    'forward_target',
    'integration',
    'rule',
    'token',
  ]),
  id: z.int().positive(),
})

export const VersionOutput = z.strictObject({
  event: z.literal('version'),
  version: z.string(),
  outputVersion: z.literal(outputVersion),
})

/** What `serve` and `listen` print once they receive webhooks. */
export const Ready = z.strictObject({
  event: z.literal('ready'),
  /** Only `serve`: the address of the interface. It holds the token of this session. */
  ui: z.string().optional(),
  /** The origin of the listener; null: it could not be started. */
  listener: z.string().nullable(),
  /** The webhook URL of the default endpoint. */
  endpoint: z.string().nullable(),
  dataDir: z.string(),
})

/** What `sandbox` prints once it runs: a base URL and credentials that are valid as long as it does. */
export const SandboxReady = z.strictObject({
  event: z.literal('ready'),
  baseUrl: z.string(),
  accessId: z.string(),
  accessSecret: z.string(),
  redirectUrls: z.array(z.string()),
})

/** Deliveries cannot be stored (`failing` says why), or can again (null). */
export const Storage = z.strictObject({
  event: z.literal('storage'),
  failing: z.string().nullable(),
})

/** A page asked for a new link to the interface. */
export const Link = z.strictObject({ event: z.literal('link'), ui: z.string() })

/** A webhook that `sandbox` sent. */
export const WebhookOutput = z.strictObject({
  event: z.literal('webhook'),
  url: z.string(),
  type: z.string(),
  /** Null: no response. */
  status: z.int().nullable(),
  /** The response has a 2xx status. */
  ok: z.boolean(),
  durationMs: Duration,
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** Only without a response. */
  error: ErrorOutput.nullable(),
})

/** One check of `self-check`. */
export const CheckOutput = z.strictObject({
  event: z.literal('check'),
  check: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  durationMs: Duration,
  /** What was found, why it failed, or why it was skipped. */
  detail: z.string().nullable(),
})

/** The last line of `self-check`. */
export const VerdictOutput = z.strictObject({
  event: z.literal('verdict'),
  verdict: z.enum(['passed', 'failed']),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  durationMs: Duration,
  version: z.string().optional(),
  packaged: z.boolean().optional(),
  /** Version of Node. */
  node: z.string().optional(),
  /** Only of the desktop app. */
  electron: z.string().optional(),
  chromium: z.string().optional(),
  system: z.string().optional(),
})

/** The script that `completion` prints. */
export const CompletionOutput = z.strictObject({
  event: z.literal('completion'),
  shell: z.enum(['bash', 'zsh', 'fish', 'powershell']),
  script: z.string(),
})

export const commonOutputs = [
  Failed,
  Removed,
  VersionOutput,
  Ready,
  SandboxReady,
  Storage,
  Link,
  WebhookOutput,
  CheckOutput,
  VerdictOutput,
  CompletionOutput,
  AssistantConfigured,
  AssistantTargetOutput,
  AssistantTargetRemoved,
  Skill,
  SkillInstalled,
] as const
