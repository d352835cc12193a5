/** Ctrl+C cancels what is sent, also where another process sends it; a second one ends this process at once. */
export async function cancellable<T>(
  cancel: () => Promise<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  // It may be over by then, and then there is nothing to cancel.
  const stop = (): void => void cancel().catch(() => undefined)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await send()
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
