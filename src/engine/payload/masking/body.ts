import { isUtf8 } from 'node:buffer'
import {
  harmlessFields,
  isDocumentedType,
  isDocumentedWord,
  type FieldRule,
  type HarmlessField,
  type HarmlessFields,
  ruleOfKey,
} from '#catalogue/harmless.ts'
import type { Header } from '#contract/models.ts'
import { JsonParser, jsonFault, jsonToken, stringEnd } from '#shared/json/tokenizer.ts'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { decodeSmall, encodingsOf } from '../decode-body.ts'
import { fromBytes, toBytes } from '../../platform/byte-text.ts'
import { decodeString, maskNumber, maskTime } from './text.ts'
import type { Outcome } from './field-uses.ts'
import type { Values } from './values.ts'

export interface MaskedBody {
  readonly bytes: Uint8Array
  /** Why the body is left out, as a sentence. Null: it is masked. */
  readonly omitted: string | null
}

const empty = new Uint8Array()
const maxDecodedBytes = 32 * 1024 * 1024

/** `type`: of the event, as captured. `prefix`: of the names of its fields. Never throws. */
export function maskBody(
  values: Values,
  body: Uint8Array,
  {
    headers,
    type,
    prefix = '',
  }: { headers: readonly Header[]; type: string | null; prefix?: string },
): MaskedBody {
  if (body.byteLength === 0) return { bytes: body, omitted: null }
  try {
    const content = decodeContent(body, headers)
    if (content === null) return omit(values, prefix, 'Its encoding cannot be decoded')
    const masked = maskContent(values, content.bytes, { headers, type, prefix })
    if (masked === null) return omit(values, prefix, 'It is binary')
    return { bytes: content.encode(masked), omitted: null }
  } catch {
    return omit(values, prefix, 'It cannot be processed')
  }
}

function omit(values: Values, prefix: string, reason: string): MaskedBody {
  values.useOf(`${prefix}body`, '', reason)
  return { bytes: empty, omitted: `${reason}, so it cannot be masked and is left out.` }
}

type Encoder = (bytes: Uint8Array) => Uint8Array

const encoders: Readonly<Record<string, Encoder>> = {
  gzip: (bytes) => gzipSync(bytes),
  'x-gzip': (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: (bytes) => zstdCompressSync(bytes),
}

/** Of a declared encoding, or of gzip that is not declared. Null: it cannot be decoded. */
function decodeContent(
  body: Uint8Array,
  headers: readonly Header[],
): { bytes: Uint8Array; encode: Encoder } | null {
  const declared = encodingsOf(headers).filter((coding) => coding !== 'identity')
  const isGzip = body[0] === 0x1f && body[1] === 0x8b && body[2] === 8
  const codings = declared.length > 0 ? declared : isGzip ? ['gzip'] : []
  const plain = { bytes: body, encode: (bytes: Uint8Array) => bytes }
  if (codings.length === 0) return plain
  const bytes = decodeSmall(body, [['content-encoding', codings.join(',')]], maxDecodedBytes)
  // The header is wrong: compressed bytes are never text.
  if (bytes === null) return isUtf8(body) ? plain : null
  return {
    bytes,
    encode: (masked) =>
      codings.reduce((encoded, coding) => encoders[coding]?.(encoded) ?? encoded, masked),
  }
}

interface Context {
  readonly headers: readonly Header[]
  readonly type: string | null
  readonly prefix: string
}

function maskContent(values: Values, bytes: Uint8Array, context: Context): Uint8Array | null {
  // UTF-16, in which each character would get a mask of its own.
  if (bytes[0] === 0 || bytes[1] === 0) return null
  const valid = isUtf8(bytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!valid && /[\x00-\x08\x0e-\x1f]/.test(text)) return null
  return Buffer.from(maskBytes(values, text, context, valid), 'latin1')
}

const utf8Mark = '\xef\xbb\xbf'

function maskBytes(
  values: Values,
  text: string,
  { headers, type, prefix }: Context,
  valid: boolean,
): string {
  const mark = text.startsWith(utf8Mark) ? utf8Mark : ''
  const content = text.slice(mark.length)
  const start = /^\s*(.)/s.exec(content)?.[1] ?? ''
  const isForm = start !== '{' && (isDeclaredForm(headers) || form.test(content))
  const isJson = '{["'.includes(start) || /"[^"]*"\s*:/.test(content) || jsonFault(content) === null
  if (isJson && !isForm) return mark + new JsonMask(values, prefix, valid).mask(content, type)
  const field = `${prefix}body text`
  const masked =
    values.choiceOf(field) === 'keep'
      ? values.kept(content, false)
      : (isForm ? maskForm : maskLooseText)(values, content)
  values.useOf(field, content, masked)
  return mark + masked
}

const form = /^[\w.~%+[\]-]{1,80}=[^\s{}"]*$/

function isDeclaredForm(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /urlencoded/i.test(value),
  )
}

/** `name=value&name=value`, also of a query. */
export function maskForm(values: Values, text: string): string {
  const state = { maps: false }
  return text
    .split(/([&;])/)
    .map((part) => {
      const [key = '', ...rest] = part.split('=')
      if (rest.length === 0) return values.mask(part)
      return `${values.key(key, false, state).replaceAll(' ', '+')}=${values.mask(rest.join('='))}`
    })
    .join('')
}

/** Also cut ones, at which a parser fails. */
const literals = new Set(
  't tr tru f fa fal fals n nu nul true false null True False None NaN undefined Infinity -Infinity'.split(
    ' ',
  ),
)

/** Text that is no JSON, or what follows the first error in it. */
function maskLooseText(values: Values, text: string): string {
  return text.replaceAll(/[\w.+\-\\%\x80-\xff]+/g, (word) => {
    if (literals.has(word) || isDocumentedWord(word) || /^[eE][+-]?$/.test(word)) return word
    if (/^[+-]?\.?\d[\d._]{0,20}(?:[eE][+-]?\d{0,3})?$/.test(word)) {
      return word.length === 1 ? '0' : maskNumber(word)
    }
    return word.replace(/^0[xXbBoO](?=[0-9a-fA-F]+$)/, '') === word
      ? values.mask(word, true)
      : `${word.slice(0, 2)}0`
  })
}

interface Frame {
  readonly isObject: boolean
  /** Of the members, or null: none is documented. */
  readonly fields: HarmlessFields | null
  /** Of the elements of a list. */
  readonly element: HarmlessField | null
  readonly path: string
  readonly keys: { maps: boolean }
  /** `data.type` of the object. */
  type: string
}

/** A text that stays only if the rest of the body allows it. */
interface Pending {
  readonly at: number
  readonly inner: string
  readonly rule: 'text' | 'spot' | 'product' | 'item'
  readonly frame: Frame
  readonly path: string
}

/** One pass over the tokens. After the first error nothing stays but keys, types, punctuation and literals. */
class JsonMask {
  readonly #values: Values
  readonly #prefix: string
  readonly #valid: boolean
  #out: string[] = []
  #pending: Pending[] = []
  #used: [path: string, original: string, becomes: string, outcome: Outcome | undefined][] = []
  #frames: Frame[] = []
  #seen: (string | null)[] = []
  #types: readonly (string | null)[] = []
  #broken = false

  constructor(values: Values, prefix: string, valid: boolean) {
    this.#values = values
    this.#prefix = prefix
    this.#valid = valid
  }

  mask(text: string, type: string | null): string {
    this.#types = [type]
    const counts = { ...this.#values.counts }
    let masked = this.#pass(text)
    const isAsExpected = this.#seen.length < 2 && (this.#seen[0] ?? null) === type
    if (!isAsExpected) {
      this.#types = this.#seen
      this.#values.counts = counts
      masked = this.#pass(text)
    }
    for (const [path, original, becomes, outcome] of this.#used) {
      this.#values.useOf(this.#prefix + (path || 'body text'), original, becomes, outcome)
    }
    return masked
  }

  #pass(text: string): string {
    this.#out = []
    this.#pending = []
    this.#used = []
    this.#frames = []
    this.#seen = []
    this.#broken = !this.#valid
    const parser = new JsonParser(text, { strict: true })
    let copied = 0
    let reached = 0
    let field: HarmlessField | null = null
    let key = ''
    let path = ''
    for (;;) {
      const kind = parser.next()
      if (kind === jsonToken.end) break
      if (kind === jsonToken.other) {
        this.#broken = true
        this.#out.push(text.slice(copied, reached))
        this.#lenient(text, reached)
        return this.#finish()
      }
      const { from, to } = parser
      reached = to
      const frame = this.#frames.at(-1)
      if (frame && !frame.isObject) {
        field = frame.element
        key = ''
        path = frame.path
      }
      switch (kind) {
        case jsonToken.key: {
          const inner = text.slice(from + 1, to - 1)
          field = frame?.fields?.get(inner) ?? null
          key = inner
          path = frame && this.#values.tracksFields ? join(frame.path, fromBytes(inner)) : ''
          const shown =
            field || frame === undefined ? inner : this.#values.key(inner, true, frame.keys)
          if (shown !== inner) {
            this.#out.push(`${text.slice(copied, from)}"${shown}"`)
            copied = to
          }
          break
        }
        case jsonToken.string: {
          const inner = text.slice(from + 1, to - 1)
          const becomes = this.#string(inner, field, key, path, frame)
          if (becomes === inner) break
          this.#out.push(text.slice(copied, from), becomes === null ? '' : `"${becomes}"`)
          copied = to
          break
        }
        case jsonToken.literal: {
          const source = text.slice(from, to)
          const becomes = this.#literal(source, field, key, path)
          if (becomes === source) break
          this.#out.push(text.slice(copied, from), becomes)
          copied = to
          break
        }
        case jsonToken.objectOpen:
        case jsonToken.arrayOpen:
          this.#open(kind === jsonToken.objectOpen, field, path)
          break
        case jsonToken.objectClose:
        case jsonToken.arrayClose:
          this.#frames.pop()
          break
        case jsonToken.comma:
        case jsonToken.colon:
          break
      }
    }
    this.#out.push(text.slice(copied))
    return this.#finish()
  }

  #open(isObject: boolean, field: HarmlessField | null, path: string): void {
    const parent = this.#frames.at(-1)
    const isRoot =
      isObject && (parent === undefined || (this.#frames.length === 1 && !parent.isObject))
    if (isRoot) this.#seen.push(null)
    const fields = isRoot
      ? harmlessFields(this.#types[this.#seen.length - 1] ?? null)
      : isObject && parent?.isObject
        ? (field?.inside ?? null)
        : null
    const element = !isObject && parent?.isObject && field?.list ? field : null
    this.#frames.push({
      isObject,
      fields,
      element,
      path: isObject || !this.#values.tracksFields ? path : `${path === '' ? 'body' : path}[]`,
      keys: { maps: false },
      type: '',
    })
  }

  /** Null: what becomes of it is known at the end. */
  #string(
    inner: string,
    field: HarmlessField | null,
    key: string,
    path: string,
    frame: Frame | undefined,
  ): string | null {
    if (key === 'type' && frame?.isObject) {
      frame.type = inner
      if (this.#isRoot()) this.#addType(inner)
    }
    const choice = this.#values.choiceOf(this.#prefix + path)
    // A list is required where the rule is for its elements.
    const documented = field !== null && (!field.list || frame?.element === field)
    const rule = documented ? field.rule : ruleOfKey(key)
    const stays = !this.#broken && frame !== undefined
    if (
      stays &&
      !choice &&
      (rule === 'item' || rule === 'product' || rule === 'text' || rule === 'spot')
    ) {
      if (rule === 'item' || field?.known.includes(inner) || this.#values.isPlain(inner)) {
        this.#pending.push({ at: this.#out.length + 1, inner, rule, frame, path })
        return null
      }
    }
    const becomes =
      choice === 'keep'
        ? this.#values.kept(inner, true)
        : this.#byRule(inner, choice ? null : rule, documented ? field : null)
    this.#use(path, inner, becomes)
    return becomes
  }

  #byRule(inner: string, rule: FieldRule | null, field: HarmlessField | null): string {
    const values = this.#values
    // Another body than that of a delivery has no fields for types.
    const isPlace = field !== null && this.#prefix === '' && !this.#broken
    switch (rule) {
      case 'type': {
        const stays =
          isDocumentedType(inner) || (isPlace && values.type(inner, field.known) !== null)
        return stays ? inner : values.mask(inner, true)
      }
      case 'time':
        return values.time(inner)
      case 'id':
        return values.id(inner, true)
      case 'location':
        return values.location(inner, true)
      case 'name':
        return values.name(inner, true)
      case 'handle':
        return values.handle(inner, true)
      case 'amount':
        return !this.#broken && values.isAmount(inner) ? inner : values.mask(inner, true)
      case 'product':
      case 'text':
      case 'spot':
      case 'item':
      case 'flag':
      case 'object':
      case null:
        return this.#nested(inner) ?? values.mask(inner, true)
    }
  }

  #isRoot(): boolean {
    const [first] = this.#frames
    return this.#frames.length === 1 || (this.#frames.length === 2 && first?.isObject === false)
  }

  #addType(inner: string): void {
    const at = this.#seen.length - 1
    const before = this.#seen[at] ?? null
    this.#seen[at] = before === null || before === inner ? inner : ''
  }

  #use(path: string, original: string, becomes: string, outcome?: Outcome): void {
    if (becomes === original && this.#values.uses === null) return
    if (this.#values.uses) this.#used.push([path, original, becomes, outcome])
    else this.#values.useOf('', original, becomes, outcome)
  }

  #nested(inner: string): string | null {
    if (!/^[\s\\nrt]*[[{]/.test(inner)) return null
    const decoded = decodeString(inner)
    if (decoded === null || jsonFault(decoded) !== null) return null
    const masked = new JsonMask(this.#values, this.#prefix, false).mask(toBytes(decoded), null)
    const encoded = JSON.stringify(fromBytes(masked)).slice(1, -1)
    return toBytes(inner.includes('\\/') ? encoded.replaceAll('/', '\\/') : encoded)
  }

  #literal(source: string, field: HarmlessField | null, key: string, path: string): string {
    if (/^[tfn]/.test(source)) return source
    const choice = this.#values.choiceOf(this.#prefix + path)
    const rule = choice ? null : (field?.rule ?? ruleOfKey(key))
    // Secrets may consist of digits.
    const isKept = choice === 'keep' && this.#values.kept(source, false) === source
    const becomes = isKept ? source : this.#number(source, rule)
    this.#use(path, source, becomes, becomes !== source && rule === 'id' ? 'aliases' : undefined)
    return becomes
  }

  #number(source: string, rule: HarmlessField['rule'] | null): string {
    if (rule === 'amount' && !this.#broken && this.#values.isAmount(source)) return source
    if (rule === 'id' && /^\d+$/.test(source)) return this.#values.numericId(source)
    return rule === 'time' ? maskTime(source) : maskNumber(source)
  }

  #lenient(text: string, start: number): void {
    let key = ''
    for (let at = start; at < text.length;) {
      const quote = text.indexOf('"', at)
      if (quote === -1) {
        this.#out.push(maskLooseText(this.#values, text.slice(at)))
        return
      }
      this.#out.push(maskLooseText(this.#values, text.slice(at, quote)))
      const end = stringEnd(text, quote)
      const inner = text.slice(quote + 1, end === -1 ? text.length : end - 1)
      at = end === -1 ? text.length : end
      if (end === -1) this.#out.push(`"${this.#values.mask(inner, true)}`)
      else if (/^\s{0,99}:/.test(text.slice(at, at + 100))) {
        key = inner
        this.#out.push(`"${this.#values.key(inner, true, { maps: false })}"`)
      } else this.#out.push(`"${this.#string(inner, null, key, join('', key), undefined) ?? ''}"`)
    }
  }

  #finish(): string {
    const values = this.#values
    for (const { inner, rule } of this.#pending) {
      if (rule === 'product' && !values.namesPerson(inner)) values.addProduct(inner)
    }
    for (const { at, inner, rule, frame, path } of this.#pending) {
      const stays =
        rule === 'item'
          ? values.isProduct(inner)
          : (rule !== 'spot' || frame.type === 'SPOT') && !values.namesPerson(inner)
      const becomes = stays
        ? inner
        : rule === 'item'
          ? values.item(inner)
          : values.mask(inner, true)
      this.#out[at] = `"${becomes}"`
      this.#use(path, inner, becomes)
    }
    return this.#out.join('')
  }
}

function join(path: string, key: string): string {
  if (path !== '') return `${path}.${key}`
  return key === 'data' ? key : `body.${key}`
}
