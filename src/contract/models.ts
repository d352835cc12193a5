import { hasCredentials } from '#shared/text/address.ts'
import * as z from 'zod'
import { maxCauses, verdicts } from './constants.ts'

// Everywhere in the contract, `at`, `since` and `…At` are times in milliseconds since the epoch, and `…Ms` durations in milliseconds, unless a comment says
// otherwise.

export const credentialsInUrl =
  'The URL contains a user name or password, which would be stored and shown. Remove it.'

/** Of a setting, which is stored and shown. */
export const UrlSetting = z.string().refine((url) => !hasCredentials(url), credentialsInUrl)

export const Verdict = z.enum(verdicts)
export type Verdict = z.infer<typeof Verdict>

export const Severity = z.enum(['error', 'warning', 'info'])
export type Severity = z.infer<typeof Severity>

/** A deviation from the API documentation. `code` is stable. */
export const Finding = z.object({
  code: z.string(),
  severity: Severity,
  /** `body`, `body.createdAt`, `header.x-service-signature`, `request` ... */
  location: z.string(),
  message: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
})
export type Finding = z.infer<typeof Finding>

/** As stored. Severity and message follow from code and type (`describeFinding`); present only if they differ, in the event log of another version. */
export const FindingData = Finding.partial({ severity: true, message: true })
export type FindingData = z.infer<typeof FindingData>

/** `too_large`: the first 64 KiB are stored; `cut_off`: the sender disconnected or timed out; `malformed`: not HTTP, or HTTP that Tabscope rejects. */
export const arrivals = ['complete', 'too_large', 'cut_off', 'malformed'] as const
export const Arrival = z.enum(arrivals)
export type Arrival = z.infer<typeof Arrival>

/** The input or output of a call that has none. */
export const None = z.object({})

export const Id = z.int().positive()

/** Null: the live store. Ids of deliveries belong to their log. */
export const LogId = z.int().positive().nullable().default(null)

export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** Of the stored bytes, or with `decoded` of the bytes after decoding `Content-Encoding`. */
export const bodySliceInput = z.object({
  id: Id,
  offset: z.int().nonnegative(),
  length: z
    .int()
    .min(1)
    .max(4 * 1024 * 1024),
})

/** `size`: of the complete body in the requested form. */
export const BodySlice = z.object({ bytes: Bytes, size: z.int().nonnegative() })

/** Why a signature is not valid, or why the user's handler rejects a valid one. `describeCause` in the catalogue has its texts. */
export const Cause = z.object({
  /** Stable: `secret.none`, `secret.white_space`, `encoding.base64`, `body.pretty`, `scheme.stripe` ... */
  code: z.string(),
  /** Who has to change something. */
  where: z.enum(['here', 'dashboard', 'between', 'sender', 'handler']),
  /** For the sentence: words of Tabscope, names of headers, endpoints and integrations. No secret, nothing of the body, and no length of either. */
  values: z.record(z.string(), z.string()).optional(),
})
export type Cause = z.infer<typeof Cause>

const Named = z.object({
  id: z.string(),
  /** From this delivery or from an earlier or later one; null: not captured. */
  name: z.string().nullable(),
})

/** What an event is about. Texts without control characters, at most 200 characters. */
export const Facts = z.object({
  /** Table or spot. Of an item or a closed tab: where its tab was opened, if that was captured. */
  spot: z.string().nullable(),
  zone: z.string().nullable(),
  /** As received: the total of an order or a tab, or the price of an item. */
  amount: z.number().nullable(),
  items: z.array(z.string()),
  tab: Named.nullable(),
  order: Named.nullable(),
  /** The name is the handle. Lists do not show it. */
  guest: Named.nullable(),
  /** Of a closed tab, if its opening was captured: when that was created, in milliseconds since the epoch. */
  openedAt: z.number().nullable(),
})
export type Facts = z.infer<typeof Facts>

/** For lists and pushes: never contains a body or a header. */
export const DeliverySummary = z.object({
  /** Increases with each delivery: the order of arrival, independently of clocks. */
  id: Id,
  /** Milliseconds since the epoch, with a precision of microseconds. 0: unknown, of a HAR entry without a time. */
  receivedAt: z.number(),
  method: z.string(),
  path: z.string(),
  /** Null: the path belongs to no endpoint. */
  endpointId: Id.nullable(),
  type: z.string().nullable(),
  /** Of its own payload: "T4 · Order A-17 · Pale Ale, Fries". `sentenceOf` in the catalogue adds what other deliveries say. */
  title: z.string(),
  /** Null: none, or the type is not documented. */
  facts: Facts.nullable(),
  /** `targetUuid`, else `targetId`. */
  target: z.string().nullable(),
  locationName: z.string().nullable(),
  /** The body's `createdAt`; null when missing or invalid. */
  createdAt: z.number().nullable(),
  /** At arrival, or of the last recheck. */
  verdict: Verdict,
  /** Absent: checked at arrival only. */
  recheck: z
    .object({
      at: z.number(),
      verdictAtArrival: Verdict,
    })
    .optional(),
  /** Why the signature is invalid or missing, what explains it best first. Empty: no known cause, or another verdict. Null: not diagnosed yet. */
  causes: z.array(Cause).max(maxCauses).nullable(),
  findings: z.array(FindingData),
  /** Of our response; null: not possible, not wanted, or not sent yet. */
  status: z.int().nullable(),
  /** From the first byte of the request to our response; null when unknown. */
  responseMs: z.number().nullable(),
  bytes: z.int().nonnegative(),
  /** Hex, of the stored raw body. For a redacted body in an event log, no digest, but the same for equal bodies. */
  sha256: z.string(),
  arrival: Arrival,
  pinned: z.boolean(),
  tags: z.array(z.string()),
  noted: z.boolean(),
  /** The earliest with the same bytes or the same event; null: none, or not indexed yet. */
  duplicateOf: z.object({ id: Id, by: z.enum(['body', 'event']) }).nullable(),
  /** Tabscope sent this delivery: by a forward to its own listener, which is not forwarded again, or manually. */
  sentBy: z.enum(['forward', 'send']).nullable(),
  /** What replaced the default 200. Null while no response is sent. `rule` with `status` null: the rule closed the connection. */
  respondedBy: z.enum(['rule', 'target', 'hold']).nullable(),
  /** `status` null: no response was received. */
  lastAttempt: z.object({ status: z.int().nullable() }).nullable(),
})
export type DeliverySummary = z.infer<typeof DeliverySummary>

/** As received: the value is Latin-1 text, one character per byte. */
export const Header = z.tuple([z.string(), z.string()])
export type Header = z.infer<typeof Header>

/** `deliveries.body` returns the body in slices. */
export const Delivery = DeliverySummary.extend({
  httpVersion: z.string(),
  remoteAddress: z.string(),
  /**
   * `tunnel`: received by the listener that is reserved for the tunnel. `relay`: by a receiver of a relay. Null: directly, or by a public URL that the user
   * operates.
   */
  via: z.enum(['tunnel', 'relay']).nullable(),
  /** `name`: also of a relay that was forgotten. `position`: in its stream. Null: not `via` a relay. */
  relay: z
    .object({
      id: Id,
      name: z.string(),
      receiver: z.string(),
      position: z.int().nonnegative(),
    })
    .nullable(),
  /** In the original order and case, including duplicates. */
  headers: z.array(Header),
  trailers: z.array(Header),
  /** Less than `bytes` when `arrival` is `too_large`. */
  storedBytes: z.int().nonnegative(),
  /** Why the request is not `complete`, got no response, or got the response of a failed target. */
  reason: z.string().nullable(),
  endpointName: z.string().nullable(),
  brand: z.string(),
  /** What made the verdict `valid` ("current", "previous"). */
  secretName: z.string().nullable(),
  note: z.string(),
})
export type Delivery = z.infer<typeof Delivery>

export const SignatureStep = z.object({
  label: z.string(),
  outcome: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
})
export type SignatureStep = z.infer<typeof SignatureStep>

/** Computed on demand from the stored bytes and the current secrets. */
export const SignatureReport = z.object({
  verdict: Verdict,
  headerName: z.string(),
  received: z.array(z.string()),
  /** For each current secret; hex HMAC-SHA256 of the stored bytes. */
  computed: z.array(
    z.object({ secretName: z.string(), signature: z.string(), matches: z.boolean() }),
  ),
  bytes: z.int().nonnegative(),
  steps: z.array(SignatureStep),
  /** The verdict with the current secrets differs from the recorded one. */
  changedSince: z.boolean(),
  /** In an event log, verdict and length are those recorded at capture, because the secrets are not available. Null: the live store. */
  ofLog: z
    .object({
      /** Hash, length and signature do not match a redacted body. */
      bodyRedacted: z.boolean(),
      omitted: z.string().nullable(),
    })
    .nullable(),
})
export type SignatureReport = z.infer<typeof SignatureReport>

/** What the interface may show of a secret. */
export const SecretView = z.object({
  set: z.boolean(),
  /** The last four characters, if the secret has at least twelve. */
  ending: z.string().nullable(),
  /** Stored, but it cannot be decrypted on this computer. It must be entered again. */
  unavailable: z.boolean(),
  /** White space at the ends is rarely intended. Absent: none, or unknown. */
  whiteSpaceAtEnds: z.literal(true).optional(),
})
export type SecretView = z.infer<typeof SecretView>

export const Endpoint = z.object({
  id: Id,
  integrationId: Id,
  name: z.string(),
  /** As in `/hooks/<slug>`. */
  slug: z.string(),
  secret: SecretView,
  previousSecret: SecretView,
  /** Even if it was cleared later. Absent: never, so the sandbox creates one with its first delivery. */
  hadSecret: z.literal(true).optional(),
  /** Expected `X-Service-Application-ID`; empty: any. */
  applicationId: z.string(),
  /** Configured on the dashboard; every delivery should carry them. */
  customHeaders: z.array(Header),
})
export type Endpoint = z.infer<typeof Endpoint>

export const ListenerState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting'), port: z.int() }),
  z.object({
    state: z.literal('listening'),
    port: z.int(),
    /** `http://127.0.0.1:<port>` */
    origin: z.string(),
    since: z.number(),
    /** While deliveries cannot be stored (disk full ...). */
    failing: z.string().nullable(),
  }),
  z.object({
    state: z.literal('failed'),
    port: z.int(),
    code: z.enum(['port_in_use', 'port_forbidden', 'internal']),
    message: z.string(),
    freePort: z.int().nullable(),
  }),
  z.object({ state: z.literal('stopped'), port: z.int() }),
])
export type ListenerState = z.infer<typeof ListenerState>

const KiB = 1024
const MiB = 1024 * KiB

export const AssistantTarget = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
    error: 'Use up to 40 lower-case letters, digits and hyphens.',
  }),
  url: UrlSetting.trim().min(1).max(2000),
  /** Its secret signs; null: requests are not signed. */
  endpointId: Id.nullable(),
})
export type AssistantTarget = z.infer<typeof AssistantTarget>

export const maxAssistantTargets = 20

/** In the order of the settings page. What has a description can be set on the command line. */
export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).describe('Colors of the interface'),
  listenerPort: z.int().min(0).max(65535).describe('Port of the listener; 0: any free port'),
  /** In bytes. Larger bodies get the response 413. */
  bodyLimit: z
    .int()
    .min(KiB)
    .max(1024 * MiB)
    .describe('Maximum size of a body'),
  /** The oldest unpinned deliveries are deleted first. */
  keepDeliveries: z.int().min(1).max(10_000_000).describe('Maximum number of stored deliveries'),
  keepDays: z.int().min(0).max(3650).describe('Days after which deliveries are deleted; 0: never'),
  /** Headers and bodies. */
  keepBytes: z
    .int()
    .min(MiB)
    .max(1024 * 1024 * MiB)
    .describe('Maximum size of stored deliveries'),
  /** A URL has no credentials. */
  proxy: z
    .string()
    .max(2000)
    .describe('Proxy of requests to other machines: system, none, or the URL of an HTTP proxy'),
  /** Absolute path. Empty: none. */
  caFile: z
    .string()
    .max(4096)
    .describe(
      'PEM file with certificates to trust in addition to those of the system; none: no file',
    ),
  background: z
    .boolean()
    .describe('Keep receiving deliveries when the window is closed (desktop app)'),
  preventSleep: z
    .boolean()
    .describe('Keep the computer awake while a tunnel is open or a job runs (desktop app)'),
  hardwareAcceleration: z
    .boolean()
    .describe('Draw with the graphics processor, from the next start on (desktop app)'),
  notifyVerdicts: z.boolean().describe('Notify about invalid and missing signatures (desktop app)'),
  notifyTunnel: z.boolean().describe('Notify about a lost tunnel (desktop app)'),
  notifyAlerts: z.boolean().describe('Notify about alerts of health (desktop app)'),
  assistantAccess: z.boolean().describe('Coding assistants may read deliveries'),
  /** `off`: never contact the release server. `notify`: download on request. `download`: automatically. */
  updates: z.enum(['off', 'notify', 'download']).describe('Check for new versions (desktop app)'),
  /** The user confirms each request. */
  assistantTargets: z
    .array(AssistantTarget)
    .max(maxAssistantTargets)
    .refine((targets) => new Set(targets.map(({ name }) => name)).size === targets.length, {
      error: 'Two targets have the same name.',
    }),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = {
  theme: 'system',
  listenerPort: 4780,
  bodyLimit: 25 * MiB,
  keepDeliveries: 100_000,
  keepDays: 0,
  keepBytes: 2048 * MiB,
  background: false,
  preventSleep: true,
  hardwareAcceleration: true,
  notifyVerdicts: true,
  notifyTunnel: true,
  notifyAlerts: true,
  updates: 'notify',
  proxy: 'system',
  caFile: '',
  assistantAccess: true,
  assistantTargets: [],
}

export const StoreStats = z.object({
  deliveries: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** 0 if there are no deliveries. */
  newestId: z.int().nonnegative(),
  /** Text, ids and duplicates are complete up to this id. */
  indexedId: z.int().nonnegative(),
})
export type StoreStats = z.infer<typeof StoreStats>

export const SandboxState = z.object({
  running: z.boolean(),
  /** Requested, in deliveries per second. */
  rate: z.number(),
  /** Of the current run, or of the last one. */
  sent: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  lastError: z.string().nullable(),
})
export type SandboxState = z.infer<typeof SandboxState>

/** `tunnel`: by its public URL; throws `bad_input` without a tunnel. */
/** What is wrong with a delivery of the sandbox. `sandboxProblems` in the catalogue has its labels. */
export const SandboxProblem = z.enum([
  'other-secret',
  'secret-line-break',
  're-serialized',
  'base64',
  'no-signature',
  'undocumented-field',
  'duplicate',
  'late',
  'out-of-order',
])
export type SandboxProblem = z.infer<typeof SandboxProblem>

export const SandboxRoute = z.enum(['listener', 'tunnel'])
export type SandboxRoute = z.infer<typeof SandboxRoute>

/** A file of the data folder that was found damaged at a start. It was moved aside, and replaced by what was readable. */
export const DamagedFile = z.object({
  content: z.enum(['deliveries', 'configuration']),
  /** Where the damaged file is kept. Once it is deleted, users are no longer told. */
  path: z.string(),
  /** Deliveries that were copied from it. Null for the configuration. */
  kept: z.int().nonnegative().nullable(),
  /** Deliveries that could not be read. Null: unknown, and for the configuration. */
  lost: z.int().nonnegative().nullable(),
  /** The configuration only: when the copy was made that replaced it. Null: readable rows were copied instead. */
  copiedAt: z.number().nullable(),
})
export type DamagedFile = z.infer<typeof DamagedFile>

/** `ask`: the host shows its save dialog (capability `nativeDialogs`). `bytes`: the caller saves the file. */
export const SaveTo = z.enum(['ask', 'bytes'])

export const SavedFile = z.object({
  name: z.string(),
  /** Where the host saved it; null: the user cancelled, or the caller saves it. */
  path: z.string().nullable(),
  bytes: Bytes.nullable(),
})
export type SavedFile = z.infer<typeof SavedFile>
