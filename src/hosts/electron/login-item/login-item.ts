import type { App } from 'electron'

/** What the system starts at log-in, by the system's own word: its settings have a switch for it as well. */
export interface LoginItem {
  /** Whether it starts this Tabscope, on these data. */
  read(): boolean
  /** Where it is so already, the system is not asked again. Throws where that cannot be. */
  write(on: boolean): void
}

export type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>

/** macOS takes no arguments: `wasOpenedAtLogin` tells, and it is the usual data folder that is opened. */
export function macLoginItem(items: LoginItems): LoginItem {
  // False as well where the user has yet to approve it, or has switched it off in the system's settings.
  const read = (): boolean => items.getLoginItemSettings().openAtLogin
  return {
    read,
    write(on) {
      if (read() !== on) items.setLoginItemSettings({ openAtLogin: on })
    },
  }
}

/** `appId`: the name of its value in the registry, which is the AppUserModelID. */
export function windowsLoginItem(
  items: LoginItems,
  program: string,
  appId: string,
  args: readonly string[],
): LoginItem {
  // Electron quotes program and arguments itself, when it writes and when it compares.
  const given = { args: [...args] }
  const read = (): boolean => {
    // What was switched off in the task manager still stands in the registry. It is looked up by the program's path, which ends at its first
    // space where it has no quotes; for the comparison Electron takes them off again.
    const { openAtLogin, launchItems } = items.getLoginItemSettings({
      ...given,
      path: `"${program}"`,
    })
    return (
      openAtLogin &&
      !launchItems.some(
        ({ name, scope, enabled }) => name === appId && scope === 'user' && !enabled,
      )
    )
  }
  return {
    read,
    write(on) {
      if (read() !== on) items.setLoginItemSettings({ openAtLogin: on, ...given })
    },
  }
}
