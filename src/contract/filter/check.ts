import { type Comparison, type FilterValue, quote, refuse } from './ast.ts'
import type { FilterField } from './fields.ts'
import type { FieldToken } from './lex.ts'
import { readDuration, readNumber, readSize, readTime, readWholeNumber } from './values.ts'

const maxValues = 500

/** `none` means "no value". */
export function isNone(field: FilterField, value: Pick<FilterValue, 'text' | 'quoted'>): boolean {
  return field.none !== null && !value.quoted && value.text.toLowerCase() === 'none'
}

export function isWildcard(value: Pick<FilterValue, 'text' | 'quoted'>): boolean {
  return !value.quoted && value.text.includes('*')
}

/** Undefined: the value is text. */
export function jsonLiteral(
  value: Pick<FilterValue, 'text' | 'quoted'>,
): true | false | null | undefined {
  if (value.quoted) return undefined
  switch (value.text) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
      return null
    default:
      return undefined
  }
}

/** Throws `Refused` with the position of the error. */
export function checkTerm(token: FieldToken): void {
  const { field, comparison, values } = token
  const first = values[0]
  const bare = first !== undefined && comparison === '=' && values.every((v) => isNone(field, v))
  if (!field.comparisons.includes(comparison) && !bare) refuseComparison(token)
  const second = values[1]
  if (isOrder(comparison) && second) {
    refuse(second.from, second.to, `Only one value can follow ${comparison}.`)
  }
  const tooMany = values[maxValues]
  if (tooMany) refuse(tooMany.from, tooMany.to, `A term has at most ${maxValues} values.`)
  for (const value of values) {
    if (isOrder(comparison) && isNone(field, value)) {
      refuse(value.from, value.to, `${comparison} requires a value. Write ${field.name}:none.`)
    }
    const allowed = isNone(field, value) ? null : allowedIn(field, comparison, value)
    if (allowed !== null) refuse(value.from, value.to, `${quote(value.text)} ${allowed}`)
  }
}

function refuseComparison({ field, comparison, comparisonAt, values }: FieldToken): never {
  const at = comparisonAt.to > comparisonAt.from ? comparisonAt : (values[0] ?? comparisonAt)
  if (comparison === '=') {
    refuse(at.from, at.to, `${field.name} requires <, <=, > or >=, as in ${field.example}`)
  }
  refuse(at.from, at.to, `${comparison} is not supported by ${field.name}. Write ${field.example}`)
}

export function isOrder(comparison: Comparison): comparison is Exclude<Comparison, '=' | '!='> {
  return comparison !== '=' && comparison !== '!='
}

/** What is wrong, as the rest of a sentence that begins with the value; null: nothing. */
function allowedIn(field: FilterField, comparison: Comparison, value: FilterValue): string | null {
  const { text } = value
  switch (field.kind) {
    case 'text':
    case 'name':
    case 'words':
    case 'header':
      if (field.wildcards || !isWildcard(value)) return null
      return `contains a *, but ${field.name} matches complete IDs only. Write the complete ID, or search for its beginning as text.`
    case 'choice': {
      if (isChoice(field, text)) return null
      const all = field.choices.map((choice) => choice.value)
      if (field.none !== null) all.push('none')
      return `is not a value of ${field.name}. Use one of ${all.join(', ')}.`
    }
    case 'number':
      if (!isOrder(comparison) && isChoice(field, text)) return null
      return readWholeNumber(text) === null
        ? `is not a whole number, as in ${field.example}${orWords(field)}.`
        : null
    case 'amount':
      return readNumber(text) === null
        ? `is not a number, as in ${field.example}${orNone(field)}.`
        : null
    case 'duration':
      return readDuration(text) === null
        ? `is not a duration. Write a number and ms, s, min, h or d, as in ${field.example}${orNone(field)}.`
        : null
    case 'size':
      return readSize(text) === null
        ? `is not a size. Write a number and b, kb, mb, kib or mib, as in ${field.example}.`
        : null
    case 'time':
    case 'age':
      return readTime(text, 0) === null
        ? 'is not a time. Write 2h or 3d (before now), 21:30 (today), 2026-03-14, 2026-03-14T21:00, today, yesterday or a weekday.'
        : null
    case 'json':
      if (!isOrder(comparison)) return null
      if (jsonLiteral(value) !== undefined)
        return `cannot be ordered. Write ${field.name}.x:${text}.`
      return isWildcard(value)
        ? `contains a *, which ${comparison} does not support. Quote it.`
        : null
  }
}

/** Case-insensitive. */
export function isChoice(field: FilterField, text: string): boolean {
  return field.choices.some(({ value }) => value === text.toLowerCase())
}

function orWords(field: FilterField): string {
  return [...field.choices.map(({ value }) => `, or ${value}`), orNone(field)].join('')
}

function orNone(field: FilterField): string {
  return field.none === null ? '' : ', or none'
}
