import { useSettings } from './store.ts'

/** Keeps the root's `data-theme` as the settings say; `system` leaves the choice to the system. */
export function followTheme(root: HTMLElement): () => void {
  function apply(): void {
    const theme = useSettings.getState().settings?.theme ?? 'system'
    if (theme === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = theme
  }
  apply()
  return useSettings.subscribe(apply)
}
