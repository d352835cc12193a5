const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Like Electron on Linux and macOS before `ready`: its signal handlers replace those of the app. Each handler runs once and calls
 * `quit`, after which the signal has its default effect. Handlers that the app registers later replace those of Electron.
 */
export function installSignalHandlers(quit: () => void): void {
  if (process.platform === 'win32') return
  for (const signal of SIGNALS) {
    // libuv installs a handler only for the first listener. While a listener from before `ready` exists, further listeners have no effect.
    const isStale = process.listenerCount(signal) > 0
    process.removeAllListeners(signal)
    let isReplaced = false
    process.once(signal, () => {
      if (!isReplaced) quit()
    })
    process.on('newListener', (name) => {
      if (name !== signal) return
      if (isStale) throw new Error(`A listener for ${signal} from before 'ready' is in the way`)
      // Removing Electron's listener here would make Node restore the default handler.
      isReplaced = true
    })
  }
}
