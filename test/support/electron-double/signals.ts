const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * What Electron does on Linux and macOS before `ready`: its own handlers replace those that the app has registered. Each acts once and calls
 * `quit`; then the signal has its default effect again. One that the app registers later replaces Electron's.
 */
export function installSignalHandlers(quit: () => void): void {
  if (process.platform === 'win32') return
  for (const signal of SIGNALS) {
    // libuv installs a handler for the first listener only. As long as a listener from before `ready` is there, another one changes nothing.
    const isStale = process.listenerCount(signal) > 0
    process.removeAllListeners(signal)
    let isReplaced = false
    process.once(signal, () => {
      if (!isReplaced) quit()
    })
    process.on('newListener', (name) => {
      if (name !== signal) return
      if (isStale) throw new Error(`A listener for ${signal} from before 'ready' is in the way`)
      // Removing Electron's here would have Node give the signal up.
      isReplaced = true
    })
  }
}
