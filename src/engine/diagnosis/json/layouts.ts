import type { TimeBudget } from '../time-budget.ts'
import {
  isEmpty,
  numberSlot,
  type JsonArray,
  type JsonDocument,
  type JsonNode,
  type Scalar,
} from './document.ts'

/** White space of a JSON text. */
export interface Layout {
  readonly cost: number
  /** Completes "the JSON …". */
  readonly words: string
  readonly colon: string
  /** Before an object or array, instead of `colon`. */
  readonly open: string
  /** Between members and items on one line. */
  readonly comma: string
  /** Null: everything on one line. */
  readonly indent: string | null
  readonly lineEnd: '\n' | '\r\n'
  /** Inside an empty object and array. */
  readonly empty: readonly [object: string, array: string]
  /** Arrays that are on one line, and add no depth: all, those without objects and arrays up to this width, or none (0). */
  readonly inline: 'all' | number
  /** Inside the brackets of an object and an array on one line, at the start and the end. */
  readonly pads: readonly [object: string, array: string, arrayEnd: string]
  /** Values of an object begin in one column. */
  readonly aligned: boolean
}

// In `open` and `empty`, `\n` is a line end, and a tab the indentation of the brackets; two tabs are one level deeper.
const compact: Layout = {
  cost: 2,
  words: 'without white space',
  colon: ':',
  open: '',
  comma: ',',
  indent: null,
  lineEnd: '\n',
  empty: ['', ''],
  inline: 0,
  pads: ['', '', ''],
  aligned: false,
}
const lines = (indent: string, cost: number, words: string): Layout => ({
  ...compact,
  cost,
  words,
  indent,
  colon: ': ',
  comma: ', ',
  pads: ['', ' ', ' '],
})
const own = (name: string, indent: string, more: Partial<Layout>, cost = 5): Layout => ({
  ...lines(indent, cost, `indented as ${name}`),
  ...more,
})
const oneLine = (cost: number, words: string, more: Partial<Layout>): Layout => ({
  ...compact,
  cost,
  words,
  ...more,
})
const tcl = own('Tcl does', '    ', { colon: ' : ', comma: ',', inline: 'all', pads: ['', '', ''] })
const pads = [' ', ' ', ' '] as const
const padded = oneLine(5, 'with spaces inside brackets and around colons', {
  colon: ' : ',
  comma: ', ',
  pads,
})

const unixLayouts = {
  compact,
  spaced: { ...compact, words: 'with a space after commas and colons', comma: ', ', colon: ': ' },
  two: lines('  ', 2, 'indented with 2 spaces'),
  four: lines('    ', 3, 'indented with 4 spaces'),
  tab: lines('\t', 4, 'indented with tabs'),
  one: lines(' ', 5, 'indented with 1 space'),
  jackson: own('Jackson does', '  ', { colon: ' : ', empty: [' ', ' '], inline: 'all' }, 3),
  swift: own('Swift does', '  ', { colon: ' : ', empty: ['\n\n\t', '\n\n\t'] }, 4),
  ruby: own('Ruby does', '  ', { empty: ['\n\t', '\n\n\t'] }, 4),
  colons: own('libraries of C and Perl do', '  ', { colon: ' : ' }),
  perl: own('Perl does', '   ', { colon: ' : ' }),
  jsonc: own('json-c does', '  ', { colon: ':', empty: ['\n\t', '\n\t'] }),
  brackets: own('Qt does', '    ', { empty: ['\n\t', '\n\t'] }),
  bracketsTwo: own('Raku does', '  ', { empty: ['\n\t', '\n\t'] }),
  yajl: own('json_reformat does', '    ', { empty: ['\n\n\t', '\n\n\t'] }),
  yajlTwo: own('Yajl does', '  ', { empty: ['\n\n\t', '\n\n\t'] }),
  oj: own('Oj does', '  ', { colon: ':' }),
  groovy: own('Groovy does', '    ', { empty: ['\n\t\t\n\t', '\n\t\t\n\t'] }),
  jiffy: own('jiffy does', '  ', { colon: ' : ', empty: ['\n\t\t\n\t', '\n\t\t\n\t'] }),
  glib: own('json-glib does', '  ', { colon: ' : ', empty: ['\t', ''] }),
  cjson: own('cJSON does', '\t', {
    colon: ':\t',
    empty: ['\n\t', ''],
    inline: 'all',
    pads: ['', '', ''],
  }),
  jsoncpp: own('jsoncpp does', '\t', { colon: ' : ', open: ' : \n\t' }),
  jsoncppTwo: own('jsoncpp does', '  ', { colon: ' : ', open: ' : \n\t' }),
  jsoncppStyled: own('jsoncpp does', '   ', { colon: ' : ', inline: 74 }),
  jsonlite: own('jsonlite does', '  ', { inline: 10_000, pads: ['', '', ''] }),
  jsonnet: own('Jsonnet does', '   ', { empty: [' ', ' '] }),
  yojson: own('Yojson does', '  ', { inline: 80 }),
  prolog: own('SWI-Prolog does', '  ', { colon: ':', open: ': ', inline: 72, pads: ['', '', ' '] }),
  pascal: own('Free Pascal does', '  ', { colon: ' : ', empty: ['', '\n\t'] }),
  tcl,
  tclAligned: { ...tcl, aligned: true },
  afterColons: oneLine(4, 'with a space after colons', { colon: ': ' }),
  afterCommas: oneLine(5, 'with a space after commas', { comma: ', ' }),
  aroundColons: oneLine(5, 'with spaces around colons', { colon: ' : ', comma: ', ' }),
  padded,
  paddedTwice: { ...padded, empty: ['  ', '  '] },
  paddedObjects: oneLine(5, 'with spaces inside braces and around colons', {
    colon: ' : ',
    comma: ', ',
    pads: [' ', '', ''],
  }),
  paddedLeft: oneLine(5, 'with spaces inside brackets', { colon: ': ', comma: ', ', pads }),
  paddedEmpty: oneLine(5, 'with spaces inside brackets', {
    colon: ': ',
    comma: ', ',
    pads,
    empty: [' ', ' '],
  }),
  prologLine: oneLine(6, 'on one line as SWI-Prolog does', {
    open: ': ',
    comma: ', ',
    pads: ['', '', ' '],
  }),
} as const satisfies Record<string, Layout>

const windows = (layout: Layout, more: number): Layout => ({
  ...layout,
  cost: layout.cost + more,
  words: `${layout.words} and CR LF at line ends`,
  lineEnd: '\r\n',
})

/** In layouts with line ends, these may be CR LF. */
export const layouts = {
  ...unixLayouts,
  twoWindows: windows(unixLayouts.two, 1),
  jacksonWindows: windows(unixLayouts.jackson, 1),
  rubyWindows: windows(unixLayouts.ruby, 2),
} as const satisfies Record<string, Layout>

export type LayoutName = keyof typeof layouts

/** Constant texts, and between them what varies: the string with that slot, or the number (`numberSlot`). */
export interface Template {
  readonly texts: readonly string[]
  readonly slots: readonly number[]
}

/** The text as it is, with the white space before and after the JSON. */
export function keptTemplate({ tokens, slots }: JsonDocument): Template {
  const { text, start, end } = tokens
  const texts: string[] = []
  const order: number[] = []
  let from = 0
  for (const [token, slot] of slots) {
    const isString = slot >= 0 ? 1 : 0
    texts.push(text.slice(from, (start[token] ?? 0) + isString))
    order.push(slot)
    from = (end[token] ?? 0) - isString
  }
  texts.push(text.slice(from))
  return { texts, slots: order }
}

interface Frame {
  readonly node: Exclude<JsonNode, Scalar>
  readonly depth: number
  readonly inline: boolean
  readonly column: number
  next: number
}

/** Writes a tree in a layout. Yields when `budget` is due. */
export async function template(
  root: JsonNode,
  layout: Layout,
  budget: TimeBudget,
): Promise<Template> {
  const { indent, comma, pads, lineEnd, empty, aligned } = layout
  const texts: string[] = []
  const slots: number[] = []
  let text = ''
  const lineAt = (depth: number): string => lineEnd + (indent ?? '').repeat(depth)
  const filled = (pattern: string, depth: number): string =>
    pattern.replaceAll(/\n|\t+/g, (white) =>
      white === '\n' ? lineEnd : (indent ?? '').repeat(depth + white.length - 1),
    )
  const scalar = ({ kind, raw, slot }: Scalar): void => {
    if (slot === -1) text += raw
    else if (kind === 'number') {
      texts.push(text)
      slots.push(numberSlot(slot))
      text = ''
    } else {
      texts.push(`${text}"`)
      slots.push(slot)
      text = '"'
    }
  }
  const stack: Frame[] = []
  const begin = (node: JsonNode, depth: number): void => {
    if (node.kind !== 'object' && node.kind !== 'array') {
      scalar(node)
      return
    }
    const isObject = node.kind === 'object'
    const count = isObject ? node.members.length : node.items.length
    if (count === 0) {
      const inside = filled(isObject ? empty[0] : empty[1], depth)
      text += isObject ? `{${inside}}` : `[${inside}]`
    } else {
      text += isObject ? '{' : '['
      const inline = indent === null || (!isObject && isInline(node, layout.inline))
      stack.push({ node, depth, inline, column: aligned ? columnOf(node) : 0, next: 0 })
    }
  }
  begin(root, 0)
  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 1023 && budget.due) await budget.yield()
    const frame = stack.at(-1)
    if (!frame) break
    const { node, depth, inline, column, next } = frame
    const inside = inline && indent !== null ? depth : depth + 1
    const isObject = node.kind === 'object'
    if (next === (isObject ? node.members.length : node.items.length)) {
      text += (inline ? (isObject ? pads[0] : pads[2]) : lineAt(depth)) + (isObject ? '}' : ']')
      stack.pop()
      continue
    }
    frame.next += 1
    if (next > 0) text += inline ? comma : ','
    else if (inline) text += isObject ? pads[0] : pads[1]
    if (!inline) text += lineAt(inside)
    if (node.kind === 'array') begin(node.items[next] ?? node, inside)
    else {
      const member = node.members[next]
      if (!member) continue
      const { key, value } = member
      scalar(key)
      if (key.raw.length < column) text += ' '.repeat(column - key.raw.length)
      text += opensBefore(value, layout.open) ? filled(layout.open, inside) : layout.colon
      begin(value, inside)
    }
  }
  texts.push(text)
  return { texts, slots }
}

function columnOf(node: Frame['node']): number {
  return node.kind === 'object' ? Math.max(...node.members.map(({ key }) => key.raw.length)) : 0
}

/** On a line of its own only if it is not empty. */
function opensBefore(node: JsonNode, open: string): boolean {
  const isContainer = node.kind === 'object' || node.kind === 'array'
  return open !== '' && isContainer && !(open.includes('\n') && isEmpty(node))
}

function isInline({ items }: JsonArray, inline: Layout['inline']): boolean {
  if (inline === 'all') return true
  if (inline === 0) return false
  const lengths = items.map((item) =>
    'raw' in item ? item.raw.length : isEmpty(item) ? 2 : inline,
  )
  return lengths.reduce((sum, length) => sum + length + 2, 2) < inline
}

/** The text with the given strings and numbers, by their slots. */
export function fill(
  { texts, slots }: Template,
  strings: readonly string[],
  numbers: readonly string[],
): string {
  let text = texts[0] ?? ''
  for (const [index, slot] of slots.entries()) {
    text += (slot >= 0 ? strings[slot] : numbers[~slot]) ?? ''
    text += texts[index + 1] ?? ''
  }
  return text
}
