import path from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { defaultDataDir } from '../data-dir.ts'
import { plainOrQuoted } from '#engine/posix-shell/words.ts'
import { nearestOf } from './nearest.ts'
import { say } from './output.ts'
import { UsageError } from './usage-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** What every command takes. */
const common = {
  data: { type: 'string' },
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
} as const satisfies Options

/** Options of a secret, for the commands that take one. */
export const secretOptions = {
  secret: { type: 'string' },
  'secret-env': { type: 'string' },
} as const satisfies Options

/** Parses the words after the command; `places` names the positional ones it may have. Throws `UsageError`. */
export function parse<O extends Options>(args: string[], options: O, places = 0) {
  const known = { ...common, ...options }
  try {
    const { values, positionals } = parseArgs({
      args,
      options: known,
      allowPositionals: true,
      strict: true,
    })
    if (positionals.length > places) {
      throw new UsageError(`"${positionals[places] ?? ''}" is one word too many.`)
    }
    return { values, positionals }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(refusalOf(args, known))
  }
}

/** The first option that cannot be, in words: Node's own are several lines, and in them a value is asked for in three ways. */
function refusalOf(args: string[], options: Options): string {
  const { tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { rawName: written, name, value } = token
    const type = Object.entries(options).find(([key]) => key === name)?.[1].type
    if (type === undefined) return noOption(written, name, Object.keys(options))
    if (type === 'boolean' && value !== undefined) return `${written} takes no value.`
    const isOption = value?.startsWith('--') === true && value.slice(2) in options
    if (type === 'string' && (value === undefined || (isOption && !token.inlineValue))) {
      return `${written} needs a value behind it.`
    }
    if (type === 'string' && token.inlineValue === false && value?.startsWith('-') === true) {
      // Not quoted: it may be a secret.
      return `${written} needs a value, and what stands behind it looks like an option. Where it is meant: ${written}=VALUE`
    }
  }
  return 'The options are not right.'
}

function noOption(written: string, name: string, names: readonly string[]): string {
  const near = nearestOf(name, names)
  const hint = near === undefined ? '' : ` Did you mean --${near}?`
  return `Unknown option "${written}".${hint}`
}

/** The data folder that `--data` names, or the usual one. Absolute. */
export function dataDirOf(given: string | undefined): string {
  if (given === '') throw new UsageError('--data needs a folder.')
  return given === undefined ? defaultDataDir() : path.resolve(given)
}

/** The data folder of a command, by either name of the option. Absolute. Throws `UsageError`. */
export function folderOf(values: {
  data?: string | undefined
  'data-dir'?: string | undefined
}): string {
  if (values.data !== undefined && values['data-dir'] !== undefined) {
    throw new UsageError('Give --data or --data-dir, not both.')
  }
  return dataDirOf(values['data-dir'] ?? values.data)
}

/** A whole number within bounds, or undefined where none is given. Throws `UsageError`. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  from: number,
  to: number,
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new UsageError(`--${name} needs a whole number from ${from} to ${to}, not "${text}".`)
  }
  return value
}

/** The secret given by value or by the name of an environment variable; undefined: none is given. Throws `UsageError`. */
export function secretOf(values: {
  secret?: string | undefined
  'secret-env'?: string | undefined
}): string | undefined {
  return secretFrom('secret', values.secret, values['secret-env'])
}

/** The same for an option of another name, which has a twin that ends in `-env`. */
export function secretFrom(
  option: string,
  secret: string | undefined,
  variable: string | undefined,
): string | undefined {
  if (secret !== undefined && variable !== undefined) {
    throw new UsageError(`Give --${option} or --${option}-env, not both.`)
  }
  if (variable === undefined) {
    if (secret === '') throw new UsageError(`--${option} is empty.`)
    if (secret !== undefined) warnOfWhiteSpace(`--${option}`, secret)
    return secret
  }
  const value = process.env[variable]
  if (!value) throw new UsageError(`The environment variable ${variable} is not set.`)
  warnOfWhiteSpace(`The environment variable ${variable}`, value)
  return value
}

/** The secret is used as given: white space may be part of it. */
function warnOfWhiteSpace(what: string, secret: string): void {
  if (secret === secret.trim()) return
  say(
    `Warning: ${what} begins or ends with white space, which becomes part of the secret. Remove it, unless the dashboard shows the secret with it.`,
  )
}

/** The id that a command works on. Throws `UsageError`, with `what` the words where none is given. */
export function idOf(what: string, text: string | undefined): number {
  if (text === undefined) throw new UsageError(what)
  const id = Number(text)
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id
  throw new UsageError(`An ID is a whole number such as 12, not "${text}".`)
}

/**
 * The command line of a command with another value of the option `name`, for people to run. The value of `--secret` is replaced by `…`.
 */
export function commandWith(command: string, args: string[], name: string, value: string): string {
  const { tokens } = parseArgs({
    args,
    options: { secret: { type: 'string' }, [name]: { type: 'string' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const words = [...args]
  let isThere = false
  for (const token of tokens) {
    if (token.kind !== 'option' || (token.name !== name && token.name !== 'secret')) continue
    const given = token.name === name ? value : '…'
    isThere ||= token.name === name
    if (token.inlineValue) words[token.index] = `--${token.name}=${given}`
    else words[token.index + 1] = given
  }
  const all = isThere ? words : [`--${name}`, value, ...words]
  const quotedWords = all.map((word) =>
    /^(?:--[a-z-]+(?:=\d+)?|…)$/.test(word) ? word : plainOrQuoted(word),
  )
  return ['tabscope', command, ...quotedWords].join(' ')
}
