import { createHash, createHmac } from 'node:crypto'
import module from 'node:module'
import variant from '@jitl/quickjs-singlefile-mjs-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { quoteForeign } from '#shared/text/format.ts'
import {
  maxScriptBodyBytes,
  ScriptError,
  type Moment,
  unknownPosition,
  type Position,
} from './messages.ts'

/**
 * Runs in each context before the script, and keeps what it uses of the built-in objects, since the script can replace all of them. Everything crosses
 * as text: `host(name, ...arguments)` and the arguments of the returned functions. `call` returns `P` for a promise, `F` for a function, `E` and what was
 * thrown as two lines of JSON (message or null, stack), or `R` and three lines of JSON: the result, the state and the body that is left.
 */
const prelude = `(host, now, seed) => {
  'use strict'
  const { parse, stringify } = JSON
  const { construct, defineProperty } = Reflect
  const { imul } = Math
  const RealDate = Date
  const TextOf = String
  const BuiltInError = Error
  const WrongType = TypeError
  const { assign, freeze, getPrototypeOf, keys } = Object

  function FixedDate(...given) {
    if (new.target === undefined) return TextOf(new RealDate(now))
    return construct(RealDate, given.length === 0 ? [now] : given, new.target)
  }
  defineProperty(FixedDate, 'name', { value: 'Date' })
  FixedDate.prototype = RealDate.prototype
  FixedDate.now = () => now
  FixedDate.parse = RealDate.parse
  FixedDate.UTC = RealDate.UTC
  defineProperty(RealDate.prototype, 'constructor', { value: FixedDate, writable: true, configurable: true })
  globalThis.Date = FixedDate
  // Mulberry32.
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  delete globalThis.WeakRef
  delete globalThis.FinalizationRegistry

  const ask = (name, first, second) => {
    if (typeof first !== 'string' || typeof second !== 'string') throw new WrongType('crypto.' + name + ' takes strings.')
    return parse(host(name, stringify(first), stringify(second)))
  }
  const tools = {
    hmac: (text, key) => ask('hmac', text, key),
    sha256: (text) => ask('sha256', text, ''),
    base64: freeze({
      encode: (text) => ask('base64.encode', text, ''),
      decode: (text) => ask('base64.decode', text, ''),
    }),
  }
  const crypto = new Proxy(freeze(tools), {
    get(all, name) {
      if (name in all || typeof name === 'symbol' || name === 'toJSON' || name === 'then') return all[name]
      throw new WrongType('crypto has hmac, sha256 and base64, but no ' + name + '.')
    },
  })
  // What JSON would write as {} or leave out.
  const [objectType, arrayType] = [Object.prototype, Array.prototype]
  const unwritable = [
    [Map, 'a Map. Use Object.fromEntries(map)'],
    [Set, 'a Set. Use [...set]'],
    ...[getPrototypeOf(Uint8Array), DataView, ArrayBuffer].map((type) => [type, 'binary data. Use crypto.base64']),
    ...[Promise, WeakMap, WeakSet, RegExp, Error].map((type) => [type, 'of type ' + type.name]),
  ]
  const kindOf = (value) => {
    const type = typeof value
    if (type === 'object' && value !== null) {
      const prototype = getPrototypeOf(value)
      if (prototype === objectType || prototype === arrayType) return null
      for (let i = 0; i < unwritable.length; i += 1) if (value instanceof unwritable[i][0]) return unwritable[i][1]
    }
    if (type === 'number' && value - value !== 0) return TextOf(value)
    if (type === 'bigint') return 'a BigInt. Use String(value)'
    return type === 'function' || type === 'symbol' ? 'a ' + type : null
  }
  const explain = (value, path, around) => {
    const kind = kindOf(value)
    if (kind !== null) throw new WrongType((path === '' ? 'The value' : '"' + path + '"') + ' cannot be written as JSON: it is ' + kind + '.')
    if (value === null || typeof value !== 'object' || typeof value.toJSON === 'function') return
    for (let outer = around; outer !== null; outer = outer.around)
      if (outer.value === value) throw new WrongType('"' + path + '" cannot be written as JSON: it contains itself (circular).')
    const names = keys(value)
    for (let i = 0; i < names.length; i += 1)
      explain(value[names[i]], path === '' ? names[i] : path + '.' + names[i], { value, around })
  }
  const check = (_, value) => {
    if (kindOf(value) === null) return value
    throw new WrongType('JSON cannot have it.')
  }
  const plain = (value, path) => {
    try {
      return stringify(value, check) ?? 'null'
    } catch (error) {
      explain(value, path, null)
      throw error
    }
  }
  const textOf = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof BuiltInError) return value.name + ': ' + value.message
    return stringify(value) ?? TextOf(value)
  }
  const shown = (value) => {
    try {
      return textOf(value)
    } catch {}
    try {
      return TextOf(value) + (typeof value === 'bigint' ? 'n' : '')
    } catch {}
    return 'a value that cannot be shown'
  }
  const log = (...values) => {
    let line = ''
    for (let i = 0; i < values.length; i += 1) line += (i === 0 ? '' : ' ') + shown(values[i])
    host('log', stringify(line), '""')
  }
  globalThis.console = freeze({ log, info: log, warn: log, error: log, debug: log, dir: log, table: log, trace: log, group: log })
  for (const [{ prototype }, name] of [[Number, ''], [RealDate, ''], [RealDate, 'Date'], [RealDate, 'Time']].map(([type, part]) => [type, 'toLocale' + part + 'String'])) {
    const plainText = prototype[name]
    prototype[name] = function (locale) {
      if (locale !== undefined) throw new WrongType('A script has no locales, so ' + name + ' takes none.')
      return plainText.call(this)
    }
  }
  globalThis.btoa = (text) => ask('btoa', TextOf(text), '')
  globalThis.atob = (text) => ask('atob', TextOf(text), '')
  globalThis.structuredClone = (value) => (value === undefined ? value : parse(plain(value, '')))
  globalThis.TextEncoder = class TextEncoder {
    encode(text = '') { return Uint8Array.from(ask('utf8', TextOf(text), ''), (byte) => byte.charCodeAt(0)) }
  }
  globalThis.URLSearchParams = class URLSearchParams {
    #pairs
    constructor(init = '') {
      if (init !== null && typeof init === 'object') {
        const pairs = init[Symbol.iterator] ? [...init] : Object.entries(init)
        this.#pairs = pairs.map(([name, value]) => [TextOf(name), TextOf(value)])
      } else this.#pairs = parse(ask('params', TextOf(init), ''))
    }
    get size() { return this.#pairs.length }
    has(name) { return this.#pairs.some((pair) => pair[0] === name) }
    get(name) { return this.#pairs.find((pair) => pair[0] === name)?.[1] ?? null }
    getAll(name) { return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]) }
    append(name, value) { this.#pairs.push([TextOf(name), TextOf(value)]) }
    delete(name) { this.#pairs = this.#pairs.filter((pair) => pair[0] !== name) }
    set(name, value) {
      const first = this.#pairs.find((pair) => pair[0] === name)
      if (!first) return this.append(name, value)
      first[1] = TextOf(value)
      this.#pairs = this.#pairs.filter((pair) => pair === first || pair[0] !== name)
    }
    toJSON() { return TextOf(this) }
    sort() { this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) }
    forEach(run) { for (const [name, value] of this.#pairs) run(value, name, this) }
    keys() { return this.#pairs.map((pair) => pair[0]).values() }
    values() { return this.#pairs.map((pair) => pair[1]).values() }
    entries() { return this.#pairs.map((pair) => [...pair]).values() }
    [Symbol.iterator]() { return this.entries() }
    toString() { return ask('query', stringify(this.#pairs), '') }
  }
  const Params = URLSearchParams
  globalThis.URL = class URL {
    #search
    #query
    constructor(text, base = '') {
      const parts = parse(ask('url', TextOf(text), TextOf(base)))
      if (parts === null) throw new WrongType('Invalid URL: ' + text)
      const { search, ...others } = parts
      assign(this, others, { searchParams: new Params(search) })
      this.#search = search
      this.#query = this.searchParams.toString()
    }
    static canParse(text, base = '') { return parse(ask('url', TextOf(text), TextOf(base))) !== null }
    get search() {
      const query = this.searchParams.toString()
      return query === this.#query ? this.#search : query && '?' + query
    }
    get hostname() { return this.host.replace(/:\\d+$/, '') }
    get port() { return /:(\\d+)$/.exec(this.host)?.[1] ?? '' }
    get origin() { return this.protocol + '//' + this.host }
    get href() { return this.protocol + '//' + this.host + this.pathname + this.search + this.hash }
    toString() { return this.href }
    toJSON() { return this.href }
  }
  const describe = (error) => {
    let message = null
    let stack = ''
    try {
      message = textOf(error)
      stack = TextOf(error.stack)
    } catch {}
    return 'E' + stringify(message) + '\\n' + stringify(stack)
  }
  return {
    describe,
    call(run, text) {
      try {
        const { delivery, state, ...moment } = parse(text)
        now = moment.now
        seed = moment.seed
        try {
          delivery.body = parse(delivery.text)
        } catch {}
        const value = run(delivery, { crypto, log, state })
        if (typeof value === 'function') return 'F'
        if (value !== null && typeof value === 'object' && typeof value.then === 'function') return 'P'
        const isReturned = (value != null && value.body !== undefined) || delivery.text.length > 262144
        return 'R' + plain(value, '') + '\\n' + plain(state, 'state') + '\\n' + (isReturned ? '' : stringify([delivery.body]))
      } catch (error) {
        return describe(error)
      }
    },
  }
}`

/** TypeScript has it only for browsers. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}

const callMs = 50
/** Of 64 KiB: 32 MiB. QuickJS's own limit does not hold. */
const memoryPages = 512
/** It grows by 5% at least, so it cannot grow from here. */
const usedUpBytes = 0.95 * memoryPages * 64 * 1024
/** Far below the stack of the thread (`ScriptRunner`), which native recursion such as that of a parser uses faster. */
const stackBytes = 256 * 1024
const maxLines = 20
const maxLineLength = 500

const statement = /^\s*(?:const|let|var|import|return)\b/
const exporting = /(?:^|[\n;}])[ \t]{0,80}export\b/

const outOfMemory = () => new ScriptError('memory', 'The script used more than 32 MiB of memory.')
const outOfTime = () => new ScriptError('timeout', `The script ran for more than ${callMs} ms.`)

/** Its memory does not shrink, so an instance is dropped once a script has exhausted it. */
export async function openInterpreter(): Promise<Interpreter> {
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: memoryPages })
  const quickJs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }))
  return { quickJs, memory: wasmMemory }
}

export interface Interpreter {
  readonly quickJs: QuickJSWASMModule
  readonly memory: { readonly buffer: ArrayBuffer }
}

interface Returned {
  readonly result: unknown
  readonly state: unknown
  /** What the script made of `delivery.body`; null: it returned a body, or that is large. */
  readonly leftBody: unknown[] | null
}

/** A script with global objects of its own. Methods throw `ScriptError`; after any other error, nothing of the interpreter can be used. */
export class LoadedScript {
  readonly source: string
  log: string[] = []
  readonly #memory: Interpreter['memory']
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #call: QuickJSHandle
  readonly #describe: QuickJSHandle
  #run: QuickJSHandle
  #shift = 0
  #deadline = Infinity

  private constructor({ quickJs, memory }: Interpreter, source: string, moment: Moment) {
    this.source = source
    this.#memory = memory
    this.#runtime = quickJs.newRuntime()
    this.#runtime.setMaxStackSize(stackBytes)
    this.#runtime.setInterruptHandler(() => this.#isOver())
    const context = this.#runtime.newContext()
    this.#context = context
    this.#run = context.undefined
    using start = context.unwrapResult(context.evalCode(prelude, 'tabscope'))
    using host = context.newFunction('host', (...given) => this.#answer(given))
    using now = context.newNumber(moment.now)
    using seed = context.newNumber(moment.seed)
    using functions = context.unwrapResult(
      context.callFunction(start, context.undefined, host, now, seed),
    )
    this.#call = context.getProp(functions, 'call')
    this.#describe = context.getProp(functions, 'describe')
  }

  static open(interpreter: Interpreter, source: string, moment: Moment): LoadedScript {
    const script = new LoadedScript(interpreter, source, moment)
    try {
      const prefix = exporting.test(source) ? '' : 'export default '
      script.#shift = prefix.length
      script.#run = script.#load(`${prefix}${source}`)
      return script
    } catch (error) {
      script[Symbol.dispose]()
      if (script.#shift === 0 || !(error instanceof ScriptError) || !statement.test(source))
        throw error
      const { code, message, ...position } = error.failure
      const hint = 'After other statements, write `export default` before the function.'
      throw new ScriptError(code, `${message}. ${hint}`, position)
    }
  }

  /** `input`: a delivery and a state as JSON. Returns the result and the state. */
  call(input: { delivery: string; state: string }, { now, seed }: Moment): Returned {
    this.log = []
    using text = this.#context.newString(
      `{"delivery":${input.delivery},"state":${input.state},"now":${now},"seed":${seed}}`,
    )
    const returned = this.#ask(this.#call, this.#run, text)
    switch (returned[0]) {
      case 'P':
        throw new ScriptError(
          'result',
          'The script returned a promise. Return the value itself: nothing can be waited for.',
        )
      case 'F':
        throw new ScriptError('result', 'The script returned a function. Return its result.')
      case 'R': {
        const [result, state, left] = linesOf(returned)
        return { result, state, leftBody: Array.isArray(left) ? left : null }
      }
      default:
        throw this.#failure(returned, false)
    }
  }

  /** Promises that were left behind would stay in memory. */
  get isClean(): boolean {
    return !this.#runtime.hasPendingJob()
  }

  [Symbol.dispose](): void {
    this.#run.dispose()
    this.#call.dispose()
    this.#describe.dispose()
    this.#context.dispose()
    this.#runtime.dispose()
  }

  #load(code: string): QuickJSHandle {
    try {
      return this.#evaluate(code)
    } catch (error) {
      if (!(error instanceof ScriptError) || error.failure.code !== 'syntax') throw error
      const stripped = this.#stripTypes(code)
      if (stripped === null || stripped === code) throw error
      return this.#evaluate(stripped)
    }
  }

  #evaluate(code: string): QuickJSHandle {
    this.#start()
    const evaluated = this.#context.evalCode(code, 'script', { type: 'module' })
    if (evaluated.error) {
      using error = evaluated.error
      throw this.#isOver() ? outOfTime() : this.#failure(this.#ask(this.#describe, error), true)
    }
    using exported = evaluated.value
    if (this.#isOver()) throw outOfTime()
    const run = this.#context.getProp(exported, 'default')
    if (this.#context.typeof(run) === 'function') return run
    run.dispose()
    throw this.isClean
      ? new ScriptError(
          'syntax',
          'The script is not a function. Write `(delivery, { crypto, log, state }) => ...`, or a module with such a default export.',
        )
      : new ScriptError('syntax', 'A script cannot wait: remove `await`.')
  }

  /** Null: this Node cannot. */
  #stripTypes(code: string): string | null {
    try {
      return module.stripTypeScriptTypes(code)
    } catch (error) {
      if (!(error instanceof SyntaxError)) return null
      const message = error.message.replace(
        'not supported in strip-only mode',
        'not supported: only types are removed',
      )
      // The stack begins with the file and the number of the line.
      const line = Number(/:(\d+)\n/.exec(error.stack ?? '')?.[1] ?? 0) || null
      throw new ScriptError('syntax', `SyntaxError: ${message}`, { line, column: null })
    }
  }

  #start(): void {
    this.#deadline = clockMs() + callMs
  }

  #isOver(): boolean {
    return clockMs() > this.#deadline
  }

  #ask(run: QuickJSHandle, ...given: readonly QuickJSHandle[]): string {
    this.#start()
    const returned = this.#context.callFunction(run, this.#context.undefined, ...given)
    if (returned.error) {
      returned.error.dispose()
      // The prelude catches everything else.
      throw this.#isOver() ? outOfTime() : outOfMemory()
    }
    using value = returned.value
    if (this.#isOver()) throw outOfTime()
    return this.#context.getString(value)
  }

  #failure(described: string, isLoading: boolean): ScriptError {
    const [said, stack] = linesOf(described)
    const thrown = String(said).slice(0, maxLineLength)
    // Without memory for an error, the interpreter throws null. So can a script.
    const isUsedUp = thrown === 'null' && this.#memory.buffer.byteLength > usedUpBytes
    if (isUsedUp || thrown.startsWith('InternalError: out of memory')) return outOfMemory()
    const at = /\bscript:(\d{1,6})(?::(\d{1,6}))?/.exec(String(stack))
    const position = at ? this.#position(Number(at[1]), Number(at[2] ?? 0)) : unknownPosition
    if (isLoading && thrown.startsWith('SyntaxError:'))
      return new ScriptError('syntax', thrown, position)
    const shown = /^\w{0,60}Error: /.test(thrown)
      ? `${quoteForeign(thrown)}${hintOf(thrown)}`
      : `It threw ${said === null ? 'a value that cannot be shown' : quoteForeign(thrown)}.`
    return new ScriptError('error', shown, position)
  }

  #position(line: number, column: number): Position {
    const moved = line === 1 ? column - this.#shift : column
    return line > 0 ? { line, column: column > 0 ? Math.max(1, moved) : null } : unknownPosition
  }

  #answer(given: readonly QuickJSHandle[]): QuickJSHandle {
    if (this.#isOver()) throw new Error('The time is over.')
    const [name = '', first, second] = given.map((handle) => this.#context.getString(handle))
    const answer = this.#hostFunction(name, textIn(first), textIn(second))
    return this.#context.newString(JSON.stringify(answer))
  }

  #hostFunction(name: string, text: string, key: string): string {
    if (text.length > maxScriptBodyBytes || key.length > maxScriptBodyBytes) {
      throw new Error('The text is longer than 1 MiB.')
    }
    switch (name) {
      case 'hmac':
        return createHmac('sha256', key).update(text).digest('hex')
      case 'sha256':
        return createHash('sha256').update(text).digest('hex')
      case 'base64.encode':
        return Buffer.from(text).toString('base64')
      case 'base64.decode':
        return Buffer.from(text, 'base64').toString()
      case 'utf8':
        return Buffer.from(text).toString('latin1')
      case 'btoa':
        if (/[^\0-\xff]/.test(text)) throw new Error('btoa takes characters up to U+00FF.')
        return Buffer.from(text, 'latin1').toString('base64')
      case 'atob':
        return Buffer.from(text, 'base64').toString('latin1')
      case 'params':
        return JSON.stringify([...new URLSearchParams(text)])
      case 'query':
        return new URLSearchParams(JSON.parse(text)).toString()
      case 'url': {
        const url = URL.parse(text, key === '' ? undefined : key)
        if (!url) return 'null'
        const { protocol, host, pathname, search, hash } = url
        return JSON.stringify({ protocol, host, pathname, search, hash })
      }
      case 'log':
        if (this.log.length < maxLines) this.log.push(text.slice(0, maxLineLength))
        return ''
      default:
        throw new Error(`There is no ${name}.`)
    }
  }
}

const instead: readonly (readonly [names: string, hint: string])[] = [
  ['Buffer TextDecoder', 'Use crypto.base64, or btoa and atob.'],
  ['crypto log state', 'It is in the second argument: (delivery, { crypto, log, state }) => …'],
  ['delivery', 'It is the first argument: (delivery) => …'],
  ['Headers Response', 'Return an object: { status, headers, body }.'],
  ['fetch XMLHttpRequest axios', 'A script has no network.'],
  ['require module exports', 'A script has no modules: return the value, or use export default.'],
  ['process __dirname performance', 'A script knows nothing of the computer.'],
  [
    'setTimeout setInterval setImmediate queueMicrotask',
    'A script cannot wait. A response may have `delayMs`.',
  ],
  ['Intl', 'A script has no locales.'],
]

function hintOf(thrown: string): string {
  const name = /^ReferenceError: '?(\w+)'? is not defined/.exec(thrown)?.[1] ?? ''
  const hint = instead.find(([names]) => names.split(' ').includes(name))?.[1]
  if (hint !== undefined) return ` ${hint}`
  if (!thrown.includes('could not load module')) return ''
  if (thrown.includes('crypto'))
    return ' A script has no modules: crypto is in its second argument.'
  const isSource = /\.[cm]?[jt]s'/.test(thrown)
  return ` A script has no modules.${isSource ? ' For types, write `import type`.' : ''}`
}

/** Of this thread alone where Node can tell, without what the system takes for its memory, so that a busy computer makes no script fail. */
function clockMs(): number {
  if (!('threadCpuUsage' in process)) return performance.now()
  return process.threadCpuUsage().user / 1000
}

/** A script can make the interpreter return any text. */
function linesOf(returned: string): unknown[] {
  return returned.slice(1).split('\n').map(parsed)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function textIn(text: string | undefined): string {
  return String(parsed(text ?? ''))
}
