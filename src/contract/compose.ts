import * as z from 'zod'
import { draftBodyLimit } from './constants.ts'
import { Attempt, SignChoice } from './sending.ts'
import { Bytes, Finding, Header, Id, LogId, None, Severity, Verdict } from './models.ts'

/**
 * With `byHand` false, a derived header (event type, target UUID, target id, application id, signature, `Content-Length`, `Host`) is computed from body,
 * endpoint and URL once the body differs from the captured one, and omitted if there is no value. Other headers ignore `byHand`.
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
  /** The event log may have been removed since: the draft contains all data. `log`: its name. */
  z.object({ kind: z.literal('log'), log: z.string().max(300), logId: Id, deliveryId: Id }),
  z.object({ kind: z.literal('sample'), type: z.string() }),
  z.object({ kind: z.literal('file'), name: z.string().max(300) }),
  z.object({ kind: z.literal('empty') }),
])
export type DraftOrigin = z.infer<typeof DraftOrigin>

/** `captured`: the unchanged bytes of the original delivery, which may exceed `draftBodyLimit`. */
export const DraftBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('captured') }),
  z.object({
    kind: z.literal('bytes'),
    bytes: Bytes.refine(
      (bytes) => bytes.byteLength <= draftBodyLimit,
      'The body is larger than 6 MiB and cannot be edited.',
    ),
  }),
])
export type DraftBody = z.infer<typeof DraftBody>

export const DraftContent = z.object({
  origin: DraftOrigin,
  /** Its brand, secrets and application id are used. Null: the request cannot be signed. */
  endpointId: Id.nullable(),
  /** Validated when sent, not while editing. */
  method: z.string().max(40),
  url: z.string().max(8000),
  headers: z.array(DraftHeader).max(500),
  body: DraftBody,
  sign: SignChoice,
  /**
   * Replaces `{{uuid}}`, `{{uuid:NAME}}` (the same value for the same name), `{{now}}` (ISO 8601, UTC, milliseconds), `{{now:seconds}}`,
   * `{{now:milliseconds}}` and `{{counter}}` in URL, headers and body, with new values for each request.
   */
  placeholders: z.boolean(),
})
export type DraftContent = z.infer<typeof DraftContent>

export const DraftSummary = z.object({
  id: Id,
  /** Of a template; null: a draft. */
  name: z.string().nullable(),
  updatedAt: z.number(),
  origin: DraftOrigin,
  title: z.string(),
  method: z.string(),
  url: z.string(),
})
export type DraftSummary = z.infer<typeof DraftSummary>

export const Draft = DraftSummary.extend({
  content: DraftContent,
  /** Of the next request, from 1. */
  counter: z.int().positive(),
})
export type Draft = z.infer<typeof Draft>

/** With severity `error`, the draft cannot be sent. */
export const DraftProblem = z.object({
  /**
   * Stable. Errors: `method.invalid`, `url.empty`, `url.invalid`, `header.name`, `header.value`, `header.framing`, `body.gone`, `body.partial`,
   * `sign.no_secret`. Warnings: `body.not_json`, `body.bom`, `body.encoding`, `header.trailers`. Notes: `header.length_added`, `placeholders.unknown`,
   * `placeholders.not_text`, `sign.left_out`, `sign.off`, `sign.by_hand`.
   */
  code: z.string(),
  severity: Severity,
  field: z.enum(['method', 'url', 'headers', 'body', 'sign']),
  /** An index; null: not about a header. */
  header: z.int().nonnegative().nullable(),
  message: z.string(),
})
export type DraftProblem = z.infer<typeof DraftProblem>

export const PreparedHeader = z.object({
  name: z.string(),
  value: z.string(),
  /** An index; null: added because it is required. */
  draft: z.int().nonnegative().nullable(),
  /** `length`: computed for `Content-Length`. */
  from: z.enum(['draft', 'body', 'endpoint', 'url', 'length', 'signature']),
})
export type PreparedHeader = z.infer<typeof PreparedHeader>

export const Preview = z.object({
  headers: z.array(PreparedHeader),
  /** Enabled headers whose value depends on something missing, by index. */
  leftOut: z.array(z.int().nonnegative()),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** The body with replaced placeholders; null: none are replaced. */
  filled: Bytes.nullable(),
  signature: z.object({
    value: z.string().nullable(),
    /** "current of Main"; null: none is used. */
    secretName: z.string().nullable(),
    verdict: Verdict,
  }),
  /** Only `Host` differs from the captured delivery. */
  unchanged: z.boolean(),
  bodyUnchanged: z.boolean(),
  problems: z.array(DraftProblem),
  findings: z.array(Finding),
})
export type Preview = z.infer<typeof Preview>

export const composeCalls = {
  /** Not stored until it is saved. `file`: the bytes become the body. */
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
      /** Used if the origin has no endpoint; null: the first endpoint. */
      endpointId: Id.nullable().default(null),
    }),
    output: DraftContent,
  },
  /** The request of a cURL command for a POSIX shell or cmd, or of a request command of PowerShell. Files that it names are not read. Throws `bad_input` with what cannot be composed. */
  'compose.curl': {
    input: z.object({
      command: z.string().max(2 * draftBodyLimit),
      /** As in `compose.start`. */
      endpointId: Id.nullable().default(null),
    }),
    output: z.object({
      content: DraftContent,
      /** Options and parts of the command that the request does not have. */
      ignored: z.array(z.string()),
    }),
  },
  /** Without `id`, a new draft. `name` makes it a template, null a draft; omitted: unchanged. Throws `name_taken`, `not_found`, `bad_input` above 200 drafts. */
  'compose.save': {
    input: z.object({
      id: Id.optional(),
      name: z.string().trim().min(1).max(120).nullable().optional(),
      content: DraftContent,
    }),
    output: DraftSummary,
  },
  /** Most recently changed first. */
  'compose.list': { input: None, output: z.array(DraftSummary) },
  'compose.get': { input: z.object({ id: Id }), output: Draft },
  /** Includes its attempts that belong to no delivery. */
  'compose.remove': { input: z.object({ id: Id }), output: None },
  /** Invalid content is reported in `problems`, not thrown. Fast enough to call on each keystroke. */
  'compose.preview': {
    input: z.object({ id: Id.optional(), content: DraftContent }),
    output: Preview,
  },
  /** A missing response is an attempt with `error`. Throws `bad_input`, `bad_target`, `target_unconfirmed`, `secret_unavailable`, `not_found`. */
  'compose.send': {
    input: z.object({
      /** Required if the draft has no original delivery. */
      id: Id.optional(),
      content: DraftContent,
      timeout: z.int().min(1).max(600_000).default(30_000),
      insecure: z.boolean().default(false),
      key: z.string().max(60).optional(),
    }),
    output: Attempt,
  },
  /** To compare a draft with it. Bodies over `draftBodyLimit` are null. */
  'compose.original': {
    input: z.object({ deliveryId: Id, log: LogId }),
    output: z.object({ headers: z.array(Header), body: Bytes.nullable() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
