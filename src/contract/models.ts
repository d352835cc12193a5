import { z } from 'zod'
import { verdicts } from './verdicts.ts'

export const Verdict = z.enum(verdicts)
export type Verdict = z.infer<typeof Verdict>

export const Severity = z.enum(['error', 'warning', 'info'])
export type Severity = z.infer<typeof Severity>

/** One thing in a delivery that departs from the service's document. `code` is stable. */
export const Finding = z.object({
  code: z.string(),
  severity: Severity,
  /** Where: `body`, `body.createdAt`, `header.x-service-signature`, `request` ... */
  place: z.string(),
  /** A sentence for people. */
  message: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
})
export type Finding = z.infer<typeof Finding>

/**
 * How the request ended. `complete`: whole; `too_large`: over the body limit, the first 64 KiB kept;
 * `cut_off`: the sender left or ran out of time before the whole body; `malformed`: not HTTP, or HTTP we refuse.
 */
export const arrivals = ['complete', 'too_large', 'cut_off', 'malformed'] as const
export const Arrival = z.enum(arrivals)
export type Arrival = z.infer<typeof Arrival>

export const Id = z.int().positive()

/** What a list row and a push carry. Never a body, never a header. */
export const DeliverySummary = z.object({
  /** Grows with each delivery: the order of arrival, which no clock can reorder. */
  id: Id,
  /** Milliseconds since the epoch, with a fraction down to the microsecond. */
  receivedAt: z.number(),
  method: z.string(),
  /** The request target as it came, path and query. */
  path: z.string(),
  /** Null: the path belongs to no endpoint. */
  endpointId: Id.nullable(),
  /** The body's `type`; null when there is none. */
  type: z.string().nullable(),
  /** One line for people, by the type's view ("Order A-17 placed, T4 Patio, 42.50"). */
  title: z.string(),
  /** `targetUuid`, else `targetId`. */
  target: z.string().nullable(),
  locationName: z.string().nullable(),
  /** The body's `createdAt` in milliseconds since the epoch; null when absent or no time. */
  createdAt: z.number().nullable(),
  /** At arrival, or of the last check after it (`recheck`). */
  verdict: Verdict,
  /** The last check after arrival. Absent: it was checked at arrival only. */
  recheck: z
    .object({
      /** Milliseconds since the epoch. */
      at: z.number(),
      verdictAtArrival: Verdict,
    })
    .optional(),
  findings: z.array(Finding),
  /** The status we answered; null when no answer could be sent, was meant to be, or is out yet. */
  status: z.int().nullable(),
  /** Milliseconds from the first byte of the request's head to our answer; null when not known. */
  answeredIn: z.number().nullable(),
  /** Bytes of body that arrived. */
  bytes: z.int().nonnegative(),
  /** Hex SHA-256 of the raw body as kept. Of a redacted body in an event log, a pseudonym that is the same for the same body. */
  sha256: z.string(),
  arrival: Arrival,
  pinned: z.boolean(),
  tags: z.array(z.string()),
  /** A note is kept with it. */
  noted: z.boolean(),
  /** The earliest delivery that was the same, by its bytes or by its event; null: none, or the search index has not come here yet. */
  repeats: z.object({ id: Id, by: z.enum(['body', 'event']) }).nullable(),
  /** It came from Tabscope itself: by a forward to our own listener, which ends there, or sent by hand. */
  own: z.enum(['forward', 'send']).nullable(),
  /**
   * What answered in place of the usual 200: a response rule, or the target that it was passed through to. Null while no answer is out.
   * `rule` with `status` null: it had the connection dropped.
   */
  answeredBy: z.enum(['rule', 'target']).nullable(),
  /** The last attempt of it; null: there is none. `status` null: there was no response. */
  sent: z.object({ status: z.int().nullable() }).nullable(),
})
export type DeliverySummary = z.infer<typeof DeliverySummary>

/** A header as it came: name with its case, value as Latin-1 text, one character a byte. */
export const Header = z.tuple([z.string(), z.string()])
export type Header = z.infer<typeof Header>

/** Everything about one delivery but its body, which is fetched in slices by `deliveries.body`. */
export const Delivery = DeliverySummary.extend({
  httpVersion: z.string(),
  remoteAddress: z.string(),
  /** It came in by the door that is kept for the tunnel. Null: straight to the listener, or by an address that the user keeps up. */
  via: z.enum(['tunnel']).nullable(),
  /** Order, case and duplicates as they came. */
  headers: z.array(Header),
  trailers: z.array(Header),
  /** Bytes of body kept; fewer than `bytes` when `arrival` is `too_large`. */
  bytesKept: z.int().nonnegative(),
  /** Why the request did not end `complete`, or why it got no answer or that of a target that failed, as a sentence. */
  reason: z.string().nullable(),
  endpointName: z.string().nullable(),
  /** The brand whose header names were looked for. */
  brand: z.string(),
  /** Name of the secret that made the verdict `valid` ("current", "previous"). */
  secretName: z.string().nullable(),
  /** The user's own words; empty: none. */
  note: z.string(),
})
export type Delivery = z.infer<typeof Delivery>

/** One step of the signature check, in the order it was taken. */
export const SignatureStep = z.object({
  label: z.string(),
  outcome: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
})
export type SignatureStep = z.infer<typeof SignatureStep>

/** The signature check told step by step; computed on demand from the kept bytes and the secrets of now. */
export const SignatureReport = z.object({
  verdict: Verdict,
  headerName: z.string(),
  /** Every value that came under the header's name. */
  received: z.array(z.string()),
  /** For each secret set now: its name, and the hex HMAC-SHA256 of the kept bytes under it. */
  computed: z.array(
    z.object({ secretName: z.string(), signature: z.string(), matches: z.boolean() }),
  ),
  /** How many bytes the HMAC ran over. */
  bytes: z.int().nonnegative(),
  steps: z.array(SignatureStep),
  /** True when the verdict with the current secrets differs from the recorded one. */
  changedSince: z.boolean(),
  /**
   * Of an event log: nothing is computed, and verdict and length are those of what was captured, since the endpoint's secrets are not here.
   * Null: it is one of our own.
   */
  ofLog: z
    .object({
      /** Something was taken out of the body, so that hash, length and signature are no longer those of what is here. */
      bodyRedacted: z.boolean(),
      /** Why the body is not here, as a sentence; null: it is. */
      omitted: z.string().nullable(),
    })
    .nullable(),
})
export type SignatureReport = z.infer<typeof SignatureReport>

/** What the interface may know of a secret: that it is there, and how it ends. */
export const SecretView = z.object({
  set: z.boolean(),
  /** The last four characters, only when the secret has at least twelve. */
  ending: z.string().nullable(),
  /** True when it is stored but cannot be unsealed here: it must be entered again. */
  unavailable: z.boolean(),
  /** It begins or ends with white space, which is rarely part of a secret. Absent: it does not, or that is not known. */
  whiteSpaceAtEnds: z.literal(true).optional(),
})
export type SecretView = z.infer<typeof SecretView>

/** One webhook URL of ours. */
export const Endpoint = z.object({
  id: Id,
  integrationId: Id,
  name: z.string(),
  /** The last part of `/hooks/<slug>`. */
  slug: z.string(),
  secret: SecretView,
  previousSecret: SecretView,
  /** A secret has been set, even where it was cleared since. Absent: never, so the sandbox creates one with its first delivery. */
  hadSecret: z.literal(true).optional(),
  /** Expected `X-Service-Application-ID`; empty: any. */
  applicationId: z.string(),
  /** Custom headers configured on the dashboard, which every delivery should carry. */
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
    /** Set while deliveries cannot be stored or stored (disk full ...): what that means and why. */
    failing: z.string().nullable(),
  }),
  z.object({
    state: z.literal('failed'),
    port: z.int(),
    code: z.enum(['port_in_use', 'port_forbidden', 'internal']),
    message: z.string(),
    /** The next free port, when one was found. */
    freePort: z.int().nullable(),
  }),
  z.object({ state: z.literal('stopped'), port: z.int() }),
])
export type ListenerState = z.infer<typeof ListenerState>

const KiB = 1024
const MiB = 1024 * KiB

/** Where a guided start that was begun stands. */
export const GuideAt = z.object({
  /** With the built-in sandbox, or with an integration of the user's own. Null: that is being asked. */
  way: z.enum(['sandbox', 'own']).nullable(),
  /** Which of the way's steps, from 0; as many as there are: its end. */
  step: z.int().min(0).max(9),
  /** The newest delivery when it was begun: one that is newer came during the guide. */
  after: z.int().nonnegative(),
})
export type GuideAt = z.infer<typeof GuideAt>

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** The listener's port; 0 lets the system choose. */
  listenerPort: z.int().min(0).max(65535),
  /** Largest body kept whole, in bytes; over it the answer is 413. */
  bodyLimit: z
    .int()
    .min(KiB)
    .max(1024 * MiB),
  /** Keep at most this many deliveries; the oldest that are not pinned go first. */
  keepDeliveries: z.int().min(1).max(10_000_000),
  /** Keep at most this many bytes of heads and bodies. */
  keepBytes: z
    .int()
    .min(MiB)
    .max(1024 * 1024 * MiB),
  /** Where the host can: closing the window does not end the capture. */
  background: z.boolean(),
  openAtLogin: z.boolean(),
  /** Whether the system's notifications tell of deliveries whose verdict is `invalid` or `missing`, and of a tunnel that was lost. */
  notifyVerdicts: z.boolean(),
  notifyTunnel: z.boolean(),
  /** `off`: nothing is asked of the release server. `notify`: told of, and fetched when you say so. `download`: fetched by itself. */
  updates: z.enum(['off', 'notify', 'download']),
  /** The guided start: shown until it was gone through or skipped. */
  guide: z.enum(['open', 'skipped', 'done']),
  /** Null: it goes on nowhere. Kept, so that it goes on where it was after a reload and a restart. */
  guideAt: GuideAt.nullable(),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = {
  theme: 'system',
  listenerPort: 4780,
  bodyLimit: 25 * MiB,
  keepDeliveries: 100_000,
  keepBytes: 2048 * MiB,
  background: false,
  openAtLogin: false,
  notifyVerdicts: true,
  notifyTunnel: true,
  updates: 'notify',
  guide: 'open',
  guideAt: null,
}

export const StoreStats = z.object({
  deliveries: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Newest id; 0 when there is none. */
  newestId: z.int().nonnegative(),
  /** Deliveries answered but not yet in the store: they follow in a moment. */
  behind: z.int().nonnegative(),
  /** Up to this id deliveries are in the search index: free text, ids, repetitions. */
  indexedId: z.int().nonnegative(),
})
export type StoreStats = z.infer<typeof StoreStats>

export const SandboxState = z.object({
  running: z.boolean(),
  /** Deliveries a second asked for while running. */
  rate: z.number(),
  /** Of the run that goes on, or of the last one. */
  sent: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  lastError: z.string().nullable(),
})
export type SandboxState = z.infer<typeof SandboxState>

/** How the sandbox reaches the endpoint: straight, or by the public address of the tunnel. The latter throws `bad_input` when there is none. */
export const SandboxRoute = z.enum(['listener', 'tunnel'])
export type SandboxRoute = z.infer<typeof SandboxRoute>
