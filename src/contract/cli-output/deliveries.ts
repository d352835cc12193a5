import { z } from 'zod'
import { Arrival, Id, Severity, Verdict } from '../models.ts'
import { Duration, FindingOutput, HeaderOutput, Time } from './common.ts'

/** A delivery in a list. */
export const DeliveryOutput = z.strictObject({
  event: z.literal('delivery'),
  id: Id,
  receivedAt: Time,
  method: z.string(),
  path: z.string(),
  type: z.string().nullable(),
  /** `targetUuid` of the body, else `targetId`. */
  target: z.string().nullable(),
  verdict: Verdict,
  /** Only where the signature was checked again: the verdict at arrival. */
  verdictAtArrival: Verdict.optional(),
  /** The codes of its findings; `deliveries show` has them as objects. */
  findings: z.array(z.string()),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** The status of our response; null: none was sent. */
  status: z.int().nullable(),
  /** Only where it was not the usual response: a response rule, or a target whose response was returned. */
  answeredBy: z.enum(['rule', 'target']).optional(),
  /** Only of a request that Tabscope itself sent. */
  own: z.enum(['forward', 'send']).optional(),
  pinned: z.boolean(),
  /** It has a note. */
  noted: z.boolean(),
  tags: z.array(z.string()),
})
export type DeliveryOutput = z.infer<typeof DeliveryOutput>

/** One delivery with all that is known of it but its body. */
export const FullDeliveryOutput = DeliveryOutput.omit({ findings: true }).extend({
  findings: z.array(FindingOutput),
  findingCodes: z.array(z.string()),
  title: z.string(),
  locationName: z.string().nullable(),
  /** `createdAt` of the body. */
  createdAt: Time.nullable(),
  endpointId: Id.nullable(),
  endpointName: z.string().nullable(),
  brand: z.string(),
  /** The secret that the signature matches ("current", "previous"). */
  secretName: z.string().nullable(),
  httpVersion: z.string(),
  remoteAddress: z.string(),
  /** Null: straight to the listener. */
  via: z.literal('tunnel').nullable(),
  headers: z.array(HeaderOutput),
  trailers: z.array(HeaderOutput),
  arrival: Arrival,
  /** Why it is not complete, or has no response, as a sentence. */
  reason: z.string().nullable(),
  /** Bytes of body that are stored. */
  storedBytes: z.int().nonnegative(),
  /** From the first byte of the request to our response. */
  responseMs: Duration.nullable(),
  recheckedAt: Time.nullable(),
  /** The earliest delivery that was the same. */
  repeats: z.strictObject({ deliveryId: Id, by: z.enum(['body', 'event']) }).nullable(),
  /** The last attempt to send it; `status` null: no response. */
  lastAttempt: z.strictObject({ status: z.int().nullable() }).nullable(),
  /** What proxy headers claim about the sender; any sender can set such headers. */
  claims: z
    .strictObject({
      by: z.enum(['tunnel', 'header']),
      /** The same as a sentence. */
      description: z.string(),
      /** The sender, then each proxy; `address` null: it is no IP address. */
      chain: z.array(z.strictObject({ text: z.string(), address: z.string().nullable() })),
      protocol: z.string().nullable(),
      host: z.string().nullable(),
      port: z.string().nullable(),
      /** The headers do not agree. */
      contradictory: z.boolean(),
    })
    .nullable(),
  note: z.string(),
})
export type FullDeliveryOutput = z.infer<typeof FullDeliveryOutput>

/** A possible reason for a signature that does not match. */
export const CauseOutput = z.strictObject({
  code: z.string(),
  title: z.string(),
  outcome: z.enum(['matches', 'ruled_out', 'untried']),
  detail: z.string(),
  fix: z.string(),
  where: z.enum(['here', 'dashboard', 'between', 'sender']),
})

/** Why a signature failed. */
export const DiagnosisOutput = z.strictObject({
  event: z.literal('diagnosis'),
  deliveryId: Id,
  /** With the current secrets. */
  verdict: Verdict,
  conclusion: z.string(),
  /** Those that match first, then by likelihood. */
  causes: z.array(CauseOutput),
  /** Signatures that were computed. */
  tried: z.int().nonnegative(),
  /** False: the body is too large to try everything. */
  exhaustive: z.boolean(),
  /** Whether the given secret makes the signature; `matches_changed`: of a changed body or encoding. Null: none was given. */
  candidate: z.enum(['matches', 'matches_changed', 'differs']).nullable(),
})
export type DiagnosisOutput = z.infer<typeof DiagnosisOutput>

/** One header of a delivery, or one that is missing. */
export const HeaderCheckOutput = z.strictObject({
  event: z.literal('header'),
  deliveryId: Id,
  name: z.string(),
  /** Place among the received headers, from 0; null: not received. */
  index: z.int().nonnegative().nullable(),
  value: z.string().nullable(),
  /**
   * `document`: defined by the API documentation; `endpoint`: a custom header of the endpoint; `proxy`: added by the tunnel or a proxy;
   * `common`: known from HTTP.
   */
  source: z.enum(['document', 'endpoint', 'proxy', 'common', 'other']),
  meaning: z.string().nullable(),
  expected: z.string().nullable(),
  /** Null: nothing is expected, or it cannot be checked. */
  matches: z.boolean().nullable(),
  /** Why it does not match, or cannot be checked. */
  note: z.string().nullable(),
})
export type HeaderCheckOutput = z.infer<typeof HeaderCheckOutput>

/** Why a delivery was not forwarded to a target. */
export const NotForwardedOutput = z.strictObject({
  event: z.literal('not_forwarded'),
  deliveryId: Id,
  reason: z.string(),
})

const ListedDelivery = DeliveryOutput.omit({ event: true })
const Amount = z.number().nullable()

/** All deliveries about the same tab, order, guest, product ... */
export const TraceOutput = z.strictObject({
  event: z.literal('trace'),
  /** The one that it was asked for. */
  deliveryId: Id,
  subject: z.strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
  /** Oldest first. */
  entries: z.array(
    z.strictObject({
      delivery: ListedDelivery,
      createdAt: Time.nullable(),
      title: z.string(),
      /** `linked`: by an ID in the payload; `near`: only by time and place. */
      relation: z.enum(['linked', 'near']),
      /** The field that links it, or what it is near to. */
      by: z.string(),
      subject: z
        .strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable() })
        .nullable(),
      /** What the event adds or states, without a currency. */
      amount: Amount,
      /** Totals after this event. */
      totals: z.strictObject({ items: Amount, orders: Amount, stated: Amount }),
      /** Since the linked entry before it; negative where it was received out of order. */
      gapMs: Duration.nullable(),
      observations: z.array(z.strictObject({ code: z.string(), message: z.string() })),
    }),
  ),
  notes: z.array(z.string()),
  /** There may be more deliveries than entries. */
  truncated: z.boolean(),
  /** Deliveries with a greater ID were not considered; 0: none was. */
  indexedDeliveryId: z.int().nonnegative(),
})
export type TraceOutput = z.infer<typeof TraceOutput>

/** Without the delivery itself; at most the newest 20 of `total`. */
const Similar = z.strictObject({
  total: z.int().nonnegative(),
  deliveries: z.array(ListedDelivery),
})

/** Deliveries that are the same as another one. */
export const RelatedOutput = z.strictObject({
  event: z.literal('related'),
  deliveryId: Id,
  sameBody: Similar,
  /** The same type, target, location and `createdAt` in other bytes. */
  sameEvent: Similar,
  /** Only of a QR_SCANNED event: what the throttle of the API documentation implies. */
  throttle: z
    .strictObject({
      target: z.string(),
      name: z.string().nullable(),
      /** No event is sent for the same guest before this time. */
      endsAt: Time,
      /** Events of this target in the 5 minutes up to this one. */
      events: z.int().positive(),
      minimumGuests: z.int().positive(),
    })
    .nullable(),
  /** False: the search index has not reached this delivery. */
  indexed: z.boolean(),
})
export type RelatedOutput = z.infer<typeof RelatedOutput>

/** The result of checking signatures again. */
export const RecheckedOutput = z.strictObject({
  event: z.literal('rechecked'),
  /** Nothing was checked; `checked` would be, or could not be. */
  dryRun: z.literal(true).optional(),
  checked: z.int().nonnegative(),
  /** Those of them that have another verdict or another matching secret than before. */
  changed: z.int().nonnegative(),
  /** Those that could not be checked, since the body was not received completely. */
  incomplete: z.int().nonnegative(),
  /** How many have each verdict now. */
  counts: z.strictObject({
    valid: z.int().nonnegative(),
    invalid: z.int().nonnegative(),
    missing: z.int().nonnegative(),
    unsigned: z.int().nonnegative(),
    unchecked: z.int().nonnegative(),
  }),
})

/** The result of deleting deliveries. */
export const DeletedOutput = z.strictObject({
  event: z.literal('deleted'),
  /** Nothing was deleted; these would be. */
  dryRun: z.literal(true).optional(),
  deliveries: z.int().nonnegative(),
  /** Those of them that were pinned. */
  pinned: z.int().nonnegative(),
})

/** How two deliveries differ. */
export const DiffOutput = z.strictObject({
  event: z.literal('diff'),
  deliveryIds: z.tuple([Id, Id]),
  /** Header values and bodies are the same; the order of headers and the case of their names are not compared. */
  equal: z.boolean(),
  /** By name, in the order of the first delivery. Null: the delivery does not have it. */
  headers: z.array(
    z.strictObject({
      name: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      before: z.array(z.string()).nullable(),
      after: z.array(z.string()).nullable(),
    }),
  ),
  body: z.strictObject({
    equal: z.boolean(),
    /** How the bodies were compared. */
    as: z.enum(['json', 'text', 'bytes']),
    bytes: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
    /** The first byte that differs, from 0; null: equal. */
    firstDifference: z.int().nonnegative().nullable(),
    /** As JSON: values that differ; empty with `equal` false: only the notation differs. Values are JSON text. */
    values: z.array(
      z.strictObject({
        /** `data.items[3].price`; empty: the document itself. */
        path: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
    /** As text, or as JSON in another notation: lines that differ. */
    lines: z.array(z.strictObject({ change: z.enum(['added', 'removed']), text: z.string() })),
  }),
})
export type DiffOutput = z.infer<typeof DiffOutput>

/** Deliveries of one type, and what deviates in them from the API documentation. */
export const ConformanceOutput = z.strictObject({
  event: z.literal('conformance'),
  /** Null: deliveries without a type. */
  type: z.string().nullable(),
  deliveries: z.int().positive(),
  firstDeliveryId: Id,
  firstAt: Time,
  lastDeliveryId: Id,
  lastAt: Time,
  /** Most frequent first. */
  findingCounts: z.array(
    z.strictObject({
      code: z.string(),
      severity: Severity,
      location: z.string(),
      count: z.int().positive(),
      firstDeliveryId: Id,
      firstAt: Time,
      lastDeliveryId: Id,
      lastAt: Time,
    }),
  ),
})
export type ConformanceOutput = z.infer<typeof ConformanceOutput>

/** The result of `verify`. */
export const VerifyOutput = z.strictObject({
  event: z.literal('verify'),
  valid: z.boolean(),
  verdict: z.enum(['valid', 'invalid']),
  /** The bytes that the signature was computed over. */
  bytes: z.int().nonnegative(),
  /** Only where it is invalid. */
  conclusion: z.string().optional(),
  causes: z.array(CauseOutput).optional(),
})

export const deliveryOutputs = [
  DeliveryOutput,
  FullDeliveryOutput,
  DiagnosisOutput,
  HeaderCheckOutput,
  NotForwardedOutput,
  TraceOutput,
  RelatedOutput,
  RecheckedOutput,
  DeletedOutput,
  DiffOutput,
  ConformanceOutput,
  VerifyOutput,
] as const
