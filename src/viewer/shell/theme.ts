import type { Settings } from '#contract/models.ts'
import { saveText, loadText } from '#renderer/platform/storage.ts'

const key = 'tabscope.page.theme'

/** Returns the last selected theme, if the browser provides storage to local files. */
export function storedTheme(): Settings['theme'] {
  const stored = loadText(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function storeTheme(theme: Settings['theme']): void {
  saveText(key, theme)
}
