import { knownValues, type DataField } from '#catalogue/define.ts'
import { fits, describeValueKind, describeType } from '#catalogue/field-type.ts'
import type { CommonField } from '#catalogue/payload.ts'

/** A remark shown next to a value. */
export interface FieldMark {
  readonly text: string
  /** `missing`: deviates from the API documentation; `info`: notable, but not an error. */
  readonly tone: 'warning' | 'info'
}

/** How the overview shows one field. */
export interface FieldState {
  /** Shown in place of an absent value; null if there is a value. */
  readonly absent: string | null
  readonly mark: FieldMark | null
}

const nothing: FieldState = { absent: null, mark: null }

/** Compares a field of `data` with its documentation. `value`: undefined if absent. */
export function dataFieldState(declared: DataField, value: unknown, brand: string): FieldState {
  if (value === undefined) return { absent: 'absent', mark: null }
  if (!fits(declared.type, value)) return { absent: null, mark: otherType(declared.type, value) }
  const known = knownValues(declared, brand)
  return known.length > 0 && typeof value === 'string' && !known.includes(value)
    ? { absent: null, mark: { text: 'undocumented value', tone: 'info' } }
    : nothing
}

interface Targets {
  readonly uuid: string | null
  readonly id: string | null
}

/** Compares a common property with its documentation. `target`: the documented target of the type; undefined for an undocumented type. */
export function commonFieldState(
  declared: CommonField,
  value: unknown,
  target: Targets | undefined,
): FieldState {
  const targetless = target !== undefined && isTargetless(declared.key, target)
  if (value === undefined) {
    if (targetless) return { absent: 'none, as documented', mark: null }
    return declared.optional
      ? { absent: 'absent', mark: null }
      : {
          absent: 'absent',
          mark: { text: 'documented as always present', tone: 'warning' },
        }
  }
  if (targetless) {
    return value === null
      ? nothing
      : { absent: null, mark: { text: 'not documented for this type', tone: 'info' } }
  }
  if (!fits(declared.type, value)) return { absent: null, mark: otherType(declared.type, value) }
  return nothing
}

/** The state of an undocumented field. `known`: whether its event type is documented. */
export function extraFieldState(known: boolean): FieldState {
  return known ? { absent: null, mark: { text: 'not documented', tone: 'info' } } : nothing
}

function otherType(type: DataField['type'], value: unknown): FieldMark {
  return {
    text: `${describeValueKind(value)}, documented as ${describeType(type)}`,
    tone: 'warning',
  }
}

/** Whether the type is documented to have no such target, so its absence is correct. */
function isTargetless(key: string, target: Targets): boolean {
  return (
    (key === 'targetUuid' && target.uuid === null) || (key === 'targetId' && target.id === null)
  )
}
