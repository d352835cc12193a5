import { knownValues, type DataField, type EventType } from '#catalogue/define.ts'
import { kindWords } from '#catalogue/field-type.ts'
import { field as valueOf } from '#catalogue/payload.ts'
import type { Departures } from './departures.ts'
import { fieldRules, type FieldRule, type FieldRules } from './fields.ts'
import { isIsoTimestamp } from './iso-time.ts'

/**
 * The rules for `data` of a type (SPEC, "Event catalogue"), made once from what its file declares. Where the document contradicts itself
 * (OPEN_TAB), nothing is missing: empty, absent and filled are all right.
 */
export function dataRules({ type, hasData, data }: EventType, brand: string): FieldRules {
  const rule = (field: DataField): FieldRule => {
    const look = lookAt(field, brand)
    return {
      key: field.key,
      type: field.type,
      place: `body.data.${field.key}`,
      required: hasData === 'yes' && field.conditional !== true,
      ...(look ? { look } : {}),
    }
  }
  return fieldRules(data.map(rule), {
    place: 'body.data',
    codes: { missing: 'data.field_missing', type: 'data.field_type', extra: 'data.field_extra' },
    messages: {
      missing: `The document lists this field for ${type} (SPEC, "Event catalogue").`,
      type: `The document gives this field of ${type} another type (SPEC, "Event catalogue").`,
      extra:
        hasData === 'no'
          ? `The document lists no data for ${type} (SPEC, "Event catalogue").`
          : `The document does not list this field for ${type} (SPEC, "Event catalogue").`,
    },
  })
}

function lookAt(field: DataField, brand: string): FieldRule['look'] {
  const known = knownValues(field, brand)
  if (known.length > 0) return (value, place, to) => checkKnown(known, value, place, to)
  const { inside } = field
  if (inside) {
    return (value, place, to) => {
      const inner = valueOf(value, inside.key)
      if (inner !== undefined) checkKnown(inside.known, inner, `${place}.${inside.key}`, to)
    }
  }
  return field.format === 'time' ? checkTime : undefined
}

function checkKnown(
  known: readonly string[],
  value: unknown,
  place: string,
  departures: Departures,
): void {
  if (typeof value === 'string' && known.includes(value)) return
  departures.add(
    'data.value_new',
    place,
    'The document does not list this value. It may be new: the document does not say that its list is whole.',
    { expected: known.join(' or '), actual: typeof value === 'string' ? value : kindWords(value) },
  )
}

function checkTime(value: unknown, place: string, departures: Departures): void {
  if (typeof value !== 'string' || isIsoTimestamp(value)) return
  departures.add('data.time', place, 'The document calls this an ISO 8601 timestamp.', {
    expected: 'such as 2026-03-14T21:00:00.123Z',
    actual: value,
  })
}
