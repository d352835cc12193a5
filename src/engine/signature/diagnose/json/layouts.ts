import type { TimeBudget } from '../time-budget.ts'
import { numberSlot, type JsonDocument, type JsonNode, type Scalar } from './document.ts'

/** White space of a JSON text. */
export interface Layout {
  readonly cost: number
  /** Completes "the JSON …". */
  readonly words: string
  readonly colon: string
  /** Between members and items on one line. */
  readonly comma: string
  /** Null: everything on one line. */
  readonly indent: string | null
  readonly lineEnd: '\n' | '\r\n'
  /** Inside an empty object and array: nothing, a space, or line ends before the indented bracket. */
  readonly empty: readonly [object: Empty, array: Empty]
  /** Arrays on one line, which add no depth. */
  readonly inlineArrays: boolean
  /** Inside the brackets of what is on one line. */
  readonly padding: string
}

type Empty = '' | ' ' | '\n' | '\n\n'

const compact: Layout = {
  cost: 2,
  words: 'without white space',
  colon: ':',
  comma: ',',
  indent: null,
  lineEnd: '\n',
  empty: ['', ''],
  inlineArrays: false,
  padding: '',
}
const lines = (indent: string, cost: number, words: string): Layout => ({
  ...compact,
  cost,
  words,
  indent,
  colon: ': ',
})

const unixLayouts = {
  compact,
  spaced: { ...compact, words: 'with a space after commas and colons', comma: ', ', colon: ': ' },
  two: lines('  ', 2, 'indented with 2 spaces'),
  four: lines('    ', 3, 'indented with 4 spaces'),
  tab: lines('\t', 4, 'indented with tabs'),
  one: lines(' ', 5, 'indented with 1 space'),
  three: lines('   ', 5, 'indented with 3 spaces'),
  jackson: {
    ...lines('  ', 3, 'indented as Jackson does'),
    colon: ' : ',
    empty: [' ', ' '],
    inlineArrays: true,
  },
  swift: {
    ...lines('  ', 4, 'indented as Swift does'),
    colon: ' : ',
    empty: ['\n\n', '\n\n'],
  },
  ruby: { ...lines('  ', 4, 'indented as Ruby does'), empty: ['\n', '\n\n'] },
  afterColons: { ...compact, cost: 4, words: 'with a space after colons', colon: ': ' },
  afterCommas: { ...compact, cost: 5, words: 'with a space after commas', comma: ', ' },
  padded: {
    ...compact,
    cost: 5,
    words: 'with spaces inside brackets and around colons',
    colon: ' : ',
    comma: ', ',
    padding: ' ',
  },
  paddedLeft: {
    ...compact,
    cost: 5,
    words: 'with spaces inside brackets',
    colon: ': ',
    comma: ', ',
    padding: ' ',
  },
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
  fourWindows: windows(unixLayouts.four, 1),
  tabWindows: windows(unixLayouts.tab, 1),
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
  next: number
}

/** Writes a tree in a layout. Yields when `budget` is due. */
export async function template(
  root: JsonNode,
  layout: Layout,
  budget: TimeBudget,
): Promise<Template> {
  const { indent, colon, comma, padding, lineEnd, inlineArrays, empty } = layout
  const texts: string[] = []
  const slots: number[] = []
  let text = ''
  const lineAt = (depth: number): string => lineEnd + (indent ?? '').repeat(depth)
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
  const emptyText = (kind: Empty, depth: number): string =>
    kind === '' || kind === ' ' ? kind : (kind === '\n\n' ? lineEnd : '') + lineAt(depth)
  const isInline = ({ kind }: Frame['node']): boolean =>
    indent === null || (inlineArrays && kind === 'array')
  const stack: Frame[] = []
  const begin = (node: JsonNode, depth: number): void => {
    if (node.kind !== 'object' && node.kind !== 'array') {
      scalar(node)
      return
    }
    const isObject = node.kind === 'object'
    const count = isObject ? node.members.length : node.items.length
    if (count === 0) {
      const inside = emptyText(isObject ? empty[0] : empty[1], depth)
      text += isObject ? `{${inside}}` : `[${inside}]`
    } else {
      text += isObject ? '{' : '['
      stack.push({ node, depth, next: 0 })
    }
  }
  begin(root, 0)
  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 1023 && budget.due) await budget.yield()
    const frame = stack.at(-1)
    if (!frame) break
    const { node, depth, next } = frame
    const inline = isInline(node)
    const inside = inline && indent !== null ? depth : depth + 1
    const space = inline && indent !== null ? ' ' : padding
    const isObject = node.kind === 'object'
    if (next === (isObject ? node.members.length : node.items.length)) {
      text += (inline ? space : lineAt(depth)) + (isObject ? '}' : ']')
      stack.pop()
      continue
    }
    frame.next += 1
    if (next > 0) text += inline && indent === null ? comma : inline ? ', ' : ','
    else if (inline) text += space
    if (!inline) text += lineAt(inside)
    if (node.kind === 'array') begin(node.items[next] ?? node, inside)
    else {
      const member = node.members[next]
      if (!member) continue
      scalar(member.key)
      text += colon
      begin(member.value, inside)
    }
  }
  texts.push(text)
  return { texts, slots }
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
