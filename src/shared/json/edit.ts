import { parseJson } from './object.ts'
import { JsonParser, jsonFault, jsonToken } from './tokenizer.ts'

/** The message says what is wrong with the edit or the body, and what to write instead. */
export class JsonEditError extends Error {
  override readonly name = 'JsonEditError'
  /** Whether the body is not a JSON object, so that no edit applies to it. */
  readonly isBody: boolean

  constructor(message: string, { isBody = false } = {}) {
    super(message)
    this.isBody = isBody
  }
}

export interface JsonEdit {
  /** As the user wrote it, for messages. */
  readonly written: string
  /** Names of fields and indexes of lists, outermost first. */
  readonly path: readonly string[]
  readonly value: string
}

const invalid = (written: string, reason: string): JsonEditError =>
  new JsonEditError(`Invalid override “${written}”: ${reason}`)

/**
 * Parses `path=value`. A path consists of field names and list indexes, separated by dots (`data.itemNames.0`). A value that is JSON keeps its notation
 * (`42.50`); other text becomes a string. Throws `JsonEditError`.
 */
export function parseJsonEdit(written: string): JsonEdit {
  const equals = written.indexOf('=')
  if (equals < 1) throw invalid(written, 'write path=value, like data.total=12.')
  const path = written
    .slice(0, equals)
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
  if (path.includes('')) {
    throw invalid(
      written,
      'a path consists of names separated by dots, like data.total or data.tags.0.',
    )
  }
  // Sent as an own property, but a receiver that copies keys carelessly would change its prototype.
  if (path.includes('__proto__')) {
    throw invalid(written, '__proto__ is not allowed as a field name.')
  }
  const text = written.slice(equals + 1)
  return { written, path, value: jsonFault(text) === null ? text.trim() : JSON.stringify(text) }
}

/**
 * Returns the text with each edit applied, and every character outside the edited values as it was. A value of an existing path is replaced; of duplicate keys,
 * the last one, which is what parsers use. A new member is inserted after the last one, with its white space; missing objects are created. Throws
 * `JsonEditError`.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  return edits.reduce(applyEdit, text)
}

export interface Range {
  readonly from: number
  readonly to: number
}

export interface Member {
  readonly key: Range | null
  readonly value: Range
}

export interface Style {
  /** White space before a member, and before the closing bracket. */
  readonly before: string
  readonly close: string
  /** What a nested object is indented by; '' if everything is on one line. */
  readonly unit: string
  readonly colon: string
}

function applyEdit(text: string, { written, path, value }: JsonEdit): string {
  const json = new EditedText(text)
  let holder = json.root()
  let style: Style = { before: '', close: '', unit: '', colon: ':' }
  for (const [depth, step] of path.entries()) {
    const members = json.members(holder)
    const isList = json.opens(holder) === '['
    if (isList) checkIndex(written, members.length, step)
    style = json.styleOf(holder, members, style)
    const found = isList
      ? members[Number(step)]
      : members.findLast(({ key }) => key !== null && json.string(key) === step)
    const rest = path.slice(depth + 1)
    if (!found) {
      const member = isList
        ? nested(rest, value, style)
        : JSON.stringify(step) + style.colon + nested(rest, value, style)
      return json.inserted(holder, members, style, member)
    }
    if (rest.length === 0) return json.replaced(found.value, value)
    const opens = json.opens(found.value)
    if (opens === 'n') return json.replaced(found.value, nested(rest, value, style))
    if (opens !== '{' && opens !== '[') {
      const parent = path.slice(0, depth + 1).join('.')
      const type = opens === '"' ? 'string' : /[tf]/.test(opens) ? 'boolean' : 'number'
      throw invalid(written, `${parent} is a ${type} and has no fields.`)
    }
    holder = found.value
  }
  return text
}

function checkIndex(written: string, length: number, step: string): void {
  if (!/^(0|[1-9]\d{0,9})$/.test(step)) {
    throw invalid(written, `“${step}” is not a list index. Use a number from 0 to ${length}.`)
  }
  if (Number(step) > length) {
    throw invalid(written, `the list has ${length} entries. Use a number up to ${length}.`)
  }
}

function nested(steps: readonly string[], value: string, { before, unit, colon }: Style): string {
  const space = (depth: number): string => (unit === '' ? '' : before + unit.repeat(depth))
  const opening = steps.map((step, at) => `{${space(at + 1)}${JSON.stringify(step)}${colon}`)
  const closing = steps.map((_, at) => `${space(steps.length - at - 1)}}`)
  return opening.join('') + value + closing.join('')
}

/** A byte order mark, as it is or as Latin-1. */
const mark = /^(?:\uFEFF|\u00EF\u00BB\u00BF)?/

export class EditedText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  root(): Range {
    const start = mark.exec(this.#text)?.[0].length ?? 0
    const parser = new JsonParser(this.#text, { strict: true }, start)
    const opening = parser.next()
    const { from } = parser
    let to = from
    while (parser.next() < jsonToken.other) ({ to } = parser)
    if (opening === jsonToken.objectOpen && parser.kind === jsonToken.end) return { from, to }
    throw new JsonEditError('The body must be a JSON object.', { isBody: true })
  }

  textOf({ from, to }: Range): string {
    return this.#text.slice(from, to)
  }

  /** The first character of a value. */
  opens({ from }: Range): string {
    return this.#text[from] ?? ''
  }

  members({ from }: Range): Member[] {
    const parser = new JsonParser(this.#text, { strict: true }, from)
    parser.next()
    const members: Member[] = []
    let key: Range | null = null
    let start = from
    for (;;) {
      const kind = parser.next()
      if (parser.depth === 0) return members
      const opens = kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen
      if (parser.depth === 2 && opens) start = parser.from
      if (parser.depth > 1) continue
      const { from: at, to } = parser
      if (kind === jsonToken.key) key = { from: at, to }
      else {
        const closes = kind === jsonToken.objectClose || kind === jsonToken.arrayClose
        members.push({ key, value: { from: closes ? start : at, to } })
        key = null
      }
    }
  }

  string(range: Range): unknown {
    return parseJson(this.textOf(range))
  }

  /** Of the last member, or for an empty object or list of the one around it. */
  styleOf(holder: Range, members: readonly Member[], around: Style): Style {
    const last = members.at(-1)
    if (!last) {
      const isIndented = around.unit !== ''
      const close = isIndented ? around.before : ''
      return { ...around, before: close + (isIndented ? around.unit : ''), close }
    }
    const previous = members.at(-2)
    const start = previous ? this.#text.indexOf(',', previous.value.to) + 1 : holder.from + 1
    const before = this.#text.slice(start, (last.key ?? last.value).from)
    const close = this.#text.slice(last.value.to, holder.to - 1)
    const isIndented = before.includes('\n') && close.includes('\n') && before.startsWith(close)
    return {
      before,
      close,
      unit: isIndented ? before.slice(close.length) : '',
      colon: last.key ? this.#text.slice(last.key.to, last.value.from) : around.colon,
    }
  }

  replaced({ from, to }: Range, value: string): string {
    return this.#spliced(from, to, value)
  }

  inserted(holder: Range, members: readonly Member[], style: Style, member: string): string {
    const last = members.at(-1)
    if (last) return this.#spliced(last.value.to, last.value.to, `,${style.before}${member}`)
    return this.#spliced(holder.from + 1, holder.to - 1, style.before + member + style.close)
  }

  #spliced(from: number, to: number, inserted: string): string {
    return this.#text.slice(0, from) + inserted + this.#text.slice(to)
  }
}
