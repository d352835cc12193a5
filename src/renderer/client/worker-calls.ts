/** The functions of a worker, each with one argument. Arguments and results must be cloneable. */
export type WorkerApi = Record<string, (input: never) => unknown>

/** The client side of a worker or a substitute. */
export interface Calls<A extends WorkerApi> {
  /** Calls run in order, one at a time. Objects in `transfer` are transferred to the worker. */
  call<N extends keyof A & string>(
    name: N,
    input: Parameters<A[N]>[0],
    transfer?: Transferable[],
  ): Promise<Awaited<ReturnType<A[N]>>>
  /** Ends the worker. Pending calls never settle. */
  close(): void
}

interface Request {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

type Reply =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string }

function run(api: WorkerApi, name: string, input: unknown): unknown {
  const entry = Object.entries(api).find(([key]) => key === name)
  if (!entry) throw new Error(`Unknown function ${name} in this worker.`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side is `Calls` of the same type, in the same program
  return (entry[1] as (input: unknown) => unknown)(input)
}

export function serveCalls(scope: Window & typeof globalThis, api: WorkerApi): void {
  scope.addEventListener('message', ({ data }: MessageEvent<Request>) => {
    let reply: Reply
    try {
      reply = { id: data.id, ok: true, output: run(api, data.name, data.input) }
    } catch (error) {
      reply = { id: data.id, ok: false, message: error instanceof Error ? error.message : '' }
    }
    scope.postMessage(reply)
  })
}

/** Calls a worker that runs `serveCalls` with the same type. */
export function callWorker<A extends WorkerApi>(worker: Worker): Calls<A> {
  let next = 0
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const waiting = open.get(data.id)
    open.delete(data.id)
    if (data.ok) waiting?.resolve(data.output)
    else waiting?.reject(new Error(data.message))
  })
  worker.addEventListener('error', (event) => {
    for (const waiting of open.values()) waiting.reject(new Error(event.message))
    open.clear()
  })
  return {
    call: <N extends keyof A & string>(
      name: N,
      input: Parameters<A[N]>[0],
      transfer: Transferable[] = [],
    ) =>
      new Promise<Awaited<ReturnType<A[N]>>>((resolve, reject) => {
        next += 1
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker answers call `name` with what `A` says
        open.set(next, { resolve: (value) => resolve(value as Awaited<ReturnType<A[N]>>), reject })
        worker.postMessage({ id: next, name, input } satisfies Request, transfer)
      }),
    close: () => {
      open.clear()
      worker.terminate()
    },
  }
}

/** Runs the calls without a worker, for data so small that a worker would be slower. */
export function callHere<A extends WorkerApi>(api: A): Calls<A> {
  return {
    call: async <N extends keyof A & string>(
      name: N,
      input: Parameters<A[N]>[0],
    ): Promise<Awaited<ReturnType<A[N]>>> =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function of that name gives what `A` says
      (await run(api, name, input)) as Awaited<ReturnType<A[N]>>,
    close: () => undefined,
  }
}
