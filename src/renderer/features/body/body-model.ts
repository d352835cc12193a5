import { finish, hexText, startsLikeJson, textOf } from './in-slices.ts'
import { grown, jsonIndex, type JsonIndex, sourceOf } from './json-index.ts'
import { JsonTree, type TreeRow, valuesWith } from './json-tree.ts'
import { type Reading, readingOf } from './reading.ts'
import { lastUpTo, findMatches } from './search.ts'

/** Longer lines are wrapped into several rows, since a very long line would freeze the page. */
const maxLineLength = 160
/** Maximum length of a mask marker (`#contract/masks.ts`). */
const maxMarkerLength = 42

/** A text split into the displayed lines. */
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

/** Uses only number arrays: two million lines as objects would burden the garbage collector. */
function textLines(text: string): TextLines {
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
      at = end - at <= maxLineLength ? end : cutAt(text, at)
    } while (at < end)
    from = end + 1
  }
  return { count, starts: starts.subarray(0, count), numbers }
}

/** Returns the end of a displayed line that starts at `from`. Never splits the marker of a masked secret. */
function cutAt(text: string, from: number): number {
  const to = from + maxLineLength
  const line = text.slice(from, to)
  const opened = line.lastIndexOf('«')
  const within = opened > maxLineLength - maxMarkerLength && !line.includes('»', opened)
  return within ? from + opened : to
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

/** Bytes in a line of the hex view. */
export const bytesPerLine = 16

/** Facts about a body. */
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
  let bytes: Uint8Array = new Uint8Array()
  let parts: Uint8Array[] = []
  let text: string | null = null
  let json: JsonIndex | null = null
  let tree: JsonTree | null = null
  let revision = 0
  let lines: TextLines | null = null
  let search: { view: BodyViewName; query: string; hits: ArrayLike<number> } | null = null

  function hitsOf(view: BodyViewName, query: string): ArrayLike<number> {
    if (search?.view === view && search.query === query) return search.hits
    const hits = find(view, query)
    search = { view, query, hits }
    return hits
  }

  function find(view: BodyViewName, query: string): ArrayLike<number> {
    switch (view) {
      case 'tree':
        return json === null ? [] : valuesWith(json, query)
      case 'text': {
        const source = text ?? ''
        return finish(findMatches(source.length, (from, to) => source.slice(from, to), query))
      }
      case 'hex':
        return finish(
          findMatches(bytes.length, (from, to) => latin1.decode(bytes.subarray(from, to)), query),
        )
    }
  }

  function cutLines(): TextLines {
    lines ??= textLines(text ?? '')
    return lines
  }

  function lineOf(view: BodyViewName, hit: number): number {
    switch (view) {
      case 'tree':
        return tree?.lineOf(hit) ?? 0
      case 'text':
        return lastUpTo(cutLines().starts, hit)
      case 'hex':
        return Math.floor(hit / bytesPerLine)
    }
  }

  function treeAt(index: number): TreeState {
    revision += 1
    return { revision, line: tree?.lineOf(index) ?? 0 }
  }

  return {
    /** Appends bytes. */
    add: (more: Uint8Array): void => void parts.push(more),
    /** Parses all added bytes. `isComplete`: the body is complete. */
    read: ({ isComplete, size }: { isComplete: boolean; size: number }): BodyFacts => {
      bytes = joined([bytes, ...parts])
      parts = []
      text = textOf(bytes, isComplete)
      lines = null
      search = null
      json = isComplete && text !== null && startsLikeJson(text) ? finish(jsonIndex(text)) : null
      tree = json === null || json.fault !== null ? null : new JsonTree(json)
      revision += 1
      const reading = readAs({ isComplete, size })
      // Invalid JSON needs no index of the part before the error.
      if (tree === null) json = null
      return {
        text: text !== null,
        tree: json && tree && { values: json.count, complete: json.complete },
        reading,
      }
    },
    treeRows: ({ from, to }: Window): Rows<TreeRow> => {
      const rows: TreeRow[] = []
      const count = tree?.count ?? 0
      for (let line = from; line < Math.min(to, count); line++) {
        const row = tree?.row(line)
        if (row) rows.push(row)
      }
      return { count, rows }
    },
    textRows: ({ from, to }: Window): Rows<TextRow> => {
      const cut = cutLines()
      const rows: TextRow[] = []
      for (let line = from; line < Math.min(to, cut.count); line++) {
        rows.push(textRow(text ?? '', cut, line))
      }
      return { count: cut.count, rows }
    },
    hexRows: ({ from, to }: Window): Rows<Uint8Array> => {
      const count = Math.ceil(bytes.length / bytesPerLine)
      const rows: Uint8Array[] = []
      for (let line = from; line < Math.min(to, count); line++) {
        // A copy, since sending a view would transfer its whole buffer.
        rows.push(bytes.slice(line * bytesPerLine, (line + 1) * bytesPerLine))
      }
      return { count, rows }
    },
    /** Searches for `query` and reveals the match number `matchIndex`, wrapping around. An empty `query` reveals none. */
    find: (input: { view: BodyViewName; query: string; matchIndex: number }): Found => {
      const { view, query, matchIndex } = input
      const hits = hitsOf(view, query)
      const found = hits.length
      const hit = found === 0 ? undefined : hits[((matchIndex % found) + found) % found]
      if (view === 'tree' && tree) {
        tree.reveal(hit ?? null)
        revision += 1
      }
      return { found, line: hit === undefined ? null : lineOf(view, hit), revision }
    },
    fold: ({ index, folded }: { index: number; folded: boolean }): TreeState => {
      tree?.fold(index, folded)
      return treeAt(index)
    },
    foldAll: ({ folded, index }: { folded: boolean; index: number }): TreeState => {
      tree?.foldAll(folded)
      return treeAt(index)
    },
    parentLine: (index: number): number => (tree ? tree.lineOf(tree.parentOf(index)) : 0),
    /** The source text of a value. */
    source: (index: number): string => (json === null ? '' : sourceOf(json, index)),
    copy: ({ hex }: { hex: boolean }): string =>
      hex || text === null ? finish(hexText(bytes)) : text,
  }

  function readAs({ isComplete, size }: { isComplete: boolean; size: number }): Reading {
    if (size === 0) return { kind: 'empty' }
    if (!isComplete) return { kind: 'too-long' }
    if (text === null) return { kind: 'not-text' }
    if (json === null) return { kind: 'not-json', why: 'The body does not start like JSON.' }
    return readingOf(json)
  }
}

/** The calls of the body model. */
export type BodyApi = ReturnType<typeof createBodyModel>

const latin1 = new TextDecoder('latin1')

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.length > 0)
  if (filled.length === 1 && filled[0]) return filled[0]
  const all = new Uint8Array(filled.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of filled) {
    all.set(part, at)
    at += part.length
  }
  return all
}
