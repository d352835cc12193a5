/** A number kept from one run to the next; `fallback` when there is none or storage is refused. */
export function loadNumber(key: string, fallback: number): number {
  try {
    const kept = Number.parseFloat(localStorage.getItem(key) ?? '')
    return Number.isFinite(kept) ? kept : fallback
  } catch {
    return fallback
  }
}

/** Keeps it. Storage that is refused or full only means that it is forgotten. */
export function saveNumber(key: string, value: number): void {
  try {
    localStorage.setItem(key, String(value))
  } catch {
    // Nothing depends on it.
  }
}

/** A text kept from one run to the next; null when there is none or storage is refused. */
export function loadText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps it, as `saveNumber` does. Never a secret: whoever can read the profile can read this. */
export function saveText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Nothing depends on it.
  }
}
