import { JsonParser, jsonToken } from '#shared/json/tokenizer.ts'
import type { TimeBudget } from '../time-budget.ts'

/** Flat lists of tokens, 13 bytes each: numbers and strings keep their notation. */
export interface JsonTokens {
  readonly text: string
  readonly count: number
  /** One of `jsonToken` for each token, never a comma or a colon. */
  readonly kind: Uint8Array
  readonly start: Uint32Array
  readonly end: Uint32Array
  /** For the opening token of an object or array: the index of its closing token. */
  readonly close: Uint32Array
}

/** `open`: the text ends too early, and `closers` would complete it. */
export type JsonFault =
  | { readonly fault: 'too_large' | 'no_json' }
  | { readonly fault: 'open'; readonly closers: string }

const textLimit = 64 * 1024 * 1024
const tokenLimit = 500_000
/** Documents are written recursively. */
const depthLimit = 1000

/** Handles any text, without recursion. Yields when `budget` is due. */
export async function tokenize(text: string, budget: TimeBudget): Promise<JsonTokens | JsonFault> {
  if (text.length > textLimit) return { fault: 'too_large' }
  const parser = new JsonParser(text)
  const lists = new Lists()
  const open: number[] = []
  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 0 && budget.due) await budget.yield()
    const kind = parser.next()
    if (kind === jsonToken.end) break
    if (kind === jsonToken.other) {
      const { closers } = parser
      return closers === null ? { fault: 'no_json' } : { fault: 'open', closers }
    }
    if (lists.count >= tokenLimit || open.length > depthLimit) return { fault: 'too_large' }
    if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) open.push(lists.count)
    else if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) {
      lists.close[open.pop() ?? 0] = lists.count
    }
    lists.push(kind, parser.from, parser.to)
  }
  const { count, kind, start, end, close } = lists
  return { text, count, kind, start, end, close }
}

class Lists {
  count = 0
  kind = new Uint8Array(256)
  start = new Uint32Array(256)
  end = new Uint32Array(256)
  close = new Uint32Array(256)

  push(kind: number, start: number, end: number): void {
    if (this.count === this.kind.length) this.#grow()
    this.kind[this.count] = kind
    this.start[this.count] = start
    this.end[this.count] = end
    this.count += 1
  }

  #grow(): void {
    const size = this.count * 2
    this.kind = copyInto(this.kind, new Uint8Array(size))
    this.start = copyInto(this.start, new Uint32Array(size))
    this.end = copyInto(this.end, new Uint32Array(size))
    this.close = copyInto(this.close, new Uint32Array(size))
  }
}

function copyInto<T extends Uint8Array | Uint32Array>(list: T, bigger: T): T {
  bigger.set(list)
  return bigger
}
