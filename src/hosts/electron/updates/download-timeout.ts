/**
 * Waits for `work` as long as something is heard of it: `heard` begins the time (ms) anew. After so long a silence `signal` is aborted, by which
 * `work` gives back what it holds, and the wait rejects with `sentence`, whether or not `work` ever ends.
 */
export async function whileHeard<Result>(
  ms: number,
  sentence: string,
  work: (heard: () => void, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const silent = Promise.withResolvers<never>()
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      silent.reject(new Error(sentence))
      over.abort()
    }, ms)
  }
  heard()
  try {
    return await Promise.race([work(heard, over.signal), silent.promise])
  } finally {
    clearTimeout(timer)
  }
}
