import { z } from 'zod'
import { maxTags } from './constants.ts'
import { BodySlice, bodySliceInput, LogId } from './models.ts'
import { jobLimit } from './sending.ts'
import {
  Delivery,
  DeliverySummary,
  Id,
  Severity,
  SignatureReport,
  StoreStats,
  Verdict,
} from './models.ts'

/** A filter in text form (`filter/`); empty: all deliveries. */
export const FilterText = z.string().max(4000)

/**
 * Progress of a search. Searches run in steps: each call searches for a few tens of milliseconds and returns the results so far.
 * Calling again with the same input continues the search. To cancel it, stop calling.
 */
const Searched = z.object({
  /** False: older deliveries are not searched yet. */
  complete: z.boolean(),
  /** Searched share of all deliveries, 0 to 1. */
  searched: z.number().min(0).max(1),
})

/** One row of the header breakdown: received value, meaning, and expected value. */
export const HeaderCheck = z.object({
  /** The received name; for a missing header, the name in the API documentation or the endpoint. */
  name: z.string(),
  /** Index in the received headers; null: not received. */
  index: z.int().nonnegative().nullable(),
  /** Null: not received. */
  value: z.string().nullable(),
  /**
   * `document`: in the API documentation; `endpoint`: a custom header of the endpoint; `proxy`: added by the tunnel or a proxy, a claim;
   * `common`: a standard HTTP header; `other`.
   */
  source: z.enum(['document', 'endpoint', 'proxy', 'common', 'other']),
  /** Meaning; null: unknown. */
  meaning: z.string().nullable(),
  /** Expected value, or a description of it; null: no expectation. */
  expected: z.string().nullable(),
  /** Whether the value is as expected; null: no expectation, or undecidable. */
  matches: z.boolean().nullable(),
  /** Why it does not match, or is undecidable. */
  note: z.string().nullable(),
})
export type HeaderCheck = z.infer<typeof HeaderCheck>

/** A possible cause of a failed signature, and the result of testing it with the captured bytes. */
export const DiagnosisCause = z.object({
  /** Stable: `secret.none`, `secret.white_space`, `encoding.base64`, `body.pretty`, `scheme.stripe` ... */
  code: z.string(),
  /** Description of the cause. */
  title: z.string(),
  /**
   * `matches`: this explains the received signature, or the condition applies. `ruled_out`: tested without a match. `untried`: not
   * testable here; `detail` says why.
   */
  outcome: z.enum(['matches', 'ruled_out', 'untried']),
  /** What was tested, and the result. Never contains a secret. */
  detail: z.string(),
  /** How to fix this cause. */
  fix: z.string(),
  /** Where to fix it: in Tabscope, on the service's dashboard, in a proxy or tunnel in between, or at the sender. */
  where: z.enum(['here', 'dashboard', 'between', 'sender']),
})
export type DiagnosisCause = z.infer<typeof DiagnosisCause>

export const Diagnosis = z.object({
  /** The verdict with the current secrets. */
  verdict: Verdict,
  /** Summary of the diagnosis. */
  conclusion: z.string(),
  /** Matching causes first, then by likelihood. */
  causes: z.array(DiagnosisCause),
  /** Number of computed signatures. */
  tried: z.int().nonnegative(),
  /** False: the body is too large to test all causes. */
  exhaustive: z.boolean(),
  /** Result of the given candidate secret; null: none given. */
  candidate: z.enum(['matches', 'matches_changed', 'differs']).nullable(),
})
export type Diagnosis = z.infer<typeof Diagnosis>

/** An observation in a trace. It is never an error, because the API documentation does not define order or states. */
export const TraceMark = z.object({
  /** Stable: `late`, `before_open`, `after_close`, `removed_unseen`, `repeated`, `gap`, `merged`, `caused` ... */
  code: z.string(),
  /** "Observed: arrived after an event that was created 4 s later." */
  message: z.string(),
})
export type TraceMark = z.infer<typeof TraceMark>

export const TraceEntry = z.object({
  delivery: DeliverySummary,
  /** `linked`: related by an ID in the payload; `near`: related only by time and place, which the API documentation does not guarantee. */
  relation: z.enum(['linked', 'near']),
  /** The field that relates it (`data.tabUuid`), or what it is near to. */
  by: z.string(),
  /** The order, item, guest, spot ... of the event, if known. */
  subject: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  /** The amount in the event; null: none. Without a currency, because the API documentation gives none. */
  amount: z.number().nullable(),
  /** Running totals after this event; null: unknown so far. */
  totals: z.object({
    /** Sum of price times quantity of added items, minus removed items. That `price` is the price of one piece is an assumption. */
    items: z.number().nullable(),
    /** Sum of the totals of placed orders. */
    orders: z.number().nullable(),
    /** The last reported total of the tab. */
    stated: z.number().nullable(),
  }),
  /**
   * Milliseconds since the previous tied entry, by `createdAt` if both have one, otherwise by arrival (may be negative); null for the
   * first tied entry and for `near` entries.
   */
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
  /** Notes about unknown data and assumptions. */
  notes: z.array(z.string()),
  /** True: there may be more entries. Those that arrived farthest from the requested delivery are omitted. */
  truncated: z.boolean(),
  /** Deliveries with a higher id are not indexed yet. */
  indexedId: z.int().nonnegative(),
})
export type Trace = z.infer<typeof Trace>

const Duplicates = z.object({
  /** Excluding this delivery. */
  total: z.int().nonnegative(),
  /** The newest ones, at most 20. */
  rows: z.array(DeliverySummary),
})

/** Deliveries that are similar to a delivery. */
export const Related = z.object({
  /** Deliveries with the same bytes. */
  sameBody: Duplicates,
  /** Deliveries with the same type, target, location and `createdAt`, but different bytes. */
  sameEvent: Duplicates,
  /** For QR_SCANNED: what follows from the documented throttle (one event per 5 minutes per customer per target). Never a violation. */
  throttle: z
    .object({
      target: z.string(),
      name: z.string().nullable(),
      /** Milliseconds since the epoch. Until then, no event for the same guest is expected. */
      endsAt: z.number(),
      /** Number of events of this target in the 5 minutes up to this event, including it. */
      events: z.int().positive(),
      /** Minimum number of guests, if the throttle is applied. */
      minGuests: z.int().positive(),
    })
    .nullable(),
  /** False: this delivery is not indexed yet. */
  indexed: z.boolean(),
})
export type Related = z.infer<typeof Related>

export const timelineKinds = ['verdict', 'type', 'lag', 'size'] as const

/** Numbers of deliveries in equal time intervals, split by verdict, type, lag or size. */
export const Timeline = Searched.extend({
  /** Start of the first bucket in milliseconds since the epoch. */
  from: z.number(),
  /** Length of a bucket in milliseconds. */
  bucketMs: z.number().positive(),
  /** Counts by verdict, type, or class such as "1 s to 5 s", each with the filter term that selects it. */
  series: z.array(
    z.object({ key: z.string(), label: z.string(), term: z.string(), counts: z.array(z.int()) }),
  ),
})
export type Timeline = z.infer<typeof Timeline>

/** Statistics of one kind of finding. */
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
  /** Null: deliveries without a type. */
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

export const SavedFilter = z.object({
  id: Id,
  name: z.string(),
  filter: z.string(),
})
export type SavedFilter = z.infer<typeof SavedFilter>

/** Selects several deliveries by ids, or by a filter up to a delivery. Exactly one of `ids` and `filter`; at most 100,000. */
const Several = z.object({
  ids: z.array(Id).min(1).max(jobLimit).optional(),
  filter: FilterText.optional(),
  /** With `filter`: up to this delivery; null: up to the newest. */
  upTo: z.int().nonnegative().nullable().default(null),
})
export type Several = z.infer<typeof Several>

export const suggestedFields = ['location', 'tag', 'finding', 'type', 'header', 'status'] as const

const Tags = z.array(z.string().trim().min(1).max(40)).max(maxTags)

export const deliveryCalls = {
  /**
   * Lists deliveries, newest first. `upTo` and `asOf` pin the list: rows with a greater id are omitted, and `since:2h` is 2 hours before `asOf`
   * (milliseconds since the epoch). Pass null in the first call, and the returned values in the next ones. An invalid filter throws `bad_filter`
   * with `from` and `to` in its details. While `complete` is false, `total` and `rows` are the results so far.
   */
  'deliveries.page': {
    input: z.object({
      log: LogId,
      filter: FilterText.default(''),
      upTo: z.int().nonnegative().nullable(),
      asOf: z.number().nullable().default(null),
      offset: z.int().nonnegative(),
      limit: z.int().min(1).max(500),
    }),
    output: Searched.extend({
      rows: z.array(DeliverySummary),
      upTo: z.int().nonnegative(),
      asOf: z.number(),
      /** Number of matching deliveries with an id up to `upTo`. */
      total: z.int().nonnegative(),
    }),
  },
  /**
   * Lists matching deliveries with an id greater than `after`, oldest first, to follow a filter live. `upTo` is the last examined id. If the filter
   * needs the search index, deliveries that are not indexed yet are left for the next call.
   */
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
  /** Lists deliveries with an id greater than `after`, oldest first, to follow the store without gaps. */
  'deliveries.since': {
    input: z.object({ after: z.int().nonnegative(), limit: z.int().min(1).max(1000) }),
    output: z.array(DeliverySummary),
  },
  /**
   * Resolves with the store's statistics when all deliveries received before this call are stored. If more than `maxBehind` are not, it does not wait,
   * and `behind` is their number. Throws `store_failed`.
   */
  'deliveries.stored': {
    input: z.object({ maxBehind: z.int().nonnegative().optional() }),
    output: StoreStats,
  },
  'deliveries.get': { input: z.object({ id: Id, log: LogId }), output: Delivery },
  /** Returns a range of a body. Throws `bad_input` if it cannot be decoded. */
  'deliveries.body': {
    input: bodySliceInput.extend({ log: LogId, decoded: z.boolean().default(false) }),
    output: BodySlice,
  },
  'deliveries.signature': { input: z.object({ id: Id, log: LogId }), output: SignatureReport },
  /** Compares all received and expected headers with the body and the current endpoint settings. */
  'deliveries.headers': { input: z.object({ id: Id, log: LogId }), output: z.array(HeaderCheck) },
  /** Diagnoses a failed signature. `candidate` is tested as a secret; it is neither stored nor logged nor returned. */
  'deliveries.diagnose': {
    input: z.object({ id: Id, log: LogId, candidate: z.string().min(1).max(1000).optional() }),
    output: Diagnosis,
  },
  /**
   * Checks signatures again with the current secrets, and stores each verdict that differs; the verdict at arrival is
   * kept. Takes either `ids` or a `filter`. Each call processes some deliveries, oldest first: while `complete` is false, call again with the
   * returned `after`, `upTo` and `asOf`. An invalid filter throws `bad_filter`.
   */
  'deliveries.recheck': {
    input: z.object({
      ids: z.array(Id).min(1).max(100_000).optional(),
      filter: FilterText.optional(),
      after: z.int().nonnegative().default(0),
      /** With `filter`: up to this delivery; null: up to the newest. */
      upTo: z.int().nonnegative().nullable().default(null),
      asOf: z.number().nullable().default(null),
    }),
    output: z.object({
      /** Number of checked deliveries by current verdict. */
      counts: z.record(Verdict, z.int().nonnegative()),
      /** Number of deliveries whose verdict or matching secret changed. */
      changed: z.int().nonnegative(),
      /** Number of deliveries that could not be checked, because their body is not completely stored. */
      incomplete: z.int().nonnegative(),
      reached: z.int().nonnegative(),
      upTo: z.int().nonnegative(),
      asOf: z.number(),
      complete: z.boolean(),
    }),
  },
  /** Returns the history of the tab, guest, product ... of this delivery. */
  'deliveries.trace': { input: z.object({ id: Id, log: LogId }), output: Trace },
  'deliveries.related': { input: z.object({ id: Id, log: LogId }), output: Related },
  /** `from` and `to` in milliseconds since the epoch; null: first and last delivery. */
  'deliveries.timeline': {
    input: z.object({
      log: LogId,
      filter: FilterText.default(''),
      upTo: z.int().nonnegative().nullable().default(null),
      asOf: z.number().nullable().default(null),
      from: z.number().nullable().default(null),
      to: z.number().nullable().default(null),
      buckets: z.int().min(1).max(400),
      by: z.enum(timelineKinds),
    }),
    output: Timeline,
  },
  /** Returns counts, findings, and first and last occurrence for each type, at most 500 types. Times in milliseconds since the epoch; null: no limit. */
  'deliveries.conformance': {
    input: z.object({
      log: LogId,
      since: z.number().nullable(),
      before: z.number().nullable(),
    }),
    output: z.object({ types: z.array(TypeConformance) }),
  },
  'deliveries.pin': { input: z.object({ id: Id, pinned: z.boolean() }), output: z.object({}) },
  /**
   * Updates note and tags. Omitted fields are not changed. `tags` replaces all tags; `addTags` and `removeTags` change existing ones. A delivery
   * that gets a note or a tag is also pinned, so that retention does not delete it.
   */
  'deliveries.annotate': {
    input: z.object({
      id: Id,
      note: z.string().max(4000).optional(),
      tags: Tags.optional(),
      addTags: Tags.optional(),
      removeTags: Tags.optional(),
    }),
    output: DeliverySummary,
  },
  /**
   * Pins or unpins several deliveries, or adds a tag to each, which also pins them. Omitted fields are not changed. `changed`: number of changed
   * deliveries. `full`: number of deliveries that have the maximum number of tags. Throws `bad_input` and `bad_filter`.
   */
  'deliveries.mark': {
    input: Several.extend({
      pinned: z.boolean().optional(),
      tag: z.string().trim().min(1).max(40).optional(),
    }),
    output: z.object({ changed: z.int().nonnegative(), full: z.int().nonnegative() }),
  },
  /**
   * Permanently deletes several deliveries, including pinned ones, with their notes, tags and attempts. Missing deliveries
   * are not counted. Throws `bad_input` and `bad_filter`.
   */
  'deliveries.delete': { input: Several, output: z.object({ deleted: z.int().nonnegative() }) },
  /** Deletes all deliveries that are not pinned. */
  'deliveries.clear': {
    input: z.object({}),
    output: z.object({ deleted: z.int().nonnegative() }),
  },

  'filters.saved': { input: z.object({}), output: z.array(SavedFilter) },
  /** With `id`, updates the existing filter. */
  'filters.save': {
    input: z.object({
      id: Id.optional(),
      name: z.string().trim().min(1).max(80),
      filter: FilterText.min(1),
    }),
    output: SavedFilter,
  },
  'filters.remove': { input: z.object({ id: Id }), output: z.object({}) },
  /** Returns received values of a field with this prefix, most frequent first, at most 50. */
  'filters.suggest': {
    input: z.object({ log: LogId, field: z.enum(suggestedFields), prefix: z.string().max(200) }),
    output: z.array(z.string()),
  },
} as const
