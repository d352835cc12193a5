/** For a promise whose failure is handled where it is awaited: until then a rejection must not count as unhandled. */
export function handledLater(promise: Promise<unknown>): void {
  promise.catch(() => undefined)
}
