import type { Payload } from '#catalogue/payload.ts'
import { SandboxError } from './errors.ts'

const bad = (override: string, why: string) =>
  new SandboxError('bad_set', `“${override}” cannot be set: ${why}`)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Own properties only: what all objects inherit is never reached, and so never changed. */
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
    throw bad(override, `“${key}” is no place in a list. Use a number from 0 to ${list.length}.`)
  if (Number(key) > list.length)
    throw bad(override, `the list has ${list.length} entries. Use a number up to ${list.length}.`)
}

function keysOf(override: string, path: string): string[] {
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  if (keys.some((key) => key === ''))
    throw bad(override, 'a path is names with dots between, like data.total or data.tags.0.')
  // An own property of this name would be sent rightly, but misread by every receiver that copies carelessly.
  if (keys.includes('__proto__')) throw bad(override, 'no field may be called __proto__.')
  return keys
}

/**
 * The payload with each `path=value` put in; the one given stays as it is. A path is names and list places with dots
 * between (`data.itemNames.0`); the value is JSON if it parses, else text. Objects on the way are made when absent.
 * Throws `SandboxError` (`bad_set`).
 */
export function applyOverrides(payload: Payload, overrides: readonly string[]): Payload {
  const result = structuredClone(payload)
  for (const override of overrides) {
    const equals = override.indexOf('=')
    if (equals < 1) throw bad(override, 'write path=value, like data.total=12.')
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
        const place = keys.slice(0, depth + 1).join('.')
        throw bad(override, `${place} is a ${typeof inner} and holds no fields.`)
      }
      put(holder, key, inner)
      holder = inner
    }
  }
  return result
}
