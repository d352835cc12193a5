import { JsonParser, jsonToken } from '#shared/json/tokenizer.ts'
import type { Work } from '../time-budget.ts'

/**
 * A JSON text as flat lists of tokens, without a value made of it: 13 bytes a token, so that a large body costs little memory, and
 * numbers and strings stay written as they came.
 */
export interface JsonTokens {
  readonly source: Buffer
  readonly count: number
  /** What each is: one of `jsonToken`, never a comma or a colon. */
  readonly kind: Uint8Array
  /** Where the token begins and ends in the source. */
  readonly start: Uint32Array
  readonly end: Uint32Array
  /** For the opening of an object or array: the index of its closing. */
  readonly close: Uint32Array
}

/** Why there are no tokens. `open`: the text ends too early, and these bytes would end it. */
export type JsonFault =
  | { readonly fault: 'too_large' | 'no_json' }
  | { readonly fault: 'open'; readonly closers: string }

const sourceLimit = 64 * 1024 * 1024
const tokenLimit = 2_000_000

function grown<T extends Uint8Array | Uint32Array>(list: T, bigger: T): T {
  bigger.set(list)
  return bigger
}

class Lists {
  count = 0
  kind = new Uint8Array(1024)
  start = new Uint32Array(1024)
  end = new Uint32Array(1024)
  close = new Uint32Array(1024)

  push(kind: number, start: number, end: number): void {
    if (this.count === this.kind.length) this.#grow()
    this.kind[this.count] = kind
    this.start[this.count] = start
    this.end[this.count] = end
    this.count += 1
  }

  #grow(): void {
    const size = this.count * 2
    this.kind = grown(this.kind, new Uint8Array(size))
    this.start = grown(this.start, new Uint32Array(size))
    this.end = grown(this.end, new Uint32Array(size))
    this.close = grown(this.close, new Uint32Array(size))
  }
}

/** Reads a JSON text, iteratively, whatever its depth and its encoding. Pauses as `work` asks it to. */
export async function tokenise(source: Buffer, work: Work): Promise<JsonTokens | JsonFault> {
  if (source.byteLength > sourceLimit) return { fault: 'too_large' }
  const parser = new JsonParser(source.toString('latin1'))
  const lists = new Lists()
  /** Indexes of the openings that are not closed yet. */
  const open: number[] = []
  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 0 && work.due) await work.breathe()
    const kind = parser.next()
    if (kind === jsonToken.end) break
    if (kind === jsonToken.other) {
      const { closers } = parser
      return closers === null ? { fault: 'no_json' } : { fault: 'open', closers }
    }
    if (lists.count >= tokenLimit) return { fault: 'too_large' }
    if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) open.push(lists.count)
    else if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) {
      lists.close[open.pop() ?? 0] = lists.count
    }
    lists.push(kind, parser.from, parser.to)
  }
  const { count, kind, start, end, close } = lists
  return { source, count, kind, start, end, close }
}

/** Index of the token behind the value that begins at `index`. */
export function behind(tokens: JsonTokens, index: number): number {
  const kind = tokens.kind[index]
  const opens = kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen
  return (opens ? (tokens.close[index] ?? index) : index) + 1
}
