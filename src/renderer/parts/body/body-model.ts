import { joinBytes } from '#shared/bytes/text.ts'
import { hexText, startsLikeJson, textOf } from './body-text.ts'
import { grown, jsonIndex, type JsonIndex, sourceOf } from './json-index.ts'
import { JsonTree, type TreeRow, valuesWith } from './json-tree.ts'
import { type Reading, readingOf } from './reading.ts'
import { lastUpTo, findMatches } from './search.ts'

/** Maximum length of a mask marker (`#contract/masks.ts`). */
const maxMarkerLength = 42

interface TextLines {
  readonly count: number
  /** The start of each displayed line in the text. */
  readonly starts: Int32Array
  /** The line number in the text; 0 for a continuation of the line above. */
  readonly numbers: Int32Array
}

interface TextRow {
  readonly number: number
  readonly text: string
}

/** In lines of at most `columns` characters. Uses only number arrays: two million lines as objects would burden the garbage collector. */
function textLines(text: string, columns: number): TextLines {
  let starts: Int32Array = new Int32Array(1024)
  let numbers: Int32Array = new Int32Array(1024)
  let count = 0
  let line = 1
  for (let from = 0; from <= text.length; line++) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    let at = from
    do {
      if (count === starts.length) {
        starts = grown(starts)
        numbers = grown(numbers)
      }
      starts[count] = at
      numbers[count] = at === from ? line : 0
      count += 1
      at = end - at <= columns ? end : cutAt(text, at, columns)
    } while (at < end)
    from = end + 1
  }
  return { count, starts: starts.subarray(0, count), numbers }
}

/** Returns the end of a displayed line that starts at `from`. Splits neither the marker of a masked secret nor a character. */
function cutAt(text: string, from: number, columns: number): number {
  const to = from + columns
  const line = text.slice(from, to)
  const opened = line.lastIndexOf('«')
  const within = opened > Math.max(0, columns - maxMarkerLength) && !line.includes('»', opened)
  if (within) return from + opened
  return /[\ud800-\udbff]$/.test(line) ? to - 1 : to
}

function textRow(text: string, lines: TextLines, index: number): TextRow {
  const from = lines.starts[index] ?? 0
  const line = text.slice(from, lines.starts[index + 1] ?? text.length)
  return {
    number: lines.numbers[index] ?? 0,
    text: line.endsWith('\n') ? line.slice(0, -1) : line,
  }
}

export const bodyViews = ['tree', 'text', 'hex'] as const
export type BodyViewName = (typeof bodyViews)[number]

export const bytesPerLine = 16
const defaultColumns = 120

export interface BodyFacts {
  /** Whether it is valid UTF-8. */
  readonly text: boolean
  /** Set if it is JSON. `complete` is false if the tree does not contain all values. */
  readonly tree: { readonly values: number; readonly complete: boolean } | null
  readonly reading: Reading
}

interface Window {
  readonly from: number
  readonly to: number
}

interface TextWindow extends Window {
  /** Characters in a row: longer lines are wrapped. At least 2. */
  readonly columns: number
}

/** The rows of a window, and the total number of lines. */
export interface Rows<T> {
  readonly count: number
  readonly rows: readonly T[]
}

/** The state of the tree. A new revision has different lines. */
export interface TreeState {
  readonly revision: number
  /** The line of the value that the call was about. */
  readonly line: number
}

export interface Found {
  readonly found: number
  /** The line of the requested match. */
  readonly line: number | null
  readonly revision: number
}

/**
 * The model of a body. Runs in a worker for a large body and in the page for a small one. The views request only the visible lines.
 * Inputs and outputs of its methods can be cloned.
 */
export function createBodyModel() {
  let parts: Uint8Array[] = []
  let body = new ParsedBody(new Uint8Array(), false)
  let revision = 0

  function treeAt(index: number): TreeState {
    revision += 1
    return { revision, line: body.tree?.lineOf(index) ?? 0 }
  }

  return {
    add: (more: Uint8Array): void => void parts.push(more),
    /** Parses all added bytes. `isComplete`: the body is complete. */
    read: ({ isComplete, size }: { isComplete: boolean; size: number }): BodyFacts => {
      body = new ParsedBody(joined([body.bytes, ...parts]), isComplete)
      parts = []
      revision += 1
      return body.facts(size)
    },
    treeRows: (window: Window): Rows<TreeRow> => body.treeRows(window),
    textRows: (window: TextWindow): Rows<TextRow> => body.textRows(window),
    hexRows: (window: Window): Rows<Uint8Array> => body.hexRows(window),
    /** Searches for `query` and reveals the match number `matchIndex`, wrapping around. An empty `query` reveals none. */
    find: (input: { view: BodyViewName; query: string; matchIndex: number }): Found => {
      const { view, query, matchIndex } = input
      const hits = body.find(view, query)
      const found = hits.length
      const hit = found === 0 ? undefined : hits[((matchIndex % found) + found) % found]
      if (view === 'tree' && body.tree) {
        body.tree.reveal(hit ?? null)
        revision += 1
      }
      return { found, line: hit === undefined ? null : body.lineOf(view, hit), revision }
    },
    fold: ({ index, folded }: { index: number; folded: boolean }): TreeState => {
      body.tree?.fold(index, folded)
      return treeAt(index)
    },
    foldAll: ({ folded, index }: { folded: boolean; index: number }): TreeState => {
      body.tree?.foldAll(folded)
      return treeAt(index)
    },
    parentLine: (index: number): number =>
      body.tree ? body.tree.lineOf(body.tree.parentOf(index)) : 0,
    source: (index: number): string => (body.json === null ? '' : sourceOf(body.json, index)),
    copy: ({ hex }: { hex: boolean }): string =>
      hex || body.text === null ? hexText(body.bytes) : body.text,
  }
}

function rowsIn<T>(
  { from, to }: Window,
  count: number,
  rowAt: (line: number) => T | null,
): Rows<T> {
  const rows: T[] = []
  for (let line = from; line < Math.min(to, count); line++) {
    const row = rowAt(line)
    if (row !== null) rows.push(row)
  }
  return { count, rows }
}

class ParsedBody {
  readonly bytes: Uint8Array
  readonly text: string | null
  readonly json: JsonIndex | null
  readonly tree: JsonTree | null
  readonly #isComplete: boolean
  /** Why the JSON is invalid; null if it is valid, or does not start like JSON. */
  readonly #invalid: Reading | null
  #columns = 0
  #lines: TextLines | null = null
  #search: { view: BodyViewName; query: string; hits: ArrayLike<number> } | null = null

  constructor(bytes: Uint8Array, isComplete: boolean) {
    this.bytes = bytes
    this.#isComplete = isComplete
    this.text = textOf(bytes, isComplete)
    const json =
      isComplete && this.text !== null && startsLikeJson(this.text) ? jsonIndex(this.text) : null
    const isValid = json !== null && json.fault === null
    this.json = isValid ? json : null
    this.#invalid = isValid || json === null ? null : readingOf(json)
    this.tree = isValid ? new JsonTree(json) : null
  }

  facts(size: number): BodyFacts {
    const { json } = this
    return {
      text: this.text !== null,
      tree: json && { values: json.count, complete: json.complete },
      reading: this.#readAs(size),
    }
  }

  #readAs(size: number): Reading {
    if (size === 0) return { kind: 'empty' }
    if (!this.#isComplete) return { kind: 'too-long' }
    if (this.text === null) return { kind: 'not-text' }
    if (this.json !== null) return readingOf(this.json)
    return this.#invalid ?? { kind: 'not-json', why: 'The body does not start like JSON.' }
  }

  treeRows(window: Window): Rows<TreeRow> {
    const { tree } = this
    return rowsIn(window, tree?.count ?? 0, (line) => tree?.row(line) ?? null)
  }

  textRows({ columns, ...window }: TextWindow): Rows<TextRow> {
    if (columns !== this.#columns) this.#lines = null
    this.#columns = columns
    const lines = this.#textLines()
    return rowsIn(window, lines.count, (line) => textRow(this.text ?? '', lines, line))
  }

  hexRows(window: Window): Rows<Uint8Array> {
    // Copies, since sending a view would transfer its whole buffer.
    return rowsIn(window, Math.ceil(this.bytes.length / bytesPerLine), (line) =>
      this.bytes.slice(line * bytesPerLine, (line + 1) * bytesPerLine),
    )
  }

  /** The matches of a query: values, characters or bytes, depending on the view. */
  find(view: BodyViewName, query: string): ArrayLike<number> {
    if (this.#search?.view === view && this.#search.query === query) return this.#search.hits
    const hits = this.#findAll(view, query)
    this.#search = { view, query, hits }
    return hits
  }

  #findAll(view: BodyViewName, query: string): ArrayLike<number> {
    const { bytes, json, text } = this
    switch (view) {
      case 'tree':
        return json === null ? [] : valuesWith(json, query)
      case 'text': {
        const source = text ?? ''
        return findMatches(source.length, (from, to) => source.slice(from, to), query)
      }
      case 'hex':
        return findMatches(
          bytes.length,
          (from, to) => latin1.decode(bytes.subarray(from, to)),
          query,
        )
    }
  }

  lineOf(view: BodyViewName, hit: number): number {
    switch (view) {
      case 'tree':
        return this.tree?.lineOf(hit) ?? 0
      case 'text':
        return lastUpTo(this.#textLines().starts, hit)
      case 'hex':
        return Math.floor(hit / bytesPerLine)
    }
  }

  #textLines(): TextLines {
    this.#lines ??= textLines(this.text ?? '', this.#columns || defaultColumns)
    return this.#lines
  }
}

export type BodyApi = ReturnType<typeof createBodyModel>

const latin1 = new TextDecoder('latin1')

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.length > 0)
  if (filled.length === 1 && filled[0]) return filled[0]
  return joinBytes(filled)
}
