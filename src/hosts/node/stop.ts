/** A stop must be over within 5 s; what is not done by then is cut, in milliseconds. */
const deadlineMs = 4500

/** Waits for SIGINT or SIGTERM, closes, and ends with 0. A second signal ends at once. */
export async function untilStopped(close: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  process.on('SIGINT', () => process.exit(1))
  setTimeout(() => process.exit(1), deadlineMs).unref()
  await close()
}
