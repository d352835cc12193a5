import { app } from 'electron'

/**
 * Has the system open `tabscope:` links with this app. A checkout must not take them from the app that is installed; on Linux they are the
 * package's, whose desktop entry names them, and the user's choice.
 */
export function registerLinks(): void {
  if (!app.isPackaged || process.platform === 'linux') return
  app.setAsDefaultProtocolClient('tabscope')
}
