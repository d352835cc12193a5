import { finish, jsonIndex, type JsonIndex, startsLikeJson, textOf } from '../body/index.ts'
import { type ByteDiff, type LineDiff, diffBytes, diffText, longestLine } from './byte-diff.ts'
import { type JsonDiff, diffJson } from './json-diff.ts'

/** Bodies up to this many bytes are compared by value and by line. */
export const meaningUpTo = 5 * 1024 * 1024

export interface BodyDiff {
  readonly bytes: ByteDiff
  /** Null if not compared by value; `notJson` gives the reason. */
  readonly json: JsonDiff | null
  readonly notJson: string | null
  /** Null if not text, one line each, too long or too different. */
  readonly lines: LineDiff | null
}

/** The comparison of two bodies. Runs in a worker. */
export function createDiffModel() {
  const parts: { readonly before: Uint8Array[]; readonly after: Uint8Array[] } = {
    before: [],
    after: [],
  }
  return {
    add: ({ side, bytes }: { side: 'before' | 'after'; bytes: Uint8Array }): void =>
      void parts[side].push(bytes),
    compare: (): BodyDiff => compareBodies(joined(parts.before), joined(parts.after)),
  }
}

export type DiffApi = ReturnType<typeof createDiffModel>

/** Compares two bodies, in as much detail as their size allows. */
export function compareBodies(before: Uint8Array, after: Uint8Array): BodyDiff {
  const bytes = diffBytes(before, after)
  if (before.length > meaningUpTo || after.length > meaningUpTo) {
    return {
      bytes,
      json: null,
      notJson: 'One body is larger than 5 MiB, so only bytes are compared.',
      lines: null,
    }
  }
  const texts = [textOf(before, true), textOf(after, true)] as const
  const [left, right] = texts
  const documents = [
    left === null ? null : documentOf(left),
    right === null ? null : documentOf(right),
  ] as const
  const [old, fresh] = documents
  const isJson = Boolean(old && fresh)
  // A single line that is not JSON is only compared as text if it can be shown completely.
  const hasLines = (text: string): boolean =>
    text.includes('\n') || (!isJson && text.length <= longestLine)
  const lines =
    left !== null && right !== null && (hasLines(left) || hasLines(right))
      ? diffText(left, right)
      : null
  return {
    bytes,
    json: old && fresh ? diffJson(old, fresh) : null,
    notJson: isJson ? null : whyNot(old, fresh, lines !== null),
    lines,
  }
}

function whyNot(before: JsonIndex | null, after: JsonIndex | null, asText: boolean): string {
  const how = asText ? 'compared as text' : 'compared by byte'
  if (!before && !after) return `Neither body is JSON: ${how}.`
  return `The body ${before ? 'after' : 'before'} is not JSON: ${how}.`
}

function documentOf(text: string): JsonIndex | null {
  if (!startsLikeJson(text)) return null
  const json = finish(jsonIndex(text))
  return json.fault === null && json.complete ? json : null
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
