import { knownValues } from '#catalogue/define.ts'
import type { DataField } from '#catalogue/define.ts'
import { fits, describeValueKind, describeType } from '#catalogue/field-type.ts'
import type { CommonField } from '#catalogue/payload.ts'

/** What there is to say of a value beside the value itself. */
export interface FieldMark {
  readonly text: string
  /** `missing`: it departs from the document; `info`: it is worth knowing, and no error. */
  readonly tone: 'missing' | 'info'
}

/** One field as the overview draws it. */
export interface FieldState {
  /** Said in place of a value that did not come; null: one did. */
  readonly absent: string | null
  readonly mark: FieldMark | null
}

const nothing: FieldState = { absent: null, mark: null }

/** A field of `data` against its row in the document's table. `value`: undefined when it did not come. */
export function dataFieldState(declared: DataField, value: unknown, brand: string): FieldState {
  if (value === undefined) return { absent: 'absent', mark: null }
  if (!fits(declared.type, value)) return { absent: null, mark: otherType(declared.type, value) }
  const known = knownValues(declared, brand)
  return known.length > 0 && typeof value === 'string' && !known.includes(value)
    ? { absent: null, mark: { text: 'a value not in the API documentation', tone: 'info' } }
    : nothing
}

interface Targets {
  readonly uuid: string | null
  readonly id: string | null
}

/** A common property against its row. `target`: what the type is said to have; undefined: nothing is said of the type. */
export function commonFieldState(
  declared: CommonField,
  value: unknown,
  target: Targets | undefined,
): FieldState {
  const none = target !== undefined && isTargetless(declared.key, target)
  if (value === undefined) {
    if (none) return { absent: 'none, as documented', mark: null }
    return declared.optional
      ? { absent: 'absent', mark: null }
      : {
          absent: 'absent',
          mark: { text: 'documented as always present', tone: 'missing' },
        }
  }
  if (none) {
    return value === null
      ? nothing
      : { absent: null, mark: { text: 'not documented for this type', tone: 'info' } }
  }
  if (!fits(declared.type, value)) return { absent: null, mark: otherType(declared.type, value) }
  return nothing
}

/** A field that the document does not name. `known`: whether it names the type at all. */
export function extraFieldState(known: boolean): FieldState {
  return known ? { absent: null, mark: { text: 'not documented', tone: 'info' } } : nothing
}

function otherType(type: DataField['type'], value: unknown): FieldMark {
  return {
    text: `${describeValueKind(value)}, documented as ${describeType(type)}`,
    tone: 'missing',
  }
}

/** True when the document gives this type no such target: its absence is then as it should be. */
function isTargetless(key: string, target: Targets): boolean {
  return (
    (key === 'targetUuid' && target.uuid === null) || (key === 'targetId' && target.id === null)
  )
}
