import { hash } from 'node:crypto'
import { eventLogVersion } from '#contract/event-log.ts'
import { AppError } from '../../platform/errors.ts'
import type { ExportedDelivery } from '../items.ts'

const maxSentences = 100

export class Problems {
  readonly #sentences: string[] = []
  #omitted = 0

  add(sentence: string): void {
    if (this.#sentences.length < maxSentences - 1) this.#sentences.push(sentence)
    else this.#omitted += 1
  }

  addFirst(sentence: string): void {
    if (this.#sentences.length === maxSentences - 1 && this.#sentences.pop()) this.#omitted += 1
    this.#sentences.unshift(sentence)
  }

  addIfChanged({ fields, body, omitted }: ExportedDelivery): void {
    if (fields.bodyRedacted || omitted !== null) return
    if (hash('sha256', body, 'hex') === fields.sha256) return
    this.add(
      `Delivery ${fields.id}: the body was changed after it was captured. Its SHA-256 does not match.`,
    )
  }

  list(): string[] {
    return this.#omitted === 0
      ? [...this.#sentences]
      : [...this.#sentences, `${this.#omitted} more problems are not listed.`]
  }
}

export function tooNew(version: number): AppError {
  return new AppError(
    'log_too_new',
    `The event log has format version ${version}, but this version of Tabscope reads only up to version ${eventLogVersion}. Update Tabscope, then import it again.`,
    { details: { found: version, known: eventLogVersion } },
  )
}

/** Throws `log_unreadable` if nothing was imported, with the first reason. */
export function assertImported(items: number, problems: Problems): void {
  if (items > 0) return
  const [reason] = problems.list()
  throw new AppError(
    'log_unreadable',
    `Nothing was imported. ${reason ?? 'The file contains no deliveries.'}`,
  )
}
