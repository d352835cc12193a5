import type { Header } from '#contract/models.ts'
import { readDuration, readSize, readTime } from '#contract/filter/values.ts'
import { nearestOf } from './nearest.ts'
import { printMessage } from '../output/output.ts'
import { UsageError } from './errors.ts'
import { io } from './io.ts'

// Parsers, as commander calls them. Each throws `UsageError` with one line that names the option and the values that it accepts.

function label(name: string): string {
  return name.startsWith('-') ? name : `<${name}>`
}

export function integer(name: string, from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < from || value > to) {
      throw new UsageError(
        `${label(name)} requires a whole number from ${from} to ${to}, not "${text}".`,
      )
    }
    return value
  }
}

export function decimal(name: string, from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= from && value <= to)) {
      throw new UsageError(`${label(name)} requires a number from ${from} to ${to}, not "${text}".`)
    }
    return value
  }
}

/** 0 lets the operating system choose. */
export function port(name: string): (text: string) => number {
  return integer(name, 0, 65_535)
}

export function id(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value
  throw new UsageError(`Expected an ID such as 12, not "${text}".`)
}

export function deliveryId(text: string): number | 'latest' {
  if (text === 'latest') return text
  if (/^\d+$/.test(text)) return id(text)
  throw new UsageError(`Expected a delivery ID such as 12, or latest, not "${text}".`)
}

export function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text]
}

export function collected<T>(parse: ((text: string) => T) & { choices?: readonly string[] }): ((
  text: string,
  before: readonly T[] | undefined,
) => T[]) & {
  choices: readonly string[]
} {
  return Object.assign(
    (text: string, before: readonly T[] | undefined) => [...(before ?? []), parse(text)],
    {
      choices: parse.choices ?? [],
    },
  )
}

/** An error suggests the nearest name. The parser has the names as `choices`, for shell completion. */
export function choice<const T extends string>(
  name: string,
  choices: readonly T[],
): ((text: string) => T) & { choices: readonly T[] } {
  const parse = (text: string): T => {
    const found = choices.find((each) => each === text)
    if (found !== undefined) return found
    const near = nearestOf(text, choices)
    const hint = near === undefined ? '' : ` Did you mean ${near}?`
    throw new UsageError(
      `${label(name)} requires one of ${choices.join(', ')}, not "${text}".${hint}`,
    )
  }
  return Object.assign(parse, { choices })
}

/** `500ms`, `30s`, `5m` or `2h`, in milliseconds. A number without a unit is refused, except 0. */
export function duration(
  name: string,
  { from = 0, to }: { from?: number; to: number },
): (text: string) => number {
  return (text) => {
    const value = readDuration(text)
    if (value === null || value < from || value > to) {
      throw new UsageError(
        `${label(name)} requires a duration from ${durationText(from)} to ${durationText(to)} such as 500ms, 30s or 5m, not "${text}".`,
      )
    }
    return value
  }
}

function durationText(ms: number): string {
  if (ms > 0 && ms < 1000) return `${ms}ms`
  if (ms % 3_600_000 === 0 && ms > 0) return `${ms / 3_600_000}h`
  return ms % 60_000 === 0 && ms > 0 ? `${ms / 60_000}m` : `${ms / 1000}s`
}

/** `512KiB`, `25MiB` or `2GB`, from `from` to `to` bytes; a plain number is in bytes. */
export function size(name: string, from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Math.round(readSize(text.replace(' ', '')) ?? Number.NaN)
    if (!(value >= from && value <= to)) {
      throw new UsageError(
        `${label(name)} requires a size from ${sizeText(from)} to ${sizeText(to)} such as 512KiB or 25MiB, not "${text}".`,
      )
    }
    return value
  }
}

function sizeText(bytes: number): string {
  const units = [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
    ['KiB', 1024],
  ] as const
  const [unit, factor] = units.find(([, each]) => bytes >= each && bytes % each === 0) ?? ['B', 1]
  return `${bytes / factor}${unit}`
}

/** ISO 8601, a duration ago (`2h`, `3d`), `today`, `yesterday` or a weekday. Returns milliseconds since the epoch. */
export function time(name: string, nowMs = Date.now()): (text: string) => number {
  return (text) => {
    const value = readTime(text, nowMs)
    if (value === null) {
      throw new UsageError(
        `${label(name)} requires a time such as 2026-11-21T09:00, 2h, 3d or tuesday, not "${text}".`,
      )
    }
    return value
  }
}

/** `Name: value`, the value as UTF-8. Throws `UsageError`. */
export function header(text: string): Header {
  const at = text.indexOf(':')
  if (at < 1) throw new UsageError(`--header requires "Name: value", not "${text}".`)
  return [
    text.slice(0, at).trim(),
    Buffer.from(text.slice(at + 1).trim(), 'utf8').toString('latin1'),
  ]
}

/** From `--NAME` or the environment variable that `--NAME-env` names. Warns about leading and trailing whitespace. Throws `UsageError`. */
export function secretFrom(
  name: string,
  secret: string | undefined,
  variable: string | undefined,
): string | undefined {
  if (secret !== undefined && variable !== undefined) {
    throw new UsageError(`Use --${name} or --${name}-env, not both.`)
  }
  if (variable === undefined) {
    if (secret === '') throw new UsageError(`--${name} must not be empty.`)
    if (secret !== undefined) warnAboutWhitespace(`--${name}`, secret)
    return secret
  }
  const value = io.env[variable]
  if (!value) throw new UsageError(`The environment variable ${variable} is not set.`)
  warnAboutWhitespace(`The environment variable ${variable}`, value)
  return value
}

/** It may be part of the secret. */
function warnAboutWhitespace(what: string, secret: string): void {
  if (secret === secret.trim()) return
  printMessage(
    `Warning: ${what} starts or ends with whitespace, which is used as part of the secret. Remove it unless the secret on the dashboard includes it.`,
  )
}
