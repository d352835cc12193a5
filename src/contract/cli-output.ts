import * as z from 'zod'
import { ApiExchange } from './api.ts'
import { EndpointActivity } from './calls.ts'
import { Backup } from './desktop.ts'
import {
  Diagnosis,
  DiagnosisCause,
  FieldNotice,
  Trace,
  TypeConformance,
  TypeFields,
} from './deliveries.ts'
import { DescribedClaims } from './forwarded.ts'
import { Alert, HealthAlerts, HealthOverview } from './health.ts'
import { HeldDelivery, HoldRule } from './hold.ts'
import { Integration, Preflight } from './integrations.ts'
import { EventLog, LogExport, LogFormatView, LogPreview } from './logs.ts'
import {
  DamagedFile,
  AssistantTarget,
  Delivery,
  DeliverySummary,
  Endpoint,
  Finding,
  Id,
  Verdict,
} from './models.ts'
import { CaseResult, OAuthClientConfig, Rehearsal, RehearsalLevel } from './rehearsal.ts'
import { Scenario, ScenarioDelivery, ScenarioResult, ScenarioRun } from './scenarios.ts'
import { Script, ScriptResult, ScriptRun } from './scripts.ts'
import { ForwardHealth, ForwardTarget, ResponseRule, RuleUse } from './endpoint-rules.ts'
import { RelayView } from './relay.ts'
import { Attempt, AttemptResponse, AttemptSummary, Job, JobItem, JobPlan } from './sending.ts'
import { TokenView } from './tokens.ts'
import { TunnelView } from './tunnel.ts'

// What the command line prints with `--json`: one object a line, with `event` first. The shapes are those of the contract, and version 1 of a public
// format: keys keep their names and meaning, and new ones may be added. Times are milliseconds since the epoch and end in `At`, durations are
// milliseconds and end in `Ms`: `print` makes the former whole numbers and gives the latter at most one decimal.

/** `tabscope version --json` prints it as `outputVersion`. It grows when a key changes its name or meaning. */
export const outputVersion = 1

const Count = z.int().nonnegative()
const DurationMs = z.number()
const Failure = z.object({ code: z.string(), message: z.string() })

/** Both are absent if there is no body. */
const body = {
  /** The value of a JSON body, with numbers as received; other text as a string. */
  body: z.unknown().optional(),
  /** Bytes that are not UTF-8 text. */
  bodyBase64: z.string().optional(),
}

const TokenStateName = z.enum([
  'active',
  'due',
  'expired',
  ...TokenView.shape.status.exclude(['good']).options,
])

const ListedDelivery = DeliverySummary.extend({ findings: z.array(Finding) })

const Diff = z.object({
  deliveryIds: z.tuple([Id, Id]),
  /** Header values and bodies are the same; the order of headers and the case of their names are not compared. */
  equal: z.boolean(),
  /** By name, in the order of the first delivery. Null: the delivery does not have it. */
  headers: z.array(
    z.object({
      name: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      before: z.array(z.string()).nullable(),
      after: z.array(z.string()).nullable(),
    }),
  ),
  body: z.object({
    equal: z.boolean(),
    as: z.enum(['json', 'text', 'bytes']),
    bytes: z.tuple([Count, Count]),
    /** The first byte that differs, from 0; null: equal. */
    firstDifference: Count.nullable(),
    /** As JSON: values that differ; empty with `equal` false: only the notation differs. Values are JSON text. */
    values: z.array(
      z.object({
        /** `data.items[3].price`; empty: the document itself. */
        path: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
    /** As text, or as JSON in another notation: lines that differ. */
    lines: z.array(z.object({ change: z.enum(['added', 'removed']), text: z.string() })),
  }),
})

const [Nothing, Request, Skip, Response, FailedScript] = ScriptResult.options

/** The shape of each line, by its `event`. A union where lists print less than commands that show one thing. */
export const cliLines = {
  delivery: z.union([
    ListedDelivery,
    Delivery.extend({
      findings: z.array(Finding),
      /** Of proxy headers about the sender; any sender can set them. */
      claims: DescribedClaims.nullable(),
      ...body,
      /** `Content-Encoding` that was removed for `body`. `bodyBase64` then has the bytes as received, over which the signature is. */
      bodyDecodedFrom: z.string().optional(),
      /** Why the content encoding could not be removed. */
      bodyProblem: z.string().optional(),
    }),
  ]),
  diagnosis: Diagnosis.extend({ deliveryId: Id }),
  trace: Trace.extend({
    deliveryId: Id,
    entries: z.array(Trace.shape.entries.element.extend({ delivery: ListedDelivery })),
  }),
  health: HealthOverview.extend({
    /** False: Tabscope is not running, so that no alert is raised or ended. */
    isWatched: z.boolean(),
    /** Alerts that hold now. `alerts` has those of the range. */
    active: z.array(Alert.extend({ message: z.string() })),
    learned: HealthAlerts.shape.learned,
  }),
  generated: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        /** With `--check`, nothing was written. */
        change: z.enum(['created', 'changed', 'unchanged', 'printed']),
        /** If it was not written to a file. */
        text: z.string().optional(),
      }),
    ),
    /** Whose fields were read; null: from the API documentation alone. */
    payloads: Count.nullable(),
  }),
  conformance: TypeConformance.extend({
    /** Complete JSON payloads of all time, whatever the period. */
    payloads: Count,
    fields: TypeFields.shape.fields,
  }),
  /** A change in the fields of payloads that was not dismissed. */
  notice: FieldNotice,
  /** `reason`: why the delivery was not forwarded to a target. */
  not_forwarded: z.object({ deliveryId: Id, reason: z.string() }),
  rechecked: z.object({
    /** Nothing was checked; `checked` would be, or could not be. */
    dryRun: z.literal(true).optional(),
    checked: Count,
    /** Another verdict or another matching secret than before. */
    changed: Count,
    /** Not checked, since the body was not received completely. */
    incomplete: Count,
    counts: z.record(Verdict, Count),
  }),
  deleted: z.object({
    /** Nothing was deleted; these would be. */
    dryRun: z.literal(true).optional(),
    deliveries: Count,
    pinned: Count,
  }),
  diff: Diff,
  verify: z.object({
    valid: z.boolean(),
    verdict: z.enum(['valid', 'invalid']),
    bytes: Count,
    /** Only if the signature is invalid. */
    conclusion: z.string().optional(),
    causes: z.array(DiagnosisCause).optional(),
  }),

  attempt: z.union([
    AttemptSummary,
    Attempt.extend({ response: AttemptResponse.extend(body).nullable() }),
  ]),
  forward: AttemptSummary,
  /** `health`: only of `forward list`, while Tabscope runs. */
  forward_target: ForwardTarget.extend({ health: ForwardHealth.optional() }),
  rule: ResponseRule.extend(RuleUse.omit({ ruleId: true }).shape),
  hold_rule: HoldRule,
  held: HeldDelivery,
  /** The result of `hold release`, `edit`, `drop` and `respond`. */
  released: z.object({ ids: z.array(Id) }),
  job: Job,
  /** A delivery of a job for which there is no attempt. */
  job_item: JobItem.extend({ jobId: Id }),
  sent: z.object({
    type: z.string(),
    /** Null unless the Tabscope on this data folder received it. */
    deliveryId: Id.nullable(),
    status: z.int().nullable(),
    ok: z.boolean(),
    durationMs: DurationMs,
    bytes: Count,
    sha256: z.string(),
    error: Failure.nullable(),
  }),
  plan: JobPlan,
  /** The last line of a command that sends. */
  done: z.object({
    /** Requests whose response is as expected: 2xx, or 4xx for a signature that was broken on purpose. */
    sent: Count,
    failed: Count,
    job: Job.optional(),
  }),

  integration: Integration,
  preflight: Preflight.extend({ integrationId: Id }),
  authorize_url: z.object({
    url: z.string().nullable(),
    redirectUrl: z.string(),
    accessId: z.string(),
    runId: Id,
  }),
  /** A request that is not the redirect of this run, which still waits. */
  visit_ignored: z.object({ title: z.string(), detail: z.string() }),
  /** The service did not answer, or answered with an error, when `authorize` began to wait. It continues to wait. */
  service_problem: z.object({ title: z.string(), detail: z.string() }),
  /** A pasted address that is not the redirect URL of this run, which still waits. */
  refused: Failure,
  token: TokenView.omit({ status: true, initiated: true, expires: true }).extend({
    state: TokenStateName,
    initiatedAt: z.int().nullable(),
    expiresAt: z.int().nullable(),
    /** Only with `--reveal`. */
    accessToken: z.string().optional(),
    /** Only with `--reveal`; null: there is none. */
    refreshToken: z.string().nullable().optional(),
  }),
  relay: RelayView,
  response: ApiExchange.extend(body),
  endpoint: Endpoint.extend({
    /** Null: the listener does not run. */
    url: z.string().nullable(),
    /** Only of `endpoint set-secret --generate --reveal`. */
    newSecret: z.string().optional(),
  }),
  setting: z.object({
    name: z.string(),
    /** Sizes in bytes. */
    value: z.union([z.string(), z.int(), z.boolean()]),
    default: z.union([z.string(), z.int(), z.boolean()]),
  }),

  /** `endpoint`: the public webhook URL of the default endpoint. */
  tunnel: TunnelView.extend({ endpoint: z.string().nullable() }),

  /** `known`: only of `import`. True: the file was imported before. */
  event_log: EventLog.extend({ known: z.boolean().optional() }),
  format: LogFormatView,
  export: LogExport,
  export_preview: LogPreview,

  /** In general and in the framework of `--framework`; null: it passed, or was skipped. */
  case: CaseResult.extend({ fix: z.string().nullable() }),
  rehearsal: Rehearsal.extend({
    /** The failed cases by root cause, the most serious first; each is in one group. `fix` as in `case`; null: its cases have fixes of their own. */
    failures: z.array(
      z.object({
        cause: z.string(),
        title: z.string(),
        cases: z.array(z.string()),
        fix: z.string().nullable(),
      }),
    ),
  }),
  /** Of `rehearse runs`. */
  rehearsal_run: Rehearsal,
  /** What an app must be configured with, at the start of `rehearse oauth`. */
  client: OAuthClientConfig,
  /** What the user has to do next, in `rehearse oauth` without --start-url. */
  step: z.object({ step: z.string() }),
  rehearsal_case: z.object({
    id: z.string(),
    group: z.string(),
    level: RehearsalLevel,
    title: z.string(),
    expected: z.string(),
    why: z.string(),
    basis: z.string().nullable(),
    /** The result depends on an effect, which needs an observer. */
    needsObserver: z.boolean(),
    load: z.boolean(),
  }),

  script: Script,
  script_run: ScriptRun.extend({
    deliveryId: Id,
    result: z.discriminatedUnion('kind', [
      Nothing,
      Request.omit({ body: true }),
      Skip,
      Response,
      FailedScript,
    ]),
    /** Of a request, against the delivery as received; null: it returned no request. */
    changes: Diff.pick({ headers: true, body: true }).nullable(),
  }),
  script_removed: z.object({ name: z.string() }),

  scenario: Scenario,
  scenario_delivery: ScenarioDelivery,
  /** Of `scenario show`, and the last line of `scenario run`. */
  scenario_run: ScenarioRun,
  /** As soon as it is known. */
  scenario_result: ScenarioResult.extend(ScenarioDelivery.pick({ type: true, title: true }).shape),

  assistant_target: AssistantTarget,
  assistant_target_removed: z.object({ name: z.string() }),
  /** The result of `mcp install`. `changed` false: it was configured already. */
  assistant_configured: z.object({ assistant: z.string(), file: z.string(), changed: z.boolean() }),
  /** Instructions for coding assistants, in Markdown. */
  skill: z.object({ name: z.string(), text: z.string() }),
  skill_installed: z.object({ name: z.string(), file: z.string(), changed: z.boolean() }),

  /** The last line of a command that failed. `code` is stable. */
  failed: Failure.extend({
    /** Of an authorization or a refresh: the most likely cause, and what to do. */
    meaning: z.string().optional(),
    remedy: z.string().optional(),
  }),
  removed: z.object({
    kind: z.enum([
      'endpoint',
      'event_log',
      'forward_target',
      'integration',
      'relay',
      'rule',
      'scenario',
      'token',
    ]),
    id: Id,
  }),
  /** An `--expect` of `run`. `received`: deliveries that match, counted up to `expected`; none may match if that is 0. */
  expectation: z.object({
    filter: z.string(),
    expected: Count,
    received: Count,
    met: z.boolean(),
  }),
  status: z.object({
    running: z.boolean(),
    /** `desktop`, or the command that runs: `serve`, `listen`, `run`. */
    program: z.string().nullable(),
    pid: z.int().nullable(),
    /** Of the command line. */
    version: z.string(),
    runningVersion: z.string().nullable(),
    dataDir: z.string(),
    /** An origin; null: it does not listen. */
    listener: z.string().nullable(),
    /** Null: there is no data, or it could not be read. */
    deliveries: Count.nullable(),
    endpoints: z.array(
      EndpointActivity.omit({ endpointId: true }).extend({
        ...Endpoint.pick({ id: true, name: true, slug: true }).shape,
        url: z.string().nullable(),
      }),
    ),
    /** Null: not running. `provider` null: no tunnel is open or opening. */
    tunnel: TunnelView.pick({ state: true, since: true, cause: true, reason: true, url: true })
      .extend({ provider: z.string().nullable() })
      .nullable(),
    tokens: z.array(
      z.object({
        id: Id,
        integration: z.string(),
        label: z.string(),
        state: TokenStateName,
        expiresAt: z.int().nullable(),
      }),
    ),
    relays: z.array(
      RelayView.pick({ id: true, name: true, state: true, behind: true, expiresAt: true }),
    ),
    problems: z.array(Failure),
  }),
  version: z.object({ version: z.string(), outputVersion: z.literal(outputVersion) }),
  ready: z.union([
    z.object({
      /** Only `serve`: the address of the interface. It holds the token of this session. */
      ui: z.string().optional(),
      /** The origin of the listener; null: it could not be started. */
      listener: z.string().nullable(),
      endpoint: z.string().nullable(),
      dataDir: z.string(),
      damagedFiles: z.array(DamagedFile),
    }),
    z.object({
      baseUrl: z.string(),
      accessId: z.string(),
      accessSecret: z.string(),
      redirectUrls: z.array(z.string()),
    }),
    z.object({
      /** The name of the receiver. */
      receiver: z.string(),
      listener: z.string(),
      /** URLs, without the host that senders use. */
      endpoints: z.array(z.string()),
      relay: z.array(z.string()),
      /** False: the relay cannot be reached yet, and deliveries get 503. */
      connected: z.boolean(),
    }),
  ]),
  /** Of `receive`, every 10 s and at its end. */
  receiver: z.object({
    /** Since it started: requests that are in the relay, and requests that got 503. */
    accepted: Count,
    refused: Count,
    /** Of accepted bodies. */
    bytes: Count,
    /** Requests that wait for the relay. */
    inFlight: Count,
    /** Of a request for its response, since the last line. */
    longestWaitMs: DurationMs,
    connected: z.boolean(),
  }),
  /** Of `relay init`. */
  relay_created: z.object({
    name: z.string(),
    folder: z.string(),
    servers: z.array(z.string()),
    endpoints: z.array(z.string()),
    receivers: z.array(z.string()),
  }),
  /** Of `relay invite`. `invitation` has a key. */
  invitation: z.object({
    user: z.string(),
    /** `*`: all. */
    endpoints: z.array(z.string()),
    invitation: z.string(),
    /** False: the server must be told to reload. */
    reloaded: z.boolean(),
  }),
  /** Of `relay invite --receiver`. The file has a key. */
  receiver_file: z.object({ receiver: z.string(), file: z.string(), reloaded: z.boolean() }),
  revoked: z.object({
    name: z.string(),
    kind: z.enum(['receiver', 'user']),
    reloaded: z.boolean(),
  }),
  /** Of `relay check`. */
  relay_check: z.object({
    name: z.string(),
    server: z.string(),
    version: z.string(),
    sync: z.enum(['always', 'interval', 'unknown']),
    streams: z.array(
      z.object({
        name: z.string(),
        change: z.enum(['created', 'updated', 'none']),
        messages: Count,
        bytes: Count,
        /** Of an endpoint's stream: of all streams together. */
        maxBytes: z.int(),
        maxAgeMs: DurationMs,
        replicas: Count,
      }),
    ),
    /** How far the clock of the server is ahead of this computer's. */
    clockMs: DurationMs,
    /** Null: no TLS. */
    certificateExpiresAt: z.int().nullable(),
    users: z.array(z.object({ name: z.string(), endpoints: z.array(z.string()) })),
    receivers: z.array(z.string()),
    /** Sentences. Any makes the exit code 1. */
    problems: z.array(z.string()),
    /** What could not be checked. */
    hints: z.array(z.string()),
  }),
  backup: Backup,
  /** `turnedOff`: what the backup would have done without being asked, such as forwarding. */
  restored: z.object({ dataDir: z.string(), deliveries: Count, turnedOff: z.boolean() }),
  /** Deliveries cannot be stored (`failing` says why), or can again (null). */
  storage: z.object({ failing: z.string().nullable() }),
  /** Something is less safe than it should be, and the command goes on. */
  warning: z.object({ message: z.string() }),
  /** A webhook that `sandbox` sent. */
  webhook: z.object({
    url: z.string(),
    type: z.string(),
    status: z.int().nullable(),
    ok: z.boolean(),
    durationMs: DurationMs,
    bytes: Count,
    sha256: z.string(),
    error: Failure.nullable(),
  }),
  /** One check of `self-check`. `detail`: what was found, why it failed, or why it was skipped. */
  check: z.object({
    check: z.string(),
    status: z.enum(['passed', 'failed', 'skipped']),
    durationMs: DurationMs,
    detail: z.string().nullable(),
  }),
  /** The last line of `self-check`. */
  verdict: z.object({
    verdict: z.enum(['passed', 'failed']),
    passed: Count,
    failed: Count,
    skipped: Count,
    durationMs: DurationMs,
    version: z.string().optional(),
    packaged: z.boolean().optional(),
    node: z.string().optional(),
    electron: z.string().optional(),
    chromium: z.string().optional(),
    system: z.string().optional(),
  }),
  /** A call that `api` can make, in its list. */
  call: z.object({
    call: z.string(),
    fields: z.array(z.object({ name: z.string(), isRequired: z.boolean() })),
  }),
  /** The result of `api`. Bytes are an object with `body` or `bodyBase64`. */
  called: z.object({ call: z.string(), output: z.unknown() }),
  completion: z.object({
    shell: z.enum(['bash', 'zsh', 'fish', 'powershell']),
    script: z.string(),
  }),
} as const satisfies Record<string, z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>>

export type CliEvent = keyof typeof cliLines
export type CliLine<E extends CliEvent> = z.infer<(typeof cliLines)[E]>
