import type { z } from 'zod'
import { formatCount } from '#shared/text/format.ts'

/** While it is parsed, or of the error. */
type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

const formats: Readonly<Record<string, string>> = {
  url: 'a URL that starts with http:// or https://',
  datetime: 'a time such as 2026-03-14T21:00:00.123Z',
  date: 'a date such as 2026-03-14',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  email: 'an email address',
  uuid: 'a UUID',
  guid: 'a UUID',
  base64: 'base64',
}

const maxValues = 20

/**
 * Says what to enter, for `safeParse(input, { error: describeInputIssue })`: the texts of zod are for programmers. Schemas with a text of their own keep it.
 */
export function describeInputIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue)
        ? 'Missing.'
        : `Enter ${kinds[issue.expected] ?? 'another kind of value'}.`
    case 'too_big':
      return `${issue.inclusive === false ? 'Use less than' : 'Use at most'} ${amount(issue.maximum, issue.origin)}.`
    case 'too_small':
      return issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int'
        ? 'Must not be empty.'
        : `${issue.inclusive === false ? 'Use more than' : 'Use at least'} ${amount(issue.minimum, issue.origin)}.`
    case 'invalid_format':
      return `Enter ${formats[issue.format] ?? 'it in the documented form'}.`
    case 'not_multiple_of':
      return `Use a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `Unknown: ${issue.keys.slice(0, maxValues).join(', ')}.`
    case 'invalid_value': {
      const values = issue.values.slice(0, maxValues).map(String)
      return `Use ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}.`
    }
    default:
      return 'Not accepted in this form.'
  }
}

/** The issue of an error has no input. */
function isMissing({ input, message }: Issue): boolean {
  return message === undefined ? input === undefined : message.endsWith('received undefined')
}

function amount(limit: number | bigint, origin: string): string {
  const count = formatCount(Number(limit))
  if (origin === 'string') return `${count} ${limit === 1 ? 'character' : 'characters'}`
  const isList = origin === 'array' || origin === 'set' || origin === 'map'
  return isList ? `${count} ${limit === 1 ? 'entry' : 'entries'}` : count
}
