import type { UpdateState } from '#contract/desktop.ts'
import { messageOf } from '#kit/use-action.ts'
import type { Client } from './client.ts'
import { copyText } from '#kit/clipboard.ts'
import { goToSetting } from './state/setting-target.ts'
import { toast, toastError } from '#kit/toasts.ts'
import type { Settings } from '#contract/models.ts'
import { useSettings } from './state/live-values.ts'

/** Shows Tabscope's log file in the system's file manager, or copies its path. */
export async function showLogFile(client: Client): Promise<void> {
  try {
    const { shown } = await client.call('app.showLogs', {})
    if (shown) return
    const { logFile } = await client.call('app.about', {})
    await copyText(logFile)
    toast('valid', 'Log path copied. No file manager is available to show it.')
  } catch (error) {
    toast('invalid', messageOf(error))
  }
}

/** Checks for updates and shows the result in a message. The settings page shows the details. */
export async function checkForUpdates(client: Client): Promise<void> {
  try {
    showResult(await client.call('updates.check', {}))
  } catch (error) {
    toast('invalid', messageOf(error), { about: 'updates' })
  }
}

function showResult(state: UpdateState): void {
  const show = {
    label: 'Show',
    run: () => goToSetting('updates'),
  }
  switch (state.state) {
    case 'unavailable':
      return toast('invalid', state.reason, { about: 'updates' })
    case 'idle':
      return toast('valid', 'This is the latest version of Tabscope.', { about: 'updates' })
    case 'checking':
    case 'downloading':
      return goToSetting('updates')
    case 'available':
    case 'ready':
      return toast('valid', `Tabscope ${state.version} is available.`, {
        about: 'updates',
        action: show,
      })
    case 'failed':
      return toast('invalid', state.message, { about: 'updates', action: show })
  }
}

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
