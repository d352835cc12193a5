import type { Payload } from '#catalogue/payload.ts'
import { SandboxError } from './errors.ts'

const invalidOverride = (override: string, reason: string) =>
  new SandboxError('bad_set', `Invalid override “${override}”: ${reason}`)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Inherited members (`Object.prototype`) are never reached and never changed. */
const ownValue = (holder: object, key: string): unknown =>
  Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined

function put(holder: object, key: string, value: unknown) {
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function checkIndex(override: string, list: readonly unknown[], key: string) {
  if (!/^(0|[1-9]\d{0,9})$/.test(key))
    throw invalidOverride(
      override,
      `“${key}” is not a list index. Use a number from 0 to ${list.length}.`,
    )
  if (Number(key) > list.length)
    throw invalidOverride(
      override,
      `the list has ${list.length} entries. Use a number up to ${list.length}.`,
    )
}

function keysOf(override: string, path: string): string[] {
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  if (keys.some((key) => key === ''))
    throw invalidOverride(
      override,
      'a path consists of names separated by dots, like data.total or data.tags.0.',
    )
  // Sent as an own property, but a receiver that copies keys carelessly would change its prototype.
  if (keys.includes('__proto__'))
    throw invalidOverride(override, '__proto__ is not allowed as a field name.')
  return keys
}

/**
 * Returns a copy with each `path=value` applied. A path consists of field names and list indexes separated by dots (`data.itemNames.0`); missing objects
 * are created. The value is parsed as JSON, or used as text if it is not JSON. Throws `SandboxError` (`bad_set`).
 */
export function applyOverrides(payload: Payload, overrides: readonly string[]): Payload {
  const result = structuredClone(payload)
  for (const override of overrides) {
    const equals = override.indexOf('=')
    if (equals < 1) throw invalidOverride(override, 'write path=value, like data.total=12.')
    const keys = keysOf(override, override.slice(0, equals))
    let holder: object = result
    for (const [depth, key] of keys.entries()) {
      if (Array.isArray(holder)) checkIndex(override, holder, key)
      if (depth === keys.length - 1) {
        put(holder, key, jsonOrText(override.slice(equals + 1)))
        break
      }
      const inner = ownValue(holder, key) ?? {}
      if (!isObject(inner)) {
        const parent = keys.slice(0, depth + 1).join('.')
        throw invalidOverride(override, `${parent} is a ${typeof inner} and has no fields.`)
      }
      put(holder, key, inner)
      holder = inner
    }
  }
  return result
}
