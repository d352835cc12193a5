import * as z from 'zod'
import { maxTags, jobLimit, suggestedFields } from './constants.ts'
import {
  BodySlice,
  bodySliceInput,
  Cause,
  Delivery,
  DeliverySummary,
  Id,
  LogId,
  None,
  Severity,
  SignatureReport,
  StoreStats,
  Verdict,
} from './models.ts'

/** In text form (`filter/`); empty: all deliveries. */
export const FilterText = z.string().max(4000)

/** A call searches for a few tens of milliseconds. Calling again with the same input continues the search. To cancel it, stop calling. */
const Searched = z.object({
  /** False: older deliveries are not searched yet. */
  complete: z.boolean(),
  searched: z.number().min(0).max(1),
})

export const HeaderCheck = z.object({
  /** As received; for a missing header, as in the API documentation or the endpoint. */
  name: z.string(),
  /** In the received headers; null: not received. */
  index: z.int().nonnegative().nullable(),
  value: z.string().nullable(),
  /** `endpoint`: a custom header of the endpoint; `proxy`: added by the tunnel or a proxy, a claim; `common`: a standard HTTP header. */
  source: z.enum(['document', 'endpoint', 'proxy', 'common', 'other']),
  meaning: z.string().nullable(),
  /** Or a description of it; null: no expectation. */
  expected: z.string().nullable(),
  /** Null: no expectation, or undecidable. */
  matches: z.boolean().nullable(),
  note: z.string().nullable(),
})
export type HeaderCheck = z.infer<typeof HeaderCheck>

/** Tested with the captured bytes. */
export const DiagnosisCause = Cause.extend({
  title: z.string(),
  /** `matches`: explains the received signature, or the condition applies. `ruled_out`: a condition that does not apply. */
  outcome: z.enum(['matches', 'ruled_out']),
  /** May quote the body. Never contains a secret. */
  detail: z.string(),
  fix: z.string(),
})
export type DiagnosisCause = z.infer<typeof DiagnosisCause>

/** The first byte that differs, with 12 bytes before it and 24 after it. */
export const DiagnosisEvidence = z.object({
  offset: z.int().nonnegative(),
  received: z.string(),
  signed: z.string(),
})
export type DiagnosisEvidence = z.infer<typeof DiagnosisEvidence>

/** What a framework writes if a handler parses the body and serializes it again, instead of using the raw bytes. */
export const FrameworkGuess = z.object({
  /** "Express" */
  label: z.string(),
  /** ID in `catalogue/frameworks`; null: none of these. */
  check: z.string().nullable(),
  /** "JSON.stringify(req.body)" */
  writes: z.string(),
  /** False: it leaves this body as it is, so that it is not the reason. */
  changes: z.boolean(),
  /** "with slashes escaped" */
  words: z.array(z.string()),
  /** The first difference. `path` is empty for white space. */
  difference: z.object({ path: z.string(), received: z.string(), signed: z.string() }).nullable(),
})
export type FrameworkGuess = z.infer<typeof FrameworkGuess>

const Count = z.int().nonnegative()

export const Diagnosis = z.object({
  /** With the current secrets. */
  verdict: Verdict,
  conclusion: z.string(),
  /** Those that match first. */
  causes: z.array(DiagnosisCause),
  /** Libraries that write the JSON that was signed, the most common first. */
  producers: z.array(z.string()),
  /** Null: the received bytes were signed, no match was found, or they are larger than 1 MiB. */
  difference: DiagnosisEvidence.nullable(),
  /** Computed signatures. */
  tried: Count,
  /** False: the time was too short to try all single changes. */
  exhaustive: z.boolean(),
  /** Null: no candidate secret was given. */
  candidate: z.enum(['matches', 'matches_changed', 'differs']).nullable(),
  /** The signature is valid, but the last response of the handler was not 2xx. */
  rejected: Cause.nullable(),
  /** For a valid signature: those that change this body first. Empty if the body is no JSON. */
  frameworks: z.array(FrameworkGuess),
  /** Null: no digest of the handler was given. */
  computed: z
    .object({
      outcome: z.enum(['correct', 'explained', 'unknown']),
      conclusion: z.string(),
      causes: z.array(DiagnosisCause),
    })
    .nullable(),
})
export type Diagnosis = z.infer<typeof Diagnosis>

/** Never an error, because the API documentation does not define order or states. */
export const TraceMark = z.object({
  /** Stable: `late`, `before_open`, `after_close`, `removed_unseen`, `repeated` */
  code: z.string(),
  /** "Observed: arrived after an event that was created 4 s later." */
  message: z.string(),
})
export type TraceMark = z.infer<typeof TraceMark>

export const TraceEntry = z.object({
  delivery: DeliverySummary,
  /** The field that links it: `data.tabUuid`. */
  by: z.string(),
  /** Order, item, guest, spot ... */
  subject: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  /** Without a currency, because the API documentation gives none. */
  amount: z.number().nullable(),
  /** Running, including this event; null: unknown so far. */
  totals: z.object({
    /** Price times quantity of added items, minus removed items. That `price` is the price of one piece is an assumption. */
    items: z.number().nullable(),
    orders: z.number().nullable(),
    stated: z.number().nullable(),
  }),
  /** Since the previous entry, by `createdAt` if both have one, otherwise by arrival (may be negative). Null for the first. */
  gapMs: z.number().nullable(),
  observations: z.array(TraceMark),
})
export type TraceEntry = z.infer<typeof TraceEntry>

export const Trace = z.object({
  subject: z.object({
    kind: z.enum([
      'tab',
      'order',
      'item',
      'guest',
      'menu',
      'product',
      'category',
      'location',
      'spot',
      'other',
    ]),
    id: z.string(),
    name: z.string().nullable(),
  }),
  /** Oldest first, by `createdAt` if present, otherwise by arrival. */
  entries: z.array(TraceEntry),
  notes: z.array(z.string()),
  /** There may be more entries. Those that arrived farthest from the requested delivery are omitted. */
  truncated: z.boolean(),
  /** Deliveries with a higher id are not indexed yet. */
  indexedId: z.int().nonnegative(),
})
export type Trace = z.infer<typeof Trace>

const Duplicates = z.object({
  total: z.int().nonnegative(),
  /** The newest ones, at most 20. */
  rows: z.array(DeliverySummary),
})

export const Related = z.object({
  sameBody: Duplicates,
  /** The same type, target, location and `createdAt`, but different bytes. */
  sameEvent: Duplicates,
  /** False: this delivery is not indexed yet. */
  indexed: z.boolean(),
})
export type Related = z.infer<typeof Related>

/** What deliveries can be grouped by. `problem`: what is wrong, with its cause, response and endpoint. */
export const groupKinds = [
  'problem',
  'cause',
  'outcome',
  'handler',
  'verdict',
  'finding',
  'severity',
  'type',
  'tab',
  'endpoint',
  'location',
] as const

export const DeliveryGroup = z.object({
  key: z.string(),
  /** "Tab Miller", "Line break at the end of the secret" */
  label: z.string(),
  /** Selects its deliveries in a filter. */
  term: z.string(),
  /** Of the field of that name in a filter; null for a problem, which several fields select. */
  value: z.string().nullable(),
  count: z.int().positive(),
  /** When the first of them was received. */
  firstAt: z.number(),
  last: DeliverySummary,
})
export type DeliveryGroup = z.infer<typeof DeliveryGroup>

export const FindingKind = z.object({
  code: z.string(),
  severity: Severity,
  location: z.string(),
  count: z.int().positive(),
  firstId: Id,
  firstAt: z.number(),
  lastId: Id,
  lastAt: z.number(),
})
export type FindingKind = z.infer<typeof FindingKind>

export const TypeConformance = z.object({
  type: z.string().nullable(),
  count: z.int().positive(),
  firstId: Id,
  firstAt: z.number(),
  lastId: Id,
  lastAt: z.number(),
  /** Most frequent first. */
  findings: z.array(FindingKind),
})
export type TypeConformance = z.infer<typeof TypeConformance>

export const JsonKind = z.enum(['string', 'number', 'boolean', 'null', 'object', 'array'])
export type JsonKind = z.infer<typeof JsonKind>

/** What the API documentation says. Null: nothing. */
const DocumentedField = z
  .object({
    type: z.enum(['string', 'number', 'boolean', 'string[]', 'object']),
    optional: z.boolean(),
  })
  .nullable()

/** Deliveries may be deleted since. */
export const PayloadField = z.object({
  /** `data.total`, `data.itemNames[]` for the elements of a list. `*` is a key that may be a value, which is not stored. */
  path: z.string(),
  documented: DocumentedField,
  /** That had it. */
  payloads: z.int().positive(),
  kinds: z.partialRecord(JsonKind, z.int().positive()),
  firstId: Id,
  firstAt: z.number(),
  lastId: Id,
  lastAt: z.number(),
})
export type PayloadField = z.infer<typeof PayloadField>

export const TypeFields = z.object({
  /** Null: no type. `*`: undocumented types beyond the first 20, or whose name may be a value. */
  type: z.string().nullable(),
  payloads: z.int().positive(),
  /** By path. */
  fields: z.array(PayloadField),
})
export type TypeFields = z.infer<typeof TypeFields>

export const FieldNotice = z.object({
  type: z.string().nullable(),
  path: z.string(),
  /** `absent`: regular before, and in none of at least 5 payloads for a day. `type`: a JSON type that the field did not have before. */
  change: z.enum(['appeared', 'absent', 'type']),
  /** The new JSON type; null: another change. */
  kind: JsonKind.nullable(),
  documented: DocumentedField,
  /** The first delivery with the change; for an absent field, the last with it. */
  id: Id,
  at: z.number(),
})
export type FieldNotice = z.infer<typeof FieldNotice>
export type NoticeChange = FieldNotice['change']

/** A column of the list. */
export const ListColumn = z.object({
  /** One of the interface, or `body:data.total` for a value of the body. */
  id: z.string().max(220),
  /** In pixels; null: the default. */
  width: z.int().min(30).max(1200).nullable(),
})
export type ListColumn = z.infer<typeof ListColumn>

const Columns = z.array(ListColumn).max(40).nullable()

/** A saved view of the list. */
export const SavedFilter = z.object({
  id: Id,
  name: z.string(),
  filter: z.string(),
  /** Null: it keeps the columns of the list. */
  columns: Columns,
})
export type SavedFilter = z.infer<typeof SavedFilter>

/** By a column of the list instead of by arrival. */
export const ListSort = z.object({
  by: z.enum(['received', 'amount', 'type', 'outcome']),
  descending: z.boolean(),
})
export type ListSort = z.infer<typeof ListSort>

/** Exactly one of `ids` and `filter`; at most 100,000 deliveries. */
const Several = z.object({
  ids: z.array(Id).min(1).max(jobLimit).optional(),
  filter: FilterText.optional(),
  /** With `filter`; null: up to the newest. */
  upTo: z.int().nonnegative().nullable().default(null),
})
export type Several = z.infer<typeof Several>

const Tags = z.array(z.string().trim().min(1).max(40)).max(maxTags)

export const deliveryCalls = {
  /**
   * Newest first. `upTo` and `asOf` pin the list: rows with a greater id are omitted, and `since:2h` is relative to `asOf` (milliseconds since the epoch).
   * Pass null first, then the returned values. Throws `bad_filter` with `from` and `to` in its details. While `complete` is false, `total` and `rows` are
   * the results so far. `sort`: no rows before it is complete, and except by `received`, of the newest 10,000 only.
   */
  'deliveries.page': {
    input: z.object({
      log: LogId,
      filter: FilterText.default(''),
      upTo: z.int().nonnegative().nullable(),
      asOf: z.number().nullable().default(null),
      offset: z.int().nonnegative(),
      limit: z.int().min(1).max(500),
      sort: ListSort.nullable().default(null),
    }),
    output: Searched.extend({
      rows: z.array(DeliverySummary),
      upTo: z.int().nonnegative(),
      asOf: z.number(),
      total: z.int().nonnegative(),
    }),
  },
  /** After `after`, oldest first, to follow a filter live. `upTo`: the last examined id; deliveries that are not indexed yet are left for the next call. */
  'deliveries.newer': {
    input: z.object({
      log: LogId,
      filter: FilterText.default(''),
      after: z.int().nonnegative(),
      asOf: z.number().nullable().default(null),
      limit: z.int().min(1).max(1000),
    }),
    output: z.object({ rows: z.array(DeliverySummary), upTo: z.int().nonnegative() }),
  },
  /** After `after`, oldest first, to follow the store without gaps. */
  'deliveries.since': {
    input: z.object({ after: z.int().nonnegative(), limit: z.int().min(1).max(1000) }),
    output: z.array(DeliverySummary),
  },
  /** Resolves when all deliveries received before are stored. If more than `maxBehind` are not, it does not wait. Throws `store_failed`. */
  'deliveries.stored': {
    input: z.object({ maxBehind: z.int().nonnegative().optional() }),
    output: StoreStats,
  },
  'deliveries.get': { input: z.object({ id: Id, log: LogId }), output: Delivery },
  /** Throws `bad_input` if the body cannot be decoded. */
  'deliveries.body': {
    input: bodySliceInput.extend({ log: LogId, decoded: z.boolean().default(false) }),
    output: BodySlice,
  },
  /** Values in the bodies, as text, null where there is none: for columns of the list. Bodies over 1 MiB and deleted deliveries are left out. */
  'deliveries.values': {
    input: z.object({
      log: LogId,
      ids: z.array(Id).max(200),
      /** `data.total`, `data.itemNames[0]`, `data["a key"]` */
      paths: z.array(z.string().min(1).max(200)).max(20),
    }),
    output: z.array(z.object({ id: Id, values: z.array(z.string().nullable()) })),
  },
  'deliveries.signature': { input: z.object({ id: Id, log: LogId }), output: SignatureReport },
  /** By the body and the current endpoint settings. */
  'deliveries.headers': { input: z.object({ id: Id, log: LogId }), output: z.array(HeaderCheck) },
  /**
   * `candidate` is tested as a secret; it is neither stored nor logged nor returned. `computed`: the digest that the user's handler computed, in hex or
   * base64, to find out how. `quick`: stops after 0.3 s of computing, where almost every cause is found, instead of 3 s.
   */
  'deliveries.diagnose': {
    input: z.object({
      id: Id,
      log: LogId,
      candidate: z.string().min(1).max(1000).optional(),
      computed: z.string().min(1).max(1000).optional(),
      quick: z.boolean().default(false),
    }),
    output: Diagnosis,
  },
  /**
   * Stores each verdict that differs with the current secrets; the verdict at arrival is kept. Takes `ids` or a `filter`. Each call processes some
   * deliveries, oldest first: while `complete` is false, call again with the returned `after`, `upTo` and `asOf`. Throws `bad_filter`.
   */
  'deliveries.recheck': {
    input: z.object({
      ids: z.array(Id).min(1).max(100_000).optional(),
      filter: FilterText.optional(),
      after: z.int().nonnegative().default(0),
      /** With `filter`; null: up to the newest. */
      upTo: z.int().nonnegative().nullable().default(null),
      asOf: z.number().nullable().default(null),
    }),
    output: z.object({
      counts: z.record(Verdict, z.int().nonnegative()),
      /** Another verdict or another matching secret than before. */
      changed: z.int().nonnegative(),
      changedIds: z.array(Id),
      /** Not checked, because their body is not completely stored. */
      incomplete: z.int().nonnegative(),
      reached: z.int().nonnegative(),
      upTo: z.int().nonnegative(),
      asOf: z.number(),
      complete: z.boolean(),
    }),
  },
  'deliveries.trace': { input: z.object({ id: Id, log: LogId }), output: Trace },
  'deliveries.related': { input: z.object({ id: Id, log: LogId }), output: Related },
  /** Most deliveries first, tabs by the last delivery; at most 200. A delivery with several causes or findings is in each of their groups. */
  'deliveries.groups': {
    input: z.object({
      log: LogId,
      filter: FilterText.default(''),
      upTo: z.int().nonnegative().nullable().default(null),
      asOf: z.number().nullable().default(null),
      by: z.enum(groupKinds),
    }),
    output: Searched.extend({ groups: z.array(DeliveryGroup) }),
  },
  /** By type, at most 500. Times in milliseconds since the epoch; null: no limit. */
  'deliveries.conformance': {
    input: z.object({
      log: LogId,
      since: z.number().nullable().default(null),
      before: z.number().nullable().default(null),
    }),
    output: z.object({ types: z.array(TypeConformance) }),
  },
  /**
   * The fields of complete JSON payloads by type, since the first delivery: they outlive their deliveries. Without those that Tabscope sent. Notices are
   * the newest first, at most 200.
   */
  'deliveries.fields': {
    input: z.object({ log: LogId }),
    output: z.object({
      types: z.array(TypeFields),
      notices: z.array(FieldNotice),
      /** Deliveries with a higher id are not observed yet. */
      observedId: z.int().nonnegative(),
    }),
  },
  /** All of them. */
  'deliveries.dismissNotices': { input: None, output: None },
  /** Omitted fields are not changed. `tags` replaces all tags. A delivery that gets a note or a tag is pinned, so that retention does not delete it. */
  'deliveries.annotate': {
    input: z.object({
      id: Id,
      pinned: z.boolean().optional(),
      note: z.string().max(4000).optional(),
      tags: Tags.optional(),
      addTags: Tags.optional(),
      removeTags: Tags.optional(),
    }),
    output: DeliverySummary,
  },
  /** A tag also pins. Omitted fields are not changed. `full`: deliveries that have the maximum number of tags. Throws `bad_input`, `bad_filter`. */
  'deliveries.mark': {
    input: Several.extend({
      pinned: z.boolean().optional(),
      tag: z.string().trim().min(1).max(40).optional(),
    }),
    output: z.object({ changed: z.int().nonnegative(), full: z.int().nonnegative() }),
  },
  /** Including pinned ones, with their notes, tags and attempts. Missing deliveries are not counted. Throws `bad_input`, `bad_filter`. */
  'deliveries.delete': { input: Several, output: z.object({ deleted: z.int().nonnegative() }) },
  /** Pinned deliveries stay. */
  'deliveries.clear': {
    input: None,
    output: z.object({ deleted: z.int().nonnegative() }),
  },

  'filters.saved': { input: None, output: z.array(SavedFilter) },
  /** With `id`, updates the existing filter. */
  'filters.save': {
    input: z.object({
      id: Id.optional(),
      name: z.string().trim().min(1).max(80),
      filter: FilterText,
      columns: Columns.default(null),
    }),
    output: SavedFilter,
  },
  'filters.remove': { input: z.object({ id: Id }), output: None },
  /** Received values of a field, most frequent first, at most 50. */
  'filters.suggest': {
    input: z.object({ log: LogId, field: z.enum(suggestedFields), prefix: z.string().max(200) }),
    output: z.array(z.string()),
  },
} as const
