import { AppError } from '#engine/platform/errors.ts'
import { serveTask } from '#engine/platform/task.ts'

export type CountShape = {
  input: { readonly until: number; readonly finally: 'end' | 'refuse' | 'crash' | 'hang' | 'wait' }
  output: string
  reports: { counted: (count: number) => number }
  calls: { add: (count: number) => number }
}

serveTask<CountShape>(async ({ input, engine, signal, throwIfCancelled, serve }) => {
  let sum = 0
  serve({ add: (count) => (sum += count) })
  for (let count = 1; count <= input.until; count += 1) {
    const counted = await engine.call('counted', count)
    sum += counted
  }
  switch (input.finally) {
    case 'end':
      return `${sum}`
    case 'refuse':
      throw new AppError('bad_input', 'Count further.', { retry: 'later' })
    case 'crash':
      return process.exit(1)
    case 'hang':
      for (;;);
    case 'wait':
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throwIfCancelled()
      return 'not cancelled'
  }
})
