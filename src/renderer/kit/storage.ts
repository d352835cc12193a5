import { parseJson } from '#shared/json/object.ts'

/** Returns a stored number, or `fallback` if there is none or storage is not available. */
export function loadNumber(key: string, fallback: number): number {
  const value = Number.parseFloat(loadText(key) ?? '')
  return Number.isFinite(value) ? value : fallback
}

export function saveNumber(key: string, value: number): void {
  saveText(key, String(value))
}

/** Returns a stored text, or null if there is none or storage is not available. */
export function loadText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text. Errors are ignored if storage is full or not available. Never store a secret: anyone who can read the browser profile can read it. */
export function saveText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The value is only a preference.
  }
}

/** The texts stored by `saveRecent`, most recent first. */
export function loadRecent(key: string, maximum: number): readonly string[] {
  const value = parseJson(loadText(key) ?? '[]')
  const texts = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
  return texts.slice(0, maximum)
}

/** Puts a text before the others that were used recently, stores and returns them. */
export function saveRecent(
  key: string,
  maximum: number,
  text: string,
  others: readonly string[],
): readonly string[] {
  const recent = [text, ...others.filter((other) => other !== text)].slice(0, maximum)
  saveText(key, JSON.stringify(recent))
  return recent
}
