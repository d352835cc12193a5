import type { Settings } from '#contract/models.ts'
import type { Client } from './client.ts'
import { toastError } from '#kit/toasts.ts'
import { useSettings } from './state/settings.ts'

/** Keeps the root's `data-theme` in sync with the settings. `system` removes it. */
export function followTheme(root: HTMLElement): () => void {
  function apply(): void {
    const theme = useSettings.getState().settings?.theme ?? 'system'
    if (theme === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = theme
  }
  apply()
  return useSettings.subscribe(apply)
}

export const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function selectTheme(client: Client, theme: Settings['theme']): void {
  // Updated immediately and again with the push, so that a click takes effect in the same frame.
  useSettings.setState(({ settings }) => ({ settings: settings && { ...settings, theme } }))
  client.call('settings.update', { theme }).catch(toastError)
}
