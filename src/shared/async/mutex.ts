/** Runs what it is given one after the other, in the order in which it came; one that fails keeps none from its turn. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Runs what it is given at once, but no more than `most` at a time; the others wait, in the order in which they came. */
export function createSlots(most: number): Mutex {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place is handed on, so that nobody who comes now goes before those who wait.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** A mutex for each key, for as long as something waits there. */
export type KeyedMutex<K> = <T>(key: K, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex<K>(): KeyedMutex<K> {
  const busy = new Map<K, { readonly mutex: Mutex; waiting: number }>()
  return async (key, work) => {
    const mine = busy.get(key) ?? { mutex: createMutex(), waiting: 0 }
    busy.set(key, mine)
    mine.waiting += 1
    try {
      return await mine.mutex(work)
    } finally {
      mine.waiting -= 1
      if (mine.waiting === 0) busy.delete(key)
    }
  }
}
