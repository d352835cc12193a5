import { z } from 'zod'
import { Attempt, SignChoice, Target } from './sending.ts'
import { LogId } from './log-id.ts'
import { Finding, Header, Id, Severity, Verdict } from './models.ts'

const None = z.object({})

/** A body that is written by hand, in bytes. */
export const draftBodyLimit = 6 * 1024 * 1024

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/**
 * A header of a draft. `byHand` false: where the name is one that depends (event type, target UUID, target id, application id, signature,
 * `Content-Length`, `Host`) the value follows body, endpoint and address once the body is another than the captured one; a value that comes
 * to nothing leaves the header out. For all other names it says nothing.
 */
export const DraftHeader = z.object({
  name: z.string().max(1000),
  value: z.string().max(100_000),
  on: z.boolean(),
  byHand: z.boolean(),
})
export type DraftHeader = z.infer<typeof DraftHeader>

export const DraftOrigin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('delivery'), deliveryId: Id }),
  /** Of an event log, which may be gone by now: the draft has all of it. `log` is the log's name. */
  z.object({ kind: z.literal('log'), log: z.string().max(300), logId: Id, deliveryId: Id }),
  z.object({ kind: z.literal('sample'), type: z.string() }),
  z.object({ kind: z.literal('file'), name: z.string().max(300) }),
  z.object({ kind: z.literal('empty') }),
])
export type DraftOrigin = z.infer<typeof DraftOrigin>

/** `captured`: the very bytes of the delivery it comes from, which may be many. */
export const DraftBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('captured') }),
  z.object({
    kind: z.literal('bytes'),
    bytes: Bytes.refine(
      (bytes) => bytes.byteLength <= draftBodyLimit,
      'The body is larger than 6 MiB, which is as much as can be edited here.',
    ),
  }),
])
export type DraftBody = z.infer<typeof DraftBody>

/** A request as the user writes it. */
export const DraftContent = z.object({
  origin: DraftOrigin,
  /** As whom: its brand, secrets and application id. Null: none, so nothing can be signed. */
  endpointId: Id.nullable(),
  /** Checked when it is sent, not while it is written. */
  method: z.string().max(40),
  url: z.string().max(8000),
  headers: z.array(DraftHeader).max(500),
  body: DraftBody,
  sign: SignChoice,
  /**
   * Fills in `{{uuid}}`, `{{uuid:NAME}}` (the same for one name), `{{now}}` (ISO 8601, UTC, milliseconds), `{{now:seconds}}`,
   * `{{now:milliseconds}}` and `{{counter}}` in address, headers and body, anew for each send. Others stay as they are.
   */
  placeholders: z.boolean(),
})
export type DraftContent = z.infer<typeof DraftContent>

export const DraftSummary = z.object({
  id: Id,
  /** Null: a draft. Else a template of that name. */
  name: z.string().nullable(),
  /** Milliseconds since the epoch. */
  updatedAt: z.number(),
  origin: DraftOrigin,
  /** The body's type, or what there is to call it by. */
  title: z.string(),
  method: z.string(),
  url: z.string(),
})
export type DraftSummary = z.infer<typeof DraftSummary>

export const Draft = DraftSummary.extend({
  content: DraftContent,
  /** What `{{counter}}` is at the next send, from 1. */
  counter: z.int().positive(),
})
export type Draft = z.infer<typeof Draft>

/** One thing about a draft. `error`: it cannot be sent so. */
export const DraftProblem = z.object({
  /**
   * Stable. Errors: `method.token`, `method.connect`, `url.empty`, `url.invalid`, `url.scheme`, `url.credentials`, `header.name`,
   * `header.value`, `header.content_length`, `header.transfer_encoding`, `header.framing`, `body.gone`, `body.partial`, `sign.no_secret`.
   * Warnings: `body.not_json`, `body.bom`. To be known: `header.length_added`, `placeholders.unknown`, `placeholders.not_text`,
   * `sign.left_out`, `sign.off`, `sign.by_hand`.
   */
  code: z.string(),
  severity: Severity,
  field: z.enum(['method', 'url', 'headers', 'body', 'sign']),
  /** Which of the draft's headers; null: not one of them. */
  header: z.int().nonnegative().nullable(),
  message: z.string(),
})
export type DraftProblem = z.infer<typeof DraftProblem>

/** One header as it would go out. */
export const PreparedHeader = z.object({
  name: z.string(),
  value: z.string(),
  /** Place among the draft's headers; null: added, since no request does without. */
  draft: z.int().nonnegative().nullable(),
  /** Where the value comes from: as written, from the body, the endpoint, the address, the length, or the secret. */
  from: z.enum(['draft', 'body', 'endpoint', 'url', 'length', 'signature']),
})
export type PreparedHeader = z.infer<typeof PreparedHeader>

/** A draft as it would go out now. */
export const Preview = z.object({
  headers: z.array(PreparedHeader),
  /** Of the draft's headers those that are on and left out all the same, since what they depend on is not there. */
  leftOut: z.array(z.int().nonnegative()),
  /** Of the body: bytes, and hex SHA-256. */
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** The body with its placeholders filled in; null: it has none, or they are not filled in. */
  filled: Bytes.nullable(),
  signature: z.object({
    /** Null: none goes out. */
    value: z.string().nullable(),
    /** Which secret made it ("current of Main"); null: none did. */
    secretName: z.string().nullable(),
    /** What our own check says of it, with the endpoint's secrets of now. */
    verdict: Verdict,
  }),
  /** Nothing but `Host` is other than captured. */
  unchanged: z.boolean(),
  bodyUnchanged: z.boolean(),
  problems: z.array(DraftProblem),
  /** What Tabscope would find if this arrived at the endpoint. */
  findings: z.array(Finding),
})
export type Preview = z.infer<typeof Preview>

export const composeCalls = {
  /** A new draft, which is stored only when it is saved. `file`: the bytes as a body. */
  'compose.start': {
    input: z.object({
      from: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('delivery'), id: Id, log: LogId }),
        z.object({ kind: z.literal('attempt'), id: Id }),
        z.object({ kind: z.literal('sample'), type: z.string().max(200) }),
        z.object({
          kind: z.literal('file'),
          name: z.string().max(300),
          bytes: Bytes.refine(
            (bytes) => bytes.byteLength <= draftBodyLimit,
            'The file is larger than 6 MiB.',
          ),
        }),
        z.object({ kind: z.literal('empty') }),
      ]),
      /** Where the origin has none of its own; null: the first endpoint there is. */
      endpointId: Id.nullable().default(null),
    }),
    output: DraftContent,
  },
  /** Without `id` a new one. `name` makes it a template, null a draft; left out it stays. Throws `name_taken`, `not_found`, and `bad_input` over 200 of them. */
  'compose.save': {
    input: z.object({
      id: Id.optional(),
      name: z.string().trim().min(1).max(120).nullable().optional(),
      content: DraftContent,
    }),
    output: DraftSummary,
  },
  /** Those changed last first. */
  'compose.list': { input: None, output: z.array(DraftSummary) },
  'compose.get': { input: z.object({ id: Id }), output: Draft },
  /** With those of its attempts that belong to no delivery. */
  'compose.remove': { input: z.object({ id: Id }), output: None },
  /** Never throws for what is written: what is wrong is in `problems`. Cheap enough for each keystroke. */
  'compose.preview': {
    input: z.object({ id: Id.optional(), content: DraftContent }),
    output: Preview,
  },
  /** No answer is an attempt with `error`. Throws `bad_input`, `bad_target`, `target_unconfirmed`, `secret_unavailable`, `not_found`. */
  'compose.send': {
    input: z.object({
      /** The draft it is stored as. Needed where it comes from no delivery. */
      id: Id.optional(),
      content: DraftContent,
      timeout: z.int().min(1).max(600_000).default(30_000),
      insecure: z.boolean().default(false),
      key: z.string().max(60).optional(),
    }),
    output: Attempt,
  },
  /** What stands of the target of an address while it is written: null where it is none yet. */
  'compose.target': {
    input: z.object({ url: z.string().max(8000) }),
    output: z.object({ target: Target.nullable() }),
  },
  /** The headers and the body of a captured delivery, to hold a draft against. Bodies over `draftBodyLimit` are null. */
  'compose.original': {
    input: z.object({ deliveryId: Id, log: LogId }),
    output: z.object({ headers: z.array(Header), body: Bytes.nullable() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
