/** Runs tasks in order, one at a time. A failed task does not affect the following ones. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Runs at most `most` tasks at a time. Further tasks wait in order. */
export function createSlots(max: number): Mutex {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < max) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Pass the slot to the next waiting task, so that a new task cannot overtake it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Keeps a mutex for a key while tasks are running or waiting. */
export type KeyedMutex<K> = <T>(key: K, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex<K>(): KeyedMutex<K> {
  const busy = new Map<K, { mutex: Mutex; waiting: number }>()
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
