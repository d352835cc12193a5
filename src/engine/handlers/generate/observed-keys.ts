import { isIdentifier } from '#catalogue/harmless.ts'
import { emptyValue, mergeValue, type ObservedValue, otherKeys } from './observed.ts'

export interface ObservedKeys {
  readonly names: readonly string[]
  /** What the other keys have, which may be values; null: there are none. */
  readonly others: ObservedValue | null
  readonly isMap: boolean
  /** For a comment; empty: no key is left out. */
  readonly note: string
}

/** A key that may be a value is a name only if it was in four of five of at least this many objects, beside names. */
const leastObjects = 5

/** Which keys of an object are names, and which may be values, as in an object by guest. */
export function keysOf(found: ObservedValue, documented: ReadonlySet<string>): ObservedKeys {
  const of = found.kinds.object ?? 0
  const seen = Object.entries(found.fields)
  const isRecord = seen.some(([key]) => documented.has(key))
  const undocumented = seen.filter(([key]) => !documented.has(key))
  const certain = undocumented.filter(([key, value]) => !isDoubtful(key, value, isRecord))
  const hasRegular = isRecord || certain.some(([, { count }]) => count * 2 > of)
  const isRare = ({ count }: ObservedValue) => !hasRegular && count * 3 <= of
  const varies = (value: ObservedValue) =>
    isRare(value) &&
    certain.filter(([, each]) => isRare(each) && kindText(each) === kindText(value)).length >= 3
  const isName = ([key, value]: readonly [string, ObservedValue]) =>
    isDoubtful(key, value, isRecord)
      ? hasRegular && of >= leastObjects && value.count * 5 >= of * 4 && !isValue(key)
      : !varies(value)
  const named = undocumented.filter(isName)
  const rest = undocumented.filter((each) => !isName(each))
  const isAlike = new Set(undocumented.map(([, value]) => kindText(value))).size === 1
  const isMap =
    !isRecord && rest.length > 0 && (named.length === 0 || (isAlike && sum(rest) > sum(named)))
  const others = isMap ? undocumented : rest
  return {
    names: isMap ? [] : named.map(([key]) => key).toSorted(),
    others:
      others.length === 0
        ? null
        : others.reduce((all, [, value]) => (mergeValue(all, value), all), emptyValue()),
    isMap,
    note: noteOf(others.map(([key]) => key)),
  }
}

function noteOf(others: readonly string[]): string {
  if (others.length === 0) return ''
  const isMore = others.includes(otherKeys)
  const count = isMore ? `More than ${others.length - 1}` : String(others.length)
  return others.length === 1 && !isMore
    ? '1 other key is left out, because it may be a value.'
    : `${count} other keys are left out, because they may be values.`
}

function sum(fields: readonly (readonly [string, ObservedValue])[]): number {
  return fields.reduce((total, [, { count }]) => total + count, 0)
}

function kindText({ kinds }: ObservedValue): string {
  return Object.keys(kinds)
    .filter((kind) => kind !== 'null')
    .toSorted()
    .join()
}

/** `Anna`, `table12` and `with space`. Documented keys start with a small letter. */
function isDoubtful(key: string, { isMasked }: ObservedValue, isRecord: boolean): boolean {
  return (
    isMasked ||
    isValue(key) ||
    !isIdentifier(key) ||
    /\d/.test(key.replace(/[1-3]$/, '')) ||
    (!isRecord && /^[A-Z][a-z]{1,59}$/.test(key))
  )
}

/** Also what not every language can write. Parsers of AsyncAPI take a property with the name `$ref` for a reference. */
function isValue(key: string): boolean {
  return (
    key === otherKeys ||
    key === '$ref' ||
    !/^[\p{L}\d_$@ .:/+()#%&!?-]{1,60}$/u.test(key) ||
    /.@/.test(key) ||
    key.replaceAll(/\D/g, '').length >= 3 ||
    (/\d/.test(key) && !/\p{L}/u.test(key))
  )
}
