export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
}

const nothing = (): void => undefined

/** A promise that is settled from outside; only the first value counts. (`Promise.withResolvers` is not in Node 20.) */
export function deferred<T>(): Deferred<T> {
  let settle: (value: T) => void = nothing
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: (value) => settle(value) }
}
