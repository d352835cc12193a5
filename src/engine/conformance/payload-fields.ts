import { commonFields } from '#catalogue/payload.ts'
import type { Departures } from './departures.ts'
import { fieldRules, type FieldRule } from './fields.ts'
import { isUtcWithMilliseconds } from './iso-time.ts'

const rule = ({ key, type, optional }: (typeof commonFields)[number]): FieldRule => ({
  key,
  type,
  place: `body.${key}`,
  required: !optional,
  ...(key === 'createdAt' ? { look: checkCreatedAt } : {}),
})

const rest = {
  place: 'body',
  codes: {
    missing: 'payload.field_missing',
    type: 'payload.field_type',
    extra: 'payload.field_extra',
  },
  messages: {
    missing: 'Every body has this field (SPEC, "Webhook payload").',
    type: 'The document gives this field another type (SPEC, "Webhook payload").',
    extra: 'The document has no such field beside data (SPEC, "Webhook payload").',
  },
} as const

/** The common properties of a body (SPEC, "Webhook payload"). */
export const commonRules = fieldRules(commonFields.map(rule), rest)

/** The same where `data` may be absent: the document contradicts itself for the type (OPEN_TAB). */
export const commonRulesWithoutData = fieldRules(
  commonFields.map((field) =>
    field.key === 'data' ? { ...rule(field), required: false } : rule(field),
  ),
  rest,
)

function checkCreatedAt(value: unknown, place: string, departures: Departures): void {
  if (typeof value !== 'string' || isUtcWithMilliseconds(value)) return
  departures.add(
    'payload.created_at',
    place,
    'createdAt is an ISO 8601 time with milliseconds, in UTC (SPEC, "Payload shape in a delivery").',
    { expected: 'such as 2026-03-14T21:00:00.123Z', actual: value },
  )
}
