import { z } from 'zod'
import { BodySlice, bodySliceInput } from './body-slice.ts'
import { LogId } from './log-id.ts'
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

/** A filter as text (`filter/`); empty: all deliveries. */
export const FilterText = z.string().max(4000)

/**
 * What every answer to a filter says of itself. Searching is done in steps: a call looks for a few tens of milliseconds and answers with
 * what it found; calling again with the same input goes on from there, and not calling again ends it. Nothing else has to be cancelled.
 */
const Searched = z.object({
  /** False: older deliveries are still to be looked at. */
  complete: z.boolean(),
  /** Which share of what there is to search has been, 0 to 1. */
  searched: z.number().min(0).max(1),
})

/** One row of the header breakdown: what came, what it means, what was to be expected. */
export const HeaderCheck = z.object({
  /** As it came; for one that did not come, as the document or the endpoint writes it. */
  name: z.string(),
  /** Place among the headers that came, from 0; null: it did not come. */
  index: z.int().nonnegative().nullable(),
  /** Null: it did not come. */
  value: z.string().nullable(),
  /**
   * `document`: named by the service's document; `endpoint`: a custom header of the endpoint; `way`: added on the way, a claim of the tunnel or
   * of a proxy; `common`: known from HTTP; `other`.
   */
  source: z.enum(['document', 'endpoint', 'way', 'common', 'other']),
  /** What it means; null: nobody says. */
  meaning: z.string().nullable(),
  /** What should have come, in words or as a value; null: nothing is to be expected. */
  expected: z.string().nullable(),
  /** Whether it is as expected; null: nothing is to be expected, or it cannot be told. */
  agrees: z.boolean().nullable(),
  /** Why it does not agree, or cannot be told. */
  note: z.string().nullable(),
})
export type HeaderCheck = z.infer<typeof HeaderCheck>

/** One reason for which a signature may fail, and what came of trying it on the bytes that were captured. */
export const DiagnosisCause = z.object({
  /** Stable: `secret.none`, `secret.white_space`, `encoding.base64`, `body.pretty`, `scheme.stripe` ... */
  code: z.string(),
  /** What it would be, as a sentence. */
  title: z.string(),
  /**
   * `matches`: with this the signature that came is right, or the fact is so. `ruled_out`: tried, and it is not this. `untried`: it
   * cannot be tried here, `detail` says why.
   */
  outcome: z.enum(['matches', 'ruled_out', 'untried']),
  /** What was tried and what came of it. Never a secret. */
  detail: z.string(),
  /** What to do when it is this one. */
  fix: z.string(),
  /** Who has to do it: we here, the service's dashboard, something between (proxy, tunnel), or whoever signs. */
  where: z.enum(['here', 'dashboard', 'between', 'sender']),
})
export type DiagnosisCause = z.infer<typeof DiagnosisCause>

export const Diagnosis = z.object({
  /** The verdict with the secrets of now. */
  verdict: Verdict,
  /** What is the matter, in a sentence. */
  conclusion: z.string(),
  /** Those that match first, then by how likely they are. */
  causes: z.array(DiagnosisCause),
  /** How many signatures were computed. */
  tried: z.int().nonnegative(),
  /** False: the body is so large that not all could be tried. */
  exhaustive: z.boolean(),
  /** What came of the candidate secret that was given; null: none was. */
  candidate: z.enum(['matches', 'matches_changed', 'differs']).nullable(),
})
export type Diagnosis = z.infer<typeof Diagnosis>

/** What an observation of a trace is about. None of them is an error: the document says nothing of order or states. */
export const TraceMark = z.object({
  /** Stable: `late`, `before_open`, `after_close`, `removed_unseen`, `repeated`, `gap`, `merged`, `caused` ... */
  code: z.string(),
  /** "Observed: arrived after an event that was created 4 s later." */
  text: z.string(),
})
export type TraceMark = z.infer<typeof TraceMark>

export const TraceEntry = z.object({
  row: DeliverySummary,
  /** `tied`: an id in the payload ties it; `near`: only time and place do, which the document does not promise. */
  relation: z.enum(['tied', 'near']),
  /** By which field it is tied (`data.tabUuid`), or what it is near to. */
  by: z.string(),
  /** Order, item, guest, spot ... that it is about, as far as known. */
  subject: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  /** What the event itself adds or states; null: nothing. No currency, since none is given. */
  amount: z.number().nullable(),
  /** After this event; null: nothing was said so far. */
  running: z.object({
    /** Sum of price times quantity of items added less those removed. That `price` is for one piece is an assumption. */
    items: z.number().nullable(),
    /** Sum of the totals of the orders placed. */
    orders: z.number().nullable(),
    /** The tab's own total, as last stated. */
    stated: z.number().nullable(),
  }),
  /**
   * Milliseconds since the tied entry before, by `createdAt` where both have one, else by arrival (which may be negative); null for the
   * first of them and for what is near.
   */
  gap: z.number().nullable(),
  marks: z.array(TraceMark),
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
  /** Oldest first, by `createdAt` where there is one, else by arrival. */
  entries: z.array(TraceEntry),
  /** What is not known or assumed, in sentences. */
  notes: z.array(z.string()),
  /** True: there may be more than are shown; those farthest in arrival from the delivery that was asked about are left out. */
  truncated: z.boolean(),
  /** Deliveries with an id above this one were not looked at yet. */
  indexedId: z.int().nonnegative(),
})
export type Trace = z.infer<typeof Trace>

const Alike = z.object({
  /** Without this one. */
  total: z.int().nonnegative(),
  /** The newest of them, at most 20. */
  rows: z.array(DeliverySummary),
})

/** What else is like this delivery. */
export const Related = z.object({
  /** The same bytes again. */
  sameBody: Alike,
  /** The same type, target, location and `createdAt`, in other bytes. */
  sameEvent: Alike,
  /** For QR_SCANNED: what the document's throttle (one event per 5 minutes per customer per target) lets us say. Never a violation. */
  throttle: z
    .object({
      target: z.string(),
      name: z.string().nullable(),
      /** Milliseconds since the epoch: before this, no event comes for the same guest. */
      until: z.number(),
      /** Events of this target that were created in the 5 minutes up to this one, this one included. */
      events: z.int().positive(),
      /** So many guests at least, if the throttle holds. */
      guestsAtLeast: z.int().positive(),
    })
    .nullable(),
  /** False: the search index has not come as far as this delivery. */
  indexed: z.boolean(),
})
export type Related = z.infer<typeof Related>

export const timelineKinds = ['verdict', 'type', 'lag', 'size'] as const

/** Deliveries in equal stretches of time, each split by verdict, type, lag or size. */
export const Timeline = Searched.extend({
  /** Milliseconds since the epoch: the beginning of the first bucket. */
  from: z.number(),
  /** Milliseconds of one bucket. */
  bucketMs: z.number().positive(),
  /** What the counts are split by: verdicts, types, or classes such as "1 s to 5 s"; each with the term that filters by it. */
  series: z.array(
    z.object({ key: z.string(), label: z.string(), term: z.string(), counts: z.array(z.int()) }),
  ),
})
export type Timeline = z.infer<typeof Timeline>

/** One kind of finding, over many deliveries. */
export const FindingKind = z.object({
  code: z.string(),
  severity: Severity,
  place: z.string(),
  count: z.int().positive(),
  firstId: Id,
  firstAt: z.number(),
  lastId: Id,
  lastAt: z.number(),
})
export type FindingKind = z.infer<typeof FindingKind>

export const TypeConformance = z.object({
  /** Null: deliveries without one. */
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

/** Several deliveries: by their ids, or all that match a filter, up to a delivery. Exactly one of `ids` and `filter`; at most 100,000. */
const Several = z.object({
  ids: z.array(Id).min(1).max(jobLimit).optional(),
  filter: FilterText.optional(),
  /** With `filter`: up to this delivery; null: up to the newest. */
  upTo: z.int().nonnegative().nullable().default(null),
})
export type Several = z.infer<typeof Several>

export const suggestedFields = ['location', 'tag', 'finding', 'type', 'header', 'status'] as const

/** As many tags as a delivery can have. */
export const mostTags = 20
const Tags = z.array(z.string().trim().min(1).max(40)).max(mostTags)

export const deliveryCalls = {
  /**
   * Newest first. `upTo` and `asOf` pin the list: rows with a greater id are left out, and `since:2h` is 2 hours before `asOf`
   * (milliseconds since the epoch). Null in the first call; the answer names them for the next. A filter that cannot be read is `bad_filter`,
   * with `from` and `to` in its details. While `complete` is false, `total` and `rows` are what was found so far.
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
      /** How many match with an id up to `upTo`. */
      total: z.int().nonnegative(),
    }),
  },
  /**
   * Oldest first, those with an id greater than `after` that match: to follow a filter live. `upTo` is how far was looked; what is not
   * in the search index yet is left for later where the filter needs it.
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
  /** Oldest first, those with an id greater than `after`: to follow the store without losing one. */
  'deliveries.since': {
    input: z.object({ after: z.int().nonnegative(), limit: z.int().min(1).max(1000) }),
    output: z.array(DeliverySummary),
  },
  /** Once every delivery that was received before this call is in the store: what the store then holds. Throws `store_failed`. */
  'deliveries.stored': { input: z.object({}), output: StoreStats },
  'deliveries.get': { input: z.object({ id: Id, log: LogId }), output: Delivery },
  /** A body that does not decode is refused with `bad_input`. */
  'deliveries.body': {
    input: bodySliceInput.extend({ log: LogId, decoded: z.boolean().default(false) }),
    output: BodySlice,
  },
  'deliveries.signature': { input: z.object({ id: Id, log: LogId }), output: SignatureReport },
  /** Every header that came or should have, against the body and the endpoint's settings of now. */
  'deliveries.headers': { input: z.object({ id: Id, log: LogId }), output: z.array(HeaderCheck) },
  /** Why the signature failed. `candidate` is tried as a secret and forgotten: it is neither stored nor logged nor answered. */
  'deliveries.diagnose': {
    input: z.object({ id: Id, log: LogId, candidate: z.string().min(1).max(1000).optional() }),
    output: Diagnosis,
  },
  /**
   * Checks signatures again with the current secrets, and records each verdict that differs from the recorded one; the verdict at arrival is
   * kept. Takes either `ids` or a `filter`. Each call handles some, oldest first: while `complete` is false, call again with `after`, `upTo`
   * and `asOf` as returned. A filter that cannot be read is `bad_filter`.
   */
  'deliveries.recheck': {
    input: z.object({
      ids: z.array(Id).min(1).max(100_000).optional(),
      filter: FilterText.optional(),
      after: z.int().nonnegative().default(0),
      /** With `filter`: up to this delivery; null: the newest. */
      upTo: z.int().nonnegative().nullable().default(null),
      asOf: z.number().nullable().default(null),
    }),
    output: z.object({
      /** How many were checked, by the verdict that they have now. */
      counts: z.record(Verdict, z.int().nonnegative()),
      /** How many of them have another verdict or another matching secret than before. */
      changed: z.int().nonnegative(),
      /** How many could not be checked, since their body was not kept whole. */
      incomplete: z.int().nonnegative(),
      reached: z.int().nonnegative(),
      upTo: z.int().nonnegative(),
      asOf: z.number(),
      complete: z.boolean(),
    }),
  },
  /** The life of the tab, guest, product ... that this delivery is about. */
  'deliveries.trace': { input: z.object({ id: Id, log: LogId }), output: Trace },
  'deliveries.related': { input: z.object({ id: Id, log: LogId }), output: Related },
  /** `from` and `to` in milliseconds since the epoch; null: as far as there is anything. */
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
  /** For each type, at most 500 of them: how many, which findings, when first and last. Times in milliseconds since the epoch; null: all. */
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
   * What is left out stays as it is. `tags` replaces all tags; `addTags` and `removeTags` change those that are there. A delivery that gets
   * a note or a tag is pinned with it, so that it is kept.
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
   * Pins or unpins several deliveries, or adds a tag to each, which pins them as well; what is left out stays as it is. `changed`: how many
   * are not as they were. `full`: how many could not take another tag. Throws `bad_input` and `bad_filter`.
   */
  'deliveries.mark': {
    input: Several.extend({
      pinned: z.boolean().optional(),
      tag: z.string().trim().min(1).max(40).optional(),
    }),
    output: z.object({ changed: z.int().nonnegative(), full: z.int().nonnegative() }),
  },
  /**
   * Deletes several deliveries for good, the pinned ones among them too, with their notes, tags and attempts. Those that are gone already
   * are not counted. Throws `bad_input` and `bad_filter`.
   */
  'deliveries.delete': { input: Several, output: z.object({ deleted: z.int().nonnegative() }) },
  /** Deletes all that are not pinned. */
  'deliveries.clear': {
    input: z.object({}),
    output: z.object({ deleted: z.int().nonnegative() }),
  },

  'filters.saved': { input: z.object({}), output: z.array(SavedFilter) },
  /** With `id` the one that is there is changed. */
  'filters.save': {
    input: z.object({
      id: Id.optional(),
      name: z.string().trim().min(1).max(80),
      filter: FilterText.min(1),
    }),
    output: SavedFilter,
  },
  'filters.remove': { input: z.object({ id: Id }), output: z.object({}) },
  /** Values of a field that were seen and begin so, the most frequent first, at most 50. */
  'filters.suggest': {
    input: z.object({ log: LogId, field: z.enum(suggestedFields), prefix: z.string().max(200) }),
    output: z.array(z.string()),
  },
} as const
