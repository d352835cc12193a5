/** Returns a stored number, or `fallback` if there is none or storage is not available. */
export function loadNumber(key: string, fallback: number): number {
  try {
    const value = Number.parseFloat(localStorage.getItem(key) ?? '')
    return Number.isFinite(value) ? value : fallback
  } catch {
    return fallback
  }
}

/** Stores a number. Errors are ignored if storage is full or not available. */
export function saveNumber(key: string, value: number): void {
  try {
    localStorage.setItem(key, String(value))
  } catch {
    // The value is only a preference.
  }
}

/** Returns a stored text, or null if there is none or storage is not available. */
export function loadText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text, like `saveNumber`. Never store a secret: anyone who can read the browser profile can read it. */
export function saveText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The value is only a preference.
  }
}
