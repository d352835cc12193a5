/**
 * Runs in each context before the script, and keeps what it uses of the built-in objects, since the script can replace all of them. Everything crosses
 * as text: `host(name, ...arguments)` and the arguments of the returned functions. `call` returns `P` for a promise, `F` for a function, `M` if memory
 * ran out, `E` and the error as two lines of JSON (message, stack), or `R` and two lines of JSON: the result and the state.
 */
export const prelude = `(host, now, seed) => {
  'use strict'
  const { parse, stringify } = JSON
  const { construct, defineProperty } = Reflect
  const { imul } = Math
  const { freeze } = Object
  const RealDate = Date
  const TextOf = String
  const BuiltInError = Error
  const WrongType = TypeError

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
  const crypto = freeze({
    hmac: (text, key) => ask('hmac', text, key),
    sha256: (text) => ask('sha256', text, ''),
    base64: freeze({
      encode: (text) => ask('base64.encode', text, ''),
      decode: (text) => ask('base64.decode', text, ''),
    }),
  })
  const textOf = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof BuiltInError) return value.name + ': ' + value.message
    return stringify(value) ?? TextOf(value)
  }
  const log = (...values) => {
    let line = ''
    for (let i = 0; i < values.length; i += 1) line += (i === 0 ? '' : ' ') + textOf(values[i])
    host('log', stringify(line), '""')
  }
  const describe = (error) => {
    if (error === null) return 'M'
    let message = 'It threw a value that cannot be shown.'
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
        return 'R' + (stringify(value) ?? 'null') + '\\n' + (stringify(state) ?? 'null')
      } catch (error) {
        return describe(error)
      }
    },
  }
}`
