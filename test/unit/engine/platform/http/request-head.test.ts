import { validateHeaderName, validateHeaderValue } from 'node:http'
import { expect, it } from 'vitest'
import { isFieldValue, isToken } from '#engine/platform/http/request-head.ts'

function passes(validate: () => void): boolean {
  try {
    validate()
    return true
  } catch {
    return false
  }
}

const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))
const texts = ['', 'a b', 'X-Custom', 'a\n', ...characters, ...characters.map((c) => `a${c}b`)]

it('accepts the same header names and values as Node', () => {
  for (const text of texts) {
    expect(isToken(text), JSON.stringify(text)).toBe(passes(() => validateHeaderName(text)))
    expect(isFieldValue(text), JSON.stringify(text)).toBe(
      passes(() => validateHeaderValue('name', text)),
    )
  }
})
