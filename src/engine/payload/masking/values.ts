import {
  type HeaderRule,
  isDocumentedKey,
  isHarmlessKey,
  isIdentifier,
  isTypeName,
} from '#catalogue/harmless.ts'
import { Aliases, type AliasSeries, isAlias, startsWithAlias } from './aliases.ts'
import type { FieldChoice } from '#contract/masking.ts'
import type { FieldUses, Outcome } from './field-uses.ts'
import { fromBytes, toBytes } from '../../platform/byte-text.ts'
import { decodeString, isPlainText, marksOf, maskText, maskTime } from './text.ts'

/** They stay: they show a mistake of the sender. */
const evidence = new Set(['', 'null', 'undefined', 'None', 'NaN', '[object Object]'])
const plainUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const wholeUuid = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i
const uuidInText = /(?<![0-9A-Za-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9A-Za-z])/gi
const around = /^((?:\\["nrt]|[\s"'{}()[\]<>+@])*)(.*?)((?:\\["nrt]|[\s"'{}()[\]<>+@])*)$/s
/** Most values have nothing around them. */
const wordOnly = /^[\w-]+$/
const isoTime =
  /^(?:19|20)\d\d-(?:0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/
const basicTime = /^\d{8}T\d{4,6}(?:\.\d{1,9})?(?:Z|[+-]\d{2,4})?$/
const amount = /^-?\d{1,7}(?:\.\d{1,4})?$/

/** Longer values are no names and no IDs. */
const maxAliasLength = 400
const maxProducts = 100_000
const cacheSize = 20_000

export interface KnownHeader {
  readonly shownName: string
  readonly lowerName: string
  readonly rule: HeaderRule | null
}

export interface MaskOptions {
  readonly aliases?: Aliases
  /** Names of products that were met, as in JSON. Shared by the maskers of one connection. */
  readonly products?: Set<string>
  /** Later ones replace earlier ones of the same field. */
  readonly choices?: readonly FieldChoice[]
  /** Never shown, not even in a field to keep. In clear text. */
  readonly secrets?: readonly string[]
  /** Counts by field, with examples. Null: none, which is faster. */
  readonly uses?: FieldUses | null
  /** The records come from a masked file, whose aliases stay. */
  readonly masked?: boolean
}

/** Aliases and masks of single values. All texts but those of `toBytes` are byte strings (`text.ts`). */
export class Values {
  readonly aliases: Aliases
  readonly uses: FieldUses | null
  /** The names of fields are needed: for a preview, or since the user has selected some. */
  readonly tracksFields: boolean
  /** The records come from a masked file. */
  readonly isMasked: boolean
  marks = false
  /** Names and handles of the current delivery, normalized. */
  readonly people = new Set<string>()
  /** By name as received. */
  readonly headers = new Map<string, KnownHeader>()
  /** Of headers with words of protocols, which are the same in most deliveries. */
  readonly words = new Map<string, string>()
  counts = { kept: 0, aliases: 0, masked: 0 }
  readonly #products: Set<string>
  readonly #plain = new Map<string, boolean>()
  readonly #harmlessKeys = new Set<string>()
  /** The first ones, which are often those of all deliveries. */
  readonly #locations = new Map<string, string>()
  readonly #ids = new Map<string, string>()
  /** Fields of choices that were found. */
  readonly usedChoices = new Set<string>()
  readonly #choices: ReadonlyMap<string, FieldChoice['as']>
  readonly #secrets: readonly string[]

  constructor(options: MaskOptions) {
    this.aliases = options.aliases ?? new Aliases()
    this.#products = options.products ?? new Set()
    this.uses = options.uses ?? null
    this.#choices = new Map(options.choices?.map(({ field, as }) => [field, as]))
    this.tracksFields = this.uses !== null || this.#choices.size > 0
    this.#secrets = (options.secrets ?? [])
      .filter((secret) => secret.length >= 6)
      .flatMap((secret) => {
        const bytes = Buffer.from(secret)
        const base64 = bytes.toString('base64').replaceAll('=', '')
        return [
          secret,
          encodeURIComponent(secret),
          base64,
          bytes.toString('base64url'),
          bytes.toString('hex'),
        ]
      })
    this.isMasked = options.masked ?? false
  }

  /** What the user has selected for a field, or for the object or list that it is in. */
  choiceOf(field: string): 'keep' | 'mask' | null {
    if (this.#choices.size === 0) return null
    for (let name = field; name !== '';) {
      const choice = this.#choices.get(name)
      if (choice) {
        this.usedChoices.add(name)
        return choice
      }
      const end = name.endsWith('[]') ? name.length - 2 : name.lastIndexOf('.')
      name = name.slice(0, Math.max(0, end))
    }
    return null
  }

  /** A value of a field that the user keeps. It may hold a secret all the same. */
  kept(value: string, escapes: boolean): string {
    return this.#holdsSecret(value) ? this.mask(value, escapes) : value
  }

  #holdsSecret(value: string): boolean {
    if (this.#secrets.length === 0) return false
    const texts = [fromBytes(value), decodeString(value) ?? '']
    return this.#secrets.some((secret) => texts.some((text) => text.includes(secret)))
  }

  /** Byte strings. */
  useOf(field: string, original: string, becomes: string, known?: Outcome): void {
    if (becomes === original && this.uses === null) return
    const outcome =
      known ?? (becomes === original ? 'kept' : startsWithAlias(becomes) ? 'aliases' : 'masked')
    this.counts[outcome] += 1
    this.uses?.add(field, outcome, fromBytes(original), fromBytes(becomes))
  }

  maskUnicode(text: string): string {
    return fromBytes(this.mask(toBytes(text)))
  }

  mask(text: string, escapes = false): string {
    if (this.isMasked && isAlias(text)) return text
    if (text.length < 36 || !text.includes('-')) return maskText(text, escapes)
    let out = ''
    let from = 0
    for (const { index, 0: found } of text.matchAll(uuidInText)) {
      out += maskText(text.slice(from, index), escapes) + this.id(found, false)
      from = index + found.length
    }
    return out + maskText(text.slice(from), escapes)
  }

  id(text: string, escapes: boolean): string {
    if (text.length === 36 && plainUuid.test(text)) return this.aliases.aliasOf('uuid', text, text)
    return this.#alias(
      text,
      escapes,
      (value) =>
        wholeUuid.test(value)
          ? [
              'uuid',
              value.toLowerCase().replace(/^(.{8})-?(.{4})-?(.{4})-?(.{4})-?/, '$1-$2-$3-$4-'),
            ]
          : ['id', value],
      this.#ids,
    )
  }

  /** JSON number: the number of the alias. */
  numericId(text: string): string {
    return this.aliases.aliasOf('id', text, text).slice('id '.length)
  }

  name(text: string, escapes: boolean): string {
    return this.#alias(text, escapes, (value) => ['name', this.#addPerson(value)])
  }

  /** Most deliveries come from a few locations. */
  location(text: string, escapes: boolean): string {
    return this.#alias(text, escapes, (value) => ['location', normalName(value)], this.#locations)
  }

  handle(text: string, escapes: boolean): string {
    return this.#alias(text, escapes, (value) => {
      const normal = this.#addPerson(value)
      if (/^[^@\s]+@[^@\s]+$/.test(value)) return ['email', normal]
      const digits = value.replaceAll(/\D/g, '')
      if (digits.length >= 5 && /^[\d\s().+/-]+$/.test(value)) return ['phone', digits.slice(-9)]
      return ['handle', normal]
    })
  }

  alias(series: AliasSeries, text: string): string {
    return this.#alias(text, false, (value) => [series, value.toLowerCase()])
  }

  /** A key or the name of a header, which must stay unique in its object. `state.maps`: it is in an object with values in the place of keys. */
  key(key: string, escapes: boolean, state: { maps: boolean }): string {
    if (this.#harmlessKeys.has(key) && !state.maps) return key
    const decoded = escapes ? (decodeString(key) ?? key) : key
    if (isHarmlessKey(decoded) && !(state.maps && !isDocumentedKey(decoded))) {
      if (this.#harmlessKeys.size < cacheSize) this.#harmlessKeys.add(key)
      return key
    }
    if (!isIdentifier(decoded)) state.maps = true
    return this.#alias(key, escapes, (value) => ['key', value])
  }

  type(text: string, known: readonly string[] = []): string | null {
    return known.includes(text) || isTypeName(text) ? text : null
  }

  time(text: string): string {
    return isoTime.test(text) || basicTime.test(text) ? text : maskTime(text)
  }

  isAmount(text: string): boolean {
    return amount.test(text)
  }

  isPlain(inner: string): boolean {
    const known = this.#plain.get(inner)
    if (known !== undefined) return known
    const decoded = decodeString(inner)
    const isPlain = decoded !== null && isPlainText(decoded) && !this.#holdsSecret(inner)
    if (this.#plain.size >= cacheSize) this.#plain.clear()
    if (inner.length < 200) this.#plain.set(inner, isPlain)
    return isPlain
  }

  addProduct(inner: string): void {
    if (this.#products.size < maxProducts) this.#products.add(inner)
  }

  isProduct(inner: string): boolean {
    return this.#products.has(inner)
  }

  item(inner: string): string {
    return this.#alias(inner, true, (value) => ['item', normalName(value)])
  }

  /** A kept text that contains a name or handle of the same delivery and more. */
  namesPerson(inner: string): boolean {
    if (this.people.size === 0) return false
    const text = wordOnly.test(inner)
      ? inner.toLowerCase()
      : normalName(decodeString(inner) ?? inner)
    for (const person of this.people) {
      if (person.length >= 3 && text !== person && text.includes(person)) return true
    }
    return false
  }

  #addPerson(value: string): string {
    const normal = normalName(value)
    if (this.people.size < 100) this.people.add(normal)
    return normal
  }

  #alias(
    text: string,
    escapes: boolean,
    seriesOf: (value: string) => [AliasSeries, string],
    cache?: Map<string, string>,
  ): string {
    const known = cache?.get(text)
    if (known !== undefined) return known
    if (text.length < 16 && evidence.has(text)) return text
    if (text.length > maxAliasLength) return this.mask(text, escapes)
    const isWord = wordOnly.test(text)
    const [, lead = '', core = '', trail = ''] = isWord ? ['', '', text] : (around.exec(text) ?? [])
    if (core === '' || (this.isMasked && isAlias(core))) return text
    const value = (escapes ? decodeString(core) : fromBytes(core)) ?? fromBytes(core)
    const [series, normal] = seriesOf(value)
    const alias = this.aliases.aliasOf(series, normal, value, this.marks ? marksOf(core) : '')
    if (isWord && cache && cache.size < 1000) cache.set(text, alias)
    return lead + alias + trail
  }
}

function normalName(value: string): string {
  const normal = value.toLowerCase()
  return wordOnly.test(normal) ? normal : normal.normalize('NFC').trim().replaceAll(/\s+/g, ' ')
}
