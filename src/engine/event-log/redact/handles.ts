import { isEmail } from './emails.ts'
import { isPhone, phoneDigits } from './phones.ts'
import type { KnownHandles } from './text.ts'

/** More are not held: e-mail addresses and phone numbers are found without. */
const most = 100_000
/** Shorter ones would be found everywhere by chance, in characters. */
const shortest = 4

/** Sorts handles by how they are looked for. E-mail addresses are found by their form. */
export function knownHandles(handles: Iterable<string>): KnownHandles {
  const phones = new Set<string>()
  const words = new Set<string>()
  for (const written of handles) {
    const handle = written.trim()
    if (phones.size + words.size >= most) break
    if (handle.length < shortest || isEmail(handle)) continue
    if (isPhone(handle)) {
      const digits = phoneDigits(handle)
      if (digits.length >= 6) phones.add(digits)
      continue
    }
    words.add(handle)
    words.add(handle.toLowerCase())
  }
  return { phones, words: [...words] }
}
